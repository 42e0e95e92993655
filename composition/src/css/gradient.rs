//! Gradients: parsed once, then laid out on a box of known size.

use lightningcss::traits::Parse;
use lightningcss::values::gradient::{
    Circle, Ellipse, EndingShape, Gradient as CssGradient, GradientItem, LineDirection, ShapeExtent,
};
use lightningcss::values::length::LengthPercentage;
use lightningcss::values::position::{HorizontalPositionKeyword, VerticalPositionKeyword};

use super::length::px;
use super::{Color, Length, Position};

/// A parsed gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    kind: Kind,
    items: Vec<Item>,
    /// Whether it repeats beyond its last stop.
    pub repeating: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Linear(Direction),
    Radial { size: RadialSize, at: Position },
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

#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Stop { color: Color, at: Option<Length> },
    Hint(Length),
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
}

impl Gradient {
    /// Parses a CSS linear or radial gradient, plain or repeating.
    pub fn parse(text: &str, current: Color) -> Option<Self> {
        let (kind, items, repeating) = match &CssGradient::parse_string(text).ok()? {
            CssGradient::Linear(linear) => (
                direction(&linear.direction),
                items(&linear.items, current),
                false,
            ),
            CssGradient::RepeatingLinear(linear) => (
                direction(&linear.direction),
                items(&linear.items, current),
                true,
            ),
            CssGradient::Radial(radial) => {
                let at = Position::from_css(&radial.position)?;
                (
                    Kind::Radial {
                        size: radial_size(&radial.shape)?,
                        at,
                    },
                    items(&radial.items, current),
                    false,
                )
            }
            CssGradient::RepeatingRadial(radial) => {
                let at = Position::from_css(&radial.position)?;
                (
                    Kind::Radial {
                        size: radial_size(&radial.shape)?,
                        at,
                    },
                    items(&radial.items, current),
                    true,
                )
            }
            CssGradient::Conic(_)
            | CssGradient::RepeatingConic(_)
            | CssGradient::WebKitGradient(_) => {
                return None;
            }
        };
        Some(Self {
            kind,
            items: items?,
            repeating,
        })
    }

    /// Lays the gradient out on a box.
    pub fn on_box(&self, width: f32, height: f32) -> GradientOnBox {
        let (line, length) = match &self.kind {
            Kind::Linear(direction) => linear_line(*direction, width, height),
            Kind::Radial { size, at } => {
                let center = (at.x.resolve(width), at.y.resolve(height));
                let radius = size.resolve(center, width, height);
                (GradientLine::Radial { center, radius }, radius.0)
            }
        };
        GradientOnBox {
            line,
            stops: place_stops(&self.items, length),
            repeating: self.repeating,
        }
    }
}

fn direction(direction: &LineDirection) -> Kind {
    Kind::Linear(match direction {
        LineDirection::Angle(angle) => Direction::Degrees(angle.to_degrees()),
        LineDirection::Horizontal(HorizontalPositionKeyword::Right) => Direction::Degrees(90.0),
        LineDirection::Horizontal(HorizontalPositionKeyword::Left) => Direction::Degrees(270.0),
        LineDirection::Vertical(VerticalPositionKeyword::Top) => Direction::Degrees(0.0),
        LineDirection::Vertical(VerticalPositionKeyword::Bottom) => Direction::Degrees(180.0),
        LineDirection::Corner {
            horizontal,
            vertical,
        } => Direction::Corner {
            right: *horizontal == HorizontalPositionKeyword::Right,
            down: *vertical == VerticalPositionKeyword::Bottom,
        },
    })
}

fn radial_size(shape: &EndingShape) -> Option<RadialSize> {
    let extent = |extent: &ShapeExtent| Extent {
        farthest: matches!(
            extent,
            ShapeExtent::FarthestSide | ShapeExtent::FarthestCorner
        ),
        corner: matches!(
            extent,
            ShapeExtent::ClosestCorner | ShapeExtent::FarthestCorner
        ),
    };
    Some(match shape {
        EndingShape::Circle(Circle::Radius(radius)) => RadialSize::Circle(px(radius)?),
        EndingShape::Circle(Circle::Extent(size)) => RadialSize::CircleExtent(extent(size)),
        EndingShape::Ellipse(Ellipse::Size { x, y }) => {
            RadialSize::Ellipse(Length::from_css(x)?, Length::from_css(y)?)
        }
        EndingShape::Ellipse(Ellipse::Extent(size)) => RadialSize::EllipseExtent(extent(size)),
    })
}

