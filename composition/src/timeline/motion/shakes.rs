//! Presets that come to rest from a tremor.

use super::curves::{OUT, mix, shown_by, steps_taken, swing};
use super::pose::{Place, Pose, Reveal};
use crate::css::{Color, Filter, Shadow};
use crate::timeline::pieces::scattered;

/// Trembles from side to side.
pub(super) fn shake(time: f64, place: &Place) -> Pose {
    Pose {
        opacity: shown_by(0.25, time),
        shift: (0.16 * place.shorter() * swing(4.0, time), 0.0),
        turn: [0.0, 0.0, 1.5 * swing(4.0, time)],
        ..Pose::REST
    }
}

/// Rocks on its lower edge like jelly.
pub(super) fn wobble(time: f64, place: &Place) -> Pose {
    let rock = swing(2.0, time);
    let scale = mix(0.85, 1.0, OUT.at(time));
    Pose {
        opacity: shown_by(0.3, time),
        shift: (0.06 * place.shorter() * rock, 0.0),
        scale: (scale, scale),
        turn: [0.0, 0.0, 9.0 * rock],
        skew: (-14.0 * rock, 0.0),
        pivot: (0.0, 0.5),
        ..Pose::REST
    }
}

/// A bad signal that gets better: jumps, ghosts in red and cyan, and bands.
pub(super) fn glitch(time: f64, place: &Place) -> Pose {
    const JUMPS: f64 = 10.0;
    let jump = steps_taken(JUMPS, time);
    if jump < 1.0 {
        return Pose {
            opacity: 0.0,
            ..Pose::REST
        };
    }
    let strength = 1.0 - jump / JUMPS;
    // A number from -1 to 1 that looks random, for each thing that jumps.
    let chance = |thing: u64| {
        let seed = jump as u64 * 16 + thing;
        (scattered(seed) % 2001) as f64 / 1000.0 - 1.0
    };
    let side = place.shorter();
    let ghost = |away: f64, color| {
        Filter::DropShadow(Shadow {
            dx: away as f32,
            dy: 0.0,
            blur: 0.0,
            spread: 0.0,
            color,
            inset: false,
        })
    };
    let apart = side * strength * (0.06 + 0.05 * chance(0).abs());
    let color = |r: f32, g: f32, b: f32| Color { r, g, b, a: 0.75 };
    let band = (strength > 0.35 && chance(1) > -0.2).then(|| {
        let top = 0.3 + 0.3 * chance(2);
        Reveal {
            top: top as f32,
            bottom: (0.75 - top).max(0.0) as f32,
            ..Reveal::OPEN
        }
    });
    Pose {
        opacity: mix(1.0, 0.4, strength * chance(3).abs()),
        shift: (
            0.3 * side * strength * chance(4),
            0.05 * side * strength * chance(5),
        ),
        skew: (16.0 * strength * chance(6), 0.0),
        filter: vec![
            ghost(apart, color(1.0, 0.05, 0.2)),
            ghost(-2.0 * apart, color(0.0, 0.9, 1.0)),
        ],
        reveal: band,
        ..Pose::REST
    }
}
