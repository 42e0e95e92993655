//! Plays sound faster or slower at its own pitch.
//!
//! Short pieces of the source are laid over one another, each half a piece after the one before.
//! Each is taken from near the place that the speed asks for, where it continues best what the
//! piece before it would have gone on with (WSOLA). Sample `n` of the output is from around
//! `n × speed` of the source, and the output is as long as that makes it, to the sample.

use super::CHANNELS;

/// Thirty milliseconds: a few periods of a voice.
const PIECE: usize = 1440;
/// From one piece to the next in the output, and how long two overlap.
const HOP: usize = PIECE / 2;
/// How far to either side a piece may be moved to fit: ten milliseconds, so that a period of 50 Hz
/// lies within.
const REACH: i64 = 480;
/// Every so many places are tried first, then those around the best.
const STRIDE: i64 = 4;
/// Sums that the processor adds up side by side.
const LANES: usize = 16;

/// Stretches interleaved stereo.
#[derive(Debug)]
pub(super) struct Stretcher {
    speed: f64,
    /// The source from `base` on, as far as it may still be needed.
    source: Vec<f32>,
    base: i64,
    /// Samples of the source so far.
    received: i64,
    /// Where the last piece was taken from, and how many there were.
    last: i64,
    pieces: i64,
    /// The second half of the last piece, faded out.
    overlap: Vec<f32>,
    written: i64,
}

impl Stretcher {
    pub(super) fn new(speed: f64) -> Self {
        Self {
            speed,
            source: Vec::new(),
            base: 0,
            received: 0,
            last: 0,
            pieces: 0,
            overlap: Vec::new(),
            written: 0,
        }
    }

    /// Takes in samples and appends what can be told by now.
    pub(super) fn push(&mut self, samples: &[f32], out: &mut Vec<f32>) {
        self.received += (samples.len() / CHANNELS) as i64;
        // What nothing will reach back to is not kept, nor taken in at all; pieces at the end reach
        // back from there.
        let last_reach = self.received - PIECE as i64 - REACH;
        let unneeded = (self.needed_from().min(last_reach) - self.base).max(0);
        let kept = (self.source.len() / CHANNELS) as i64;
        self.source.drain(..unneeded.min(kept) as usize * CHANNELS);
        let skipped = (unneeded - kept).max(0) as usize * CHANNELS;
        self.source.extend(&samples[skipped..]);
        self.base += unneeded;
        while self.nominal() + REACH + PIECE as i64 <= self.received {
            let most = self.received - PIECE as i64;
            self.place(most, out);
        }
    }

    /// Appends the rest; the source ends here.
    pub(super) fn finish(&mut self, out: &mut Vec<f32>) {
        let total = (self.received as f64 / self.speed).round() as i64;
        // So that a piece fits in even at the very end, and where there is less than a piece.
        let most = (self.received - PIECE as i64).max(0);
        let silence = (most + PIECE as i64 - self.received) as usize;
        self.source
            .resize(self.source.len() + silence * CHANNELS, 0.0);
        while self.written < total {
            self.place(most, out);
        }
        let surplus = (self.written - total).max(0) as usize * CHANNELS;
        out.truncate(out.len().saturating_sub(surplus));
    }

    /// Where the next piece would be taken from: its middle is where the speed asks for.
    fn nominal(&self) -> i64 {
        let middle = (self.pieces * HOP as i64) as f64 + HOP as f64;
        ((middle * self.speed).round() as i64 - HOP as i64).max(0)
    }

    /// The first sample that is still of use.
    fn needed_from(&self) -> i64 {
        let next = self.nominal() - REACH;
        if self.pieces == 0 {
            return next.max(0);
        }
        next.min(self.last + HOP as i64).max(0)
    }

    /// Adds a piece, taken from `most` at the latest, and writes the half of it that is complete.
    fn place(&mut self, most: i64, out: &mut Vec<f32>) {
        let nominal = self.nominal().clamp(self.base, most.max(self.base));
        let at = if self.pieces == 0 {
            nominal
        } else {
            self.best_near(nominal, most)
        };
        let (rising, falling) = self.piece(at, PIECE).split_at(HOP * CHANNELS);
        if self.pieces == 0 {
            out.extend(rising);
        } else {
            let pairs = rising.as_chunks::<CHANNELS>().0;
            let under = self.overlap.as_chunks::<CHANNELS>().0;
            for ((pair, under), gain) in pairs.iter().zip(under).zip(rise()) {
                out.extend([under[0] + pair[0] * gain, under[1] + pair[1] * gain]);
            }
        }
        let pairs = falling.as_chunks::<CHANNELS>().0;
        self.overlap = pairs
            .iter()
            .zip(rise())
            .flat_map(|(pair, gain)| pair.map(|sample| sample * (1.0 - gain)))
            .collect();
        self.last = at;
        self.pieces += 1;
        self.written += HOP as i64;
    }

    /// The place around `nominal` whose sound is most like what followed the last piece.
    fn best_near(&self, nominal: i64, most: i64) -> i64 {
        // The last piece may have been the last that there is.
        let follows = (self.last + HOP as i64).min(most + HOP as i64);
        let wanted = self.piece(follows, HOP);
        let first = (nominal - REACH).max(self.base);
        let last = (nominal + REACH).min(most);
        let likeness = |at: i64| {
            let (product, energy) = compare(self.piece(at, HOP), wanted);
            product / (energy + 1e-9).sqrt()
        };
        let best_of = |places: &mut dyn Iterator<Item = i64>, or: i64| {
            let mut best = (likeness(or), or);
            for at in places {
                let found = likeness(at);
                if found > best.0 {
                    best = (found, at);
                }
            }
            best.1
        };
        let coarse = best_of(&mut (first..=last).step_by(STRIDE as usize), nominal);
        let around = (coarse - STRIDE + 1).max(first)..=(coarse + STRIDE - 1).min(last);
        best_of(&mut around.into_iter(), coarse)
    }

