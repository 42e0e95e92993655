//! How an overlay comes, stays and goes: opacity and movement at a frame.

use crate::document::{Animation, During};
use crate::geometry::Affine;

/// Frames of an enter or exit whose duration is not given.
const DEFAULT_RAMP_FRAMES: f64 = 15.0;

/// Enter presets that can be named.
pub fn enter_names() -> &'static [&'static str] {
    &["fade", "none"]
}

/// Exit presets that can be named.
pub fn exit_names() -> &'static [&'static str] {
    &["fade", "none"]
}

/// What an animation does to a layer at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion {
    /// Factor on the opacity.
    pub(super) opacity: f64,
    /// Movement of the whole layer, about its centre.
    pub(super) whole: Affine,
    /// Movement of a picture inside its box, about the box's centre.
    pub(super) inside: Affine,
}

/// Where in its life an overlay is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// Frames since it appeared.
    pub(super) elapsed: f64,
    /// Frames that it lives.
    pub(super) duration: f64,
    /// Frames a second.
    pub(super) fps: f64,
}

impl Motion {
    /// The state of an overlay without animation.
    pub(super) const NONE: Self = Self {
        opacity: 1.0,
        whole: Affine::IDENTITY,
        inside: Affine::IDENTITY,
    };

    /// Evaluates an animation on a box of the given size. Pictures drift inside their box,
    /// everything else as a whole.
    pub(super) fn at(
        animation: &Animation,
        moment: Moment,
        (width, height): (f32, f32),
        is_picture: bool,
    ) -> Self {
        let mut motion = Self {
            opacity: fade(animation, moment),
            ..Self::NONE
        };
        if let Some(during) = animation.during {
            let movement = during_at(
                during,
                moment,
                animation.during_speed,
                animation.during_intensity,
                (f64::from(width), f64::from(height)),
            );
            if is_picture && is_drift(during) {
                motion.inside = movement;
            } else {
                motion.whole = movement;
            }
        }
        motion
    }
}

/// Frames of a ramp: its seconds, or 15 frames whatever the fps.
pub(super) fn ramp_frames(seconds: Option<f64>, fps: f64) -> f64 {
    seconds.map_or(DEFAULT_RAMP_FRAMES, |seconds| seconds * fps)
}

/// How far a ramp is after so many frames, 0 to 1; a ramp of no length is over at once.
pub(super) fn progress(frames: f64, ramp: f64) -> f64 {
    if ramp > 0.0 {
        (frames / ramp).clamp(0.0, 1.0)
    } else {
        1.0
    }
}

fn fade(animation: &Animation, moment: Moment) -> f64 {
    let fades = |preset: Option<&String>| preset.is_some_and(|name| name == "fade");
    let mut opacity = 1.0;
    if fades(animation.enter.as_ref()) {
        opacity *= progress(
            moment.elapsed,
            ramp_frames(animation.enter_duration, moment.fps),
        );
    }
    if fades(animation.exit.as_ref()) {
        let left = moment.duration - moment.elapsed;
        opacity *= progress(left, ramp_frames(animation.exit_duration, moment.fps));
    }
    opacity
}

pub(super) fn is_drift(during: During) -> bool {
    matches!(
        during,
        During::KenBurnsIn
            | During::KenBurnsOut
            | During::PanLeft
            | During::PanRight
            | During::DriftDiagonal
    )
}

/// The movement about the centre of a box: a scale and a shift, or a turn.
fn during_at(
    during: During,
    moment: Moment,
    speed: f64,
    intensity: f64,
    (width, height): (f64, f64),
) -> Affine {
    use std::f64::consts::TAU;
    let seconds = moment.elapsed / moment.fps;
    let share = if moment.duration > 0.0 {
        moment.elapsed / moment.duration
    } else {
        1.0
    };
    let p = (speed * share).clamp(0.0, 1.0);
    let k = intensity;
    let wave = |period: f64| (TAU * seconds * speed / period).sin();
    let scaled = |scale: f64, x: f64, y: f64| {
        Affine::translate(x as f32, y as f32).then_inner(Affine::scale(scale as f32, scale as f32))
    };
    match during {
        During::KenBurnsIn => scaled(1.0 + 0.2 * k * p, 0.0, 0.0),
        During::KenBurnsOut => scaled(1.0 + 0.2 * k * (1.0 - p), 0.0, 0.0),
        During::PanLeft => scaled(1.0 + 0.2 * k, 0.1 * k * width * (1.0 - 2.0 * p), 0.0),
        During::PanRight => scaled(1.0 + 0.2 * k, -0.1 * k * width * (1.0 - 2.0 * p), 0.0),
        During::DriftDiagonal => {
            let shift = 0.05 * k * (1.0 - 2.0 * p);
            scaled(1.0 + 0.2 * k, shift * width, shift * height)
        }
        During::Pulse => scaled(1.0 + 0.05 * k * wave(1.0), 0.0, 0.0),
        During::Float => scaled(1.0, 0.0, 10.0 * k * wave(3.0)),
        During::Sway => Affine::rotate(3.0 * k * wave(3.0)),
        During::Breathe => scaled(1.0 + 0.03 * k * wave(4.0), 0.0, 0.0),
        During::Spin => Affine::rotate(360.0 * seconds * speed / 4.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn animation(enter: &str, exit: &str) -> Animation {
        Animation {
            enter: Some(enter.into()),
            exit: Some(exit.into()),
            enter_duration: None,
            exit_duration: Some(0.5),
            during: None,
            during_speed: 1.0,
            during_intensity: 1.0,
        }
    }

    fn opacity(frame: f64, fps: f64) -> f64 {
        let moment = Moment {
            elapsed: frame,
            duration: 90.0,
            fps,
        };
        Motion::at(&animation("fade", "fade"), moment, (10.0, 10.0), false).opacity
    }

    #[test]
    fn a_fade_takes_fifteen_frames_unless_told_otherwise() {
        assert_eq!(opacity(0.0, 30.0), 0.0);
        assert_eq!(opacity(6.0, 30.0), 0.4);
        assert_eq!(opacity(15.0, 30.0), 1.0);
        assert_eq!(opacity(6.0, 60.0), 0.4, "whatever the fps");
        assert_eq!(opacity(75.0, 30.0), 1.0);
        assert!(
            (opacity(89.0, 30.0) - 1.0 / 15.0).abs() < 1e-9,
            "the last frame is not empty"
        );
    }

    #[test]
    fn drift_holds_at_its_end_and_loops_run_on() {
        let at = |during, elapsed, speed| {
            let moment = Moment {
                elapsed,
                duration: 100.0,
                fps: 25.0,
            };
            during_at(during, moment, speed, 1.0, (100.0, 50.0))
        };
        assert_eq!(at(During::KenBurnsIn, 0.0, 1.0).a, 1.0);
        assert_eq!(at(During::KenBurnsIn, 50.0, 2.0).a, 1.2);
        assert_eq!(at(During::KenBurnsIn, 99.0, 2.0).a, 1.2);
        assert_eq!(at(During::PanLeft, 0.0, 1.0).e, 10.0);
        assert_eq!(at(During::PanLeft, 100.0, 1.0).e, -10.0);
        assert_eq!(at(During::Spin, 25.0, 1.0), Affine::rotate(90.0));
        assert_eq!(at(During::Spin, 100.0, 1.0), Affine::IDENTITY);
    }
}
