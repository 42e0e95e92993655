//! The sound of one file from its in-point on, decoded forward as it is asked for.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::codec::decoder;
use ffmpeg::format::context::Input;
use ffmpeg::format::stream::Disposition;
use ffmpeg::{Packet, Stream, frame, media};

use super::clip::AudioClip;
use super::resample::{Format, Resampler, SHORTEST_GAP_SECONDS};
use super::{CHANNELS, sample_at};
use crate::media::{decoder_context, open_input, start_of, would_block};
use crate::{Context, Error, Result};

/// Codecs need some sound before a cut to come out right after it.
const PREROLL_SECONDS: f64 = 0.25;

/// Longer gaps in a file are counted rather than filled with samples.
const LONGEST_FILLED_SECONDS: f64 = 10.0;

/// Samples a second that sound can have: a file that says less would be endless.
const RATES: std::ops::RangeInclusive<u32> = 1_000..=768_000;

/// Decodes one clip, in order.
pub(super) struct ClipReader {
    label: String,
    input: Input,
    decoder: decoder::Audio,
    stream: usize,
    time_base: f64,
    /// Time of the container at which the clip's source begins.
    origin: f64,
    in_point: f64,
    speed: f64,
    resampler: Option<Resampler>,
    /// Position after the last frame, in source samples.
    expected: Option<i64>,
    /// Floats of silence that come after what is ready, and the frame that ends it.
    silence: u64,
    after_silence: Option<frame::Audio>,
    ready: Vec<f32>,
    taken: usize,
    ended: bool,
    /// Whether decoding began at the file's start, so that hearing nothing means that it is bad.
    from_start: bool,
    heard: bool,
}

/// Checks that a clip's file has sound that can be decoded; `false` means that it is silent and may be.
pub(super) fn has_sound(clip: &AudioClip) -> Result<bool> {
    match open_stream(clip)? {
        None if clip.optional => Ok(false),
        None => Err(clip.refusal("has no sound")),
        Some(_) => Ok(true),
    }
}

struct OpenStream {
    input: Input,
    decoder: decoder::Audio,
    stream: usize,
    time_base: f64,
    origin: f64,
}

fn open_stream(clip: &AudioClip) -> Result<Option<OpenStream>> {
    let undecodable = || clip.refusal("has no sound that can be decoded");
    let input = open_input(&clip.path).map_err(|_| undecodable())?;
    let Some(stream) = input.streams().best(media::Type::Audio) else {
        return Ok(None);
    };
    let decoder = decoder_context(&stream, 1)
        .and_then(decoder::Opened::audio)
        .map_err(|_| undecodable())?;
    // A video's sound stays with its pictures; other sound begins with its first sample.
    let pictures = input
        .streams()
        .best(media::Type::Video)
        .filter(|video| clip.optional && !video.disposition().contains(Disposition::ATTACHED_PIC));
    let origin = start_in_seconds(pictures.as_ref().unwrap_or(&stream));
    let (time_base, stream) = (f64::from(stream.time_base()), stream.index());
    Ok(Some(OpenStream {
        input,
        decoder,
        stream,
        time_base,
        origin,
    }))
}

/// What lies before zero is the codec's priming, which is not played.
fn start_in_seconds(stream: &Stream<'_>) -> f64 {
    start_of(stream).max(0) as f64 * f64::from(stream.time_base())
}

/// Seconds from one sample to a later one.
fn seconds(to: i64, from: i64, rate: f64) -> f64 {
    to.saturating_sub(from) as f64 / rate
}

impl ClipReader {
    /// Opens the clip's file `skip` seconds (of the timeline) into the clip.
    pub(super) fn open(clip: &AudioClip, skip: f64) -> Result<Self> {
        let Some(OpenStream {
            mut input,
            decoder,
            stream,
            time_base,
            origin,
        }) = open_stream(clip)?
        else {
            return Err(clip.refusal("has no sound"));
        };
        let in_point = clip.in_point.max(0.0) + skip * clip.speed;
        let seek_to = origin + in_point - PREROLL_SECONDS;
        let from_start = seek_to <= origin;
        if !from_start {
            let at = (seek_to * f64::from(ffmpeg::ffi::AV_TIME_BASE)).floor() as i64;
            if input.seek(at, ..=at).is_err() {
                // Cannot seek: decode from the start, the samples before the in-point are cut off.
                input = open_input(&clip.path).context("opening a sound again")?;
            }
        }
        Ok(Self {
            label: clip.label.clone(),
            input,
            decoder,
            stream,
            time_base,
            origin,
            in_point,
            speed: clip.speed,
            resampler: None,
            expected: None,
            silence: 0,
            after_silence: None,
            ready: Vec::new(),
            taken: 0,
            ended: false,
            from_start,
            heard: false,
        })
    }

