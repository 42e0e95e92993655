//! Outlines of boxes with rounded corners.

use kinora_composition::css::Radii;
use kinora_composition::timeline::Affine;
use tiny_skia::{Path, PathBuilder, Rect};

/// A rectangle with rounded corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::layers) struct RoundedBox {
    pub(in crate::layers) left: f32,
    pub(in crate::layers) top: f32,
    pub(in crate::layers) right: f32,
    pub(in crate::layers) bottom: f32,
    /// Horizontal and vertical radius of each corner, from the top left clockwise.
    pub(in crate::layers) radii: Radii,
}

impl RoundedBox {
    /// A rectangle (left, top, right, bottom) with corners that fit it.
    pub(in crate::layers) fn new([left, top, right, bottom]: [f32; 4], radii: Radii) -> Self {
        let mut this = Self {
            left,
            top,
            right: right.max(left),
            bottom: bottom.max(top),
            radii: radii.map(|(x, y)| {
                if x > 0.0 && y > 0.0 {
                    (x, y)
                } else {
                    (0.0, 0.0)
                }
            }),
        };
        this.fit();
        this
    }

    pub(in crate::layers) fn width(&self) -> f32 {
        self.right - self.left
    }

    pub(in crate::layers) fn height(&self) -> f32 {
        self.bottom - self.top
    }

    pub(in crate::layers) fn is_empty(&self) -> bool {
        !(self.width() > 0.0 && self.height() > 0.0)
    }

    /// Whether a corner is rounded.
    pub(in crate::layers) fn is_round(&self) -> bool {
        self.radii.iter().any(|(x, y)| *x > 0.0 && *y > 0.0)
    }

    pub(in crate::layers) fn rect(&self) -> [f32; 4] {
        [self.left, self.top, self.right, self.bottom]
    }

    /// The box without so much at its top, right, bottom and left side; corners stay parallel.
    pub(in crate::layers) fn inset(self, [top, right, bottom, left]: [f32; 4]) -> Self {
        let [tl, tr, br, bl] = self.radii;
        let shrunk = |(x, y): (f32, f32), dx: f32, dy: f32| (x - dx, y - dy);
        let (mut x0, mut x1) = (self.left + left, self.right - right);
        let (mut y0, mut y1) = (self.top + top, self.bottom - bottom);
        if x0 > x1 {
            (x0, x1) = ((x0 + x1) / 2.0, (x0 + x1) / 2.0);
        }
        if y0 > y1 {
            (y0, y1) = ((y0 + y1) / 2.0, (y0 + y1) / 2.0);
        }
        Self::new(
            [x0, y0, x1, y1],
            [
                shrunk(tl, left, top),
                shrunk(tr, right, top),
                shrunk(br, right, bottom),
                shrunk(bl, left, bottom),
            ],
        )
    }

    /// The box with so much more on each side, as shadows spread: sharp corners stay sharp, small
    /// radii grow less than large ones.
    pub(in crate::layers) fn spread(self, by: f32) -> Self {
        if by <= 0.0 {
            return self.inset([-by; 4]);
        }
        let grown = |radius: f32| {
            let ratio = radius / by;
            let share = if ratio < 1.0 {
                1.0 + (ratio - 1.0).powi(3)
            } else {
                1.0
            };
            radius + by * share
        };
        let radii = self.radii.map(|(x, y)| {
            if x > 0.0 && y > 0.0 {
                (grown(x), grown(y))
            } else {
                (0.0, 0.0)
            }
        });
        let [left, top, right, bottom] = self.rect();
        Self::new([left - by, top - by, right + by, bottom + by], radii)
    }

    pub(in crate::layers) fn moved(self, dx: f32, dy: f32) -> Self {
        Self {
            left: self.left + dx,
            top: self.top + dy,
            right: self.right + dx,
            bottom: self.bottom + dy,
            ..self
        }
    }

    /// The outline, for use under a map; `None` of an empty box.
    pub(in crate::layers) fn path(&self, map: Affine) -> Option<Path> {
        let mut path = PathBuilder::new();
        self.push_to(&mut path, map, Cut::Filled);
        path.finish()
    }

    /// The area between this outline and one inside it, by the even-odd rule.
    pub(in crate::layers) fn ring(&self, inner: &Self, map: Affine) -> Option<Path> {
        let mut path = PathBuilder::new();
        let cut = if self.is_stroke_around(inner) {
            Cut::Stroked
        } else {
            Cut::Filled
        };
        self.push_to(&mut path, map, cut);
        inner.push_to(&mut path, map, cut);
        path.finish()
    }

    /// Whether the area between this outline and one inside it is a line of even width with circular
    /// corners.
    fn is_stroke_around(&self, inner: &Self) -> bool {
        let near = |a: f32, b: f32| (a - b).abs() < 1e-3;
        let width = inner.left - self.left;
        let is_even = near(inner.top - self.top, width)
            && near(self.right - inner.right, width)
            && near(self.bottom - inner.bottom, width);
        let corners = self.radii.iter().zip(&inner.radii);
        is_even
            && corners.into_iter().all(|(outer, inner)| {
                let is_sharp = *outer == (0.0, 0.0) && *inner == (0.0, 0.0);
                is_sharp
                    || near(outer.0, outer.1)
                        && near(inner.0, inner.1)
                        && near(outer.0, inner.0 + width)
            })
    }

