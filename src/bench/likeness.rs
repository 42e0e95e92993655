//! How like two frames are: PSNR and SSIM of planar 4:2:0.

use serde_json::{Value, json};

/// Said of equal planes, which have no error to measure.
const EQUAL_DB: f64 = 100.0;
/// Sides of the windows of SSIM, and how far one is from the next.
const WINDOW: usize = 8;
const STEP: usize = 4;
/// Steadies the quotient where means, or variances, are small; for values up to 255.
const STEADY_MEAN: f64 = (0.01 * 255.0) * (0.01 * 255.0);
const STEADY_VARIANCE: f64 = (0.03 * 255.0) * (0.03 * 255.0);

/// Width and height of a frame, both even.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) width: usize,
    pub(super) height: usize,
}

/// How like two frames are; more is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Likeness {
    /// PSNR of luma, in dB.
    pub(super) luma: f64,
    /// PSNR of the three planes, luma weighing six times as much as each of the others.
    pub(super) all: f64,
    /// SSIM of luma, 1 where frames are equal.
    pub(super) ssim: f64,
}

impl Likeness {
    /// Compares two I420 frames.
    pub(super) fn of(shape: Shape, found: &[u8], wanted: &[u8]) -> Self {
        let pixels = shape.width * shape.height;
        let plane = |from: usize, to: usize| psnr(&found[from..to], &wanted[from..to]);
        let luma = plane(0, pixels);
        let [blue, red] = [pixels, pixels * 5 / 4].map(|at| plane(at, at + pixels / 4));
        Self {
            luma,
            all: (6.0 * luma + blue + red) / 8.0,
            ssim: ssim(shape, &found[..pixels], &wanted[..pixels]),
        }
    }

    /// The mean of several.
    pub(super) fn mean(all: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| all.iter().map(of).sum::<f64>() / all.len().max(1) as f64;
        Self {
            luma: mean(|one| one.luma),
            all: mean(|one| one.all),
            ssim: mean(|one| one.ssim),
        }
    }

    /// A share of the way to another.
    pub(super) fn towards(&self, other: &Self, share: f64) -> Self {
        let between = |from: f64, to: f64| from + (to - from) * share;
        Self {
            luma: between(self.luma, other.luma),
            all: between(self.all, other.all),
            ssim: between(self.ssim, other.ssim),
        }
    }

    /// What this has over another.
    pub(super) fn less(&self, other: &Self) -> Self {
        Self {
            luma: self.luma - other.luma,
            all: self.all - other.all,
            ssim: self.ssim - other.ssim,
        }
    }

    pub(super) fn to_json(self) -> Value {
        json!({ "psnrY": self.luma, "psnrWeighted": self.all, "ssimY": self.ssim })
    }
}

fn psnr(found: &[u8], wanted: &[u8]) -> f64 {
    let squares: u64 = found
        .iter()
        .zip(wanted)
        .map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2))
        .sum();
    if squares == 0 {
        return EQUAL_DB;
    }
    let mean = squares as f64 / found.len() as f64;
    (10.0 * (255.0 * 255.0 / mean).log10()).min(EQUAL_DB)
}

/// The mean similarity of windows that overlap by half.
fn ssim(shape: Shape, found: &[u8], wanted: &[u8]) -> f64 {
    let starts = |side: usize| (0..=side.saturating_sub(WINDOW)).step_by(STEP);
    let (mut sum, mut count) = (0.0, 0);
    for top in starts(shape.height) {
        for left in starts(shape.width) {
            sum += window(shape, (left, top), found, wanted);
            count += 1;
        }
    }
    sum / f64::from(count.max(1))
}

fn window(shape: Shape, (left, top): (usize, usize), found: &[u8], wanted: &[u8]) -> f64 {
    let (mut a_sum, mut b_sum, mut squares, mut products) = (0_u32, 0_u32, 0_u32, 0_u32);
    let mut count = 0_u32;
    for row in top..(top + WINDOW).min(shape.height) {
        let span = row * shape.width + left..row * shape.width + (left + WINDOW).min(shape.width);
        for (a, b) in found[span.clone()].iter().zip(&wanted[span]) {
            let (a, b) = (u32::from(*a), u32::from(*b));
            a_sum += a;
            b_sum += b;
            squares += a * a + b * b;
            products += a * b;
            count += 1;
        }
    }
    let count = f64::from(count.max(1));
    let (a_mean, b_mean) = (f64::from(a_sum) / count, f64::from(b_sum) / count);
    let variances = f64::from(squares) / count - a_mean * a_mean - b_mean * b_mean;
    let covariance = f64::from(products) / count - a_mean * b_mean;
    (2.0 * a_mean * b_mean + STEADY_MEAN) * (2.0 * covariance + STEADY_VARIANCE)
        / ((a_mean * a_mean + b_mean * b_mean + STEADY_MEAN) * (variances + STEADY_VARIANCE))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape {
        width: 32,
        height: 16,
    };

    fn frame(value: impl Fn(usize) -> u8) -> Vec<u8> {
        (0..32 * 16 * 3 / 2).map(value).collect()
    }

    #[test]
    fn equal_frames_are_as_like_as_can_be() {
        let frame = frame(|at| (at * 37 % 251) as u8);
        let likeness = Likeness::of(SHAPE, &frame, &frame);
        assert_eq!((likeness.luma, likeness.all), (100.0, 100.0));
        assert!((likeness.ssim - 1.0).abs() < 1e-9);
    }

    #[test]
    fn errors_are_counted_by_their_squares_and_planes_by_their_weight() {
        let flat = frame(|_| 100);
        // One off everywhere in luma: 20 log10(255).
        let luma = frame(|at| if at < 512 { 101 } else { 100 });
        let likeness = Likeness::of(SHAPE, &luma, &flat);
        assert!((likeness.luma - 48.1308).abs() < 1e-3, "{likeness:?}");
        assert!((likeness.all - (6.0 * 48.1308 + 200.0) / 8.0).abs() < 1e-3);
        // Ten off: twenty dB less.
        let ten = frame(|at| if at < 512 { 110 } else { 100 });
        let worse = Likeness::of(SHAPE, &ten, &flat);
        assert!((likeness.luma - worse.luma - 20.0).abs() < 1e-9);
        let chroma = frame(|at| if at < 512 + 128 { 100 } else { 101 });
        let chroma = Likeness::of(SHAPE, &chroma, &flat);
        assert_eq!(chroma.luma, 100.0);
        assert!((chroma.all - (700.0 + 48.1308) / 8.0).abs() < 1e-3);
    }

    #[test]
    fn lost_structure_counts_more_than_a_shift_of_light() {
        let stripes = frame(|at| if at % 8 < 4 { 60 } else { 180 });
        let lighter = frame(|at| if at % 8 < 4 { 70 } else { 190 });
        let grey = frame(|_| 120);
        let ssim = |found: &[u8]| Likeness::of(SHAPE, found, &stripes).ssim;
        assert!(ssim(&lighter) > 0.95, "{}", ssim(&lighter));
        assert!(ssim(&grey) < 0.1, "{}", ssim(&grey));
    }
}
