//! In which picture a layer is painted: where it stays on the canvas, or flat.

use kinora_composition::timeline::{Affine, Layer};

use super::easel::View;
use super::filter::{self, Step};

/// How far beyond its box a layer that is painted flat reaches at most.
const BEYOND: f32 = 1024.0;
/// A side of what is painted flat.
const LARGEST_SIDE: f32 = 8192.0;

/// The picture that a layer is painted in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Space {
    pub(super) view: View,
    /// Whether that picture is the canvas.
    pub(super) is_canvas: bool,
}

impl Space {
    /// The space of a layer on a canvas of this size. What reaches beyond single pixels happens before
    /// the layer is turned, as in browsers; everything else where it stays.
    pub(super) fn of(layer: &Layer, steps: &[Step], (width, height): (u32, u32)) -> Self {
        let reach = filter::reach(steps);
        let upright = |map: &Affine| map.b == 0.0 && map.c == 0.0 && map.a > 0.0 && map.d > 0.0;
        let stays = layer
            .transform
            .as_affine()
            .filter(|_| layer.is_settled)
            .filter(|map| !filter::spreads(steps) || upright(map));
        if let Some(to_picture) = stays {
            let more =
                (reach * to_picture.a.abs().max(to_picture.d.abs()).max(1.0)).min(BEYOND * 4.0);
            let more = if filter::spreads(steps) {
                more.ceil() as i32
            } else {
                0
            };
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
        let scale = own.clamp(0.25, 4.0).min((LARGEST_SIDE / longest).max(0.05));
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
