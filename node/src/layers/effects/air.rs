//! What the parts of effects have in common: chance that is the same on every machine, ink and sides.

use kinora_composition::css::Color;
use kinora_composition::timeline::{Size, scattered};
use kinora_shaders::Pass;

use crate::gpu::{Crowd, Dab, Marks};

/// Numbers that look random, the same whenever they are asked for.
pub(super) struct Chance(u64);

impl Chance {
    /// The chance of one thing among many of its kind.
    pub(super) fn of(kind: u64, index: u64) -> Self {
        Self(scattered(scattered(kind) ^ index))
    }

    /// From 0 to 1.
    pub(super) fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(1);
        (scattered(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }
}

/// Sides of a box, and the shorter of them.
pub(super) fn sides(size: Size) -> (f64, f64, f64) {
    let (width, height) = (f64::from(size.width), f64::from(size.height));
    (width, height, width.min(height))
}

/// A colour with so much of its alpha.
pub(super) fn inked(color: Color, alpha: f64) -> [f32; 4] {
    [color.r, color.g, color.b, color.a * alpha as f32]
}

/// Marks of a kind.
pub(super) fn marks(pass: Pass, dabs: Vec<Dab>) -> Marks {
    Marks {
        pass,
        crowd: Crowd::Dabs {
            dabs,
            edges: Vec::new(),
        },
        opacity: 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_spread_and_always_the_same() {
        let shares: Vec<f64> = (0..1000)
            .map(|index| Chance::of(3, index).share())
            .collect();
        let again: Vec<f64> = (0..1000)
            .map(|index| Chance::of(3, index).share())
            .collect();
        assert_eq!(shares, again);
        let mean = shares.iter().sum::<f64>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.03, "{mean}");
        assert!(shares.iter().all(|share| (0.0..1.0).contains(share)));
    }
}
