//! A Gaussian blur of coverage, by three box blurs: as fast for wide shadows as for narrow ones.

use kinora_composition::timeline::Affine;

/// Wider blurs than this are never drawn, as in browsers.
const WIDEST: f32 = 128.0;

/// The standard deviation that a CSS blur radius stands for.
pub(super) fn sigma(blur: f32) -> f32 {
    blur / 2.0
}

/// The standard deviation in pixels that a CSS blur radius stands for under a map.
pub(super) fn sigma_under(blur: f32, map: Affine) -> f32 {
    let Affine { a, b, c, d, .. } = map;
    let scale = (a.hypot(b) * c.hypot(d)).sqrt();
    let sigma = sigma(blur) * scale;
    if sigma.is_nan() {
        0.0
    } else {
        sigma.clamp(0.0, WIDEST)
    }
}

/// Pixels beyond which a blur of this deviation is nothing.
pub(super) fn reach(sigma: f32) -> f32 {
    (sigma * 3.0).ceil()
}

/// How much of the light of a half plane arrives so many pixels inside its edge: the integral of
/// three boxes of two deviations each, which browsers take for a Gaussian here.
pub(super) fn edge_profile(distance: f32, sigma: f32) -> f32 {
    // The innermost pixel that the blur reaches counts as covered whole.
    let inside = ((6.0 * sigma).ceil() / 2.0).floor() - 0.5;
    if distance >= inside.max(0.5) {
        return 1.0;
    }
    let x = distance / (2.0 * sigma);
    let tail = |x: f32| (1.5 - x).powi(3) / 6.0;
    if x >= 1.5 {
        1.0
    } else if x >= 0.5 {
        1.0 - tail(x)
    } else if x > -0.5 {
        0.5 + 0.75 * x - x * x * x / 3.0
    } else if x > -1.5 {
        tail(-x)
    } else {
        0.0
    }
}

/// Lines that are blurred at once.
const LANES: usize = 16;
type Lanes = [f32; LANES];

/// Blurs a picture of coverage in place, as far as browsers without a GPU do.
pub(super) fn blur_coverage(coverage: &mut [u8], width: usize, sigma: f32) {
    if width == 0 || sigma <= 0.0 {
        return;
    }
    let height = coverage.len() / width;
    let kernel = Kernel::new(sigma);
    let mut line = vec![[0.0; LANES]; width.max(height)];
    let mut scratch = line.clone();
    // Rows, then columns.
    for first in (0..height).step_by(LANES) {
        let lanes = LANES.min(height - first);
        for lane in 0..lanes {
            let row = &coverage[(first + lane) * width..][..width];
            for (to, from) in line.iter_mut().zip(row) {
                to[lane] = f32::from(*from);
            }
        }
        kernel.blur(&mut line[..width], &mut scratch);
        for lane in 0..lanes {
            let row = &mut coverage[(first + lane) * width..][..width];
            for (to, from) in row.iter_mut().zip(&line) {
                *to = (from[lane] + 0.5) as u8;
            }
        }
    }
    for first in (0..width).step_by(LANES) {
        let lanes = LANES.min(width - first);
        for (to, row) in line.iter_mut().zip(coverage.chunks_exact(width)) {
            for (to, from) in to.iter_mut().zip(&row[first..first + lanes]) {
                *to = f32::from(*from);
            }
        }
        kernel.blur(&mut line[..height], &mut scratch);
        for (from, row) in line.iter().zip(coverage.chunks_exact_mut(width)) {
            for (to, from) in row[first..first + lanes].iter_mut().zip(from) {
                *to = (from + 0.5) as u8;
            }
        }
    }
}

/// What lines are blurred with.
enum Kernel {
    /// Weights of the pixel itself and of its neighbours on each side.
    Weights(Vec<f32>),
    /// Box blurs one after the other: pixels before and after the one that is made.
    Boxes([(usize, usize); 3]),
}

impl Kernel {
    fn new(sigma: f32) -> Self {
        /// Narrower blurs are summed as they are.
        const NARROW: f32 = 2.0;
        if sigma < NARROW {
            let count = reach(sigma) as usize;
            let weight = |x: usize| (-0.5 * (x as f32 / sigma).powi(2)).exp();
            let total = 1.0 + 2.0 * (1..=count).map(weight).sum::<f32>();
            return Self::Weights((0..=count).map(|x| weight(x) / total).collect());
        }
        let width = (sigma * 3.0 * std::f32::consts::TAU.sqrt() / 4.0 + 0.5) as usize;
        let half = width / 2;
        Self::Boxes(if width % 2 == 1 {
            [(half, half); 3]
        } else {
            [(half, half - 1), (half - 1, half), (half, half)]
        })
    }

