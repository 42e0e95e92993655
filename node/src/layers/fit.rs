//! How a picture sits in its box.

use kinora_composition::document::ObjectFit;
use kinora_composition::timeline::{Affine, Layer, MediaBox, Size};

use super::frame::ContentBox;
use super::snap::snapped;
use crate::gpu::{Clip, Placement};

/// A source in the box of its layer.
pub(super) struct Fit {
    /// The part of the source that is seen, in its own pixels: left, top, right, bottom.
    pub(super) window: [f32; 4],
    /// Where that part goes in the box, beyond which it may reach: left, top, right, bottom.
    pub(super) rect: [f32; 4],
    /// What is left of it.
    pub(super) clip: Clip,
}

/// Where a source of this size goes: fitted into its layer's box, drifted, and clipped to it.
pub(super) fn place(layer: &Layer, media: &MediaBox, drift: Affine, size: (f32, f32)) -> Placement {
    let Fit { window, rect, clip } = fit(layer, media, size);
    let to_box = Affine::translate(rect[0], rect[1])
        .then_inner(Affine::scale(
            (rect[2] - rect[0]) / (window[2] - window[0]),
            (rect[3] - rect[1]) / (window[3] - window[1]),
        ))
        .then_inner(Affine::translate(-window[0], -window[1]));
    Placement {
        to_target: layer.transform.then_inner(drift).then_inner(to_box),
        window,
        clip,
        opacity: layer.opacity,
    }
}

/// Fits a source of this size into its layer's box.
pub(super) fn fit(
    layer: &Layer,
    media: &MediaBox,
    (source_width, source_height): (f32, f32),
) -> Fit {
    let content = ContentBox::new(&media.frame, layer.size);
    let [crop_x, crop_y, crop_width, crop_height] = media.crop.unwrap_or([0.0, 0.0, 1.0, 1.0]);
    let (left, top) = (crop_x * source_width, crop_y * source_height);
    let (width, height) = (
        (crop_width * source_width).max(1e-3),
        (crop_height * source_height).max(1e-3),
    );
    // Where edges lie on whole pixels: those of the canvas, if the box will stay there unturned.
    let seen_from = layer
        .transform
        .as_affine()
        .filter(|map| layer.is_settled && map.is_translation())
        .unwrap_or(Affine::rotate(90.0));
    let [box_left, box_top, box_right, box_bottom] = snapped(
        [
            content.left,
            content.top,
            content.left + content.width,
            content.top + content.height,
        ],
        seen_from,
    );
    Fit {
        window: [left, top, left + width, top + height],
        rect: snapped(fitted(&content, media, width, height), seen_from),
        clip: Clip {
            to_target: layer
                .transform
                .then_inner(Affine::translate(box_left, box_top)),
            size: Size {
                width: box_right - box_left,
                height: box_bottom - box_top,
            },
            radii: content.radii,
        },
    }
}

/// The rectangle of the box that a source of this size fills, parts beyond the box included.
fn fitted(content: &ContentBox, media: &MediaBox, width: f32, height: f32) -> [f32; 4] {
    let (across, down) = (content.width / width, content.height / height);
    let (scale_x, scale_y) = match media.fit {
        ObjectFit::Fill => (across, down),
        ObjectFit::Contain => (across.min(down), across.min(down)),
        ObjectFit::Cover => (across.max(down), across.max(down)),
        ObjectFit::None => (1.0, 1.0),
        ObjectFit::ScaleDown => (across.min(down).min(1.0), across.min(down).min(1.0)),
    };
    let (width, height) = (layout_unit(width * scale_x), layout_unit(height * scale_y));
    let x = content.left + layout_unit(media.position.x.resolve(content.width - width));
    let y = content.top + layout_unit(media.position.y.resolve(content.height - height));
    [x, y, x + width, y + height]
}

/// A length in the 64ths of a pixel that browsers lay out in: what should lie halfway between two
/// pixels must not fall to one side by an error of the last bit.
fn layout_unit(length: f32) -> f32 {
    const SLACK: f64 = 1e-3;
    let parts = f64::from(length) * 64.0;
    ((parts.abs() + SLACK).floor().copysign(parts) / 64.0) as f32
}

