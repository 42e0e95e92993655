//! Presets that come out of nothing, in place or nearly so.

use super::curves::{EVEN, GLIDE, OUT, left, mix, shown_by};
use super::pose::{Place, Pose};
use crate::css::Filter;

pub(super) fn none(_: f64, _: &Place) -> Pose {
    Pose::REST
}

pub(super) fn fade(time: f64, _: &Place) -> Pose {
    Pose {
        opacity: time,
        ..Pose::REST
    }
}

/// Out of a soft haze.
pub(super) fn blur(time: f64, place: &Place) -> Pose {
    Pose {
        opacity: shown_by(0.75, time),
        filter: blurred(0.14 * place.shorter() * left(&OUT, time)),
        ..Pose::REST
    }
}

/// From near the eye, out of focus.
pub(super) fn zoom_blur(time: f64, place: &Place) -> Pose {
    let away = left(&GLIDE, time);
    let scale = 1.0 + 0.9 * away;
    Pose {
        opacity: shown_by(0.4, time),
        scale: (scale, scale),
        filter: blurred(0.1 * place.shorter() * away),
        ..Pose::REST
    }
}

/// Rises slowly, as if it weighed nothing.
pub(super) fn float_in(time: f64, place: &Place) -> Pose {
    let away = left(&EVEN, time);
    let scale = mix(1.0, 0.94, away);
    let sway = (std::f64::consts::TAU * time).sin() * (1.0 - time);
    Pose {
        opacity: shown_by(0.9, time),
        shift: (0.05 * place.down() * sway, 0.45 * place.down() * away),
        scale: (scale, scale),
        turn: [0.0, 0.0, 2.5 * sway],
        ..Pose::REST
    }
}

/// A blur of this standard deviation; none where it could not be seen, and no more than leaves
/// anything to be seen.
pub(super) fn blurred(sigma: f64) -> Vec<Filter> {
    const LEAST: f64 = 0.2;
    const MOST: f64 = 200.0;
    if sigma > LEAST {
        vec![Filter::Blur(sigma.min(MOST) as f32)]
    } else {
        Vec::new()
    }
}
