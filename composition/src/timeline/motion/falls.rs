//! Presets with weight.

use super::curves::{BOUNCE, left, shown_by};
use super::pose::{Place, Pose};

/// Falls and bounces.
pub(super) fn bounce(time: f64, place: &Place) -> Pose {
    Pose {
        opacity: shown_by(0.2, time),
        shift: (0.0, -1.2 * place.down() * left(&BOUNCE, time)),
        ..Pose::REST
    }
}

/// Falls, is squashed by its own weight and stands up.
pub(super) fn drop(time: f64, place: &Place) -> Pose {
    use std::f64::consts::{PI, TAU};
    /// When it hits the ground.
    const IMPACT: f64 = 0.42;
    let fall = (time / IMPACT).min(1.0);
    let after = ((time - IMPACT) / (1.0 - IMPACT)).max(0.0);
    let stretch = 0.1 * (PI * fall).sin();
    let squash = 0.42 * (TAU * after).sin() * (1.0 - after).powi(2);
    Pose {
        opacity: shown_by(0.15, time),
        shift: (0.0, -1.6 * place.down() * (1.0 - fall * fall)),
        scale: (1.0 - 0.5 * stretch + 0.5 * squash, 1.0 + stretch - squash),
        pivot: (0.0, 0.5),
        ..Pose::REST
    }
}
