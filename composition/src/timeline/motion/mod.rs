//! How an overlay comes, stays and goes: what a moment makes of it.
//!
//! A preset is a function from progress to a [`Pose`](pose::Pose), and an entry of [`presets`]. Poses lie
//! inside the overlay's own rotation and outside its `transform`, so they move along the axes of its box.

mod curves;
mod during;
mod fades;
mod falls;
mod flips;
mod pose;
mod presets;
mod reveals;
mod scales;
mod shakes;
mod slides;
mod turns;

use self::during::{during_at, is_drift};
pub(super) use self::pose::Place;
use self::pose::Pose;
pub use self::pose::{Passing, Reveal};
use self::presets::Preset;
pub use self::presets::{preset_names, preset_spellings};
use super::pieces::{PieceState, Stagger};
use crate::document::{Animation, During};
use crate::geometry::{Affine, Projection};

/// Frames of an enter or exit whose duration is not given.
const DEFAULT_RAMP_FRAMES: f64 = 15.0;

/// Everything that moves an overlay as a whole.
#[derive(Debug, Default)]
pub(super) struct Movement {
    enter: Option<Ramp>,
    exit: Option<Ramp>,
    during: Option<Through>,
    stagger: Option<Stagger>,
}

/// A preset and the frames that it takes.
#[derive(Debug)]
struct Ramp {
    preset: Preset,
    frames: f64,
}

/// A movement across the whole life.
#[derive(Debug)]
struct Through {
    during: During,
    speed: f64,
    intensity: f64,
}

/// What moves a layer at one frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Motion {
    /// Factor on the opacity.
    pub(super) opacity: f64,
    /// Movement of the whole box.
    pub(super) whole: Projection,
    /// Movement of a picture inside its box.
    pub(super) inside: Affine,
    /// What else there is to see.
    pub(super) passing: Passing,
    /// Whether `whole` is what it will be whenever nothing moves the box.
    pub(super) is_at_rest: bool,
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

impl Movement {
    /// What a document asks for.
    pub(super) fn new(animation: Option<&Animation>, stagger: Option<Stagger>, fps: f64) -> Self {
        let Some(animation) = animation else {
            return Self {
                stagger,
                ..Self::default()
            };
        };
        let ramp = |name: Option<&String>, seconds: Option<f64>| {
            name.and_then(|name| Preset::named(name))
                .map(|preset| Ramp {
                    preset,
                    frames: ramp_frames(seconds, fps),
                })
        };
        Self {
            enter: ramp(animation.enter.as_ref(), animation.enter_duration),
            exit: ramp(animation.exit.as_ref(), animation.exit_duration),
            during: animation.during.map(|during| Through {
                during,
                speed: animation.during_speed,
                intensity: animation.during_intensity,
            }),
            stagger,
        }
    }

    /// Evaluates everything on a box. Pictures drift inside their box, everything else as a whole.
    pub(super) fn at(&self, moment: Moment, place: &Place, is_picture: bool) -> Motion {
        let mut motion = Motion {
            opacity: 1.0,
            whole: Projection::IDENTITY,
            inside: Affine::IDENTITY,
            passing: Passing::default(),
            is_at_rest: true,
        };
        let left = moment.duration - moment.elapsed;
        let ramps = [
            (self.enter.as_ref()).map(|ramp| {
                ramp.preset
                    .entering(progress(moment.elapsed, ramp.frames), place)
            }),
            (self.exit.as_ref())
                .map(|ramp| ramp.preset.leaving(progress(left, ramp.frames), place)),
        ];
        for pose in ramps.into_iter().flatten() {
            motion.is_at_rest &= pose.is_in_place();
            motion.add(&pose, place);
        }
        if let Some(stagger) = &self.stagger {
            motion.is_at_rest &= moment.elapsed >= stagger.ends_after(1);
            for piece in stagger.pieces(1, moment.elapsed) {
                motion.add(&pose_of(piece), place);
            }
        }
        if let Some(through) = &self.during {
            let (width, height) = (place.size.width, place.size.height);
            let movement = during_at(
                through.during,
                moment,
                through.speed,
                through.intensity,
                (f64::from(width), f64::from(height)),
            )
            .about(width / 2.0, height / 2.0);
            if is_picture && is_drift(through.during) {
                motion.inside = movement;
            } else {
                motion.is_at_rest = false;
                motion.whole = motion.whole.then_inner(movement);
            }
        }
        motion.is_at_rest &= motion.passing.is_nothing();
        if !(motion.whole.is_finite() && Projection::from(motion.inside).is_finite()) {
            // Endlessly far away, or endlessly large.
            motion.opacity = 0.0;
        }
        motion
    }
}

impl Motion {
    /// Adds a pose inside what is there.
    fn add(&mut self, pose: &Pose, place: &Place) {
        self.opacity *= pose.opacity;
        self.whole = self.whole.then_inner(pose.on_box(place.size));
        self.passing.add(pose);
        if self.passing.reveal.is_some_and(Reveal::is_closed) {
            self.opacity = 0.0;
        }
    }
}

/// A piece that is the whole overlay.
fn pose_of(piece: PieceState) -> Pose {
    Pose {
        opacity: piece.opacity,
        shift: (piece.x, piece.y),
        scale: (piece.scale, piece.scale),
        turn: [0.0, 0.0, piece.rotate],
        filter: fades::blurred(piece.blur),
        ..Pose::REST
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

#[cfg(test)]
mod tests;
