//! Presets that grow into place.

use super::curves::{OUT, mix, rubber, shown_by, through};
use super::pose::{Place, Pose};

pub(super) fn scale(time: f64, _: &Place) -> Pose {
    grown(mix(0.5, 1.0, OUT.at(time)), shown_by(0.5, time))
}

/// Snaps open like rubber.
pub(super) fn elastic(time: f64, _: &Place) -> Pose {
    grown(rubber(time), shown_by(0.15, time))
}

/// Two beats of a heart.
pub(super) fn pulse(time: f64, _: &Place) -> Pose {
    const BEATS: [(f64, f64); 5] = [
        (0.0, 0.72),
        (0.3, 1.14),
        (0.52, 0.95),
        (0.74, 1.06),
        (1.0, 1.0),
    ];
    grown(through(&BEATS, time), shown_by(0.3, time))
}

fn grown(scale: f64, opacity: f64) -> Pose {
    Pose {
        opacity,
        scale: (scale, scale),
        ..Pose::REST
    }
}

/// Pressed from both sides, until it springs back to its width.
pub(super) fn squeeze(time: f64, _: &Place) -> Pose {
    const WIDTH: [(f64, f64); 5] = [
        (0.0, 0.12),
        (0.4, 1.16),
        (0.64, 0.92),
        (0.84, 1.03),
        (1.0, 1.0),
    ];
    const HEIGHT: [(f64, f64); 5] = [
        (0.0, 1.55),
        (0.4, 0.84),
        (0.64, 1.08),
        (0.84, 0.97),
        (1.0, 1.0),
    ];
    Pose {
        opacity: shown_by(0.25, time),
        scale: (through(&WIDTH, time), through(&HEIGHT, time)),
        ..Pose::REST
    }
}
