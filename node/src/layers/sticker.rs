//! Sticker overlays: drawings, painted as vectors wherever they will be seen, and emoji of the font.

mod drawing;
mod emoji;

use kinora_composition::timeline::{Affine, Size, StickerBox, StickerPicture};

use super::easel::{HostStill, View};
use crate::Result;
use crate::text::Typesetter;

/// Rasters a sticker.
pub(super) fn raster(
    typesetter: &mut Typesetter,
    sticker: &StickerBox,
    view: &View,
) -> Result<Option<HostStill>> {
    match &sticker.picture {
        StickerPicture::Drawing(svg) => drawing::raster(svg, sticker, view),
        StickerPicture::Emoji(block) => emoji::raster(typesetter, block, sticker, view),
    }
}

/// Puts a picture of this size into the box of a sticker: as large as fits, in the middle, grown by
/// the sticker's own scale. `None` where nothing would be left of it.
fn fit(picture: Size, sticker: &StickerBox) -> Option<Affine> {
    let (width, height) = (sticker.size.width, sticker.size.height);
    let factor = (width / picture.width).min(height / picture.height) * sticker.scale;
    (factor.is_normal() && factor > 0.0 && factor < LARGEST_FACTOR).then(|| {
        Affine::translate(width / 2.0, height / 2.0)
            .then_inner(Affine::scale(factor, factor))
            .then_inner(Affine::translate(
                -picture.width / 2.0,
                -picture.height / 2.0,
            ))
    })
}

/// Beyond this nothing of a picture could be told on any canvas.
const LARGEST_FACTOR: f32 = 1e5;

#[cfg(test)]
mod tests {
    use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

    use kinora_composition::document::Composition;
    use kinora_composition::stickers::{drawn_sticker_ids, named_emoji_ids};
    use kinora_composition::timeline::{Content, Scene};
    use serde_json::{Value, json};
    use tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

    use super::*;
    use crate::text::{FontBook, find_font_folder};

    /// Fonts are read once for all tests.
    fn typesetter() -> MutexGuard<'static, Typesetter> {
        static TYPESETTER: LazyLock<Mutex<Typesetter>> = LazyLock::new(|| {
            let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fonts"));
            let folder = find_font_folder(Some(root)).expect("fonts");
            Mutex::new(Typesetter::new(FontBook::open(&folder).expect("fonts")))
        });
        TYPESETTER.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn boxed(id: &str, [width, height]: [f64; 2], styles: &Value) -> StickerBox {
        let document = json!({ "durationInFrames": 1, "overlays": [{
            "id": 1, "type": "sticker", "content": id, "from": 0, "durationInFrames": 1, "row": 0,
            "left": 0, "top": 0, "width": width, "height": height, "styles": styles }] });
        let (composition, _) = Composition::from_json(&document).expect("valid");
        let plan = Scene::new(Arc::new(composition)).plan(0);
        match &plan.layers[0].content {
            Content::Sticker(sticker) => (**sticker).clone(),
            other => panic!("{other:?}"),
        }
    }

    fn drawn(id: &str, size: [f64; 2], styles: &Value) -> Option<HostStill> {
        let sticker = boxed(id, size, styles);
        let view = View::plain(sticker.size, 64);
        raster(&mut typesetter(), &sticker, &view).expect("drawn")
    }

    /// Left, top, right and bottom of what was painted.
    fn ink(still: &HostStill) -> [i32; 4] {
        let (x, y) = still.at;
        let (width, height) = (still.pixels.width() as i32, still.pixels.height() as i32);
        [x, y, x + width, y + height]
    }

    #[test]
    fn every_drawing_fills_its_box_and_stays_inside() {
        for id in drawn_sticker_ids() {
            let still = drawn(id, [200.0, 200.0], &json!({})).expect("something to see");
            let [left, top, right, bottom] = ink(&still);
            let inside = left >= -1 && top >= -1 && right <= 201 && bottom <= 201;
            assert!(inside, "{id}: {:?}", ink(&still));
            let longer = (right - left).max(bottom - top);
            assert!(longer >= 164, "{id}: {longer}");
        }
    }

    #[test]
    fn every_drawing_changes_with_fill_and_with_stroke() {
        for id in drawn_sticker_ids() {
            let own = drawn(id, [120.0, 120.0], &json!({})).expect("seen");
            for styles in [
                json!({ "fill": "#00ff88" }),
                json!({ "stroke": "#0011ff", "strokeWidth": 6 }),
            ] {
                let other = drawn(id, [120.0, 120.0], &styles).expect("seen");
                let is_same = own.at == other.at && own.pixels.data() == other.pixels.data();
                assert!(!is_same, "{id} {styles}");
            }
        }
    }

    #[test]
    fn proportions_are_kept_in_the_middle_of_the_box() {
        let wide = drawn("shape-hexagon", [400.0, 100.0], &json!({})).expect("seen");
        let [left, top, right, bottom] = ink(&wide);
        assert!((left + right - 400).abs() <= 2 && (top + bottom - 100).abs() <= 2);
        assert!(right - left <= 100);
        let row = drawn("review-stars-5", [320.0, 320.0], &json!({})).expect("seen");
        let [left, top, right, bottom] = ink(&row);
        assert!(right - left > 300 && bottom - top < 70, "{:?}", ink(&row));
        assert!((top + bottom - 320).abs() <= 6);
    }

    #[test]
    fn scale_grows_about_the_centre() {
        let once = ink(&drawn("shape-hexagon", [60.0, 60.0], &json!({})).expect("seen"));
        let twice =
            ink(&drawn("shape-hexagon", [60.0, 60.0], &json!({ "scale": 2 })).expect("seen"));
        assert!(((twice[2] - twice[0]) - 2 * (once[2] - once[0])).abs() <= 3);
        assert!((twice[0] + twice[2] - 60).abs() <= 2 && twice[0] < 0);
        assert!(drawn("shape-hexagon", [60.0, 60.0], &json!({ "scale": 0 })).is_none());
    }

