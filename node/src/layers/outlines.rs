//! The outlines of shapes, in boxes of one by one.

use kinora_composition::css::ShapeId;
use tiny_skia::{Path, PathBuilder, Rect};

/// The outline of a shape; `None` of those that are boxes. Its inside is told by the even-odd rule.
pub(super) fn unit_outline(id: ShapeId) -> Option<Path> {
    match id {
        ShapeId::Rectangle
        | ShapeId::RoundedRectangle
        | ShapeId::Pill
        | ShapeId::Circle
        | ShapeId::Line => None,
        ShapeId::Star => star(5, 0.381_966),
        ShapeId::FourPointStar => star(4, 0.382),
        ShapeId::SixPointStar => star(6, 0.577_35),
        ShapeId::Burst => star(16, 0.78),
        ShapeId::Heart => heart(),
        ShapeId::Ring => ring(),
        ShapeId::Semicircle => semicircle(),
        ShapeId::QuarterCircle => quarter_circle(),
        ShapeId::Crescent => crescent(),
        ShapeId::Drop => drop_shape(),
        ShapeId::Cloud => cloud(),
        ShapeId::SpeechBubble => speech_bubble(),
        ShapeId::Shield => shield(),
        other => polygon(corners(other)),
    }
}

/// The corners of a shape with straight edges.
fn corners(id: ShapeId) -> &'static [(f32, f32)] {
    match id {
        ShapeId::Triangle => &[(0.5, 0.0), (1.0, 1.0), (0.0, 1.0)],
        ShapeId::TriangleDown => &[(0.0, 0.0), (1.0, 0.0), (0.5, 1.0)],
        ShapeId::RightTriangle => &[(0.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
        ShapeId::Diamond => &[(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)],
        ShapeId::Pentagon => &[
            (0.5, 0.0),
            (1.0, 0.382),
            (0.809, 1.0),
            (0.191, 1.0),
            (0.0, 0.382),
        ],
        ShapeId::Hexagon => &[
            (0.25, 0.0),
            (0.75, 0.0),
            (1.0, 0.5),
            (0.75, 1.0),
            (0.25, 1.0),
            (0.0, 0.5),
        ],
        ShapeId::Octagon => &[
            (0.293, 0.0),
            (0.707, 0.0),
            (1.0, 0.293),
            (1.0, 0.707),
            (0.707, 1.0),
            (0.293, 1.0),
            (0.0, 0.707),
            (0.0, 0.293),
        ],
        ShapeId::Parallelogram => &[(0.25, 0.0), (1.0, 0.0), (0.75, 1.0), (0.0, 1.0)],
        ShapeId::Trapezoid => &[(0.2, 0.0), (0.8, 0.0), (1.0, 1.0), (0.0, 1.0)],
        ShapeId::Cross => &[
            (0.35, 0.0),
            (0.65, 0.0),
            (0.65, 0.35),
            (1.0, 0.35),
            (1.0, 0.65),
            (0.65, 0.65),
            (0.65, 1.0),
            (0.35, 1.0),
            (0.35, 0.65),
            (0.0, 0.65),
            (0.0, 0.35),
            (0.35, 0.35),
        ],
        ShapeId::Chevron => &[
            (0.0, 0.0),
            (0.7, 0.0),
            (1.0, 0.5),
            (0.7, 1.0),
            (0.0, 1.0),
            (0.3, 0.5),
        ],
        ShapeId::Arrow => &[
            (0.0, 0.3),
            (0.6, 0.3),
            (0.6, 0.0),
            (1.0, 0.5),
            (0.6, 1.0),
            (0.6, 0.7),
            (0.0, 0.7),
        ],
        ShapeId::ArrowLeft => &[
            (1.0, 0.7),
            (0.4, 0.7),
            (0.4, 1.0),
            (0.0, 0.5),
            (0.4, 0.0),
            (0.4, 0.3),
            (1.0, 0.3),
        ],
        ShapeId::ArrowUp => &[
            (0.3, 1.0),
            (0.3, 0.4),
            (0.0, 0.4),
            (0.5, 0.0),
            (1.0, 0.4),
            (0.7, 0.4),
            (0.7, 1.0),
        ],
        ShapeId::ArrowDown => &[
            (0.7, 0.0),
            (0.7, 0.6),
            (1.0, 0.6),
            (0.5, 1.0),
            (0.0, 0.6),
            (0.3, 0.6),
            (0.3, 0.0),
        ],
        ShapeId::DoubleArrow => &[
            (0.0, 0.5),
            (0.3, 0.0),
            (0.3, 0.3),
            (0.7, 0.3),
            (0.7, 0.0),
            (1.0, 0.5),
            (0.7, 1.0),
            (0.7, 0.7),
            (0.3, 0.7),
            (0.3, 1.0),
        ],
        ShapeId::Lightning => &[
            (0.62, 0.0),
            (0.0, 0.58),
            (0.42, 0.58),
            (0.3, 1.0),
            (1.0, 0.38),
            (0.56, 0.38),
            (0.86, 0.0),
        ],
        ShapeId::Flag => &[(0.0, 0.0), (1.0, 0.0), (0.82, 0.5), (1.0, 1.0), (0.0, 1.0)],
        _ => &[],
    }
}

fn polygon(points: &[(f32, f32)]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, (x, y)) in points.iter().enumerate() {
        if index == 0 {
            path.move_to(*x, *y);
        } else {
            path.line_to(*x, *y);
        }
    }
    path.close();
    path.finish()
}

