//! Curves of presets. All lead from 0 to 1, or from a start to 0.

use crate::css::{Easing, Family, Side};

/// Quick at first, then a long, soft landing.
pub(super) const GLIDE: Easing = Easing::Bezier([0.25, 1.0, 0.5, 1.0]);
/// Slow at both ends, quick between.
pub(super) const SWEEP: Easing = Easing::Bezier([0.5, 0.0, 0.2, 1.0]);
/// Quick at first.
pub(super) const OUT: Easing = Easing::Family(Family::Power(3), Side::Out);
/// Slow at both ends.
pub(super) const EVEN: Easing = Easing::Family(Family::Sine, Side::InOut);
/// Gathers speed, goes a little past the end, and comes back.
pub(super) const PAST: Easing = Easing::Bezier([0.4, 0.3, 0.35, 1.4]);
/// A ball that comes to rest.
pub(super) const BOUNCE: Easing = Easing::Family(Family::Bounce, Side::Out);

/// What is left to go.
pub(super) fn left(easing: &Easing, time: f64) -> f64 {
    1.0 - easing.at(time)
}

/// Opacity that comes softly until a time.
pub(super) fn shown_by(until: f64, time: f64) -> f64 {
    EVEN.at(time / until)
}

/// From one value to another.
pub(super) fn mix(from: f64, to: f64, share: f64) -> f64 {
    from + (to - from) * share
}

/// A swing that starts in the middle, does so many full turns and dies away.
pub(super) fn swing(turns: f64, time: f64) -> f64 {
    (std::f64::consts::TAU * turns * time).sin() * (1.0 - time).powf(1.5)
}

/// A rubber band that is let go: past its length, short of it, and at rest.
pub(super) fn rubber(time: f64) -> f64 {
    const DAMPING: f64 = 4.5;
    const TURNS: f64 = 1.6;
    let swing = (std::f64::consts::TAU * TURNS * time).cos();
    1.0 - (-DAMPING * time).exp() * swing * (1.0 - time)
}

/// A way through values at times, resting for an instant at each.
pub(super) fn through(stops: &[(f64, f64)], time: f64) -> f64 {
    let next = stops.partition_point(|(at, _)| *at <= time);
    match (next.checked_sub(1).map(|one| stops[one]), stops.get(next)) {
        (Some((from, low)), Some((to, high))) => {
            mix(low, *high, EVEN.at((time - from) / (to - from)))
        }
        (Some((_, value)), None) => value,
        (None, Some((_, value))) => *value,
        (None, None) => 0.0,
    }
}

/// How many of so many equal steps are taken.
pub(super) fn steps_taken(count: f64, time: f64) -> f64 {
    /// Times are fractions: a step that is due now is taken.
    const SLACK: f64 = 1e-9;
    (time * count + SLACK).floor()
}
