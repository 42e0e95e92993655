//! Adds the clips of a timeline into one stereo signal, in order and in bounded memory.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;

use super::clip::AudioClip;
use super::decode::has_sound;
use super::envelope::{ANTI_CLICK_SAMPLES, Envelope};
use super::limiter::Limiter;
use super::reader::ClipReader;
use super::{CHANNELS, SAMPLE_RATE, sample_at};
use crate::Result;

/// Samples mixed in one go.
const BLOCK: usize = 4096;

/// The sound of a whole timeline, from its beginning to its end.
pub struct Mixer {
    /// In order of their beginnings; a clip moves to `playing` when its time comes.
    waiting: VecDeque<Placed>,
    playing: Vec<Playing>,
    limiter: Limiter,
    /// Samples mixed so far; the limiter holds some of them back.
    mixed: u64,
    /// Samples handed out.
    position: u64,
    total: u64,
    block: Vec<f32>,
    scratch: Vec<f32>,
    /// Limited samples, handed out up to `taken`.
    ready: Vec<f32>,
    taken: usize,
}

/// A clip with its place in samples.
struct Placed {
    clip: AudioClip,
    start: i64,
    end: i64,
    /// Samples that it plays on under the beginning of the clip that takes over.
    tail: i64,
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
                let tail = 0;
                waiting.push(Placed {
                    clip,
                    start,
                    end,
                    tail,
                });
            }
        }
        waiting.sort_by_key(|placed| placed.start);
        join(&mut waiting);
        Ok(Self {
            waiting: waiting.into(),
            playing: Vec::new(),
            limiter: Limiter::default(),
            mixed: 0,
            position: 0,
            total: total_samples,
            block: vec![0.0; BLOCK * CHANNELS],
            scratch: vec![0.0; BLOCK * CHANNELS],
            ready: Vec::new(),
            taken: 0,
        })
    }

    /// Samples of the whole timeline, of each channel.
    pub fn total_samples(&self) -> u64 {
        self.total
    }

    /// Passes over so many samples. They are mixed all the same: what follows is the same as if they
    /// had been asked for.
    pub fn skip(&mut self, samples: u64) -> Result<()> {
        let until = self.position.saturating_add(samples).min(self.total);
        while self.position < until {
            let ready = self.make_ready()? as u64;
            let passed = ready.min(until - self.position);
            self.take(passed as usize);
        }
        Ok(())
    }

    /// Fills a buffer of interleaved stereo with what comes next and returns how many samples (of
    /// each channel) it wrote; fewer than fit only at the end, then 0.
    pub fn fill(&mut self, out: &mut [f32]) -> Result<usize> {
        let left = usize::try_from(self.total - self.position).unwrap_or(usize::MAX);
        let samples = left.min(out.len() / CHANNELS);
        let mut filled = 0;
        while filled < samples {
            let count = self.make_ready()?.min(samples - filled);
            out[filled * CHANNELS..(filled + count) * CHANNELS].copy_from_slice(self.take(count));
            filled += count;
        }
        Ok(samples)
    }

    /// Mixes on until there is something to hand out, and says how much. Something always comes
    /// while the timeline lasts.
    fn make_ready(&mut self) -> Result<usize> {
        while self.taken == self.ready.len() && self.position < self.total {
            self.ready.clear();
            self.taken = 0;
            let samples = (self.total - self.mixed).min(BLOCK as u64) as usize;
            if samples == 0 {
                self.limiter.finish(&mut self.ready);
            } else {
                let mut block = std::mem::take(&mut self.block);
                let wanted = &mut block[..samples * CHANNELS];
                wanted.fill(0.0);
                let done = self.mix(wanted);
                self.limiter.push(wanted, &mut self.ready);
                self.block = block;
                done?;
            }
        }
        Ok((self.ready.len() - self.taken) / CHANNELS)
    }

    fn take(&mut self, samples: usize) -> &[f32] {
        let from = self.taken;
        self.taken += samples * CHANNELS;
        self.position += samples as u64;
        &self.ready[from..self.taken]
    }

    fn mix(&mut self, block: &mut [f32]) -> Result<()> {
        let begin = self.mixed as i64;
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
        self.mixed = end as u64;
        Ok(())
    }
}

/// Lets a clip that another of the same file follows at once (a cut, a segment of a video) play on
/// while that one rises, so that there is neither a gap nor a click between, and nothing at all
/// where the source goes on as before.
fn join(clips: &mut [Placed]) {
    let mut ends: HashMap<(PathBuf, i64), usize> = HashMap::new();
    for (index, placed) in clips.iter().enumerate() {
        if placed.clip.fade_out <= 0.0 {
            ends.insert((placed.clip.path.clone(), placed.end), index);
        }
    }
    for next in 0..clips.len() {
        let Placed {
            clip, start, end, ..
        } = &clips[next];
        if clip.fade_in > 0.0 {
            continue;
        }
        let tail = ANTI_CLICK_SAMPLES.min(end - start);
        // Two ways to reckon the same moment may differ by a sample.
        let before = [*start, start - 1, start + 1]
            .into_iter()
            .find_map(|end| ends.remove(&(clip.path.clone(), end)));
        if let Some(before) = before {
            clips[before].tail = tail;
        }
    }
}

impl Playing {
    fn open(placed: &Placed) -> Result<Self> {
        let Placed {
            clip,
            start,
            end,
            tail,
        } = placed;
        // A clip that begins before the timeline is entered part-way.
        let skip = (-start).max(0) as f64 / f64::from(SAMPLE_RATE);
        Ok(Self {
            reader: ClipReader::open(clip, skip)?,
            envelope: Envelope::new(clip, end - start, *tail),
            start: *start,
            end: end + tail,
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