/// A star with its first point upwards that touches all sides of its box.
fn star(points: u8, inner: f32) -> Option<Path> {
    let corners: Vec<(f32, f32)> = (0..points * 2)
        .map(|index| {
            let angle = std::f32::consts::PI * f32::from(index) / f32::from(points);
            let radius = if index % 2 == 0 { 1.0 } else { inner };
            (radius * angle.sin(), -radius * angle.cos())
        })
        .collect();
    let fold = |start: f32, pick: fn(&(f32, f32)) -> f32, choose: fn(f32, f32) -> f32| {
        corners.iter().map(pick).fold(start, choose)
    };
    let (left, right) = (
        fold(f32::MAX, |c| c.0, f32::min),
        fold(f32::MIN, |c| c.0, f32::max),
    );
    let (top, bottom) = (
        fold(f32::MAX, |c| c.1, f32::min),
        fold(f32::MIN, |c| c.1, f32::max),
    );
    let fitted: Vec<(f32, f32)> = corners
        .iter()
        .map(|(x, y)| ((x - left) / (right - left), (y - top) / (bottom - top)))
        .collect();
    polygon(&fitted)
}

/// An outline of cubic curves, each with two handles and an end.
fn curves(start: (f32, f32), parts: &[[f32; 6]]) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.move_to(start.0, start.1);
    for [x1, y1, x2, y2, x, y] in parts {
        path.cubic_to(*x1, *y1, *x2, *y2, *x, *y);
    }
    path.close();
    path.finish()
}

fn heart() -> Option<Path> {
    curves(
        (0.5, 1.0),
        &[
            [0.2, 0.75, 0.0, 0.55, 0.0, 0.3],
            [0.0, 0.12, 0.13, 0.0, 0.27, 0.0],
            [0.37, 0.0, 0.46, 0.06, 0.5, 0.16],
            [0.54, 0.06, 0.63, 0.0, 0.73, 0.0],
            [0.87, 0.0, 1.0, 0.12, 1.0, 0.3],
            [1.0, 0.55, 0.8, 0.75, 0.5, 1.0],
        ],
    )
}

fn ring() -> Option<Path> {
    let mut path = PathBuilder::new();
    path.push_oval(Rect::from_ltrb(0.0, 0.0, 1.0, 1.0)?);
    path.push_oval(Rect::from_ltrb(0.2, 0.2, 0.8, 0.8)?);
    path.finish()
}

/// How far the handles of a quarter circle reach.
const KAPPA: f32 = 0.552_284_8;

fn semicircle() -> Option<Path> {
    let (h, v) = (0.5 * KAPPA, KAPPA);
    curves(
        (0.0, 1.0),
        &[
            [0.0, 1.0 - v, 0.5 - h, 0.0, 0.5, 0.0],
            [0.5 + h, 0.0, 1.0, 1.0 - v, 1.0, 1.0],
        ],
    )
}

