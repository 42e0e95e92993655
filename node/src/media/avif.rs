//! AVIF pictures: the container is read here, AV1 is decoded by FFmpeg.

use std::io::Read;

use ffmpeg_the_third as ffmpeg;

use avif_parse::{AV1Metadata, AvifData};
use ffmpeg::codec::{self, decoder};
use ffmpeg::{Dictionary, Packet, color, frame};

use super::convert::{Coding, Converter, Output};
use super::image::{DecodedImage, check_size, premultiply};
use super::video::ColorMatrix;
use super::{MAX_PIXELS, init, would_block};
use crate::{Error, Result};

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
    let file = AvifData::from_reader(&mut source).map_err(|_| undecodable())?;
    let colors = decode_item(&file.primary_item)?;
    let (width, height) = (colors.width(), colors.height());
    let mut coding = Coding::of(&colors);
    if colors.color_space() == color::Space::Unspecified {
        coding.matrix = ColorMatrix::Bt601;
    }
    let mut pixels = packed(&colors, coding, Output::Rgba)?;
    if let Some(item) = &file.alpha_item {
        let alpha = decode_item(item)?;
        if (alpha.width(), alpha.height()) != (width, height) {
            return Err(undecodable());
        }
        let coverage = packed(&alpha, Coding::of(&alpha), Output::Grey)?;
        for (pixel, alpha) in pixels.as_chunks_mut::<4>().0.iter_mut().zip(coverage) {
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

fn undecodable() -> Error {
    Error::BadInput("is not an AVIF image that can be decoded".to_owned())
}

fn decode_item(data: &[u8]) -> Result<frame::Video> {
    let metadata = AV1Metadata::parse_av1_bitstream(data).map_err(|_| undecodable())?;
    check_size((
        metadata.max_frame_width.get(),
        metadata.max_frame_height.get(),
    ))?;
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

/// The samples of a frame in one plane, rows without padding.
fn packed(frame: &frame::Video, coding: Coding, output: Output) -> Result<Vec<u8>> {
    let converted = Converter::new(frame, coding, output)
        .and_then(|mut converter| converter.convert(frame))
        .map_err(|_| undecodable())?;
    let row = converted.width() as usize * output.bytes_in_a_pixel();
    let stride = converted.stride(0);
    Ok(converted
        .data(0)
        .chunks(stride.max(1))
        .take(converted.height() as usize)
        .flat_map(|line| &line[..row.min(line.len())])
        .copied()
        .collect())
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
