//! Presets that come along a path.

use super::curves::{EVEN, GLIDE, OUT, PAST, left, mix, shown_by, through};
use super::pose::{Place, Pose, Reveal};
use super::reveals::BEYOND;

pub(super) fn slide_right(time: f64, place: &Place) -> Pose {
    slide(time, (-place.across(), 0.0))
}

pub(super) fn slide_left(time: f64, place: &Place) -> Pose {
    slide(time, (place.across(), 0.0))
}

pub(super) fn slide_up(time: f64, place: &Place) -> Pose {
    slide(time, (0.0, place.down()))
}

pub(super) fn slide_down(time: f64, place: &Place) -> Pose {
    slide(time, (0.0, -place.down()))
}

fn slide(time: f64, (x, y): (f64, f64)) -> Pose {
    let away = left(&GLIDE, time);
    Pose {
        opacity: shown_by(0.25, time),
        shift: (x * away, y * away),
        ..Pose::REST
    }
}

/// Up from the lower left, tilted into the movement.
pub(super) fn diagonal_slide(time: f64, place: &Place) -> Pose {
    let away = left(&OUT, time);
    Pose {
        opacity: shown_by(0.4, time),
        shift: (-0.7 * place.across() * away, 0.7 * place.down() * away),
        turn: [0.0, 0.0, -8.0 * away],
        ..Pose::REST
    }
}

/// Down from side to side, less at each turn.
pub(super) fn zigzag(time: f64, place: &Place) -> Pose {
    const ASIDE: [(f64, f64); 5] = [
        (0.0, -0.5),
        (0.28, 0.4),
        (0.54, -0.24),
        (0.78, 0.1),
        (1.0, 0.0),
    ];
    let aside = through(&ASIDE, time);
    Pose {
        opacity: shown_by(0.3, time),
        shift: (
            aside * place.across().min(2.0 * place.down()),
            -0.9 * place.down() * (1.0 - time),
        ),
        turn: [0.0, 0.0, 12.0 * aside],
        ..Pose::REST
    }
}

/// Shot in from the left, stretched by its speed, past its place and back.
pub(super) fn slingshot(time: f64, place: &Place) -> Pose {
    const ALONG: [(f64, f64); 4] = [(0.0, -1.1), (0.42, 0.16), (0.7, -0.05), (1.0, 0.0)];
    const STRETCH: [(f64, f64); 5] = [
        (0.0, 0.1),
        (0.24, 0.4),
        (0.46, -0.16),
        (0.72, 0.05),
        (1.0, 0.0),
    ];
    let stretch = through(&STRETCH, time);
    Pose {
        opacity: shown_by(0.18, time),
        shift: (through(&ALONG, time) * place.across(), 0.0),
        scale: (1.0 + stretch, 1.0 - 0.5 * stretch),
        ..Pose::REST
    }
}

/// Looks out from behind its own lower edge, waits, and comes.
pub(super) fn peek(time: f64, place: &Place) -> Pose {
    const HIDDEN: [(f64, f64); 4] = [(0.0, 1.0), (0.34, 0.6), (0.56, 0.68), (1.0, 0.0)];
    let hidden = through(&HIDDEN, time);
    // At last, there is room for a shadow.
    let edge = hidden - BEYOND * EVEN.at(3.0 * time - 2.0);
    Pose {
        shift: (0.0, hidden * place.height()),
        reveal: Some(Reveal {
            bottom: edge as f32,
            ..Reveal::OPEN
        }),
        ..Pose::REST
    }
}

/// Slides in leaning, and straightens past upright.
pub(super) fn skew(time: f64, place: &Place) -> Pose {
    let away = left(&PAST, time);
    Pose {
        opacity: shown_by(0.35, time),
        shift: (-0.4 * place.across() * left(&OUT, time), 0.0),
        skew: (32.0 * away, 0.0),
        scale: (mix(1.0, 0.92, away), 1.0),
        ..Pose::REST
    }
}