fn quarter_circle() -> Option<Path> {
    let mut path = PathBuilder::new();
    path.move_to(0.0, 0.0);
    path.cubic_to(KAPPA, 0.0, 1.0, 1.0 - KAPPA, 1.0, 1.0);
    path.line_to(0.0, 1.0);
    path.close();
    path.finish()
}

fn crescent() -> Option<Path> {
    curves(
        (1.0, 0.0),
        &[
            [0.45, 0.0, 0.0, 0.224, 0.0, 0.5],
            [0.0, 0.776, 0.45, 1.0, 1.0, 1.0],
            [0.66, 0.9, 0.45, 0.71, 0.45, 0.5],
            [0.45, 0.29, 0.66, 0.1, 1.0, 0.0],
        ],
    )
}

fn drop_shape() -> Option<Path> {
    curves(
        (0.5, 0.0),
        &[
            [0.62, 0.22, 1.0, 0.42, 1.0, 0.66],
            [1.0, 0.85, 0.78, 1.0, 0.5, 1.0],
            [0.22, 1.0, 0.0, 0.85, 0.0, 0.66],
            [0.0, 0.42, 0.38, 0.22, 0.5, 0.0],
        ],
    )
}

fn cloud() -> Option<Path> {
    curves(
        (0.22, 1.0),
        &[
            [0.1, 1.0, 0.0, 0.87, 0.0, 0.72],
            [0.0, 0.57, 0.08, 0.46, 0.19, 0.43],
            [0.19, 0.18, 0.33, 0.0, 0.51, 0.0],
            [0.66, 0.0, 0.78, 0.12, 0.82, 0.31],
            [0.92, 0.33, 1.0, 0.47, 1.0, 0.64],
            [1.0, 0.84, 0.9, 1.0, 0.77, 1.0],
            [0.6, 1.0, 0.4, 1.0, 0.22, 1.0],
        ],
    )
}

fn speech_bubble() -> Option<Path> {
    let mut path = PathBuilder::new();
    path.move_to(0.14, 0.0);
    path.line_to(0.86, 0.0);
    path.cubic_to(0.94, 0.0, 1.0, 0.08, 1.0, 0.18);
    path.line_to(1.0, 0.6);
    path.cubic_to(1.0, 0.7, 0.94, 0.78, 0.86, 0.78);
    path.line_to(0.45, 0.78);
    path.line_to(0.22, 1.0);
    path.line_to(0.25, 0.78);
    path.line_to(0.14, 0.78);
    path.cubic_to(0.06, 0.78, 0.0, 0.7, 0.0, 0.6);
    path.line_to(0.0, 0.18);
    path.cubic_to(0.0, 0.08, 0.06, 0.0, 0.14, 0.0);
    path.close();
    path.finish()
}

fn shield() -> Option<Path> {
    curves(
        (0.5, 0.0),
        &[
            [0.66, 0.09, 0.83, 0.13, 1.0, 0.13],
            [1.0, 0.6, 0.86, 0.86, 0.5, 1.0],
            [0.14, 0.86, 0.0, 0.6, 0.0, 0.13],
            [0.17, 0.13, 0.34, 0.09, 0.5, 0.0],
        ],
    )
}

#[cfg(test)]
mod tests {
    use kinora_composition::css::shape_ids;

    use super::*;

    #[test]
    fn every_outline_fills_its_box() {
        for name in shape_ids() {
            let Some(path) = ShapeId::parse(name).and_then(unit_outline) else {
                continue;
            };
            let bounds = path.compute_tight_bounds().expect("not empty");
            let edges = [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()];
            for (edge, expected) in edges.iter().zip([0.0, 0.0, 1.0, 1.0]) {
                assert!((edge - expected).abs() < 0.005, "{name}: {edges:?}");
            }
        }
    }

    #[test]
    fn every_shape_is_a_box_or_has_an_outline() {
        for name in shape_ids() {
            let id = ShapeId::parse(name).expect("listed");
            let is_box = matches!(
                id,
                ShapeId::Rectangle
                    | ShapeId::RoundedRectangle
                    | ShapeId::Pill
                    | ShapeId::Circle
                    | ShapeId::Line
            );
            assert_eq!(unit_outline(id).is_none(), is_box, "{name}");
        }
    }
}
