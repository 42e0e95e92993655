//! Weights of blurs, as browsers without a GPU have them.

/// A blur reads this many weights: the middle, then outwards.
pub(super) const MOST_WEIGHTS: usize = 16;
/// Below this deviation a blur is a true Gaussian, from here on three box blurs in a row.
const FIRST_BOXES: f32 = 2.0;
/// Wider blurs look at a smaller picture.
const WIDEST: f32 = 4.0;

/// How one direction of a blur is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernel {
    /// Texels that become one before the weights apply.
    pub factor: u32,
    /// Of the middle and of each distance from it, in texels of the smaller picture.
    pub(super) weights: [f32; MOST_WEIGHTS],
    /// The farthest distance with a weight.
    pub reach: u32,
}

impl Kernel {
    /// The blur of this standard deviation in pixels; `None` where it changes nothing.
    pub fn new(sigma: f32) -> Option<Self> {
        /// Beyond this a picture is one colour anyway.
        const MOST: f32 = 1000.0;
        if sigma.is_nan() || sigma < 0.05 {
            return None;
        }
        let sigma = sigma.min(MOST);
        if sigma < FIRST_BOXES {
            let weigh = |distance: f32| (-0.5 * (distance / sigma).powi(2)).exp();
            return Some(Self::from_shape(1, (3.0 * sigma).ceil(), weigh));
        }
        let mut factor = 1;
        while sigma / factor as f32 >= WIDEST {
            factor *= 2;
        }
        // The width of the boxes that approach the Gaussian, and what they really deviate.
        let width = (sigma * 3.0 * std::f32::consts::TAU.sqrt() / 4.0 + 0.5).floor();
        let variance = (width * width - 1.0) / 4.0;
        // Making the picture smaller blurs by a box, showing it larger again by a tent.
        let done = if factor > 1 {
            1.0 / 12.0 + 1.0 / 6.0
        } else {
            0.0
        };
        let rest = variance / (factor * factor) as f32 - done;
        let width = 2.0 * rest.max(0.25).sqrt();
        let weigh = |distance: f32| {
            let t = distance / width;
            if t < 0.5 {
                0.75 - t * t
            } else {
                0.5 * (1.5 - t).max(0.0).powi(2)
            }
        };
        Some(Self::from_shape(factor, (1.5 * width).ceil(), weigh))
    }

    fn from_shape(factor: u32, reach: f32, weigh: impl Fn(f32) -> f32) -> Self {
        let reach = (reach as usize).min(MOST_WEIGHTS - 1);
        let mut weights = [0.0; MOST_WEIGHTS];
        for (distance, weight) in weights.iter_mut().enumerate().take(reach + 1) {
            *weight = weigh(distance as f32);
        }
        let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f32>();
        Self {
            factor,
            weights: weights.map(|weight| weight / sum),
            reach: reach as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variance(kernel: &Kernel) -> f32 {
        (1..MOST_WEIGHTS)
            .map(|d| 2.0 * kernel.weights[d] * (d * d) as f32)
            .sum()
    }

    #[test]
    fn weights_add_up_and_deviate_as_asked() {
        for sigma in [
            0.3, 0.5, 1.0, 1.9, 2.0, 3.0, 3.99, 4.0, 6.0, 15.0, 40.0, 500.0,
        ] {
            let kernel = Kernel::new(sigma).expect("a blur");
            let sum = kernel.weights[0] + 2.0 * kernel.weights[1..].iter().sum::<f32>();
            assert!((sum - 1.0).abs() < 1e-5, "{sigma}: {sum}");
            assert!(kernel.weights.iter().all(|weight| *weight >= 0.0));
            if sigma < 1.0 {
                continue;
            }
            let around = if kernel.factor > 1 { 0.25 } else { 0.0 };
            let found =
                ((variance(&kernel) + around) * (kernel.factor * kernel.factor) as f32).sqrt();
            assert!((found / sigma - 0.96).abs() < 0.06, "{sigma}: {found}");
        }
    }

    #[test]
    fn nothing_is_blurred_by_nothing() {
        for sigma in [0.0, -3.0, f32::NAN] {
            assert_eq!(Kernel::new(sigma), None);
        }
        assert!(Kernel::new(f32::INFINITY).is_some());
    }
}
