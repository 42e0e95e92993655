//! Content that may not leave its box.

use kinora_composition::timeline::{BoxStyle, Size};
use tiny_skia::{FillRule, Mask};

use super::easel::Easel;
use super::paint::rounded_box;
use super::snap::snapped;

/// Wipes what was painted outside the inner edge of a box's border.
pub(super) fn clip_to_padding_box(easel: &mut Easel, style: &BoxStyle, size: Size) {
    let [left, top, right, bottom] = snapped([0.0, 0.0, size.width, size.height], easel.map);
    let widths = style.border.widths();
    let inner = [
        left + widths[3],
        top + widths[0],
        (right - widths[1]).max(left + widths[3]),
        (bottom - widths[2]).max(top + widths[0]),
    ];
    let [tl, tr, br, bl] = style.radii.resolve(right - left, bottom - top);
    let shrunk = |(x, y): (f32, f32), dx: f32, dy: f32| ((x - dx).max(0.0), (y - dy).max(0.0));
    let radii = [
        shrunk(tl, widths[3], widths[0]),
        shrunk(tr, widths[1], widths[0]),
        shrunk(br, widths[1], widths[2]),
        shrunk(bl, widths[3], widths[2]),
    ];
    let mask = Mask::new(easel.pixmap.width(), easel.pixmap.height());
    let (width, height) = (inner[2] - inner[0], inner[3] - inner[1]);
    let path = rounded_box(inner[0], inner[1], width, height, &radii);
    let (Some(mut mask), Some(path)) = (mask, path) else {
        easel.pixmap.data_mut().fill(0);
        return;
    };
    mask.fill_path(&path, FillRule::Winding, true, easel.transform());
    easel.pixmap.apply_mask(&mask);
}

#[cfg(test)]
mod tests {
    use kinora_composition::css::{Border, BorderSide};

    use super::*;
    use crate::layers::easel::View;

    #[test]
    fn nothing_is_left_on_the_border() {
        let size = Size {
            width: 20.0,
            height: 10.0,
        };
        let view = View::plain(size, 0);
        let mut easel = Easel::new(&view, [0.0, 0.0, 20.0, 10.0])
            .expect("small")
            .expect("in view");
        easel.pixmap.data_mut().fill(255);
        let style = BoxStyle {
            border: Border::all(BorderSide {
                width: 2.0,
                ..BorderSide::default()
            }),
            ..BoxStyle::default()
        };
        clip_to_padding_box(&mut easel, &style, size);
        let alpha = |x, y| easel.pixmap.pixel(x, y).map(|pixel| pixel.alpha());
        assert_eq!([alpha(1, 5), alpha(2, 5)], [Some(0), Some(255)]);
        assert_eq!([alpha(17, 7), alpha(18, 7)], [Some(255), Some(0)]);
        assert_eq!([alpha(9, 1), alpha(9, 8)], [Some(0), Some(0)]);
    }
}
