//! Presets that uncover the overlay.

use super::curves::{GLIDE, SWEEP, left, mix, steps_taken};
use super::pose::{Place, Pose, Reveal};

/// An edge runs on so far beyond the box, in shares of it, so that shadows do not appear at once.
pub(super) const BEYOND: f64 = 0.15;

/// Where an edge is that crosses the box from one side to the other.
fn crossing(away: f64) -> f32 {
    mix(-BEYOND, 1.0, away) as f32
}

/// Where the edges are that part in the middle.
fn parting(away: f64) -> f32 {
    mix(-BEYOND, 0.5, away) as f32
}

/// A wipe from left to right, the overlay moving along a little.
pub(super) fn swipe_reveal(time: f64, place: &Place) -> Pose {
    let away = left(&SWEEP, time);
    Pose {
        shift: (-0.06 * place.width() * away, 0.0),
        reveal: Some(Reveal {
            right: crossing(away),
            ..Reveal::OPEN
        }),
        ..Pose::REST
    }
}

/// Comes down like a curtain that falls into its length.
pub(super) fn curtain(time: f64, _: &Place) -> Pose {
    let away = left(&SWEEP, time);
    Pose {
        scale: (1.0, mix(1.0, 0.7, away)),
        pivot: (0.0, -0.5),
        reveal: Some(Reveal {
            bottom: crossing(away),
            ..Reveal::OPEN
        }),
        ..Pose::REST
    }
}

/// Opens from a line in the middle upwards and downwards.
pub(super) fn expand_vertical(time: f64, _: &Place) -> Pose {
    let away = left(&GLIDE, time);
    Pose {
        scale: (1.0, mix(1.0, 0.6, away)),
        reveal: Some(Reveal {
            top: parting(away),
            bottom: parting(away),
            ..Reveal::OPEN
        }),
        ..Pose::REST
    }
}

/// Opens from a line in the middle to both sides.
pub(super) fn expand_horizontal(time: f64, _: &Place) -> Pose {
    let away = left(&GLIDE, time);
    Pose {
        scale: (mix(1.0, 0.6, away), 1.0),
        reveal: Some(Reveal {
            left: parting(away),
            right: parting(away),
            ..Reveal::OPEN
        }),
        ..Pose::REST
    }
}

/// Letter by letter, as far as a box tells: in steps of about half its height.
pub(super) fn typing(time: f64, place: &Place) -> Pose {
    const FEWEST: f64 = 8.0;
    const MOST: f64 = 24.0;
    let letters = (2.0 * place.width() / place.height().max(1.0))
        .round()
        .clamp(FEWEST, MOST);
    let typed = steps_taken(letters + 1.0, time).min(letters);
    Pose {
        reveal: Some(Reveal {
            right: (1.0 - typed / letters) as f32,
            ..Reveal::OPEN
        }),
        ..Pose::REST
    }
}