    /// Adds the outline clockwise, from the end of the top left corner on.
    fn push_to(&self, path: &mut PathBuilder, map: Affine, cut: Cut) {
        if self.is_empty() {
            return;
        }
        let Self {
            left,
            top,
            right,
            bottom,
            ..
        } = *self;
        if !self.is_round() {
            if let Some(rect) = Rect::from_ltrb(left, top, right, bottom) {
                path.push_rect(rect);
            }
            return;
        }
        let [tl, tr, br, bl] = self.radii;
        path.move_to(left + tl.0, top);
        path.line_to(right - tr.0, top);
        corner(
            path,
            map,
            cut,
            (right - tr.0, top + tr.1),
            (0.0, -tr.1),
            (tr.0, 0.0),
        );
        path.line_to(right, bottom - br.1);
        corner(
            path,
            map,
            cut,
            (right - br.0, bottom - br.1),
            (br.0, 0.0),
            (0.0, br.1),
        );
        path.line_to(left + bl.0, bottom);
        corner(
            path,
            map,
            cut,
            (left + bl.0, bottom - bl.1),
            (0.0, bl.1),
            (-bl.0, 0.0),
        );
        path.line_to(left, top + tl.1);
        corner(
            path,
            map,
            cut,
            (left + tl.0, top + tl.1),
            (-tl.0, 0.0),
            (0.0, -tl.1),
        );
        path.close();
    }

    /// Where neighbouring corners would overlap, all radii shrink alike.
    fn fit(&mut self) {
        let [tl, tr, br, bl] = self.radii;
        let (width, height) = (self.width(), self.height());
        let fits = |sum: f32, side: f32| if sum > side { side / sum } else { 1.0 };
        let shrink = fits(tl.0 + tr.0, width)
            .min(fits(bl.0 + br.0, width))
            .min(fits(tl.1 + bl.1, height))
            .min(fits(tr.1 + br.1, height));
        if shrink < 1.0 {
            self.radii = self.radii.map(|(x, y)| (x * shrink, y * shrink));
        }
    }
}

/// How finely browsers cut round corners.
#[derive(Clone, Copy)]
enum Cut {
    /// An area: in twice as many parts for each quarter of what one is off.
    Filled,
    /// A line of even width: by what parts are really off.
    Stroked,
}

/// Adds a quarter of an ellipse about a centre, between two of its half axes: as many parabolas as
/// browsers make of it where it is seen.
fn corner(
    path: &mut PathBuilder,
    map: Affine,
    cut: Cut,
    center: (f32, f32),
    from: (f32, f32),
    to: (f32, f32),
) {
    /// How far one parabola is off, as a share of the radius.
    const OFF: f32 = 0.042_893_22;
    /// What may be off in the end, in pixels.
    const TOLERANCE: f32 = 0.25;
    const MOST_HALVINGS: u32 = 5;
    if from == (0.0, 0.0) || to == (0.0, 0.0) {
        return;
    }
    let (x, y) = (from.0 + to.0, from.1 + to.1);
    let mut off = OFF * (map.a * x + map.c * y).hypot(map.b * x + map.d * y);
    let mut halvings = 0;
    let gain = match cut {
        Cut::Filled => 4.0,
        Cut::Stroked => 17.0,
    };
    while off > TOLERANCE && halvings < MOST_HALVINGS {
        off /= gain;
        halvings += 1;
    }
    let parts = 1u32 << halvings;
    let half = std::f32::consts::FRAC_PI_4 / parts as f32;
    let at = |angle: f32, reach: f32| {
        let (sin, cos) = angle.sin_cos();
        let (sin, cos) = (sin * reach, cos * reach);
        (
            center.0 + from.0 * cos + to.0 * sin,
            center.1 + from.1 * cos + to.1 * sin,
        )
    };
    for part in 0..parts {
        let middle = half * (2 * part + 1) as f32;
        let (hx, hy) = at(middle, 1.0 / half.cos());
        let (x, y) = if part + 1 == parts {
            (center.0 + to.0, center.1 + to.1)
        } else {
            at(middle + half, 1.0)
        };
        path.quad_to(hx, hy, x, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(radius: f32) -> RoundedBox {
        RoundedBox::new([0.0, 0.0, 100.0, 60.0], [(radius, radius); 4])
    }

    #[test]
    fn corners_inside_a_border_are_tighter() {
        let inner = rounded(20.0).inset([4.0, 30.0, 4.0, 8.0]);
        assert_eq!(inner.rect(), [8.0, 4.0, 70.0, 56.0]);
        assert_eq!(inner.radii[0], (12.0, 16.0));
        assert_eq!(inner.radii[1], (0.0, 0.0), "wider than the corner");
    }

    #[test]
    fn small_corners_grow_less_than_their_shadow() {
        assert_eq!(rounded(20.0).spread(10.0).radii[0], (30.0, 30.0));
        assert_eq!(rounded(0.0).spread(10.0).radii[0], (0.0, 0.0));
        let (x, _) = rounded(5.0).spread(10.0).radii[0];
        assert!((x - 13.75).abs() < 1e-4, "{x}");
        assert_eq!(rounded(20.0).spread(-5.0).radii[0], (15.0, 15.0));
    }

    #[test]
    fn a_box_that_is_all_border_is_empty() {
        let nothing = rounded(5.0).inset([40.0; 4]);
        assert!(nothing.is_empty() && nothing.path(Affine::IDENTITY).is_none());
    }
}
