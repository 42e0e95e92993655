//! The sound of one clip from its in-point on, at its speed, made forward as it is asked for.

use ffmpeg_the_third as ffmpeg;

use ffmpeg::frame;

use super::clip::AudioClip;
use super::decode::SoundFile;
use super::envelope::ANTI_CLICK_SAMPLES;
use super::resample::{Format, Resampler};
use super::stretch::Stretcher;
use super::{CHANNELS, sample_at};
use crate::{Context, Result};

/// Gaps in the source longer than this are played as silence; shorter ones are rounding.
const SHORTEST_GAP_SECONDS: f64 = 0.02;
/// Silence is made in pieces of so many samples: a file may claim that hours of it come.
const SILENCE_SAMPLES: i64 = 4096;
/// No sample is louder than this (24 dB over full scale).
const LOUDEST: f32 = 16.0;
/// Samples a second of a source. A file that claims fewer would be stretched to hours, one that
/// claims more would take a filter without end.
const RATES: std::ops::RangeInclusive<u32> = 1000..=768_000;
/// The end of a file is kept back so that it can be ramped down.
const KEPT_BACK: usize = ANTI_CLICK_SAMPLES as usize * CHANNELS;

/// Reads one clip, in order.
pub(super) struct ClipReader {
    clip: AudioClip,
    file: SoundFile,
    in_point: f64,
    /// For frames that follow one another without a gap, in one format.
    resampler: Option<Resampler>,
    stretcher: Option<Stretcher>,
    /// When the last frame ended, in seconds of the source.
    decoded_to: Option<f64>,
    /// Samples resampled, from the in-point on.
    resampled: i64,
    /// Samples of silence to come before the frame that waits.
    silence: i64,
    waiting: Option<(frame::Audio, f64)>,
    /// What can be read; while the file goes on, all but its end.
    ready: Vec<f32>,
    taken: usize,
    ended: bool,
}

impl ClipReader {
    /// Opens the clip's file `skip` seconds (of the timeline) into the clip.
    pub(super) fn open(clip: &AudioClip, skip: f64) -> Result<Self> {
        let in_point = clip.in_point.max(0.0) + skip * clip.speed;
        Ok(Self {
            clip: clip.clone(),
            file: SoundFile::open_at(clip, in_point)?,
            in_point,
            resampler: None,
            // At its own speed, sound is left as it is.
            stretcher: (clip.speed != 1.0).then(|| Stretcher::new(clip.speed)),
            decoded_to: None,
            resampled: 0,
            silence: 0,
            waiting: None,
            ready: Vec::new(),
            taken: 0,
            ended: false,
        })
    }

    /// Fills the buffer with interleaved stereo as far as the file goes; the count is of floats.
    pub(super) fn read(&mut self, out: &mut [f32]) -> Result<usize> {
        let mut filled = 0;
        while filled < out.len() {
            let kept_back = if self.ended { 0 } else { KEPT_BACK };
            let ready = self.ready[self.taken..].len().saturating_sub(kept_back);
            let count = ready.min(out.len() - filled);
            out[filled..filled + count]
                .copy_from_slice(&self.ready[self.taken..self.taken + count]);
            self.taken += count;
            filled += count;
            if count == 0 {
                if self.ended {
                    break;
                }
                self.ready.drain(..self.taken);
                self.taken = 0;
                self.advance()?;
            }
        }
        Ok(filled)
    }

    /// Makes a little more of the sound, or notes the end.
    fn advance(&mut self) -> Result<()> {
        if self.silence > 0 {
            let samples = self.silence.min(SILENCE_SAMPLES);
            self.silence -= samples;
            self.deliver(&mut vec![0.0; samples as usize * CHANNELS]);
            return Ok(());
        }
        if let Some((decoded, at)) = self.waiting.take() {
            return self.start_run(decoded, at);
        }
        match self.file.next() {
            Some(decoded) => self.accept(decoded),
            None => self.end(),
        }
    }

    fn end(&mut self) -> Result<()> {
        if self.decoded_to.is_none() && self.file.is_from_start() {
            return Err(self.clip.refusal("has no sound that can be decoded"));
        }
        self.end_run()?;
        if let Some(stretcher) = &mut self.stretcher {
            stretcher.finish(&mut self.ready);
        }
        // Whatever the file breaks off with, it does not click.
        let pairs = self.ready.as_chunks_mut::<CHANNELS>().0;
        for (pair, left) in pairs.iter_mut().rev().zip(0..ANTI_CLICK_SAMPLES) {
            *pair = pair.map(|sample| sample * (left as f32 / ANTI_CLICK_SAMPLES as f32));
        }
        self.ended = true;
        Ok(())
    }

    fn accept(&mut self, mut decoded: frame::Audio) -> Result<()> {
        let format = Format::of(&mut decoded);
        if !RATES.contains(&format.rate) {
            let what = format!("has {} samples of sound a second", format.rate);
            return Err(self.clip.refusal(&what));
        }
        let stamped = self.file.time_of(&decoded);
        let at = match (stamped, self.decoded_to) {
            // Small deviations are the container's rounding; a clock that goes back is not followed.
            (Some(stamped), Some(expected)) if stamped < expected + SHORTEST_GAP_SECONDS => {
                expected
            }
            (stamped, expected) => stamped.or(expected).unwrap_or(0.0),
        };
        let is_next = self.decoded_to == Some(at);
        self.decoded_to = Some(at + decoded.samples() as f64 / f64::from(format.rate));
        match &self.resampler {
            Some(resampler) if is_next && *resampler.format() == format => self.resample(&decoded),
            _ => {
                self.end_run()?;
                let due = sample_at((at - self.in_point).max(0.0));
                self.silence = due.saturating_sub(self.resampled).max(0);
                self.waiting = Some((decoded, at));
                Ok(())
            }
        }
    }

    fn start_run(&mut self, mut decoded: frame::Audio, at: f64) -> Result<()> {
        let format = Format::of(&mut decoded);
        let early = (self.in_point - at) * f64::from(format.rate);
        let resampler = Resampler::new(format, early.round().max(0.0) as u64).map_err(|_| {
            self.clip
                .refusal("has sound of a kind that can't be played")
        })?;
        self.resampler = Some(resampler);
        self.resample(&decoded)
    }

    fn resample(&mut self, decoded: &frame::Audio) -> Result<()> {
        let mut resampled = Vec::new();
        if let Some(resampler) = &mut self.resampler {
            resampler
                .push(decoded)
                .and_then(|()| resampler.drain(&mut resampled))
                .context("resampling")?;
        }
        self.deliver(&mut resampled);
        Ok(())
    }

    fn end_run(&mut self) -> Result<()> {
        let mut resampled = Vec::new();
        if let Some(mut resampler) = self.resampler.take() {
            resampler
                .finish()
                .and_then(|()| resampler.drain(&mut resampled))
                .context("resampling")?;
        }
        self.deliver(&mut resampled);
        Ok(())
    }

    fn deliver(&mut self, samples: &mut Vec<f32>) {
        self.resampled += (samples.len() / CHANNELS) as i64;
        for sample in samples.iter_mut() {
            // Files of floating-point numbers may hold anything.
            *sample = if sample.is_finite() {
                sample.clamp(-LOUDEST, LOUDEST)
            } else {
                0.0
            };
        }
        match &mut self.stretcher {
            Some(stretcher) => stretcher.push(samples, &mut self.ready),
            None => self.ready.append(samples),
        }
    }
}