    fn piece(&self, at: i64, samples: usize) -> &[f32] {
        let from = (at - self.base).max(0) as usize * CHANNELS;
        &self.source[from..from + samples * CHANNELS]
    }
}

/// The gain over the samples of a rise; with the fall that mirrors it, it adds up to one.
fn rise() -> impl Iterator<Item = f32> {
    (0..HOP).map(|at| {
        let angle = (at as f32 + 0.5) / HOP as f32 * std::f32::consts::PI;
        0.5 - 0.5 * angle.cos()
    })
}

/// The sums of products and of squares of a candidate.
fn compare(candidate: &[f32], wanted: &[f32]) -> (f32, f32) {
    let mut products = [0.0_f32; LANES];
    let mut squares = [0.0_f32; LANES];
    let candidate = candidate.as_chunks::<LANES>().0;
    for (some, others) in candidate.iter().zip(wanted.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            products[lane] += some[lane] * others[lane];
            squares[lane] += some[lane] * some[lane];
        }
    }
    (products.iter().sum(), squares.iter().sum())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    const SPEEDS: [f64; 10] = [0.05, 0.1, 0.5, 0.9, 1.01, 1.5, 2.0, 3.7, 10.0, 100.0];

    fn stretched(samples: &[f32], speed: f64, block: usize) -> Vec<f32> {
        let mut stretcher = Stretcher::new(speed);
        let mut out = Vec::new();
        for block in samples.chunks(block * CHANNELS) {
            stretcher.push(block, &mut out);
        }
        stretcher.finish(&mut out);
        out
    }

    fn both(samples: usize, of: impl Fn(f64) -> f64) -> Vec<f32> {
        (0..samples)
            .flat_map(|at| [of(at as f64 / 48_000.0) as f32; CHANNELS])
            .collect()
    }

    #[test]
    fn the_length_is_exact_at_every_speed_and_for_every_length() {
        for speed in SPEEDS {
            for samples in [0, 1, 100, 719, 1440, 1441, 20_000] {
                let source = both(samples, |t| (TAU * 440.0 * t).sin());
                let wanted = (samples as f64 / speed).round() as usize;
                assert_eq!(
                    stretched(&source, speed, 999).len(),
                    wanted * CHANNELS,
                    "{samples} at {speed}"
                );
            }
        }
    }

    #[test]
    fn blocks_make_no_difference() {
        let noise = |t: f64| ((t * 48_000.0).powi(2) * 0.37).sin() * (TAU * 3.0 * t).sin();
        let source = both(50_000, noise);
        for speed in SPEEDS {
            let whole = stretched(&source, speed, 50_000);
            assert!(stretched(&source, speed, 331) == whole, "{speed}");
        }
    }

    #[test]
    fn a_tone_stays_a_tone_of_the_same_pitch_and_loudness() {
        for speed in [0.1, 0.5, 0.93, 1.3, 2.0, 4.0, 10.0] {
            for hertz in [60.0, 440.0, 3000.0, 11_000.0] {
                let source = both(96_000, |t| 0.5 * (TAU * hertz * t).sin());
                let out = stretched(&source, speed, 4096);
                let left: Vec<f64> = out.iter().step_by(2).copied().map(f64::from).collect();
                // Nothing jumps: no step is larger than the tone's own.
                let step = (TAU * hertz / 48_000.0).min(2.0) * 0.5 * 1.25 + 0.01;
                let largest = left
                    .windows(2)
                    .map(|pair| (pair[1] - pair[0]).abs())
                    .fold(0.0, f64::max);
                assert!(largest <= step, "{hertz} Hz at {speed}: {largest} > {step}");
                let middle = &left[left.len() / 10..left.len() * 9 / 10];
                let level = (middle.iter().map(|sample| sample * sample).sum::<f64>()
                    / middle.len() as f64)
                    .sqrt();
                assert!(
                    (level / (0.5 / 2_f64.sqrt()) - 1.0).abs() < 0.03,
                    "{hertz} Hz at {speed}: {level}"
                );
                let crossings = middle
                    .windows(2)
                    .filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0)
                    .count();
                let pitch = crossings as f64 * 48_000.0 / middle.len() as f64;
                let slack = hertz * 0.004 + 2.0 * 48_000.0 / middle.len() as f64;
                assert!(
                    (pitch - hertz).abs() < slack,
                    "{hertz} Hz at {speed}: {pitch}"
                );
            }
        }
    }

    #[test]
    fn what_begins_in_the_source_begins_in_time() {
        for speed in [0.25, 0.5, 0.8, 1.25, 2.0, 4.0] {
            let source = both(96_000, |t| {
                if t < 1.0 {
                    0.0
                } else {
                    (TAU * 500.0 * t).sin()
                }
            });
            let out = stretched(&source, speed, 4096);
            let found = out
                .iter()
                .step_by(2)
                .position(|sample| sample.abs() > 0.3)
                .unwrap_or(0);
            let off = found as f64 / 48_000.0 - 1.0 / speed;
            // Half a piece of the source, at most.
            assert!((off * speed.min(1.0)).abs() < 0.015, "{speed}: {off} s off");
        }
    }

    #[test]
    fn what_is_no_longer_needed_is_let_go() {
        let mut stretcher = Stretcher::new(3.0);
        let mut out = Vec::new();
        for _ in 0..200 {
            stretcher.push(&[0.1; 1024 * CHANNELS], &mut out);
            assert!(stretcher.source.len() < 8 * PIECE * CHANNELS);
        }
    }
}
