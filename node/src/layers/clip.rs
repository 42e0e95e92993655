//! Content that may not leave its box.

use kinora_composition::timeline::{BoxStyle, Size};

use super::boxes::model::BoxModel;
use super::easel::Easel;

/// Wipes what was painted outside the inner edge of a box's border.
pub(super) fn clip_to_padding_box(easel: &mut Easel, style: &BoxStyle, size: Size) {
    let model = BoxModel::new(style, size, easel.map);
    let extent = (easel.pixmap.width(), easel.pixmap.height());
    let mask = easel.box_mask(&model.padding);
    let row = extent.0 as usize * 4;
    for (y, pixels) in easel.pixmap.data_mut().chunks_exact_mut(row).enumerate() {
        let covered = mask
            .as_ref()
            .and_then(|mask| Some((mask.left * 4, mask.row(y)?)));
        let Some((left, coverage)) = covered else {
            pixels.fill(0);
            continue;
        };
        pixels[..left].fill(0);
        pixels[left + coverage.len() * 4..].fill(0);
        let (inside, _) = pixels[left..].as_chunks_mut::<4>();
        for (pixel, coverage) in inside.iter_mut().zip(coverage) {
            if *coverage < 255 {
                let share = f32::from(*coverage) / 255.0;
                *pixel = pixel.map(|channel| (f32::from(channel) * share + 0.5) as u8);
            }
        }
    }
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
        let pixel = |x, y| easel.pixmap.pixel(x, y);
        let alpha = |x, y| pixel(x, y).map(tiny_skia::PremultipliedColorU8::alpha);
        assert_eq!([alpha(1, 5), alpha(2, 5)], [Some(0), Some(255)]);
        assert_eq!([alpha(17, 7), alpha(18, 7)], [Some(255), Some(0)]);
        assert_eq!([alpha(9, 1), alpha(9, 8)], [Some(0), Some(0)]);
    }
}
