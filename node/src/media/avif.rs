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