fn items(items: &[GradientItem<LengthPercentage>], current: Color) -> Option<Vec<Item>> {
    items
        .iter()
        .map(|item| match item {
            GradientItem::ColorStop(stop) => {
                let at = match &stop.position {
                    Some(position) => Some(Length::from_css(position)?),
                    None => None,
                };
                Some(Item::Stop {
                    color: Color::from_css(&stop.color, current),
                    at,
                })
            }
            GradientItem::Hint(at) => Length::from_css(at).map(Item::Hint),
        })
        .collect()
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

/// Gives every stop an offset, as CSS Images says: ends at 0 and 1, never before an earlier one,
/// gaps spread evenly; a hint becomes a few stops along its curve.
fn place_stops(items: &[Item], length: f32) -> Vec<(f32, Color)> {
    let length = length.max(f32::MIN_POSITIVE);
    let mut offsets: Vec<Option<f32>> = items
        .iter()
        .map(|item| match item {
            Item::Stop { at, .. } => at.map(|at| at.resolve(length) / length),
            Item::Hint(at) => Some(at.resolve(length) / length),
        })
        .collect();
    if let Some(first) = offsets.first_mut() {
        first.get_or_insert(0.0);
    }
    if let Some(last) = offsets.last_mut() {
        last.get_or_insert(1.0);
    }
    let mut latest = f32::NEG_INFINITY;
    for offset in offsets.iter_mut().flatten() {
        latest = latest.max(*offset);
        *offset = latest;
    }
    let mut placed = Vec::with_capacity(offsets.len());
    for (index, offset) in offsets.iter().enumerate() {
        placed.push(offset.unwrap_or_else(|| {
            let before = placed.last().copied().unwrap_or(0.0);
            let ahead = offsets[index..]
                .iter()
                .position(Option::is_some)
                .unwrap_or(1);
            let after = offsets[index..]
                .iter()
                .flatten()
                .next()
                .copied()
                .unwrap_or(1.0);
            before + (after - before) / (ahead as f32 + 1.0)
        }));
    }

    let mut stops = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item {
            Item::Stop { color, .. } => stops.push((placed[index], *color)),
            Item::Hint(_) => {
                if let (Some(Item::Stop { color: a, .. }), Some(Item::Stop { color: b, .. })) = (
                    index.checked_sub(1).and_then(|i| items.get(i)),
                    items.get(index + 1),
                ) {
                    hint_stops(
                        &mut stops,
                        (placed[index - 1], *a),
                        placed[index],
                        (placed[index + 1], *b),
                    );
                }
            }
        }
    }
    stops
}

fn hint_stops(stops: &mut Vec<(f32, Color)>, from: (f32, Color), hint: f32, to: (f32, Color)) {
    const STEPS: u8 = 16;
    let span = to.0 - from.0;
    if span <= 0.0 {
        return;
    }
    let middle = ((hint - from.0) / span).clamp(0.0, 1.0);
    let exponent = if middle <= 0.0 {
        0.0
    } else {
        0.5f32.ln() / middle.ln()
    };
    for step in 1..STEPS {
        let t = f32::from(step) / f32::from(STEPS);
        let weight = if middle >= 1.0 { 0.0 } else { t.powf(exponent) };
        stops.push((from.0 + span * t, from.1.mixed(to.1, weight)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_box(text: &str, width: f32, height: f32) -> GradientOnBox {
        Gradient::parse(text, Color::BLACK)
            .expect(text)
            .on_box(width, height)
    }

    fn thousandths(text: &str) -> Vec<i32> {
        let stops = on_box(text, 100.0, 100.0).stops;
        stops
            .iter()
            .map(|(at, _)| (at * 1000.0).round() as i32)
            .collect()
    }

    #[test]
    fn stops_are_placed_as_css_says() {
        assert_eq!(
            thousandths("linear-gradient(red, lime, blue)"),
            [0, 500, 1000]
        );
        assert_eq!(
            thousandths("linear-gradient(red 20%, lime 10%, blue)"),
            [200, 200, 1000]
        );
        assert_eq!(
            thousandths("linear-gradient(red, lime, blue, white 90%)"),
            [0, 300, 600, 900]
        );
        assert_eq!(
            thousandths("linear-gradient(red 0 30px, blue 30px)"),
            [0, 300, 300]
        );
    }

    #[test]
    fn a_corner_direction_reaches_both_corners_with_pure_colours() {
        let GradientLine::Linear { from, to } =
            on_box("linear-gradient(to bottom right, red, blue)", 200.0, 100.0).line
        else {
            panic!("linear")
        };
        let along = |x: f32, y: f32| {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            ((x - from.0) * dx + (y - from.1) * dy) / (dx * dx + dy * dy)
        };
        assert!(along(0.0, 0.0).abs() < 1e-5);
        assert!((along(200.0, 100.0) - 1.0).abs() < 1e-5);
        assert!(
            (along(200.0, 0.0) - 0.5).abs() < 1e-5,
            "the other corners are half way"
        );
    }

    #[test]
    fn radial_sizes() {
        let radius = |text: &str| match on_box(text, 200.0, 100.0).line {
            GradientLine::Radial { radius, .. } => radius,
            GradientLine::Linear { .. } => panic!("radial"),
        };
        assert_eq!(
            radius("radial-gradient(circle 40px, red, blue)"),
            (40.0, 40.0)
        );
        assert_eq!(
            radius("radial-gradient(circle closest-side, red, blue)"),
            (50.0, 50.0)
        );
        let (x, y) = radius("radial-gradient(red, blue)");
        assert!((x - 141.42).abs() < 0.01 && (y - 70.71).abs() < 0.01);
    }
}
