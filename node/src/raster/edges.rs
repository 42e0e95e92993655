//! Outlines as the few straight lines that Chromium makes of them: curves are cut coarsely, and lines
//! end on quarters of a pixel row. Letters are not drawn so.

use tiny_skia::{Path, PathSegment, Point, Transform};

use super::flatten::flatten;

/// Calls `line` for every straight line of a mapped outline; each part of it is closed. Outlines
/// with coordinates that are no numbers are left out.
pub(super) fn edges(path: &Path, map: Transform, mut line: impl FnMut(Point, Point)) {
    if is_straight(path, map) {
        // Rectangles are not cut at all.
        flatten(path, map, line);
        return;
    }
    let to = |mut point: Point| {
        map.map_point(&mut point);
        point
    };
    let mut draw = |from: Point, to: Point| {
        if from != to && from.is_finite() && to.is_finite() {
            line(from, to);
        }
    };
    let (mut start, mut at) = (Point::zero(), Point::zero());
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(point) => {
                draw(snapped(at), snapped(start));
                start = to(point);
                at = start;
            }
            PathSegment::LineTo(point) => {
                let end = to(point);
                draw(snapped(at), snapped(end));
                at = end;
            }
            PathSegment::QuadTo(handle, end) => {
                let curve = [at, to(handle), to(end)];
                for part in rising_and_falling(curve) {
                    cut(part, &mut draw);
                }
                at = curve[2];
            }
            PathSegment::CubicTo(first, second, end) => {
                let mut curve = tiny_skia::PathBuilder::new();
                let end = to(end);
                let (first, second) = (to(first), to(second));
                curve.move_to(at.x, at.y);
                curve.cubic_to(first.x, first.y, second.x, second.y, end.x, end.y);
                if let Some(curve) = curve.finish() {
                    let (from, to) = (at, end);
                    let place = |point: Point| {
                        if point == from || point == to {
                            snapped(point)
                        } else {
                            point
                        }
                    };
                    // Without the line that closes it.
                    let mut lines = Vec::new();
                    flatten(&curve, Transform::identity(), |a, b| lines.push((a, b)));
                    lines.retain(|line| *line != (to, from));
                    for (a, b) in lines {
                        draw(place(a), place(b));
                    }
                }
                at = end;
            }
            PathSegment::Close => {
                draw(snapped(at), snapped(start));
                at = start;
            }
        }
    }
    draw(snapped(at), snapped(start));
}

/// Whether all lines run along rows and columns.
fn is_straight(path: &Path, map: Transform) -> bool {
    let keeps = (map.kx, map.ky) == (0.0, 0.0) || (map.sx, map.sy) == (0.0, 0.0);
    let mut at = Point::zero();
    keeps
        && path.segments().all(|segment| match segment {
            PathSegment::MoveTo(point) => {
                at = point;
                true
            }
            PathSegment::LineTo(point) => {
                let runs = point.x == at.x || point.y == at.y;
                at = point;
                runs
            }
            PathSegment::Close => true,
            PathSegment::QuadTo(..) | PathSegment::CubicTo(..) => false,
        })
}

fn quarter(y: f32) -> f32 {
    (y * 4.0 + 0.5).floor() / 4.0
}

fn snapped(point: Point) -> Point {
    Point::from_xy(point.x, quarter(point.y))
}

fn mix(from: Point, to: Point, t: f32) -> Point {
    Point::from_xy(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t)
}

/// The parts of a curve that only rise or only fall.
fn rising_and_falling([p0, p1, p2]: [Point; 3]) -> Vec<[Point; 3]> {
    let bend = p0.y - 2.0 * p1.y + p2.y;
    let t = (p0.y - p1.y) / bend;
    if bend == 0.0 || !(t > 0.0 && t < 1.0) {
        return vec![[p0, p1, p2]];
    }
    let (a, b) = (mix(p0, p1, t), mix(p1, p2, t));
    let top = mix(a, b, t);
    let level = |point: Point| Point::from_xy(point.x, top.y);
    vec![[p0, level(a), top], [top, level(b), p2]]
}

