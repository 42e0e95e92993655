//! What particles have in common: chance that is the same on every machine, and air without ends.

use kinora_composition::css::Color;
use kinora_composition::timeline::{Affine, Size, scattered};
use kinora_shaders::Pass;

use crate::gpu::{Dab, Marks};

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

    /// A full turn of a wave begins anywhere.
    pub(super) fn phase(&mut self) -> f64 {
        self.share() * std::f64::consts::TAU
    }
}

/// A place on a way that begins again where it ended, out of sight: so far beyond both ends of a side.
pub(super) fn around(place: f64, side: f64, beyond: f64) -> f64 {
    place.rem_euclid(side + 2.0 * beyond) - beyond
}

/// Sides of a box, and the shorter of them.
pub(super) fn sides(size: Size) -> (f64, f64, f64) {
    let (width, height) = (f64::from(size.width), f64::from(size.height));
    (width, height, width.min(height))
}

/// How near the particle of an index is, 0 to 1: those that are painted later are nearer.
pub(super) fn nearness(index: usize, count: usize) -> f64 {
    (index as f64 + 0.5) / count.max(1) as f64
}

/// A round dab of a radius.
pub(super) fn round(
    (x, y): (f64, f64),
    radius: f64,
    color: Color,
    alpha: f64,
    look: [f64; 4],
) -> Dab {
    let radius = radius as f32;
    Dab {
        map: Affine {
            a: radius,
            d: radius,
            ..Affine::translate(x as f32, y as f32)
        },
        reach: [-1.0, -1.0, 1.0, 1.0],
        color: inked(color, alpha),
        look: look.map(|number| number as f32),
        more: [0.0; 2],
    }
}

/// A colour with so much of its alpha.
pub(super) fn inked(color: Color, alpha: f64) -> [f32; 4] {
    [color.r, color.g, color.b, color.a * alpha as f32]
}

/// A colour from its bytes.
pub(super) const fn rgb(hex: u32) -> Color {
    Color {
        r: ((hex >> 16) & 255) as f32 / 255.0,
        g: ((hex >> 8) & 255) as f32 / 255.0,
        b: (hex & 255) as f32 / 255.0,
        a: 1.0,
    }
}

/// Marks of a kind.
pub(super) fn marks(pass: Pass, dabs: Vec<Dab>) -> Marks {
    Marks {
        pass,
        dabs,
        edges: Vec::new(),
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

    #[test]
    fn the_way_begins_again_out_of_sight() {
        assert_eq!(around(0.0, 100.0, 5.0), -5.0);
        assert_eq!(around(109.0, 100.0, 5.0), 104.0);
        assert_eq!(around(110.0, 100.0, 5.0), -5.0);
        assert_eq!(around(-1.0, 100.0, 5.0), 104.0);
    }
}
