//! The check of fitted text: all ink is inside the boxes of text, none is cut off, and boxes are filled.

use serde_json::Value;

use crate::picture::Picture;

/// A pixel further from the plain canvas is ink.
const INK: u8 = 48;
/// Share of its limiting dimension that text has to fill.
const FILLED: f64 = 0.6;
/// Ink in so many pixels of an edge is an antialiased touch, not a cut.
const TOUCH: usize = 2;

/// What is wrong with fitted text; nothing, if it is as asked.
pub(crate) fn complaints(composition: &Value, reference: &Picture, got: &Picture) -> Vec<String> {
    if reference.size() != got.size() {
        return vec!["another size than the reference".into()];
    }
    let ink = Ink::of(composition, got);
    let wanted = Ink::of(composition, reference);
    let boxes = text_boxes(composition);
    let mut complaints = Vec::new();
    let outside = ink.outside(&boxes);
    if outside > 0 {
        complaints.push(format!("{outside} pixels of ink outside the boxes"));
    }
    for (number, place) in (1..).zip(&boxes) {
        let found = ink.inside(place);
        // Wrapped text always fills the width, which says nothing where the height limits.
        let is_limited_by_height = wanted.inside(place).height >= FILLED;
        let filled = if is_limited_by_height {
            found.height
        } else {
            found.width.max(found.height)
        };
        if filled < FILLED {
            complaints.push(format!("box {number} is filled to {:.0}%", filled * 100.0));
        }
        if found.is_cut {
            complaints.push(format!("text is cut off in box {number}"));
        }
    }
    complaints
}

/// Left, top, right, bottom in whole pixels.
type Place = [i64; 4];

fn text_boxes(composition: &Value) -> Vec<Place> {
    let overlays = composition["overlays"].as_array();
    let texts = overlays.into_iter().flatten();
    texts
        .filter(|overlay| overlay["type"] == "text")
        .map(|overlay| {
            let number = |field: &str| overlay[field].as_f64().unwrap_or_default();
            let (left, top) = (number("left"), number("top"));
            [left, top, left + number("width"), top + number("height")]
                .map(|edge| edge.round() as i64)
        })
        .collect()
}

struct Ink {
    width: i64,
    height: i64,
    marks: Vec<bool>,
}

struct Filled {
    width: f64,
    height: f64,
    is_cut: bool,
}

impl Ink {
    fn of(composition: &Value, picture: &Picture) -> Self {
        let plain = composition["backgroundColor"]
            .as_str()
            .and_then(kinora_composition::css::Color::parse)
            .map_or([255; 3], |colour| {
                let [r, g, b, _] = colour.to_bytes();
                [r, g, b]
            });
        let (width, height) = picture.size();
        let differs = |pixel: [u8; 3]| (0..3).any(|c| pixel[c].abs_diff(plain[c]) > INK);
        Self {
            width: i64::from(width),
            height: i64::from(height),
            marks: picture.pixels().map(differs).collect(),
        }
    }

    fn is_at(&self, x: i64, y: i64) -> bool {
        self.marks[(y * self.width + x) as usize]
    }

    fn outside(&self, boxes: &[Place]) -> usize {
        const TOLERANCE: i64 = 1;
        let is_free = |x: i64, y: i64| {
            !boxes.iter().any(|[left, top, right, bottom]| {
                (left - TOLERANCE..right + TOLERANCE).contains(&x)
                    && (top - TOLERANCE..bottom + TOLERANCE).contains(&y)
            })
        };
        (0..self.height)
            .flat_map(|y| (0..self.width).map(move |x| (x, y)))
            .filter(|(x, y)| self.is_at(*x, *y) && is_free(*x, *y))
            .count()
    }

    fn inside(&self, [left, top, right, bottom]: &Place) -> Filled {
        let columns = (*left).max(0)..(*right).min(self.width);
        let rows = (*top).max(0)..(*bottom).min(self.height);
        let in_row = |y: i64| columns.clone().filter(|x| self.is_at(*x, y)).count();
        let in_column = |x: i64| rows.clone().filter(|y| self.is_at(x, *y)).count();
        let share = |inked: Vec<i64>, length: usize| match (inked.first(), inked.last()) {
            (Some(first), Some(last)) => (last - first + 1) as f64 / length.max(1) as f64,
            _ => 0.0,
        };
        let edge_row = |y: i64| rows.contains(&y) && in_row(y) > TOUCH;
        let edge_column = |x: i64| columns.contains(&x) && in_column(x) > TOUCH;
        Filled {
            width: share(
                columns.clone().filter(|x| in_column(*x) > 0).collect(),
                columns.clone().count(),
            ),
            height: share(
                rows.clone().filter(|y| in_row(*y) > 0).collect(),
                rows.clone().count(),
            ),
            is_cut: edge_row(rows.start)
                || edge_row(rows.end - 1)
                || (edge_column(columns.start) && edge_column(columns.end - 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn composition() -> Value {
        json!({ "backgroundColor": "#ffffff", "overlays": [
            { "type": "text", "left": 10, "top": 10, "width": 40, "height": 20 },
        ]})
    }

    fn inked(left: u32, top: u32, width: u32, height: u32) -> Picture {
        let mut picture = Picture::plain(60, 40, [255; 3]);
        for y in top..top + height {
            for x in left..left + width {
                picture.set(x, y, [0; 3]);
            }
        }
        picture
    }

    #[test]
    fn text_that_fills_its_box_is_as_asked() {
        let reference = inked(12, 12, 36, 16);
        assert!(complaints(&composition(), &reference, &inked(12, 13, 30, 13)).is_empty());
    }

    #[test]
    fn text_that_is_small_or_cut_or_outside_is_not() {
        let reference = inked(12, 12, 36, 16);
        for (got, words) in [
            (inked(12, 15, 36, 6), "filled to 30%"),
            (inked(12, 10, 36, 16), "cut off"),
            (inked(12, 12, 36, 26), "outside"),
            (Picture::plain(60, 40, [255; 3]), "filled to 0%"),
        ] {
            let found = complaints(&composition(), &reference, &got).join(", ");
            assert!(found.contains(words), "{found}");
        }
    }

    #[test]
    fn a_box_beyond_the_canvas_is_no_panic() {
        let composition = json!({ "overlays": [
            { "type": "text", "left": -500, "top": 90, "width": 40, "height": 20 },
        ]});
        let picture = inked(0, 0, 1, 1);
        assert_eq!(complaints(&composition, &picture, &picture).len(), 2);
    }
}