/// Whether a picture without transparency leaves no pixel of its box uncovered.
pub(super) fn fills_box(media: &MediaBox) -> bool {
    let content = ContentBox::new(&media.frame, media.size);
    matches!(media.fit, ObjectFit::Cover | ObjectFit::Fill)
        && media.greenscreen.is_none()
        && (content.width, content.height) == (media.size.width, media.size.height)
        && content.radii.iter().all(|(x, y)| *x == 0.0 || *y == 0.0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kinora_composition::document::Composition;
    use kinora_composition::timeline::{Content, Scene};
    use serde_json::json;

    use super::*;

    fn placement(at: [f64; 4], styles: &serde_json::Value, size: (f32, f32)) -> Placement {
        let [left, top, width, height] = at;
        let document = json!({ "durationInFrames": 1, "width": 640, "height": 360, "overlays": [{
            "id": 1, "type": "image", "src": "a.png", "from": 0, "durationInFrames": 1, "row": 0,
            "left": left, "top": top, "width": width, "height": height, "styles": styles }] });
        let (composition, _) = Composition::from_json(&document).expect("valid");
        let plan = Scene::new(Arc::new(composition)).plan(0);
        let layer = &plan.layers[0];
        let Content::Image { media, drift, .. } = &layer.content else {
            panic!("{:?}", layer.content);
        };
        place(layer, media, *drift, size)
    }

    /// Where a picture goes on the canvas: its own rectangle, and its clip.
    fn placed(at: [f64; 4], styles: &serde_json::Value, size: (f32, f32)) -> ([f32; 4], [f32; 4]) {
        let placement = placement(at, styles, size);
        let map = placement.to_target.as_affine().expect("affine");
        let [x0, y0, x1, y1] = placement.window;
        let ((left, top), (right, bottom)) = (map.apply(x0, y0), map.apply(x1, y1));
        let clip = placement.clip.to_target.as_affine().expect("affine");
        let size = placement.clip.size;
        (
            [left, top, right, bottom].map(|edge| (edge * 1000.0).round() / 1000.0),
            [clip.e, clip.f, clip.e + size.width, clip.f + size.height],
        )
    }

    #[test]
    fn a_fitted_picture_lies_on_whole_pixels() {
        // 113 × 75.33 pixels, 37.33 below the top.
        let (picture, clip) = placed(
            [12.0, 40.0, 113.0, 150.0],
            &json!({ "objectFit": "contain" }),
            (300.0, 200.0),
        );
        assert_eq!(picture, [12.0, 77.0, 125.0, 153.0]);
        assert_eq!(clip, [12.0, 40.0, 125.0, 190.0]);
        // At its own size, its middle between two pixels.
        let (picture, _) = placed(
            [387.0, 180.0, 113.0, 150.0],
            &json!({ "objectFit": "none" }),
            (300.0, 200.0),
        );
        assert_eq!(picture, [294.0, 155.0, 594.0, 355.0]);
    }

    #[test]
    fn a_box_between_pixels_is_moved_onto_them() {
        let (picture, clip) = placed(
            [460.4, 90.6, 120.2, 90.4],
            &json!({ "objectFit": "fill" }),
            (300.0, 200.0),
        );
        assert_eq!(picture, [460.0, 91.0, 581.0, 181.0]);
        assert_eq!(clip, picture);
    }

    #[test]
    fn a_cropped_part_is_fitted_as_if_it_were_the_whole() {
        let styles = json!({ "objectFit": "contain", "cropEnabled": true, "cropX": 10, "cropY": 20,
            "cropWidth": 80, "cropHeight": 30 });
        let (picture, _) = placed([430.0, 14.0, 194.0, 159.0], &styles, (300.0, 200.0));
        assert_eq!(picture, [430.0, 69.0, 624.0, 118.0]);
    }

    #[test]
    fn positions_count_from_any_side() {
        let at = |position: &str, fit: &str| {
            let styles = json!({ "objectFit": fit, "objectPosition": position });
            placed([0.0, 0.0, 100.0, 100.0], &styles, (50.0, 20.0)).0
        };
        assert_eq!(
            at("right 10px bottom 20px", "none"),
            [40.0, 60.0, 90.0, 80.0]
        );
        assert_eq!(at("-60px -30px", "none"), [-60.0, -30.0, -10.0, -10.0]);
        assert_eq!(at("left", "contain"), [0.0, 30.0, 100.0, 70.0]);
        assert_eq!(at("100% 0", "cover"), [-150.0, 0.0, 100.0, 100.0]);
    }

    #[test]
    fn odd_boxes_and_sources_do_no_harm() {
        for size in [
            (0.0, 0.0),
            (1e9, 1.0),
            (f32::MAX, f32::MAX),
            (f32::NAN, 3.0),
        ] {
            for at in [[0.0, 0.0, 1e-9, 1e9], [1e30, -1e30, 1e30, 1e30]] {
                placement(at, &json!({ "padding": "99999px" }), size);
            }
        }
    }
}
