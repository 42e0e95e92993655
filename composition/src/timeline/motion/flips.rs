//! Presets that turn in space.

use super::curves::{OUT, PAST, left, mix, shown_by, through};
use super::pose::{Place, Pose};
use crate::css::Filter;

/// Over its horizontal axis.
pub(super) fn flip_x(time: f64, _: &Place) -> Pose {
    flip(time, [-90.0, 0.0, 0.0])
}

/// About its vertical axis.
pub(super) fn flip_y(time: f64, _: &Place) -> Pose {
    flip(time, [0.0, 90.0, 0.0])
}

fn flip(time: f64, turn: [f64; 3]) -> Pose {
    let away = left(&PAST, time);
    Pose {
        opacity: shown_by(0.3, time),
        turn: turn.map(|angle| angle * away),
        ..Pose::REST
    }
}

/// A sign on its upper edge that swings to rest.
pub(super) fn swing(time: f64, _: &Place) -> Pose {
    const ANGLES: [(f64, f64); 6] = [
        (0.0, -88.0),
        (0.3, 48.0),
        (0.52, -28.0),
        (0.7, 15.0),
        (0.86, -6.0),
        (1.0, 0.0),
    ];
    Pose {
        opacity: shown_by(0.2, time),
        turn: [through(&ANGLES, time), 0.0, 0.0],
        pivot: (0.0, -0.5),
        ..Pose::REST
    }
}

/// Opens like a page on its left edge, out of its own shade.
pub(super) fn fold(time: f64, _: &Place) -> Pose {
    let away = left(&OUT, time);
    let shade = mix(1.0, 0.35, away);
    Pose {
        opacity: shown_by(0.2, time),
        turn: [0.0, 88.0 * away, 0.0],
        pivot: (-0.5, 0.0),
        filter: vec![Filter::Brightness(shade as f32)],
        ..Pose::REST
    }
}

/// A corkscrew: turns about two axes at once.
pub(super) fn twist(time: f64, _: &Place) -> Pose {
    let away = left(&OUT, time);
    let scale = mix(1.0, 0.4, away);
    Pose {
        opacity: shown_by(0.35, time),
        scale: (scale, scale),
        turn: [0.0, 200.0 * away, -100.0 * away],
        ..Pose::REST
    }
}
