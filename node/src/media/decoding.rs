//! Who decodes a video: a video engine or the processors, and on how many threads.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::{self, decoder};
use ffmpeg::{Codec, Stream};

use super::hardware::{self, FEWEST_PIXELS};
use super::input::{context_for, open_context};

const MOST_DECODER_THREADS: usize = 8;

/// How a video is to be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoding {
    /// Threads of a decoder on the processors.
    pub threads: usize,
    /// Whether a video engine may do it, where there is one.
    pub may_use_engine: bool,
}

impl Default for Decoding {
    /// As fast as one video alone can be decoded on the processors.
    fn default() -> Self {
        Self {
            threads: Self::threads_for(1),
            may_use_engine: false,
        }
    }
}

impl Decoding {
    /// How many threads each of so many videos gets: together not many more than there are
    /// processors, because every one of them holds pictures of its own.
    pub fn threads_for(videos: usize) -> usize {
        std::thread::available_parallelism()
            .map_or(2, std::num::NonZero::get)
            .clamp(2, MOST_DECODER_THREADS)
            .div_ceil(videos.max(1))
    }

    /// Whether a video engine is asked first.
    pub(super) fn tries_engine(self) -> bool {
        self.may_use_engine && hardware::device().is_some()
    }

    pub(super) fn on_processors(self) -> Self {
        Self {
            may_use_engine: false,
            ..self
        }
    }
}

/// The decoder of a stream: one that knows its alpha, one that tries a video engine, or FFmpeg's first;
/// and whether it tries.
pub(super) fn decoder_for(
    stream: &Stream<'_>,
    decoding: Decoding,
) -> Result<(decoder::Video, bool), ffmpeg::Error> {
    let context = context_for(stream, decoding.threads)?;
    let id = context.id();
    if let Some(with_alpha) = decoder_with_alpha(stream, id) {
        return Ok((open_context(context, with_alpha, stream)?.video()?, false));
    }
    let parameters = stream.parameters();
    let pixels = u64::from(parameters.width()) * u64::from(parameters.height());
    if decoding.may_use_engine
        && pixels >= FEWEST_PIXELS
        && let Some(device) = hardware::device()
        && let Some(codec) = decoder_for_engines(id)
    {
        // The engine is its own crowd of threads.
        let mut on_device = context_for(stream, 1)?;
        if device.attach(&mut on_device, codec) {
            return Ok((open_context(on_device, codec, stream)?.video()?, true));
        }
    }
    let codec = decoder::find(id).ok_or(ffmpeg::Error::DecoderNotFound)?;
    Ok((open_context(context, codec, stream)?.video()?, false))
}

/// FFmpeg's own decoders of VP8 and VP9 leave the alpha of WebM out; those of libvpx do not.
fn decoder_with_alpha(stream: &Stream<'_>, id: codec::Id) -> Option<Codec> {
    let has_alpha = stream.metadata().get("alpha_mode") == Some("1");
    match id {
        codec::Id::VP8 if has_alpha => decoder::find_by_name("libvpx"),
        codec::Id::VP9 if has_alpha => decoder::find_by_name("libvpx-vp9"),
        _ => None,
    }
}

/// The decoder that knows video engines, which for AV1 is not the first. Codecs that processors decode
/// without effort are left to them.
fn decoder_for_engines(id: codec::Id) -> Option<Codec> {
    match id {
        codec::Id::AV1 => decoder::find_by_name("av1"),
        codec::Id::H264 | codec::Id::HEVC | codec::Id::VP9 => decoder::find(id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn videos_that_are_seen_together_share_the_threads() {
        let alone = Decoding::threads_for(1);
        assert!((2..=MOST_DECODER_THREADS).contains(&alone));
        assert_eq!(Decoding::threads_for(0), alone);
        for videos in 1..40 {
            let each = Decoding::threads_for(videos);
            assert!(each >= 1 && each * videos < alone + videos, "{videos}");
        }
    }
}
