//! Letters out of place: cut into bands that jump, with ghosts in red and cyan beside them.

use kinora_composition::timeline::{Affine, scattered};

use super::steps::{SheetKey, Step, WHOLE};
use crate::layers::text::Coat;

/// Displacements below this many pixels are none.
pub(super) const LEAST: f64 = 0.25;
/// Ghosts stand apart by this share of the strength.
const APART: f32 = 0.6;
const GHOST_OPACITY: f32 = 0.75;
/// Pieces jump up and down by this share of the strength.
const UPWARDS: f32 = 0.25;

/// A piece displaced by so many pixels, the same for the same piece and tick: two ghosts, then three
/// bands of it.
pub(super) fn displaced(step: &Step, strength: f32, piece: usize, tick: u64) -> [Step; 5] {
    let chance = |salt: u64| {
        let seed = tick.wrapping_mul(0x1_0001) ^ ((piece as u64) << 20) ^ (salt << 56);
        (scattered(seed) >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    // Whole pixels, so that what jumps stays crisp.
    let moved = |x: f32, y: f32| Step {
        movement: Affine::translate(x.round(), y.round()).then_inner(step.movement),
        ..step.clone()
    };
    let (x, y) = (chance(0) * strength * 0.5, chance(1) * strength * UPWARDS);
    let ghost = |coat: Coat, side: f32| {
        let mut key = step.key.clone();
        if let SheetKey::Part { coat: own, .. } = &mut key {
            *own = coat;
        }
        Step {
            key,
            opacity: step.opacity * GHOST_OPACITY,
            ..moved(x + side * strength * (1.0 + 0.5 * chance(2)), y)
        }
    };
    let band = |band: (f32, f32), salt: u64| Step {
        band,
        ..moved(x + chance(salt) * strength * 0.5, y)
    };
    let (from, to) = (0.3 + 0.1 * chance(3), 0.65 + 0.1 * chance(4));
    [
        ghost(Coat::Red, -APART),
        ghost(Coat::Cyan, APART),
        band((WHOLE.0, from), 5),
        band((from, to), 6),
        band((to, WHOLE.1), 7),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Part;

    #[test]
    fn the_same_moment_looks_the_same_and_the_next_does_not() {
        let step = Step {
            key: SheetKey::Part {
                part: Part::ALL,
                coat: Coat::All,
                level: 1,
            },
            movement: Affine::IDENTITY,
            opacity: 1.0,
            blur: 0.0,
            band: WHOLE,
        };
        let at = |piece, tick| displaced(&step, 20.0, piece, tick);
        assert_eq!(at(3, 7), at(3, 7));
        assert_ne!(at(3, 7), at(3, 8));
        assert_ne!(at(3, 7), at(4, 7));
        for tick in 0..500 {
            for step in at(0, tick) {
                assert!(step.movement.e.abs() <= 40.0 && step.movement.f.abs() <= 6.0);
                assert!(step.band.0 < step.band.1);
            }
        }
    }
}
