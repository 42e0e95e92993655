//! How far from rest an overlay is: what a preset makes of a moment.

use crate::css::Filter;
use crate::geometry::{Projection, Size, Standing};

/// The box that moves, and the canvas that it moves on, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::timeline) struct Place {
    pub(in crate::timeline) size: Size,
    pub(in crate::timeline) canvas: Size,
}

impl Place {
    /// No way is longer than this, however large a box is.
    const LONGEST: f64 = 1e6;

    pub(super) fn width(&self) -> f64 {
        f64::from(self.size.width).min(Self::LONGEST)
    }

    pub(super) fn height(&self) -> f64 {
        f64::from(self.size.height).min(Self::LONGEST)
    }

    /// The shorter side of the box, though not of one that is larger than the canvas.
    pub(super) fn shorter(&self) -> f64 {
        let canvas = self.canvas.width.min(self.canvas.height);
        self.size.width.min(self.size.height).min(canvas).into()
    }

    /// How far the box comes from the side: its own width, or a fifth of the canvas if that is more.
    pub(super) fn across(&self) -> f64 {
        self.width().max(0.2 * f64::from(self.canvas.width))
    }

    /// How far the box comes from above or below.
    pub(super) fn down(&self) -> f64 {
        self.height().max(0.2 * f64::from(self.canvas.height))
    }
}

/// A part of a box, by the shares of its sides that are cut off; a negative share leaves room beyond
/// the box, for shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reveal {
    /// Share of the width that is cut off on the left.
    pub left: f32,
    /// Share of the height that is cut off at the top.
    pub top: f32,
    /// Share of the width that is cut off on the right.
    pub right: f32,
    /// Share of the height that is cut off at the bottom.
    pub bottom: f32,
}

impl Reveal {
    /// Nothing is cut off, far beyond the box.
    pub(super) const OPEN: Self = Self {
        left: -16.0,
        top: -16.0,
        right: -16.0,
        bottom: -16.0,
    };

    /// What both leave.
    fn and(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Whether there is nothing left.
    pub(super) fn is_closed(self) -> bool {
        let is_gone = |one: f32, other: f32| one.max(0.0) + other.max(0.0) >= 1.0;
        is_gone(self.left, self.right) || is_gone(self.top, self.bottom)
    }
}

/// An overlay away from rest. Scale, turns and lean are about a pivot, in the axes of the box.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pose {
    /// Factor from 0 to 1.
    pub(super) opacity: f64,
    /// Pixels right and down.
    pub(super) shift: (f64, f64),
    /// Factors on width and height.
    pub(super) scale: (f64, f64),
    /// Degrees about the horizontal, the vertical and the viewing axis.
    pub(super) turn: [f64; 3],
    /// Degrees by which vertical and horizontal edges lean.
    pub(super) skew: (f64, f64),
    /// What stays in place, from the centre, in shares of the box.
    pub(super) pivot: (f64, f64),
    /// Filter functions behind the overlay's own.
    pub(super) filter: Vec<Filter>,
    /// The part of the box that shows, where not all of it does.
    pub(super) reveal: Option<Reveal>,
}

impl Pose {
    /// Where the overlay belongs.
    pub(super) const REST: Self = Self {
        opacity: 1.0,
        shift: (0.0, 0.0),
        scale: (1.0, 1.0),
        turn: [0.0; 3],
        skew: (0.0, 0.0),
        pivot: (0.0, 0.0),
        filter: Vec::new(),
        reveal: None,
    };

    /// The pose as far beyond rest as this one is before it.
    pub(super) fn beyond(self) -> Self {
        Self {
            shift: (-self.shift.0, -self.shift.1),
            turn: self.turn.map(|angle| -angle),
            skew: (-self.skew.0, -self.skew.1),
            pivot: (-self.pivot.0, -self.pivot.1),
            reveal: self.reveal.map(|reveal| Reveal {
                left: reveal.right,
                top: reveal.bottom,
                right: reveal.left,
                bottom: reveal.top,
            }),
            ..self
        }
    }

    /// Whether the box is where it belongs, whatever it looks like.
    pub(super) fn is_in_place(&self) -> bool {
        self.shift == (0.0, 0.0)
            && self.scale == (1.0, 1.0)
            && self.turn == [0.0; 3]
            && self.skew == (0.0, 0.0)
    }

    /// The map of the box that the pose is.
    pub(super) fn on_box(&self, size: Size) -> Projection {
        /// The eye is so many longer sides away: near enough for turns to have depth on a box of any
        /// size, too far for one to come near it.
        const EYE_DISTANCE_IN_SIDES: f64 = 2.2;
        if self.is_in_place() {
            return Projection::IDENTITY;
        }
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let (lean_x, lean_y) = (
            self.skew.0.to_radians().tan(),
            self.skew.1.to_radians().tan(),
        );
        Standing {
            turn: self.turn,
            plane: [
                [self.scale.0, lean_x * self.scale.1],
                [lean_y * self.scale.0, self.scale.1],
            ],
            shift: [self.shift.0, self.shift.1, 0.0],
            hinge: [self.pivot.0 * width, self.pivot.1 * height],
            eye: EYE_DISTANCE_IN_SIDES * width.max(height),
        }
        .on_box(size)
    }
}

/// What the moment adds to a layer. Nothing, for a layer at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passing {
    /// Filter functions behind the layer's own.
    pub filter: Vec<Filter>,
    /// The part of the box that shows, with everything that reaches beyond it.
    pub reveal: Option<Reveal>,
}

impl Passing {
    /// Whether the moment adds nothing.
    pub fn is_nothing(&self) -> bool {
        self.filter.is_empty() && self.reveal.is_none()
    }

    /// Adds what a pose does.
    pub(super) fn add(&mut self, pose: &Pose) {
        self.filter.extend_from_slice(&pose.filter);
        self.reveal = match (self.reveal, pose.reveal) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
    }
}
