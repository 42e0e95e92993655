//! In which picture a layer is painted: where it stays on the canvas, or flat.

use kinora_composition::timeline::{Affine, Layer};

use super::easel::View;
use super::filter::{self, Step};

/// How far beyond its box a layer that is painted flat reaches at most.
const BEYOND: f32 = 1024.0;
/// A side of what is painted flat.
const LARGEST_SIDE: f32 = 6144.0;
/// Its pixels: with what reaches beyond the box, as many as any device holds.
const LARGEST_AREA: f32 = 3600.0 * 3600.0;

/// The picture that a layer is painted in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Space {
    pub(super) view: View,
    /// Whether that picture is the canvas.
    pub(super) is_canvas: bool,
}

impl Space {
    /// The space of a layer on a canvas of this size. Filters apply before the layer is turned, as in
    /// browsers; everything else is painted where it stays.
    pub(super) fn of(layer: &Layer, steps: &[Step], (width, height): (u32, u32)) -> Self {
        let reach = filter::reach(steps);
        let upright = |map: &Affine| map.b == 0.0 && map.c == 0.0 && map.a > 0.0 && map.d > 0.0;
        let stays = layer
            .transform
            .as_affine()
            .filter(|_| layer.is_settled)
            .filter(|map| steps.is_empty() || upright(map));
        if let Some(to_picture) = stays {
            let enlarged = to_picture.a.abs().max(to_picture.d.abs()).max(1.0);
            let more = (reach * enlarged).min(BEYOND).ceil() as i32;
            return Self {
                view: View {
                    to_picture,
                    limits: [-more, -more, width as i32 + more, height as i32 + more],
                },
                is_canvas: true,
            };
        }
        let own = if layer.is_settled {
            layer
                .transform
                .largest_scale(layer.size.width, layer.size.height)
        } else {
            layer.raster_scale
        };
        let longest = layer.size.width.max(layer.size.height).max(1.0);
        let area = (layer.size.width * layer.size.height).max(1.0);
        let most = (LARGEST_SIDE / longest).min((LARGEST_AREA / area).sqrt());
        let scale = own.clamp(0.25, 4.0).min(most.max(0.05));
        // A scale of nearly 1 is one: then texels lie on whole pixels.
        let scale = if (scale - 1.0).abs() < 1e-3 {
            1.0
        } else {
            scale
        };
        let far = |side: f32| {
            let visible = (side * scale).ceil() + BEYOND;
            visible.min(LARGEST_SIDE + BEYOND) as i32
        };
        Self {
            view: View {
                to_picture: Affine::scale(scale, scale),
                limits: [
                    -BEYOND as i32,
                    -BEYOND as i32,
                    far(layer.size.width),
                    far(layer.size.height),
                ],
            },
            is_canvas: false,
        }
    }

    /// How large a pixel of the box is, across and down.
    pub(super) fn scale(&self) -> (f32, f32) {
        let Affine { a, b, c, d, .. } = self.view.to_picture;
        (a.hypot(b), c.hypot(d))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kinora_composition::document::Composition;
    use kinora_composition::timeline::Scene;
    use serde_json::{Value, json};

    use super::*;

    fn space(extra: &Value) -> Space {
        let mut text = json!({
            "id": 1, "type": "text", "content": "x", "from": 0, "durationInFrames": 9, "row": 0,
            "left": 10, "top": 20, "width": 200, "height": 100
        });
        let fields = text.as_object_mut().expect("an object");
        fields.extend(extra.as_object().expect("an object").clone());
        let document =
            json!({ "overlays": [text], "durationInFrames": 9, "width": 640, "height": 360 });
        let (composition, _) = Composition::from_json(&document).expect("valid");
        let plan = Scene::new(Arc::new(composition)).plan(3);
        let steps = match extra.get("blurred") {
            Some(_) => vec![Step::Blur(10.0)],
            None => vec![],
        };
        Space::of(&plan.layers[0], &steps, (640, 360))
    }

    #[test]
    fn what_stays_is_painted_where_it_stays_and_filters_come_before_turns() {
        assert!(space(&json!({})).is_canvas);
        assert!(space(&json!({ "rotation": 20 })).is_canvas);
        let blurred = space(&json!({ "blurred": true }));
        assert!(blurred.is_canvas);
        assert_eq!(blurred.view.limits, [-30, -30, 670, 390]);
        assert!(!space(&json!({ "blurred": true, "rotation": 20 })).is_canvas);
    }

    #[test]
    fn what_moves_is_painted_as_large_as_it_will_be_within_bounds() {
        let moving = |transform: &str, width: u32| {
            let styles = json!({ "transform": transform, "animation": { "during": "spin" } });
            space(&json!({ "styles": styles, "width": width }))
        };
        assert_eq!(moving("none", 200).scale(), (1.0, 1.0));
        assert_eq!(moving("scale(2)", 200).scale(), (2.0, 2.0));
        assert_eq!(moving("scale(1000)", 200).scale(), (4.0, 4.0));
        assert!(moving("scale(4)", 100_000).view.limits[2] <= 8192);
    }
}
