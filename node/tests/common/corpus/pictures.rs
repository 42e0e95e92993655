//! Pictures that claim too much or unpack to too much.

use super::bits::{crc32, zlib_zeros};
use super::{Fate, Suspect, suspect};

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).expect("short").to_be_bytes();
    let named = [name.as_slice(), data].concat();
    [&length, named.as_slice(), &crc32(&named).to_be_bytes()].concat()
}

/// A PNG of eight grey bits a pixel with these chunks before its pixels.
fn png(width: u32, height: u32, before: &[Vec<u8>], pixels: &[u8]) -> Vec<u8> {
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 0, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    out.extend(chunk(b"IHDR", &header));
    out.extend(before.concat());
    out.extend(chunk(b"IDAT", pixels));
    out.extend(chunk(b"IEND", &[]));
    out
}

fn animated_png(side: u32, frames: u32) -> Vec<u8> {
    let control = |sequence: u32| {
        let mut control: Vec<u8> = [sequence, side, side, 0, 0]
            .into_iter()
            .flat_map(u32::to_be_bytes)
            .collect();
        control.extend([0, 1, 0, 10, 0, 0]);
        chunk(b"fcTL", &control)
    };
    let announced = [frames.to_be_bytes(), [0; 4]].concat();
    let before = [chunk(b"acTL", &announced), control(0), control(1)];
    let pixels = zlib_zeros((side as usize).min(20_000) * 2);
    png(side, side, &before, &pixels)
}

fn gif(side: u16, frames: usize, frame_side: u16) -> Vec<u8> {
    let mut out = b"GIF89a".to_vec();
    out.extend([side.to_le_bytes(), side.to_le_bytes()].concat());
    out.extend(b"\x80\0\0\0\0\0\xff\xff\xff\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0");
    for _ in 0..frames {
        out.extend(b"\x21\xf9\x04\0\x05\0\0\0\x2c\0\0\0\0");
        out.extend([frame_side.to_le_bytes(), frame_side.to_le_bytes()].concat());
        out.extend(b"\0\x02\x02\x44\x01\0");
    }
    out.push(0x3b);
    out
}

fn webp(chunks: &[u8]) -> Vec<u8> {
    let length = u32::try_from(chunks.len() + 4).expect("short");
    [b"RIFF", length.to_le_bytes().as_slice(), b"WEBP", chunks].concat()
}

fn animated_webp(side: u32) -> Vec<u8> {
    let edge = &(side - 1).to_le_bytes()[..3];
    let mut chunks = b"VP8X\x0a\0\0\0\x02\0\0\0".to_vec();
    chunks.extend([edge, edge].concat());
    chunks.extend(b"ANIM\x06\0\0\0\0\0\0\0\0\0");
    for _ in 0..1000 {
        let frame = lossless(16_383);
        let length = u32::try_from(frame.len() + 16).expect("short");
        chunks.extend(b"ANMF");
        chunks.extend(length.to_le_bytes());
        chunks.extend([0; 6]);
        chunks.extend([edge, edge].concat());
        chunks.extend([10, 0, 0, 0]);
        chunks.extend(&frame);
    }
    webp(&chunks)
}

/// A frame of lossless WebP that claims a size and holds next to nothing.
fn lossless(side: u32) -> Vec<u8> {
    let size = (side - 1) | (side - 1) << 14;
    let mut data = vec![0x2f];
    data.extend(size.to_le_bytes());
    data.extend([0x88, 0x88, 0x08, 0, 0, 0, 0]);
    [b"VP8L".as_slice(), &12_u32.to_le_bytes(), &data].concat()
}

fn jpeg(good: &[u8], side: u16) -> Vec<u8> {
    let mut out = good.to_vec();
    let frame = out
        .windows(4)
        .position(|bytes| matches!(bytes, [0xff, 0xc0..=0xc2, 0, _]))
        .expect("a frame header");
    out[frame + 5..frame + 7].copy_from_slice(&side.to_be_bytes());
    out[frame + 7..frame + 9].copy_from_slice(&side.to_be_bytes());
    out
}

/// All of them; `jpg` is a good file.
pub fn all(jpg: &[u8]) -> Vec<Suspect> {
    let gigabyte = zlib_zeros(1 << 30);
    let profile = [b"name\0\0".as_slice(), &gigabyte].concat();
    let notes = [b"Comment\0\0".as_slice(), &gigabyte].concat();
    let small = zlib_zeros(17 * 16 + 258);
    let deep = {
        let mut png = png(9_990, 9_990, &[], &zlib_zeros(9_990 * (9_990 * 8 + 1)));
        // Sixteen bits of red, green, blue and alpha.
        png[24] = 16;
        png[25] = 6;
        let sum = crc32(&png[12..29]).to_be_bytes();
        png[29..33].copy_from_slice(&sum);
        png
    };
    let image = |name: &str, fate, bytes| suspect(name, "image", fate, bytes);
    vec![
        image(
            "wide.png",
            Fate::Refused,
            png(100_000, 100_000, &[], &small),
        ),
        image("deep.png", Fate::Refused, deep),
        image(
            "flat.png",
            Fate::Either,
            png(2_000, 2_000, &[], &zlib_zeros(2_001 * 2_000)),
        ),
        image(
            "profile.png",
            Fate::Either,
            png(16, 16, &[chunk(b"iCCP", &profile)], &small),
        ),
        image(
            "notes.png",
            Fate::Either,
            png(16, 16, &[chunk(b"zTXt", &notes)], &small),
        ),
        image("endless.png", Fate::Either, png(16, 16, &[], &gigabyte)),
        image("frames.png", Fate::Either, animated_png(64, 1_000_000_000)),
        image("canvas-a.png", Fate::Refused, animated_png(30_000, 1_000)),
        image("wide.jpg", Fate::Refused, jpeg(jpg, 65_535)),
        image("tall.jpg", Fate::Either, jpeg(jpg, 2_000)),
        image("wide.gif", Fate::Refused, gif(65_535, 3, 1)),
        image("frame.gif", Fate::Either, gif(16, 3, 65_535)),
        image("canvas.gif", Fate::Either, gif(2_000, 2_000, 2_000)),
        image("frames.gif", Fate::Shown, gif(1, 150_000, 1)),
        image("wide.webp", Fate::Refused, webp(&lossless(16_384))),
        image("canvas.webp", Fate::Refused, animated_webp(1 << 24)),
        image("frames.webp", Fate::Refused, animated_webp(16_383)),
    ]
}
