//! AVIF pictures: the container is read here, AV1 is decoded by FFmpeg.

use std::io::Read;

use ffmpeg_the_third as ffmpeg;

use avif_parse::{AV1Metadata, AvifData};
use ffmpeg::codec::{self, decoder};
use ffmpeg::{Dictionary, Packet, color, frame};

use super::convert::{Coding, Converter, Output, bits_of};
use super::image::{DecodedImage, check_size, premultiply};
use super::orientation::Turn;
use super::picture::ColorMatrix;
use super::{MAX_PIXELS, init, would_block};
use crate::{Context, Error, Result};

/// Longer files are refused.
const MOST_BYTES: u64 = 256 << 20;

/// Whether a file starts as AVIF files do: with a list of brands that names one of them.
pub(super) fn is_avif(start: &[u8]) -> bool {
    let Some((length, rest)) = start.split_first_chunk::<4>() else {
        return false;
    };
    let length = (u32::from_be_bytes(*length) as usize).min(start.len());
    rest.starts_with(b"ftyp")
        && start
            .get(8..length)
            .unwrap_or_default()
            .as_chunks::<4>()
            .0
            .iter()
            .any(|brand| matches!(brand, b"avif" | b"avis"))
}

/// Decodes the picture that the file is mainly about.
pub(super) fn decode(mut source: impl Read) -> Result<DecodedImage> {
    let file = parse(&mut source)?;
    let colors = decode_item(&file.primary_item)?;
    let (width, height) = (colors.width(), colors.height());
    let mut coding = Coding::of(&colors);
    if colors.color_space() == color::Space::Unspecified {
        coding.matrix = ColorMatrix::Bt601;
    }
    let mut pixels = colors_of(&colors, coding)?;
    if let Some(item) = &file.alpha_item {
        let alpha = decode_item(item)?;
        if (alpha.width(), alpha.height()) != (width, height) {
            return Err(undecodable());
        }
        for (pixel, alpha) in pixels.as_chunks_mut::<4>().0.iter_mut().zip(luma(&alpha)) {
            pixel[3] = alpha;
        }
        if !file.premultiplied_alpha {
            premultiply(&mut pixels);
        }
    }
    Ok(DecodedImage {
        width,
        height,
        pixels,
    })
}

/// Reads the container. Where it breaks off, builds with debug assertions stop in the parser, others
/// end with an error: both are the file's fault.
fn parse(source: &mut impl Read) -> Result<AvifData> {
    let mut data = Vec::new();
    source
        .take(MOST_BYTES + 1)
        .read_to_end(&mut data)
        .context("reading a fetched image")?;
    if data.len() as u64 > MOST_BYTES {
        return Err(Error::BadInput("is too large an image".to_owned()));
    }
    std::panic::catch_unwind(|| AvifData::from_reader(&mut data.as_slice()))
        .ok()
        .and_then(Result::ok)
        .ok_or_else(undecodable)
}

fn undecodable() -> Error {
    Error::BadInput("is not an AVIF image that can be decoded".to_owned())
}

fn decode_item(data: &[u8]) -> Result<frame::Video> {
    let metadata = AV1Metadata::parse_av1_bitstream(data).map_err(|_| undecodable())?;
    let size = (
        metadata.max_frame_width.get(),
        metadata.max_frame_height.get(),
    );
    check_size(size, MAX_PIXELS)?;
    decode_av1(data).map_err(|_| undecodable())
}

fn decode_av1(data: &[u8]) -> Result<frame::Video, ffmpeg::Error> {
    init();
    let codec = decoder::find(codec::Id::AV1).ok_or(ffmpeg::Error::DecoderNotFound)?;
    let mut options = Dictionary::new();
    options.set("max_pixels", MAX_PIXELS.to_string());
    let mut decoder = codec::Context::new_with_codec(codec)
        .decoder()
        .open_as_with(codec, options)?
        .video()?;
    let mut picture = frame::Video::empty();
    let mut packet = Some(Packet::copy(data));
    loop {
        match packet.take() {
            Some(packet) => decoder.send_packet(&packet)?,
            None => decoder.send_eof()?,
        }
        match decoder.receive_frame(&mut picture) {
            Ok(()) => return Ok(picture),
            Err(error) if would_block(error) => {}
            Err(error) => return Err(error),
        }
    }
}