    /// Fills the buffer with interleaved stereo as far as the file goes; the count is of floats.
    pub(super) fn read(&mut self, out: &mut [f32]) -> Result<usize> {
        let mut filled = 0;
        while filled < out.len() {
            if self.taken == self.ready.len() {
                self.ready.clear();
                self.taken = 0;
                if self.silence > 0 {
                    let left = out.len() - filled;
                    let count = usize::try_from(self.silence).map_or(left, |count| count.min(left));
                    out[filled..filled + count].fill(0.0);
                    self.silence -= count as u64;
                    filled += count;
                    continue;
                }
                if self.ended {
                    break;
                }
                self.advance()?;
                continue;
            }
            let count = (self.ready.len() - self.taken).min(out.len() - filled);
            out[filled..filled + count]
                .copy_from_slice(&self.ready[self.taken..self.taken + count]);
            self.taken += count;
            filled += count;
        }
        Ok(filled)
    }

    /// Decodes one more frame into `ready`, or notes the end.
    fn advance(&mut self) -> Result<()> {
        if let Some(frame) = self.after_silence.take() {
            return self.accept(frame);
        }
        let mut decoded = frame::Audio::empty();
        match self.decoder.receive_frame(&mut decoded) {
            Ok(()) => self.accept(decoded),
            Err(ffmpeg::Error::Eof) => {
                self.ended = true;
                if !self.heard && self.from_start {
                    return Err(self.undecodable());
                }
                self.close_resampler()
            }
            Err(error) if would_block(error) => {
                self.feed();
                Ok(())
            }
            // A damaged frame is passed over, as players do.
            Err(_) => Ok(()),
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

    fn accept(&mut self, mut decoded: frame::Audio) -> Result<()> {
        let format = Format::of(&mut decoded);
        if decoded.samples() == 0 {
            return Ok(());
        }
        if !RATES.contains(&format.rate) {
            return Err(self.undecodable());
        }
        self.heard = true;
        let rate = f64::from(format.rate);
        let position = self.position(&decoded, rate);
        let first = (self.in_point * rate).round() as i64;
        let silent_from = match self.expected {
            // The file's sound may begin after the in-point.
            None => first,
            Some(end) if seconds(position, end, rate) > LONGEST_FILLED_SECONDS => end.max(first),
            Some(_) => position,
        };
        if position > silent_from {
            self.close_resampler()?;
            let silence = sample_at(seconds(position, silent_from, rate) / self.speed);
            self.silence = silence.unsigned_abs().saturating_mul(CHANNELS as u64);
            self.expected = Some(position);
            self.after_silence = Some(decoded);
            return Ok(());
        }
        self.expected = Some(position.saturating_add(decoded.samples() as i64));
        decoded.set_pts(Some(position));

        if self
            .resampler
            .as_ref()
            .is_none_or(|resampler| *resampler.format() != format)
        {
            self.close_resampler()?;
            let resampler = Resampler::new(format, first, self.speed);
            self.resampler = Some(resampler.map_err(|_| self.undecodable())?);
        }
        if let Some(resampler) = &mut self.resampler {
            resampler
                .push(&decoded)
                .and_then(|()| resampler.drain(&mut self.ready))
                .context("resampling")?;
        }
        Ok(())
    }

    /// Where a frame begins, in source samples from the origin. Small deviations from where the
    /// last one ended are the container's rounding.
    fn position(&self, decoded: &frame::Audio, rate: f64) -> i64 {
        let stamped = decoded
            .timestamp()
            .or(decoded.pts())
            .map(|at| ((at as f64 * self.time_base - self.origin) * rate).round() as i64);
        match (stamped, self.expected) {
            (Some(stamped), Some(expected)) => {
                if seconds(stamped, expected, rate).abs() < SHORTEST_GAP_SECONDS {
                    expected
                } else {
                    stamped
                }
            }
            (stamped, expected) => stamped.or(expected).unwrap_or(0),
        }
    }

    fn close_resampler(&mut self) -> Result<()> {
        if let Some(mut resampler) = self.resampler.take() {
            resampler
                .finish()
                .and_then(|()| resampler.drain(&mut self.ready))
                .context("resampling")?;
        }
        Ok(())
    }

    fn undecodable(&self) -> Error {
        Error::BadInput(format!("{} has no sound that can be decoded", self.label))
    }
}
