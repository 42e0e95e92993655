//! How an encoder's frame lies in memory: as planes on its way to the host, or with both chromas in one
//! plane where an encoder reads it on the device.

/// Shared rows start at multiples of this, as memory does that CUDA aligns by itself.
const PITCH_STEP: u32 = 256;

/// The size of a 4:2:0 frame. Rows of planes are padded to blocks of eight pixels on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as everywhere")]
pub struct FrameShape {
    pub width: u32,
    pub height: u32,
}

impl FrameShape {
    fn luma_stride(self) -> u32 {
        self.width.div_ceil(8) * 8
    }

    fn chroma_stride(self) -> u32 {
        self.width.div_ceil(8) * 4
    }

    fn cb_offset(self) -> u32 {
        self.luma_stride() * self.height
    }

    fn cr_offset(self) -> u32 {
        self.cb_offset() + self.chroma_stride() * (self.height / 2)
    }

    /// Bytes of the planes on the device.
    pub(super) fn planar_bytes(self) -> u32 {
        self.cr_offset() + self.chroma_stride() * (self.height / 2)
    }

    /// Where passes write planes, in words: strides of luma and chroma, offsets of both chromas.
    pub(super) fn planar_params(self) -> [u32; 4] {
        [
            self.luma_stride(),
            self.chroma_stride(),
            self.cb_offset(),
            self.cr_offset(),
        ]
        .map(|bytes| bytes / 4)
    }

    /// Bytes from row to row of a shared frame.
    pub(super) fn pitch(self) -> u32 {
        self.width.next_multiple_of(PITCH_STEP)
    }

    /// Bytes of a shared frame.
    pub(super) fn shared_bytes(self) -> u32 {
        self.pitch() * (self.height / 2 * 3)
    }

    /// Where passes write a shared frame, in words. There is no third plane.
    pub(super) fn shared_params(self) -> [u32; 4] {
        let words = self.pitch() / 4;
        [words, words, words * self.height, 0]
    }

    /// Bytes of the planes without padding.
    pub fn bytes(self) -> usize {
        (self.width * self.height / 2 * 3) as usize
    }

    /// Copies padded planes into planes without padding.
    pub(super) fn pack(self, padded: &[u8], packed: &mut Vec<u8>) {
        packed.clear();
        if self.width.is_multiple_of(8) {
            packed.extend_from_slice(&padded[..self.bytes()]);
            return;
        }
        let (half_width, half_height) = (self.width / 2, self.height / 2);
        let planes = [
            (0, self.luma_stride(), self.width, self.height),
            (
                self.cb_offset(),
                self.chroma_stride(),
                half_width,
                half_height,
            ),
            (
                self.cr_offset(),
                self.chroma_stride(),
                half_width,
                half_height,
            ),
        ];
        for (offset, stride, width, height) in planes {
            for row in 0..height {
                let start = (offset + row * stride) as usize;
                packed.extend_from_slice(&padded[start..start + width as usize]);
            }
        }
    }

    /// Copies a shared frame into planes without padding.
    pub(super) fn separate(self, shared: &[u8], packed: &mut Vec<u8>) {
        packed.clear();
        let (pitch, width) = (self.pitch() as usize, self.width as usize);
        let (luma, chroma) = shared.split_at(pitch * self.height as usize);
        for row in luma.chunks_exact(pitch) {
            packed.extend_from_slice(&row[..width]);
        }
        for first in 0..2 {
            for row in chroma.chunks_exact(pitch) {
                packed.extend(row[..width].iter().skip(first).step_by(2));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: FrameShape = FrameShape {
        width: 10,
        height: 2,
    };

    #[test]
    fn padding_is_left_behind() {
        let padded: Vec<u8> = (0..SHAPE.planar_bytes() as u8).collect();
        let mut packed = Vec::new();
        SHAPE.pack(&padded, &mut packed);
        assert_eq!(packed.len(), SHAPE.bytes());
        assert_eq!(packed[..10], padded[..10]);
        assert_eq!(packed[10..20], padded[16..26]);
        assert_eq!(packed[20..25], padded[32..37]);
        assert_eq!(packed[25..30], padded[40..45]);
    }

    #[test]
    fn chromas_are_told_apart() {
        let mut shared = vec![0; SHAPE.shared_bytes() as usize];
        shared[..10].fill(1);
        shared[256..266].fill(2);
        for (at, byte) in shared[512..522].iter_mut().enumerate() {
            *byte = 3 + at as u8;
        }
        let mut packed = Vec::new();
        SHAPE.separate(&shared, &mut packed);
        assert_eq!(packed.len(), SHAPE.bytes());
        assert_eq!((packed[9], packed[10], packed[19]), (1, 2, 2));
        assert_eq!(packed[20..], [3, 5, 7, 9, 11, 4, 6, 8, 10, 12]);
    }
}