/// The colours of a frame, rows without padding.
fn colors_of(frame: &frame::Video, coding: Coding) -> Result<Vec<u8>> {
    let converted = Converter::new(frame, coding, Output::Rgba, Turn::default())
        .and_then(|mut converter| converter.convert(frame))
        .map_err(|_| undecodable())?;
    Ok(rows(&converted, 4).flatten().copied().collect())
}

/// The luma of a frame as bytes, rows without padding: of an alpha picture, its alpha.
fn luma(frame: &frame::Video) -> Vec<u8> {
    let bits = bits_of(frame);
    let is_full = Coding::of(frame).full_range;
    let to_byte = |sample: u16| {
        let most = f32::from(u16::MAX >> (16 - bits.clamp(1, 16)));
        let share = f32::from(sample) / most * 255.0;
        let share = if is_full {
            share
        } else {
            (share - 16.0) * 255.0 / 219.0
        };
        share.round() as u8
    };
    if bits > 8 {
        let samples = rows(frame, 2).flat_map(|row| row.as_chunks::<2>().0);
        samples
            .map(|pair| to_byte(u16::from_le_bytes(*pair)))
            .collect()
    } else {
        let samples = rows(frame, 1).flatten();
        samples.map(|sample| to_byte(u16::from(*sample))).collect()
    }
}

/// The rows of a frame's first plane without padding.
fn rows(frame: &frame::Video, bytes_in_a_pixel: usize) -> impl Iterator<Item = &[u8]> {
    let row = frame.width() as usize * bytes_in_a_pixel;
    frame
        .data(0)
        .chunks(frame.stride(0).max(1))
        .take(frame.height() as usize)
        .map(move |line| &line[..row.min(line.len())])
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::*;

    /// 16 × 16 pixels of one red, half see-through on the left.
    const PICTURE: &str = "00000020667479706176696600000000617669666d6966316d6961664d413142000001866d6574610000\
         00000000002168646c72000000000000000070696374000000000000000000000000000000000e706974\
         6d0000000000010000002c696c6f630000000044000002000100000001000001c5000000300002000000\
         01000001ae000000170000004269696e660000000000020000001a696e66650200000000010000617630\
         31436f6c6f72000000001a696e6665020000000002000061763031416c706861000000001a6972656600\
         0000000000000e6175786c000200010001000000c3697072700000009d6970636f000000146973706500\
         0000000000001000000010000000107069786900000000030808080000000c6176314381000c00000000\
         13636f6c726e636c780001000d0006800000000e706978690000000001080000000c6176314381001c00\
         00000038617578430000000075726e3a6d7065673a6d706567423a636963703a73797374656d733a6175\
         78696c696172793a616c706861000000001e69706d610000000000000002000104010283040002040105\
         86070000004f6d64617412000a05180cffd854320c4460000040a882f1e83c788012000a09180cffda20\
         21a0d08032211207f7f6a90082083e400000d0c521e5f1fb59b3cfb8caad5fcbbc8d7c56737020";

    fn picture() -> Vec<u8> {
        PICTURE
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect()
    }

    #[test]
    fn colours_and_alpha_are_decoded() {
        assert!(is_avif(&picture()));
        let image = decode(picture().as_slice()).unwrap();
        assert_eq!((image.width, image.height), (16, 16));
        let near = |pixel: &[u8], wanted: [u8; 4]| {
            let is_near = pixel.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 4);
            assert!(is_near, "{pixel:?} is not {wanted:?}");
        };
        near(&image.pixels[60..64], [200, 40, 90, 255]);
        near(&image.pixels[..4], [100, 20, 45, 128]);
    }

    #[test]
    fn damaged_files_are_refused_in_words() {
        let whole = picture();
        for end in [0, 4, 11, 40, whole.len() / 2, whole.len() - 60] {
            if let Err(error) = decode(&whole[..end]) {
                assert!(matches!(error, Error::BadInput(_)), "{error}");
            }
        }
        assert!(decode(&whole[..whole.len() / 2]).is_err());
        assert!(!is_avif(b"\0\0\0\x18ftypisomisom"));
        assert!(!is_avif(b"\xff\xff\xff\xffftyp"));
        assert!(!is_avif(b""));
    }
}
