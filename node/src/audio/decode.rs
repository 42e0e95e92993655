//! The sound of a file as it comes out of its decoder, frame by frame.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::decoder;
use ffmpeg::format::context::Input;
use ffmpeg::format::stream::Disposition;
use ffmpeg::{Packet, Stream, frame, media};

use super::clip::AudioClip;
use crate::media::{decoder_context, open_input, start_of, would_block};
use crate::{Context, Result};

/// Codecs need some sound before a cut to come out right after it.
const PREROLL_SECONDS: f64 = 0.25;

/// The sound of an open file.
pub(super) struct SoundFile {
    input: Input,
    decoder: decoder::Audio,
    stream: usize,
    time_base: f64,
    /// Time of the container at which the clip's source begins.
    origin: f64,
    from_start: bool,
}

/// Checks that a clip's file has sound that can be decoded; `false` means that it is silent and may be.
pub(super) fn has_sound(clip: &AudioClip) -> Result<bool> {
    match SoundFile::open(clip)? {
        None if clip.optional => Ok(false),
        None => Err(clip.refusal("has no sound")),
        Some(_) => Ok(true),
    }
}

impl SoundFile {
    /// Opens a clip's file; `None` if there is no sound in it.
    fn open(clip: &AudioClip) -> Result<Option<Self>> {
        let undecodable = || clip.refusal("has no sound that can be decoded");
        let input = open_input(&clip.path).map_err(|_| undecodable())?;
        let Some(stream) = input.streams().best(media::Type::Audio) else {
            return Ok(None);
        };
        let decoder = decoder_context(&stream, 1)
            .and_then(decoder::Opened::audio)
            .map_err(|_| undecodable())?;
        // A video's sound stays with its pictures; other sound begins with its first sample.
        let pictures = input.streams().best(media::Type::Video).filter(|video| {
            clip.optional && !video.disposition().contains(Disposition::ATTACHED_PIC)
        });
        let origin = start_in_seconds(pictures.as_ref().unwrap_or(&stream));
        let (time_base, stream) = (f64::from(stream.time_base()), stream.index());
        Ok(Some(Self {
            input,
            decoder,
            stream,
            time_base,
            origin,
            from_start: true,
        }))
    }

    /// Opens a clip's file a little before a moment of its source, or earlier.
    pub(super) fn open_at(clip: &AudioClip, seconds: f64) -> Result<Self> {
        let Some(mut file) = Self::open(clip)? else {
            return Err(clip.refusal("has no sound"));
        };
        let seek_to = file.origin + seconds - PREROLL_SECONDS;
        if seek_to > file.origin {
            let at = (seek_to * f64::from(ffmpeg::ffi::AV_TIME_BASE)).floor() as i64;
            if file.input.seek(at, ..=at).is_ok() {
                file.from_start = false;
            } else {
                // Cannot seek: decode from the start, and what is too early is cut off.
                file.input = open_input(&clip.path).context("opening a sound again")?;
            }
        }
        Ok(file)
    }

    /// Whether decoding began at the file's start, so that hearing nothing means that it is bad.
    pub(super) fn is_from_start(&self) -> bool {
        self.from_start
    }

    /// The next frame with something in it; `None` at the end.
    pub(super) fn next(&mut self) -> Option<frame::Audio> {
        let mut decoded = frame::Audio::empty();
        loop {
            match self.decoder.receive_frame(&mut decoded) {
                Ok(()) if decoded.rate() > 0 && decoded.samples() > 0 => return Some(decoded),
                Err(ffmpeg::Error::Eof) => return None,
                Err(error) if would_block(error) => self.feed(),
                // A damaged frame is passed over, as players do.
                Ok(()) | Err(_) => {}
            }
        }
    }

    fn feed(&mut self) {
        let mut packet = Packet::empty();
        loop {
            match packet.read(&mut self.input) {
                Ok(()) if packet.stream() == self.stream => break,
                Ok(()) => {}
                Err(error) if would_block(error) => {}
                // A file that breaks off ends there.
                Err(_) => {
                    // Fails only when the end was announced before, which changes nothing.
                    let _ = self.decoder.send_eof();
                    return;
                }
            }
        }
        // A damaged packet is passed over; if nothing decodes, that is found at the end.
        let _ = self.decoder.send_packet(&packet);
    }

    /// When a frame is heard, in seconds of the source, if it says so.
    pub(super) fn time_of(&self, decoded: &frame::Audio) -> Option<f64> {
        let stamp = decoded.timestamp().or(decoded.pts())?;
        Some(stamp as f64 * self.time_base - self.origin)
    }
}

/// What lies before zero is the codec's priming, which is not played.
fn start_in_seconds(stream: &Stream<'_>) -> f64 {
    start_of(stream).max(0) as f64 * f64::from(stream.time_base())
}
