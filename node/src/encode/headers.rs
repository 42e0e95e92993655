//! What a stream's headers are to FFmpeg's muxers, where its safe wrapper has no words for it.
#![expect(
    unsafe_code,
    reason = "headers and tags of a stream can only be set through FFmpeg's C structures"
)]

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::{Id, Parameters};
use ffmpeg::format::Pixel;
use ffmpeg::{color, ffi, media};

use super::{Codec, EncoderSettings};
use crate::{Context, Error, Result};

/// HEVC whose parameter sets are in the file's header alone, the form that all players take.
const HVC1: u32 = u32::from_le_bytes(*b"hvc1");

/// Parameters of a stream whose parameter sets, each after a start code, are `headers`.
pub(super) fn parameters(settings: &EncoderSettings, headers: &[u8]) -> Result<Parameters> {
    const PADDING: usize = ffi::AV_INPUT_BUFFER_PADDING_SIZE as usize;
    let preparing = "preparing a stream";
    let width = i32::try_from(settings.width).context(preparing)?;
    let height = i32::try_from(settings.height).context(preparing)?;
    let bytes = i32::try_from(headers.len()).context(preparing)?;
    let mut parameters = Parameters::new();
    // SAFETY: the structure is ours and live. The headers are copied to memory of FFmpeg's own
    // allocator with the padding it wants, and freed with the structure.
    unsafe {
        let raw = &mut *parameters.as_mut_ptr();
        let copy = ffi::av_mallocz(headers.len() + PADDING).cast::<u8>();
        if copy.is_null() {
            return Err(Error::internal(preparing, "out of memory"));
        }
        copy.copy_from_nonoverlapping(headers.as_ptr(), headers.len());
        raw.extradata = copy;
        raw.extradata_size = bytes;
        raw.codec_type = media::Type::Video.into();
        raw.codec_id = match settings.codec {
            Codec::H264 => Id::H264,
            Codec::Hevc => Id::HEVC,
        }
        .into();
        raw.format = ffi::AVPixelFormat::from(Pixel::YUV420P).0;
        raw.width = width;
        raw.height = height;
        raw.sample_aspect_ratio = ffi::AVRational { num: 1, den: 1 };
        raw.color_range = color::Range::MPEG.into();
        raw.color_primaries = color::Primaries::BT709.into();
        raw.color_trc = color::TransferCharacteristic::BT709.into();
        raw.color_space = color::Space::BT709.into();
    }
    Ok(tagged(parameters))
}

/// Names the stream as players of MP4 files want it.
pub(super) fn tagged(mut parameters: Parameters) -> Parameters {
    if parameters.id() == Id::HEVC {
        // SAFETY: the structure is ours and live.
        unsafe { (*parameters.as_mut_ptr()).codec_tag = HVC1 };
    }
    parameters
}
