//! A limiter that turns a mix down around peaks it can't hold, and leaves all else as it is.
//!
//! It looks ahead, so that the gain has come down gently when a peak arrives. What it looks ahead
//! at is held back, and nothing is late: the first sample out is the first sample in.

use std::collections::VecDeque;

use super::CHANNELS;

/// Samples louder than this can't be held.
const FULL_SCALE: f32 = 1.0;
/// Where peaks end up that were louder (−0.1 dB).
const CEILING: f32 = 0.988_55;
/// Five milliseconds to come down before a peak.
const AHEAD: usize = 240;
/// Ten milliseconds to stay down after it: longer than the half waves of all but the lowest notes,
/// whose shape would change with a gain that moves within them.
const HOLD: usize = 480;
/// The way back up: a tenth of a second to cover most of it.
const RELEASE_SAMPLES: f64 = 4800.0;
/// Gains are counted in whole parts of one, so that sums of them are exact.
const ONE: u64 = 1 << 32;
/// Less reduction than this (0.0001 dB) is none.
const NOTHING: u64 = ONE >> 16;

/// A limiter for interleaved stereo; both channels get the same gain.
#[derive(Debug, Default)]
pub(super) struct Limiter {
    /// Samples that have not come out yet.
    held: VecDeque<[f32; CHANNELS]>,
    /// Samples taken in.
    seen: u64,
    /// The peaks that count now: each with its place and the reduction it needs, none smaller than
    /// a later one.
    peaks: VecDeque<(u64, u64)>,
    /// Reductions of the last samples, their sum, and the newest.
    recent: VecDeque<u64>,
    sum: u64,
    newest: u64,
}

impl Limiter {
    /// Takes in samples and appends those that are done.
    pub(super) fn push(&mut self, samples: &[f32], out: &mut Vec<f32>) {
        for pair in samples.as_chunks::<CHANNELS>().0 {
            self.take(*pair, out);
        }
    }

    /// Appends what was held back; the signal ends here.
    pub(super) fn finish(&mut self, out: &mut Vec<f32>) {
        for _ in 0..AHEAD {
            self.take([0.0; CHANNELS], out);
        }
        self.held.clear();
    }

    fn take(&mut self, pair: [f32; CHANNELS], out: &mut Vec<f32>) {
        let needed = reduction_for(pair[0].abs().max(pair[1].abs()));
        while self.peaks.back().is_some_and(|&(_, other)| other <= needed) {
            self.peaks.pop_back();
        }
        if needed > 0 {
            self.peaks.push_back((self.seen, needed));
        }
        let passed = |place: u64| place + (AHEAD + HOLD) as u64;
        while self
            .peaks
            .front()
            .is_some_and(|&(place, _)| passed(place) < self.seen)
        {
            self.peaks.pop_front();
        }
        self.seen += 1;
        self.held.push_back(pair);

        let wanted = self.peaks.front().map_or(0, |&(_, reduction)| reduction);
        let released = (self.newest as f64 * (1.0 - 1.0 / RELEASE_SAMPLES)) as u64;
        let released = if released < NOTHING { 0 } else { released };
        self.newest = wanted.max(released);
        self.sum += self.newest;
        self.recent.push_back(self.newest);
        // The mean over as many samples as it looks ahead: it has come all the way down just when
        // the peak comes out.
        if self.recent.len() > AHEAD + 1 {
            self.sum -= self.recent.pop_front().unwrap_or(0);
        }
        if self.held.len() > AHEAD
            && let Some(done) = self.held.pop_front()
        {
            out.extend(done.map(|sample| self.turned_down(sample)));
        }
    }

    fn turned_down(&self, sample: f32) -> f32 {
        if self.sum == 0 {
            return sample;
        }
        let reduction = self.sum as f64 / ((AHEAD + 1) as u64 * ONE) as f64;
        (f64::from(sample) * (1.0 - reduction)) as f32
    }
}

