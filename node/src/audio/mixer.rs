//! Adds the clips of a timeline into one stereo signal, in order and in bounded memory.

use std::collections::{HashMap, VecDeque};

use super::clip::AudioClip;
use super::envelope::Envelope;
use super::limiter::limit;
use super::reader::{ClipReader, has_sound};
use super::{CHANNELS, SAMPLE_RATE, sample_at};
use crate::Result;

/// Samples mixed in one go.
const BLOCK: usize = 4096;

/// The sound of a whole timeline, from its beginning to its end.
pub struct Mixer {
    /// In order of their beginnings; a clip moves to `playing` when its time comes.
    waiting: VecDeque<Placed>,
    playing: Vec<Playing>,
    position: u64,
    total: u64,
    scratch: Vec<f32>,
}

/// A clip with its place in samples.
struct Placed {
    clip: AudioClip,
    start: i64,
    end: i64,
}

struct Playing {
    reader: ClipReader,
    envelope: Envelope,
    start: i64,
    end: i64,
}

impl Mixer {
    /// Checks every clip and prepares a timeline of `total_samples` (of each channel). Files are
    /// looked into here, so that a bad one is found before the long work, and decoded later.
    pub fn open(clips: Vec<AudioClip>, total_samples: u64) -> Result<Self> {
        let mut known = HashMap::new();
        let mut waiting = Vec::new();
        for clip in clips {
            clip.check()?;
            let file = (clip.path.clone(), clip.optional);
            let audible = match known.get(&file) {
                Some(&audible) => audible,
                None => {
                    let audible = has_sound(&clip)?;
                    known.insert(file, audible);
                    audible
                }
            };
            let start = sample_at(clip.starts_at);
            let end = sample_at(clip.starts_at + clip.length);
            if audible && !clip.is_inaudible() && end > 0 {
                waiting.push(Placed { clip, start, end });
            }
        }
        waiting.sort_by_key(|placed| placed.start);
        Ok(Self {
            waiting: waiting.into(),
            playing: Vec::new(),
            position: 0,
            total: total_samples,
            scratch: vec![0.0; BLOCK * CHANNELS],
        })
    }

    /// Samples of the whole timeline, of each channel.
    pub fn total_samples(&self) -> u64 {
        self.total
    }

    /// Fills a buffer of interleaved stereo with what comes next and returns how many samples (of
    /// each channel) it wrote; fewer than fit only at the end, then 0.
    pub fn fill(&mut self, out: &mut [f32]) -> Result<usize> {
        let left = usize::try_from(self.total - self.position).unwrap_or(usize::MAX);
        let samples = left.min(out.len() / CHANNELS);
        for block in out[..samples * CHANNELS].chunks_mut(BLOCK * CHANNELS) {
            block.fill(0.0);
            self.mix(block)?;
            limit(block);
        }
        Ok(samples)
    }

    fn mix(&mut self, block: &mut [f32]) -> Result<()> {
        let begin = self.position as i64;
        let end = begin + (block.len() / CHANNELS) as i64;
        while self.waiting.front().is_some_and(|next| next.start < end) {
            if let Some(next) = self.waiting.pop_front() {
                self.playing.push(Playing::open(&next)?);
            }
        }
        let mut still_playing = Vec::with_capacity(self.playing.len());
        for mut playing in self.playing.drain(..) {
            if playing.add_to(block, begin, end, &mut self.scratch)? {
                still_playing.push(playing);
            }
        }
        self.playing = still_playing;
        self.position = end as u64;
        Ok(())
    }
}

impl Playing {
    fn open(placed: &Placed) -> Result<Self> {
        let Placed { clip, start, end } = placed;
        // A clip that begins before the timeline is entered part-way.
        let skip = (-start).max(0) as f64 / f64::from(SAMPLE_RATE);
        Ok(Self {
            reader: ClipReader::open(clip, skip)?,
            envelope: Envelope::new(clip, end - start),
            start: *start,
            end: *end,
        })
    }

    /// Adds this clip's part of the samples from `begin` to `end`; `false` once it is over.
    fn add_to(
        &mut self,
        block: &mut [f32],
        begin: i64,
        end: i64,
        scratch: &mut [f32],
    ) -> Result<bool> {
        let from = self.start.max(begin);
        let to = self.end.min(end);
        let offset = (from - begin) as usize * CHANNELS;
        let wanted = (to - from).max(0) as usize * CHANNELS;
        let read = self.reader.read(&mut scratch[..wanted])?;
        let pairs = block[offset..offset + read].as_chunks_mut::<CHANNELS>().0;
        let sound = scratch[..read].as_chunks::<CHANNELS>().0;
        for ((pair, sound), at) in pairs.iter_mut().zip(sound).zip(from - self.start..) {
            let gain = self.envelope.gain(at);
            pair[0] += sound[0] * gain;
            pair[1] += sound[1] * gain;
        }
        Ok(self.end > end && read == wanted)
    }
}