/// Draws a curve that only rises or falls by its few lines.
fn cut([p0, p1, p2]: [Point; 3], draw: &mut impl FnMut(Point, Point)) {
    let is_falling = p0.y <= p2.y;
    let (from, to) = if is_falling { (p0, p2) } else { (p2, p0) };
    let last = snapped(to);
    let count = 1u32 << doublings([p0, p1, p2]);
    let mut before = from;
    let mut placed = snapped(from);
    for step in 1..=count {
        let t = step as f32 / count as f32;
        let point = mix(mix(from, p1, t), mix(p1, to, t), t);
        let next = if step == count {
            last
        } else if (point.y - before.y).abs() >= 2.0 {
            // Long lines end on a whole row, without leaving their course.
            let row = (point.y + 0.5).floor().min(last.y);
            let rise = point.y - placed.y;
            if rise > 0.0 {
                let slope = (point.x - placed.x) / rise;
                Point::from_xy(point.x - slope * (point.y - row), row)
            } else {
                point
            }
        } else {
            Point::from_xy(point.x, quarter(point.y).min(last.y))
        };
        if is_falling {
            draw(placed, next);
        } else {
            draw(next, placed);
        }
        (before, placed) = (point, next);
    }
}

/// How often a curve is halved.
fn doublings([p0, p1, p2]: [Point; 3]) -> u32 {
    /// Steps of a pixel that distances are counted in.
    const STEPS: f32 = 256.0;
    const MOST: u32 = 6;
    let off = |a: f32, b: f32, c: f32| ((2.0 * b - a - c) / 4.0 * STEPS).abs() as u32;
    let (x, y) = (off(p0.x, p1.x, p2.x), off(p0.y, p1.y, p2.y));
    let distance = x.max(y).saturating_add(x.min(y) / 2);
    let distance = distance.saturating_add(16) >> 5;
    ((32 - distance.leading_zeros()) / 2).clamp(1, MOST)
}

#[cfg(test)]
mod tests {
    use tiny_skia::PathBuilder;

    use super::*;

    fn lines(path: PathBuilder, map: Transform) -> Vec<(Point, Point)> {
        let mut lines = Vec::new();
        edges(&path.finish().expect("valid"), map, |from, to| {
            lines.push((from, to));
        });
        lines
    }

    #[test]
    fn outlines_stay_closed() {
        let mut path = PathBuilder::new();
        path.move_to(3.3, 0.1);
        path.quad_to(40.7, 0.2, 40.2, 33.4);
        path.quad_to(39.0, 60.9, 3.1, 50.3);
        path.cubic_to(0.0, 45.0, -5.0, 20.0, 1.0, 7.7);
        path.close();
        let lines = lines(path, Transform::from_rotate(20.0));
        let (mut x, mut y) = (0.0, 0.0);
        for (from, to) in &lines {
            x += f64::from(to.x) - f64::from(from.x);
            y += f64::from(to.y) - f64::from(from.y);
            let next = lines.iter().filter(|(start, _)| start == to).count();
            assert_eq!(next, 1, "a line starts where {to:?} ends");
        }
        assert!(x.abs() < 1e-3 && y.abs() < 1e-3);
    }

    #[test]
    fn curves_are_cut_coarsely_and_lines_end_on_quarters() {
        let mut path = PathBuilder::new();
        path.move_to(0.0, 0.1);
        path.quad_to(3.0, 0.2, 6.0, 1.3);
        path.line_to(0.0, 1.3);
        path.close();
        let lines = lines(path, Transform::identity());
        assert_eq!(lines.len(), 4, "{lines:?}");
        for (from, _) in &lines {
            assert_eq!((from.y * 4.0).fract(), 0.0);
        }
    }

    #[test]
    fn rectangles_keep_their_edges() {
        let mut path = PathBuilder::new();
        path.push_rect(tiny_skia::Rect::from_ltrb(0.1, 0.1, 9.9, 9.9).expect("valid"));
        let lines = lines(path, Transform::identity());
        assert!(lines.iter().any(|(from, _)| from.y == 9.9));
    }
}