    #[test]
    fn an_outline_is_as_wide_in_pixels_as_asked_for_at_any_size() {
        for side in [100.0, 400.0] {
            let styles = json!({ "stroke": "#0000ff", "strokeWidth": 12, "fill": "#ff0000" });
            let still = drawn("default-play", [side, side], &styles).expect("seen");
            let row = still.pixels.height() / 2;
            let blue = (0..still.pixels.width() / 4)
                .filter_map(|x| still.pixels.pixel(x, row))
                .filter(|pixel| pixel.blue() > 128 && pixel.red() < 128)
                .count();
            assert!((11..=13).contains(&blue), "{side}: {blue}");
        }
    }

    #[test]
    fn turned_drawings_are_painted_turned() {
        let sticker = boxed("shape-star", [100.0, 100.0], &json!({}));
        let view = View {
            to_picture: Affine::translate(50.0, 50.0)
                .then_inner(Affine::rotate(45.0).about(50.0, 50.0)),
            limits: [0, 0, 200, 200],
        };
        let turned = raster(&mut typesetter(), &sticker, &view).expect("drawn");
        let plain = drawn("shape-star", [100.0, 100.0], &json!({})).expect("seen");
        let turned = turned.expect("seen");
        let weight = |still: &HostStill| -> u64 {
            still
                .pixels
                .pixels()
                .iter()
                .map(|pixel| u64::from(pixel.alpha()))
                .sum()
        };
        let ratio = weight(&turned) as f64 / weight(&plain) as f64;
        assert!((0.98..1.02).contains(&ratio), "{ratio}");
        assert_ne!(turned.pixels.data(), plain.pixels.data());
    }

    #[test]
    fn emoji_are_pictures_in_the_middle_of_their_box() {
        for id in named_emoji_ids()
            .step_by(9)
            .chain(["emoji-1f468-200d-1f4bb", "emoji-31-fe0f-20e3"])
        {
            for side in [24.0, 96.0, 500.0] {
                let still = drawn(id, [2.0 * side, side], &json!({})).expect("seen");
                let [left, top, right, bottom] = ink(&still);
                let side = side as i32;
                assert!(
                    (left + right - 2 * side).abs() <= 3 && (top + bottom - side).abs() <= 3,
                    "{id}"
                );
                assert!(
                    (right - left).max(bottom - top) >= side - 2,
                    "{id}: {:?}",
                    ink(&still)
                );
                assert!(top >= -1 && bottom <= side + 1, "{id}: {:?}", ink(&still));
                let is_colourful = still.pixels.pixels().iter().any(|p| p.red() != p.blue());
                assert!(is_colourful, "{id}");
            }
        }
    }

    #[test]
    fn extremes_do_not_panic() {
        for id in ["shape-star", "emoji-1f680"] {
            for size in [
                [1e-6, 1e-6],
                [1e30, 1.0],
                [100_000.0, 100_000.0],
                [3e38, 3e38],
            ] {
                for scale in [1e-30, 1.0, 1e30] {
                    let styles = json!({ "scale": scale, "strokeWidth": 1e30, "stroke": "red" });
                    let sticker = boxed(id, size, &styles);
                    let view = View {
                        to_picture: Affine::IDENTITY,
                        limits: [0, 0, 64, 64],
                    };
                    raster(&mut typesetter(), &sticker, &view).expect("drawn or not");
                }
            }
        }
    }

    /// Draws the whole set at several sizes on light and dark, to be looked at: `target/stickers.png`.
    #[test]
    fn every_sticker_has_something_to_show() {
        let (cell, columns) = (172u32, 12u32);
        let mut typesetter = typesetter();
        let ids: Vec<&str> = drawn_sticker_ids()
            .chain(named_emoji_ids().step_by(5))
            .collect();
        let rows = (ids.len() as u32).div_ceil(columns);
        let mut sheet = Pixmap::new(columns * cell, 2 * rows * cell).expect("small");
        sheet.fill(Color::from_rgba8(246, 246, 248, 255));
        let dark = tiny_skia::Rect::from_xywh(
            0.0,
            (rows * cell) as f32,
            (columns * cell) as f32,
            (rows * cell) as f32,
        );
        let mut paint = tiny_skia::Paint::default();
        paint.set_color_rgba8(20, 21, 28, 255);
        sheet.fill_rect(
            dark.expect("a rectangle"),
            &paint,
            Transform::identity(),
            None,
        );
        for (index, id) in ids.iter().enumerate() {
            for half in 0..2 {
                let at = (
                    index as u32 % columns * cell,
                    (half * rows + index as u32 / columns) * cell,
                );
                for (side, x, y) in [(120.0, 6, 6), (40.0, 128, 128)] {
                    let sticker = boxed(id, [side, side], &json!({}));
                    let view = View::plain(sticker.size, 8);
                    let still = raster(&mut typesetter, &sticker, &view).expect("drawn");
                    let still = still.unwrap_or_else(|| panic!("{id} shows nothing"));
                    let (x, y) = (at.0 as i32 + x + still.at.0, at.1 as i32 + y + still.at.1);
                    let (pixels, plain) = (still.pixels.as_ref(), PixmapPaint::default());
                    sheet.draw_pixmap(x, y, pixels, &plain, Transform::identity(), None);
                }
            }
        }
        sheet
            .save_png(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../target/stickers.png"
            ))
            .expect("written");
    }
}
