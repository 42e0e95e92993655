//! Basic shapes that clip a box.

mod outline;
mod parse;
mod svg;
#[cfg(test)]
mod tests;

use super::tokens::{Basis, whole};
use super::{CornerRadii, Length, Position};
pub use outline::{FillRule, Outline, PathStep};

/// A parsed `clip-path`.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipPath(Shape);

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    /// The whole box.
    Whole,
    /// Distances from the top, right, bottom and left edge.
    Inset([Length; 4], CornerRadii),
    Circle(Radius, Position),
    Ellipse(Radius, Radius, Position),
    Polygon(FillRule, Vec<(Length, Length)>),
    /// In pixels from the top left corner of the box.
    Path(FillRule, Vec<PathStep>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Radius {
    Length(Length),
    ClosestSide,
    FarthestSide,
}

impl ClipPath {
    /// Parses a CSS `clip-path` that is a basic shape; `none` is no shape.
    pub fn parse(text: &str) -> Option<Self> {
        whole(text, |input| Self::take(input, Basis::default()))
    }

    /// The shape on a box of this size.
    pub fn on_box(&self, width: f32, height: f32) -> Outline {
        match &self.0 {
            Shape::Whole => Outline::rounded([0.0, 0.0, width, height], &[(0.0, 0.0); 4]),
            Shape::Inset([top, right, bottom, left], radii) => {
                let (left, top) = (left.resolve(width), top.resolve(height));
                let inner_width = width - left - right.resolve(width);
                let inner_height = height - top - bottom.resolve(height);
                if inner_width <= 0.0 || inner_height <= 0.0 {
                    return Outline::default();
                }
                let radii = radii.resolve_on((width, height), (inner_width, inner_height));
                Outline::rounded([left, top, inner_width, inner_height], &radii)
            }
            Shape::Circle(radius, at) => {
                let center = at.on_box(width, height);
                let radius = radius.of_circle(center, width, height);
                Outline::ellipse(center, (radius, radius))
            }
            Shape::Ellipse(x, y, at) => {
                let center = at.on_box(width, height);
                let corners = [center.0, width - center.0].map(f32::abs);
                let down = [center.1, height - center.1].map(f32::abs);
                let radii = (x.of_ellipse(corners, width), y.of_ellipse(down, height));
                Outline::ellipse(center, radii)
            }
            Shape::Polygon(rule, points) => {
                let mut steps: Vec<PathStep> = points
                    .iter()
                    .enumerate()
                    .map(|(index, (x, y))| {
                        let (x, y) = (x.resolve(width), y.resolve(height));
                        if index == 0 {
                            PathStep::MoveTo(x, y)
                        } else {
                            PathStep::LineTo(x, y)
                        }
                    })
                    .collect();
                steps.push(PathStep::Close);
                Outline { rule: *rule, steps }
            }
            Shape::Path(rule, steps) => Outline {
                rule: *rule,
                steps: steps.clone(),
            },
        }
    }
}

impl Radius {
    fn of_circle(self, (x, y): (f32, f32), width: f32, height: f32) -> f32 {
        let across = [x, width - x].map(f32::abs);
        let down = [y, height - y].map(f32::abs);
        let least = |[a, b]: [f32; 2]| a.min(b);
        let most = |[a, b]: [f32; 2]| a.max(b);
        match self {
            Self::Length(length) => length.resolve(width.hypot(height) / std::f32::consts::SQRT_2),
            Self::ClosestSide => least(across).min(least(down)),
            Self::FarthestSide => most(across).max(most(down)),
        }
    }

    fn of_ellipse(self, [near, far]: [f32; 2], side: f32) -> f32 {
        match self {
            Self::Length(length) => length.resolve(side),
            Self::ClosestSide => near.min(far),
            Self::FarthestSide => near.max(far),
        }
    }
}