/// How much less than one the gain must be where a peak is this loud.
fn reduction_for(peak: f32) -> u64 {
    if peak <= FULL_SCALE {
        0
    } else {
        let gain = f64::from(CEILING) / f64::from(peak);
        ((1.0 - gain) * ONE as f64).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    fn limited(samples: &[f32], block: usize) -> Vec<f32> {
        let mut limiter = Limiter::default();
        let mut out = Vec::new();
        for block in samples.chunks(block * CHANNELS) {
            limiter.push(block, &mut out);
        }
        limiter.finish(&mut out);
        assert_eq!(out.len(), samples.len());
        out
    }

    fn tone(hertz: f64, loudness: impl Fn(usize) -> f64, samples: usize) -> Vec<f32> {
        (0..samples)
            .flat_map(|at| {
                let value = loudness(at) * (TAU * hertz * at as f64 / 48_000.0).sin();
                [value as f32; CHANNELS]
            })
            .collect()
    }

    /// What is left of a signal when its tone is taken away, against the tone, in decibels.
    fn distortion(interleaved: &[f32], hertz: f64) -> f64 {
        let left: Vec<f64> = interleaved
            .iter()
            .step_by(2)
            .copied()
            .map(f64::from)
            .collect();
        let count = left.len() as f64;
        let part = |of: fn(f64) -> f64| {
            let sum = left
                .iter()
                .enumerate()
                .map(|(at, sample)| sample * of(TAU * hertz * at as f64 / 48_000.0));
            2.0 * sum.sum::<f64>() / count
        };
        let (sine, cosine) = (part(f64::sin), part(f64::cos));
        let rest = left.iter().enumerate().map(|(at, sample)| {
            let angle = TAU * hertz * at as f64 / 48_000.0;
            (sample - sine * angle.sin() - cosine * angle.cos()).powi(2)
        });
        let rest = rest.sum::<f64>() / count;
        10.0 * (rest / ((sine * sine + cosine * cosine) / 2.0)).log10()
    }

    #[test]
    fn what_fits_passes_to_the_bit() {
        let samples = tone(440.0, |_| 1.0, 10_000);
        assert_eq!(limited(&samples, 512), samples);
        assert_eq!(limited(&samples[..100], 512), samples[..100]);
        assert!(limited(&[], 512).is_empty());
    }

    #[test]
    fn a_loud_tone_is_turned_down_and_not_bent() {
        for hertz in [50.0, 440.0, 5000.0] {
            let out = limited(&tone(hertz, |_| 2.5, 96_000), 4096);
            let peak = out
                .iter()
                .fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
            assert!(peak <= CEILING + 1e-6 && peak > 0.97, "{hertz} Hz: {peak}");
            let steady = &out[2 * 24_000..2 * 72_000];
            assert!(
                distortion(steady, hertz) < -80.0,
                "{hertz} Hz: {} dB",
                distortion(steady, hertz)
            );
        }
    }

    #[test]
    fn the_gain_comes_down_before_a_peak_and_is_one_again_after() {
        let loud = |at: usize| {
            if (24_000..28_800).contains(&at) {
                2.0
            } else {
                0.4
            }
        };
        let samples = tone(997.0, loud, 200_000);
        let out = limited(&samples, 1000);
        assert!(out.iter().all(|sample| sample.abs() <= CEILING + 1e-6));
        let before = 2 * (24_000 - AHEAD);
        assert_eq!(out[..before], samples[..before]);
        assert_eq!(out[2 * 120_000..], samples[2 * 120_000..]);
        // The gain moves by less than a hundredth of a decibel from sample to sample.
        let mut last = 1.0;
        for (out, sample) in out.iter().zip(&samples).step_by(2) {
            if sample.abs() > 0.05 {
                let gain = out / sample;
                assert!((gain - last).abs() < 0.02, "{last} to {gain}");
                last = gain;
            }
        }
    }

    #[test]
    fn one_sample_far_too_loud_does_no_harm_and_the_size_of_blocks_none() {
        let mut samples = tone(300.0, |_| 0.5, 20_000);
        samples[2 * 9_000] = -40.0;
        samples[2 * 15_000 + 1] = 1e6;
        let out = limited(&samples, 4096);
        assert!(out.iter().all(|sample| sample.abs() <= 1.0));
        let bits = |samples: &[f32]| {
            samples
                .iter()
                .map(|sample| sample.to_bits())
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&limited(&samples, 7)), bits(&out));
    }
}