    fn blur(&self, line: &mut [Lanes], scratch: &mut [Lanes]) {
        let scratch = &mut scratch[..line.len()];
        match self {
            Self::Weights(weights) => {
                scratch.copy_from_slice(line);
                for (index, to) in line.iter_mut().enumerate() {
                    *to = scratch[index].map(|value| value * weights[0]);
                    for (distance, weight) in weights.iter().enumerate().skip(1) {
                        let before = index.checked_sub(distance).map(|at| scratch[at]);
                        let after = scratch.get(index + distance).copied();
                        for value in [before, after].into_iter().flatten() {
                            for (to, value) in to.iter_mut().zip(value) {
                                *to += value * weight;
                            }
                        }
                    }
                }
            }
            Self::Boxes(boxes) => {
                for (before, after) in boxes {
                    scratch.copy_from_slice(line);
                    box_blur(line, scratch, *before, *after);
                }
            }
        }
    }
}

fn box_blur(line: &mut [Lanes], from: &[Lanes], before: usize, after: usize) {
    let share = 1.0 / (before + after + 1) as f32;
    let mut sum = [0.0; LANES];
    for value in from.iter().take(after) {
        for (sum, value) in sum.iter_mut().zip(value) {
            *sum += value;
        }
    }
    for (index, to) in line.iter_mut().enumerate() {
        if let Some(entering) = from.get(index + after) {
            for (sum, value) in sum.iter_mut().zip(entering) {
                *sum += value;
            }
        }
        for (to, sum) in to.iter_mut().zip(&sum) {
            *to = sum * share;
        }
        if let Some(leaving) = index.checked_sub(before) {
            for (sum, value) in sum.iter_mut().zip(&from[leaving]) {
                *sum -= value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A true Gaussian of a box between two edges, at a point.
    fn exact(x: f32, from: f32, to: f32, sigma: f32) -> f32 {
        let (mut sum, mut total) = (0.0, 0.0);
        for step in -4000..4000 {
            let deviations = step as f32 / 1000.0;
            let weight = (-0.5 * deviations * deviations).exp();
            total += weight;
            if (from..to).contains(&(x + deviations * sigma)) {
                sum += weight;
            }
        }
        255.0 * sum / total
    }

    #[test]
    fn the_edge_of_a_box_fades_like_a_gaussian() {
        for sigma in [1.0f32, 2.0, 5.0, 20.0] {
            let mut row = vec![0u8; 400];
            row[150..250].fill(255);
            let mut picture: Vec<u8> = std::iter::repeat_n(row, 401).flatten().collect();
            blur_coverage(&mut picture, 400, sigma);
            let middle = &picture[200 * 400..201 * 400];
            for (x, found) in middle.iter().enumerate().skip(100).take(200) {
                let expected = exact(x as f32 + 0.5, 150.0, 250.0, sigma);
                let error = (f32::from(*found) - expected).abs();
                assert!(
                    error < 9.0,
                    "sigma {sigma}, pixel {x}: {found}, not {expected}"
                );
                let closed = edge_profile(x as f32 + 0.5 - 150.0, sigma)
                    - edge_profile(x as f32 + 0.5 - 250.0, sigma);
                let error = (closed * 255.0 - expected).abs();
                assert!(
                    error < 8.0,
                    "closed form, sigma {sigma}, pixel {x}: {closed}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn no_blur_changes_nothing() {
        let mut picture = vec![0, 255, 0, 255];
        blur_coverage(&mut picture, 2, 0.0);
        assert_eq!(picture, [0, 255, 0, 255]);
    }

    #[test]
    fn deviations_grow_with_the_map_up_to_a_bound() {
        assert_eq!(sigma_under(10.0, Affine::rotate(30.0)), 5.0);
        assert_eq!(sigma_under(10.0, Affine::scale(4.0, 1.0)), 10.0);
        assert_eq!(sigma_under(1e9, Affine::IDENTITY), WIDEST);
        assert_eq!(sigma_under(f32::NAN, Affine::IDENTITY), 0.0);
    }
}
