//! Structural similarity of the lightness of two pictures.

use crate::picture::Picture;

const RADIUS: usize = 5;
const SIGMA: f64 = 1.5;
const LUMA: [f64; 3] = [0.299, 0.587, 0.114];
/// Steadies the quotient where means, or variances, are small; for values up to 255.
const STEADY_MEAN: f64 = (0.01 * 255.0) * (0.01 * 255.0);
const STEADY_VARIANCE: f64 = (0.03 * 255.0) * (0.03 * 255.0);

/// The mean similarity of two pictures of one size: 1 where they are equal.
pub(crate) fn mean_similarity(a: &Picture, b: &Picture) -> f64 {
    let (width, height) = a.size();
    let blur = Blur::new(width as usize, height as usize);
    let (a, b) = (luma(a), luma(b));
    let product =
        |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a * b).collect() };
    let (mean_a, mean_b) = (blur.of(&a), blur.of(&b));
    let (square_a, square_b) = (blur.of(&product(&a, &a)), blur.of(&product(&b, &b)));
    let cross = blur.of(&product(&a, &b));
    let mut sum = 0.0;
    for index in 0..a.len() {
        let (ma, mb) = (mean_a[index], mean_b[index]);
        let (variance_a, variance_b) = (square_a[index] - ma * ma, square_b[index] - mb * mb);
        let covariance = cross[index] - ma * mb;
        sum += (2.0 * ma * mb + STEADY_MEAN) * (2.0 * covariance + STEADY_VARIANCE)
            / ((ma * ma + mb * mb + STEADY_MEAN) * (variance_a + variance_b + STEADY_VARIANCE));
    }
    sum / a.len().max(1) as f64
}

fn luma(picture: &Picture) -> Vec<f64> {
    picture
        .pixels()
        .map(|pixel| {
            pixel
                .iter()
                .zip(LUMA)
                .map(|(channel, share)| f64::from(*channel) * share)
                .sum()
        })
        .collect()
}

/// A Gaussian blur of planes of one size, mirrored at the edges.
struct Blur {
    width: usize,
    height: usize,
    kernel: [f64; 2 * RADIUS + 1],
}

impl Blur {
    fn new(width: usize, height: usize) -> Self {
        let mut kernel = [0.0; 2 * RADIUS + 1];
        for (index, weight) in kernel.iter_mut().enumerate() {
            let distance = index as f64 - RADIUS as f64;
            *weight = (-distance * distance / (2.0 * SIGMA * SIGMA)).exp();
        }
        let sum: f64 = kernel.iter().sum();
        Self {
            width,
            height,
            kernel: kernel.map(|weight| weight / sum),
        }
    }

    fn of(&self, plane: &[f64]) -> Vec<f64> {
        let mut down = vec![0.0; plane.len()];
        for (y, row) in down.chunks_exact_mut(self.width).enumerate() {
            for (tap, weight) in self.kernel.iter().enumerate() {
                let from = mirrored(y as i64 + tap as i64 - RADIUS as i64, self.height);
                let source = &plane[from * self.width..][..self.width];
                for (to, value) in row.iter_mut().zip(source) {
                    *to += weight * value;
                }
            }
        }
        let mut across = vec![0.0; plane.len()];
        let mut padded = vec![0.0; self.width + 2 * RADIUS];
        for (row, to) in down
            .chunks_exact(self.width)
            .zip(across.chunks_exact_mut(self.width))
        {
            for (x, value) in padded.iter_mut().enumerate() {
                *value = row[mirrored(x as i64 - RADIUS as i64, self.width)];
            }
            for (tap, weight) in self.kernel.iter().enumerate() {
                for (to, value) in to.iter_mut().zip(&padded[tap..]) {
                    *to += weight * value;
                }
            }
        }
        across
    }
}

/// The place inside that a place beyond an edge mirrors, the edge itself repeated.
fn mirrored(place: i64, length: usize) -> usize {
    let length = length as i64;
    let period = place.rem_euclid(2 * length);
    period.min(2 * length - 1 - period) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_repeated_when_mirrored() {
        let places: Vec<_> = (-3..7).map(|place| mirrored(place, 4)).collect();
        assert_eq!(places, [2, 1, 0, 0, 1, 2, 3, 3, 2, 1]);
        assert_eq!(mirrored(-5, 2), 0);
    }

    #[test]
    fn equal_pictures_are_entirely_similar_and_opposite_ones_are_not() {
        let mut a = Picture::plain(20, 12, [200; 3]);
        let mut b = Picture::plain(20, 12, [200; 3]);
        for x in 0..20 {
            let (dark, light) = ([0; 3], [255; 3]);
            a.set(x, 5, if x % 2 == 0 { dark } else { light });
            b.set(x, 5, if x % 2 == 0 { light } else { dark });
        }
        assert!((mean_similarity(&a, &a) - 1.0).abs() < 1e-12);
        assert!(mean_similarity(&a, &b) < 0.5);
    }
}
