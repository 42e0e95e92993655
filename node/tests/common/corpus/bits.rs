//! Bytes and bits by hand.

/// Numbers that look random and are the same every time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// Bits, highest first.
#[derive(Default)]
pub struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    pub fn bit(&mut self, bit: bool) {
        if self.used.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (7 - self.used % 8);
        }
        self.used += 1;
    }

    pub fn number(&mut self, value: u32, bits: u32) {
        for at in (0..bits).rev() {
            self.bit(value >> at & 1 == 1);
        }
    }

    /// An exponential-Golomb number.
    pub fn golomb(&mut self, value: u32) {
        let length = 32 - (value + 1).leading_zeros();
        self.number(0, length - 1);
        self.number(value + 1, length);
    }

    pub fn bytes(mut self) -> Vec<u8> {
        self.bit(true);
        self.bytes
    }
}

/// The checksum of PNG chunks.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32| {
        if sum & 1 == 1 {
            sum >> 1 ^ 0xedb8_8320
        } else {
            sum >> 1
        }
    };
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum))
    })
}

/// A zlib stream of so many zeros in a thousandth of their size or less.
pub fn zlib_zeros(count: usize) -> Vec<u8> {
    let mut out = vec![0x78, 0x9c];
    let (mut pending, mut held) = (0_u32, 0_u32);
    let mut put = |out: &mut Vec<u8>, value: u32, bits: u32| {
        pending |= value << held;
        held += bits;
        while held >= 8 {
            out.push(pending as u8);
            pending >>= 8;
            held -= 8;
        }
    };
    // The last block, of fixed codes; a zero; then "258 bytes again, from one byte before".
    put(&mut out, 1, 1);
    put(&mut out, 1, 2);
    put(&mut out, 0b0000_1100, 8);
    let repeats = count.div_ceil(258);
    for _ in 0..repeats {
        put(&mut out, 0b1010_0011, 8);
        put(&mut out, 0, 5);
    }
    put(&mut out, 0, 7);
    put(&mut out, 0, 7);
    let total = (repeats * 258 + 1) % 65_521;
    out.extend(((total as u32) << 16 | 1).to_be_bytes());
    out
}
