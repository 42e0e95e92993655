//! Presets that turn in the plane.

use super::curves::{GLIDE, OUT, PAST, left, mix, shown_by};
use super::fades::blurred;
use super::pose::{Place, Pose};

/// One quick quarter turn that clicks into place.
pub(super) fn snap_rotate(time: f64, _: &Place) -> Pose {
    /// It is there early and stays.
    const SNAP: f64 = 0.7;
    let away = left(&PAST, time / SNAP);
    let scale = mix(1.0, 0.7, left(&OUT, time / SNAP));
    Pose {
        opacity: shown_by(0.25, time),
        scale: (scale, scale),
        turn: [0.0, 0.0, -90.0 * away],
        ..Pose::REST
    }
}

/// Grows while it turns once around.
pub(super) fn spin(time: f64, _: &Place) -> Pose {
    let away = left(&OUT, time);
    let scale = mix(1.0, 0.2, away);
    Pose {
        opacity: shown_by(0.4, time),
        scale: (scale, scale),
        turn: [0.0, 0.0, -360.0 * away],
        ..Pose::REST
    }
}

/// Rolls in from the left like a wheel.
pub(super) fn roll(time: f64, place: &Place) -> Pose {
    let away = left(&OUT, time);
    Pose {
        opacity: shown_by(0.3, time),
        shift: (-place.across() * away, 0.0),
        turn: [0.0, 0.0, -270.0 * away],
        ..Pose::REST
    }
}

/// Swings up about its lower left corner.
pub(super) fn rotate_in(time: f64, _: &Place) -> Pose {
    Pose {
        opacity: shown_by(0.5, time),
        turn: [0.0, 0.0, 75.0 * left(&GLIDE, time)],
        pivot: (-0.5, 0.5),
        ..Pose::REST
    }
}

/// Winds inwards to its place, growing.
pub(super) fn spiral(time: f64, place: &Place) -> Pose {
    let away = left(&OUT, time);
    let scale = mix(1.0, 0.15, away);
    let angle = 450.0 * away;
    let (sin, cos) = angle.to_radians().sin_cos();
    let radius = 0.8 * place.across().min(place.down()) * away;
    Pose {
        opacity: shown_by(0.4, time),
        shift: (radius * cos, radius * sin),
        scale: (scale, scale),
        turn: [0.0, 0.0, angle],
        ..Pose::REST
    }
}

/// Is sucked in from all around, spinning and out of focus.
pub(super) fn vortex(time: f64, place: &Place) -> Pose {
    let away = left(&GLIDE, time);
    let scale = 1.0 + 1.6 * away;
    Pose {
        opacity: shown_by(0.6, time),
        scale: (scale, scale),
        turn: [0.0, 0.0, 220.0 * away],
        filter: blurred(0.05 * place.shorter() * away),
        ..Pose::REST
    }
}
