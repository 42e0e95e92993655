//! Dashed and dotted borders.

use kinora_composition::css::{BorderSide, BorderStyle};
use tiny_skia::{LineCap, Path, PathBuilder, Stroke, StrokeDash, Transform};

use super::border::wedges;
use super::model::BoxModel;
use crate::layers::easel::Easel;
use crate::raster::{Mask, flatten, paint_color};

/// More dashes than this are never drawn on a side.
const MOST_DASHES: f32 = 4096.0;

/// Paints the dashes of the sides that are `here`.
pub(super) fn paint(easel: &mut Easel, sides: [BorderSide; 4], here: [bool; 4], model: &BoxModel) {
    let is_round = model.border.is_round();
    let is_uniform = here == [true; 4] && sides.iter().all(|side| *side == sides[0]);
    if is_round && is_uniform {
        if let Some(mask) = around(easel, sides[0], model) {
            paint_color(&mut easel.pixmap, &mask, sides[0].color);
        }
        return;
    }
    let wedges = wedges(&model.border, sides.map(|side| side.width));
    for (index, side) in sides.iter().enumerate().filter(|(index, _)| here[*index]) {
        let dashes = if is_round {
            around(easel, *side, model)
        } else {
            straight(easel, index, *side, model)
        };
        let wedge = wedges[index].as_ref().and_then(|wedge| easel.mask(wedge));
        // Only neighbours that are drawn otherwise cut a side off.
        let is_free =
            is_uniform || !is_round && sides.iter().all(|other| other.style == side.style);
        let mask = match (dashes, wedge) {
            (Some(dashes), _) if is_free && !is_round => Some(dashes),
            (Some(dashes), Some(wedge)) => dashes.within(&wedge),
            _ => None,
        };
        if let Some(mask) = mask {
            paint_color(&mut easel.pixmap, &mask, side.color);
        }
    }
}

/// Dashes along the middle of a border with rounded corners.
fn around(easel: &Easel, side: BorderSide, model: &BoxModel) -> Option<Mask> {
    let middle = model.border.inset([side.width / 2.0; 4]);
    let path = middle.path(easel.map)?;
    let length = length_of(&path);
    stroked(easel, &path, side, length, true)
}

/// Dashes along a straight side, from corner to corner.
fn straight(easel: &Easel, index: usize, side: BorderSide, model: &BoxModel) -> Option<Mask> {
    let [left, top, right, bottom] = model.border.rect();
    let half = side.width / 2.0;
    // Dots have their centres on the line, dashes their ends.
    let end = if is_dotted(side) { half } else { 0.0 };
    let (from, to) = match index {
        0 => ((left + end, top + half), (right - end, top + half)),
        1 => ((right - half, top + end), (right - half, bottom - end)),
        2 => ((left + end, bottom - half), (right - end, bottom - half)),
        _ => ((left + half, top + end), (left + half, bottom - end)),
    };
    let mut path = PathBuilder::new();
    path.move_to(from.0, from.1);
    path.line_to(to.0, to.1);
    let length = (to.0 - from.0).abs() + (to.1 - from.1).abs();
    stroked(easel, &path.finish()?, side, length, false)
}

/// Whether a side shows round dots; small ones are square.
fn is_dotted(side: BorderSide) -> bool {
    side.style == BorderStyle::Dotted && side.width >= 3.0
}

fn stroked(
    easel: &Easel,
    path: &Path,
    side: BorderSide,
    length: f32,
    is_closed: bool,
) -> Option<Mask> {
    /// A dot is a dash of no length with round ends.
    const NO_LENGTH: f32 = 1e-3;
    let width = side.width;
    let (dash, gap, cap) = if is_dotted(side) {
        let between = best_gap(
            length + if is_closed { 0.0 } else { width },
            width,
            width,
            is_closed,
        );
        (
            NO_LENGTH,
            (between + width - NO_LENGTH).max(NO_LENGTH),
            LineCap::Round,
        )
    } else {
        let (dash, gap) = match side.style {
            BorderStyle::Dotted => (width, width),
            _ if width >= 3.0 => (2.0 * width, width),
            _ => (3.0 * width, 2.0 * width),
        };
        (dash, best_gap(length, dash, gap, is_closed), LineCap::Butt)
    };
    if length / (dash + gap) > MOST_DASHES {
        return None;
    }
    let stroke = Stroke {
        width,
        line_cap: cap,
        dash: StrokeDash::new(vec![dash, gap], 0.0),
        ..Stroke::default()
    };
    let dashed = match &stroke.dash {
        Some(dash) => path.dash(dash, 1.0)?,
        None => path.clone(),
    };
    easel.mask(&dashed.stroke(&stroke, 4.0)?)
}

/// The gap nearest to the wanted one with which dashes start and end a line, or close a loop.
fn best_gap(length: f32, dash: f32, gap: f32, is_closed: bool) -> f32 {
    let available = if is_closed { length } else { length + gap };
    let fewer = (available / (dash + gap)).floor().max(1.0);
    let gap_for = |dashes: f32| {
        let gaps = if is_closed { dashes } else { dashes - 1.0 };
        if gaps > 0.0 {
            (length - dashes * dash) / gaps
        } else {
            f32::INFINITY
        }
    };
    let (wide, narrow) = (gap_for(fewer), gap_for(fewer + 1.0));
    let best = if narrow <= 0.0 || (wide - gap).abs() < (narrow - gap).abs() {
        wide
    } else {
        narrow
    };
    if best.is_finite() {
        best.max(0.0)
    } else {
        length.max(gap)
    }
}

fn length_of(path: &Path) -> f32 {
    let mut length = 0.0;
    flatten(path, Transform::identity(), |from, to| {
        length += (to.x - from.x).hypot(to.y - from.y);
    });
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_stretch_so_that_lines_end_in_dashes() {
        // 137 = 8 dashes of 12 and 7 gaps of 5.857.
        let gap = best_gap(137.0, 12.0, 6.0, false);
        assert!((gap - 41.0 / 7.0).abs() < 1e-4, "{gap}");
        assert_eq!(best_gap(40.0, 4.0, 4.0, true), 4.0);
        assert!(best_gap(3.0, 12.0, 6.0, false) >= 3.0, "one dash");
    }
}
