//! Gradients: parsed once, then laid out on a box of known size.

mod parse;
mod stops;
#[cfg(test)]
mod tests;

use super::color::Method;
use super::tokens::{Basis, whole};
use super::{Color, Length, Position};
use stops::{Item, place_stops};

/// A parsed gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    kind: Kind,
    items: Vec<Item>,
    /// How colours are mixed; in sRGB where nothing is said.
    method: Option<Method>,
    /// Whether it repeats beyond its last stop.
    pub repeating: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Linear(Direction),
    Radial {
        size: RadialSize,
        at: Position,
    },
    /// Degrees clockwise from upwards, where offset 0 lies.
    Conic {
        from: f32,
        at: Position,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Direction {
    /// Degrees clockwise from upwards.
    Degrees(f32),
    /// Towards a corner: right or left, down or up.
    Corner { right: bool, down: bool },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum RadialSize {
    Circle(f32),
    CircleExtent(Extent),
    Ellipse(Length, Length),
    EllipseExtent(Extent),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Extent {
    farthest: bool,
    corner: bool,
}

/// A gradient on a box: its line or ellipse in pixels, its stops along it.
#[derive(Clone, Debug, PartialEq)]
pub struct GradientOnBox {
    /// Where it runs.
    pub line: GradientLine,
    /// Offsets in ascending order; 0 to 1 along the line, possibly beyond.
    pub stops: Vec<(f32, Color)>,
    /// Whether it repeats beyond its last stop.
    pub repeating: bool,
}

/// Where a gradient runs, in pixels of its box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GradientLine {
    /// Between two points.
    Linear {
        /// Where offset 0 lies.
        from: (f32, f32),
        /// Where offset 1 lies.
        to: (f32, f32),
    },
    /// From a centre to an ellipse.
    Radial {
        /// Where offset 0 lies.
        center: (f32, f32),
        /// Horizontal and vertical radius of offset 1.
        radius: (f32, f32),
    },
    /// Around a centre, once for each turn.
    Conic {
        /// What it turns about.
        center: (f32, f32),
        /// Where offset 0 lies, in degrees clockwise from upwards.
        from: f32,
    },
}

impl Gradient {
    /// Parses any CSS gradient.
    pub fn parse(text: &str, current: impl Into<Basis>) -> Option<Self> {
        let basis = current.into();
        whole(text, |input| Self::take(input, basis))
    }

    /// Lays the gradient out on a box.
    pub fn on_box(&self, width: f32, height: f32) -> GradientOnBox {
        let (line, length) = match &self.kind {
            Kind::Linear(direction) => linear_line(*direction, width, height),
            Kind::Radial { size, at } => {
                let center = at.on_box(width, height);
                let radius = size.resolve(center, width, height);
                (GradientLine::Radial { center, radius }, radius.0)
            }
            Kind::Conic { from, at } => {
                let center = at.on_box(width, height);
                let line = GradientLine::Conic {
                    center,
                    from: *from,
                };
                (line, 1.0)
            }
        };
        GradientOnBox {
            line,
            stops: place_stops(&self.items, length, self.method),
            repeating: self.repeating,
        }
    }
}

fn linear_line(direction: Direction, width: f32, height: f32) -> (GradientLine, f32) {
    let (dx, dy) = match direction {
        Direction::Degrees(degrees) => {
            let radians = degrees.to_radians();
            (radians.sin(), -radians.cos())
        }
        // The line is perpendicular to the diagonal that joins the two neighbouring corners.
        Direction::Corner { right, down } => {
            let (x, y) = (
                if right { height } else { -height },
                if down { width } else { -width },
            );
            let norm = x.hypot(y).max(f32::MIN_POSITIVE);
            (x / norm, y / norm)
        }
    };
    let length = (width * dx).abs() + (height * dy).abs();
    let (cx, cy) = (width / 2.0, height / 2.0);
    let (hx, hy) = (dx * length / 2.0, dy * length / 2.0);
    (
        GradientLine::Linear {
            from: (cx - hx, cy - hy),
            to: (cx + hx, cy + hy),
        },
        length,
    )
}

impl RadialSize {
    fn resolve(self, center: (f32, f32), width: f32, height: f32) -> (f32, f32) {
        let pick = |a: f32, b: f32, farthest: bool| if farthest { a.max(b) } else { a.min(b) };
        let sides = |farthest| {
            (
                pick(center.0.abs(), (width - center.0).abs(), farthest),
                pick(center.1.abs(), (height - center.1).abs(), farthest),
            )
        };
        match self {
            Self::Circle(radius) => (radius, radius),
            Self::Ellipse(x, y) => (x.resolve(width), y.resolve(height)),
            Self::CircleExtent(extent) => {
                let (x, y) = sides(extent.farthest);
                let radius = if extent.corner {
                    x.hypot(y)
                } else {
                    pick(x, y, extent.farthest)
                };
                (radius, radius)
            }
            // An ellipse through a corner has the proportions of the one that touches the sides.
            Self::EllipseExtent(extent) => {
                let (x, y) = sides(extent.farthest);
                let grow = if extent.corner {
                    std::f32::consts::SQRT_2
                } else {
                    1.0
                };
                (x * grow, y * grow)
            }
        }
    }
}
