//! Outlines as short straight lines.

use tiny_skia::{Path, PathSegment, Point, Transform};

/// How far a line may lie from its curve, in pixels.
const TOLERANCE: f32 = 0.02;
/// More lines than this are never made of one curve.
const MOST_LINES: f32 = 512.0;

/// Calls `line` for every straight line of a mapped outline; each part of it is closed. Outlines
/// with coordinates that are no numbers are left out.
pub(crate) fn flatten(path: &Path, map: Transform, mut line: impl FnMut(Point, Point)) {
    let to = |mut point: Point| {
        map.map_point(&mut point);
        point
    };
    let mut start = Point::zero();
    let mut at = Point::zero();
    let mut draw = |from: Point, to: Point| {
        if from != to && from.is_finite() && to.is_finite() {
            line(from, to);
        }
    };
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(point) => {
                draw(at, start);
                start = to(point);
                at = start;
            }
            PathSegment::LineTo(point) => {
                let end = to(point);
                draw(at, end);
                at = end;
            }
            PathSegment::QuadTo(handle, end) => {
                let (p0, p1, p2) = (at, to(handle), to(end));
                let count = lines(bend(p0, p1, p2) / 4.0);
                for step in 1..=count {
                    let t = step as f32 / count as f32;
                    let end = if step == count {
                        p2
                    } else {
                        mix(mix(p0, p1, t), mix(p1, p2, t), t)
                    };
                    draw(at, end);
                    at = end;
                }
            }
            PathSegment::CubicTo(first, second, end) => {
                let (p0, p1, p2, p3) = (at, to(first), to(second), to(end));
                let count = lines(bend(p0, p1, p2).max(bend(p1, p2, p3)) * 0.75);
                for step in 1..=count {
                    let t = step as f32 / count as f32;
                    let middle = mix(p1, p2, t);
                    let end = if step == count {
                        p3
                    } else {
                        mix(
                            mix(mix(p0, p1, t), middle, t),
                            mix(middle, mix(p2, p3, t), t),
                            t,
                        )
                    };
                    draw(at, end);
                    at = end;
                }
            }
            PathSegment::Close => {
                draw(at, start);
                at = start;
            }
        }
    }
    draw(at, start);
}

/// How much a curve turns at its handle.
fn bend(from: Point, handle: Point, to: Point) -> f32 {
    (from.x - 2.0 * handle.x + to.x).hypot(from.y - 2.0 * handle.y + to.y)
}

/// Lines that keep a curve within the tolerance, when one line is off by `error`.
fn lines(error: f32) -> u32 {
    (error / TOLERANCE).sqrt().ceil().clamp(1.0, MOST_LINES) as u32
}

fn mix(from: Point, to: Point, t: f32) -> Point {
    Point::from_xy(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t)
}

#[cfg(test)]
mod tests {
    use tiny_skia::{PathBuilder, Rect};

    use super::*;

    #[test]
    fn a_circle_stays_within_the_tolerance_and_is_closed() {
        let oval = Rect::from_xywh(-50.0, -50.0, 100.0, 100.0).and_then(PathBuilder::from_oval);
        let mut ends = Vec::new();
        flatten(&oval.expect("valid"), Transform::identity(), |from, to| {
            ends.push((from, to));
        });
        assert!(ends.len() > 16 && ends.len() < 512, "{}", ends.len());
        for (from, to) in &ends {
            let middle = mix(*from, *to, 0.5);
            assert!((middle.x.hypot(middle.y) - 50.0).abs() < 0.05);
        }
        let first = ends.first().expect("lines").0;
        let last = ends.last().expect("lines").1;
        assert!((first.x - last.x).hypot(first.y - last.y) < 1e-3);
    }
}
