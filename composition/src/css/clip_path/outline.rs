//! Outlines of lines and curves.

use crate::css::Radii;

/// Which points of an outline that crosses itself are inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in CSS")]
pub enum FillRule {
    #[default]
    NonZero,
    EvenOdd,
}

/// One step of an outline, in pixels of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "named as in vector graphics everywhere")]
pub enum PathStep {
    MoveTo(f32, f32),
    LineTo(f32, f32),
    QuadTo(f32, f32, f32, f32),
    CubicTo(f32, f32, f32, f32, f32, f32),
    Close,
}

/// An outline on a box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// What counts as inside.
    pub rule: FillRule,
    /// Its steps; none means that nothing is inside.
    pub steps: Vec<PathStep>,
}

/// How far the handles of a quarter ellipse reach.
const KAPPA: f32 = 0.552_284_8;

impl Outline {
    /// A box with rounded corners: left, top, width, height.
    pub(super) fn rounded([x, y, width, height]: [f32; 4], radii: &Radii) -> Self {
        let [tl, tr, br, bl] = *radii;
        let (right, bottom) = (x + width, y + height);
        let k = 1.0 - KAPPA;
        let mut steps = vec![
            PathStep::MoveTo(x + tl.0, y),
            PathStep::LineTo(right - tr.0, y),
        ];
        let corner = |steps: &mut Vec<PathStep>, radius: (f32, f32), curve: PathStep| {
            if radius.0 > 0.0 && radius.1 > 0.0 {
                steps.push(curve);
            }
        };
        corner(
            &mut steps,
            tr,
            PathStep::CubicTo(right - tr.0 * k, y, right, y + tr.1 * k, right, y + tr.1),
        );
        steps.push(PathStep::LineTo(right, bottom - br.1));
        corner(
            &mut steps,
            br,
            PathStep::CubicTo(
                right,
                bottom - br.1 * k,
                right - br.0 * k,
                bottom,
                right - br.0,
                bottom,
            ),
        );
        steps.push(PathStep::LineTo(x + bl.0, bottom));
        corner(
            &mut steps,
            bl,
            PathStep::CubicTo(x + bl.0 * k, bottom, x, bottom - bl.1 * k, x, bottom - bl.1),
        );
        steps.push(PathStep::LineTo(x, y + tl.1));
        corner(
            &mut steps,
            tl,
            PathStep::CubicTo(x, y + tl.1 * k, x + tl.0 * k, y, x + tl.0, y),
        );
        steps.push(PathStep::Close);
        Self {
            rule: FillRule::NonZero,
            steps,
        }
    }

    /// An ellipse; nothing where a radius is not positive.
    pub(super) fn ellipse((x, y): (f32, f32), (rx, ry): (f32, f32)) -> Self {
        if !(rx > 0.0 && ry > 0.0) {
            return Self::default();
        }
        let area = [x - rx, y - ry, rx * 2.0, ry * 2.0];
        Self::rounded(area, &[(rx, ry); 4])
    }
}
