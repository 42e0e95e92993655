//! Pictures made of outlines, drawn on the host at the size they are shown.

use std::collections::HashMap;

use kinora_composition::timeline::{Affine, Layer, MediaBox, Projection};
use tiny_skia::{Pixmap, Transform};

use super::easel::pixmap;
use super::fit::{Fit, fit};
use super::frame::ContentBox;
use super::retouch::Retouch;
use crate::Result;
use crate::gpu::{Clip, Gpu, Painter, Placement, Sprite};
use crate::media::Vector;

/// Most pixels on a side of a picture that moves.
const LONGEST_SIDE: f32 = 4096.0;

/// A picture of outlines, and what was drawn of it last for each overlay.
pub(super) struct VectorPicture {
    vector: Vector,
    /// What is done to its colours.
    retouch: Retouch,
    drawn: HashMap<usize, Drawn>,
}

/// What was drawn.
struct Drawn {
    of: Wanted,
    /// `None` where there is nothing to see.
    sprite: Option<Sprite>,
}

/// What is to be drawn: equal when the pixels are.
#[derive(Clone, Copy, PartialEq)]
struct Wanted {
    /// Size of the viewport.
    viewport: (f32, f32),
    /// From the viewport to pixels of the sprite.
    to_sprite: Affine,
    /// Size of the sprite.
    size: (u32, u32),
}

impl VectorPicture {
    pub(super) fn new(vector: Vector, retouch: Retouch) -> Self {
        Self {
            vector,
            retouch,
            drawn: HashMap::new(),
        }
    }

    /// Draws the picture in its layer's box.
    pub(super) fn draw(
        &mut self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        layer: &Layer,
        media: &MediaBox,
        drift: Affine,
    ) -> Result<()> {
        let content = ContentBox::new(&media.frame, layer.size);
        let natural = self.vector.natural_size((content.width, content.height));
        let Fit { window, rect, clip } = fit(layer, media, natural);
        // The whole picture is laid out, of which a crop shows a part.
        let (across, down) = (
            (rect[2] - rect[0]) / (window[2] - window[0]),
            (rect[3] - rect[1]) / (window[3] - window[1]),
        );
        let viewport = (natural.0 * across, natural.1 * down);
        let corner = (rect[0] - window[0] * across, rect[1] - window[1] * down);
        let to_target = layer
            .transform
            .then_inner(drift)
            .then_inner(Affine::translate(corner.0, corner.1));
        let is_settled = layer.is_settled && drift == Affine::IDENTITY;
        let map = to_target.as_affine().filter(|_| is_settled);
        let (wanted, sprite_to_target) = match map {
            Some(map) => {
                let Some([x0, y0, x1, y1]) = bounds(&clip, canvas) else {
                    return Ok(());
                };
                let corner = Affine::translate(x0 as f32, y0 as f32);
                let wanted = Wanted {
                    viewport,
                    to_sprite: Affine::translate(-(x0 as f32), -(y0 as f32)).then_inner(map),
                    size: (x1 - x0, y1 - y0),
                };
                (wanted, Projection::from(corner))
            }
            None => flat(viewport, to_target),
        };
        let drawn = self.drawn.get(&layer.overlay);
        if drawn.is_none_or(|drawn| drawn.of != wanted) {
            let sprite = self.raster(painter.gpu(), &wanted)?;
            if let Some(sprite) = &sprite {
                self.retouch.apply(painter, sprite);
            }
            let drawn = Drawn { of: wanted, sprite };
            self.drawn.insert(layer.overlay, drawn);
        }
        let drawn = self.drawn.get(&layer.overlay);
        let Some(sprite) = drawn.and_then(|drawn| drawn.sprite.as_ref()) else {
            return Ok(());
        };
        let seen = wanted.to_sprite;
        let is_upright = seen.b == 0.0 && seen.c == 0.0;
        let whole = [0.0, 0.0, sprite.width as f32, sprite.height as f32];
        let window = if is_upright {
            // What a crop leaves out.
            let near = seen.apply(window[0] * across, window[1] * down);
            let far = seen.apply(window[2] * across, window[3] * down);
            [
                near.0.max(whole[0]),
                near.1.max(whole[1]),
                far.0.min(whole[2]),
                far.1.min(whole[3]),
            ]
        } else {
            whole
        };
        let placement = Placement {
            to_target: sprite_to_target,
            window,
            clip,
            opacity: layer.opacity,
        };
        painter.picture(canvas, sprite, &placement);
        Ok(())
    }

    fn raster(&self, gpu: &Gpu, wanted: &Wanted) -> Result<Option<Sprite>> {
        let (width, height) = wanted.viewport;
        if !(width > 0.0 && height > 0.0) {
            return Ok(None);
        }
        let drawing = self.vector.laid_out(wanted.viewport)?;
        let mut pixels: Pixmap = pixmap(wanted.size.0, wanted.size.1)?;
        let Affine { a, b, c, d, e, f } = wanted.to_sprite;
        drawing.draw(&mut pixels.as_mut(), Transform::from_row(a, b, c, d, e, f))?;
        Sprite::upload(gpu, pixels.width(), pixels.height(), pixels.data()).map(Some)
    }
}

/// The pixels of the canvas that a clip may leave: left, top, right, bottom.
fn bounds(clip: &Clip, canvas: &Sprite) -> Option<[u32; 4]> {
    let map = clip.to_target.as_affine()?;
    let (width, height) = (clip.size.width, clip.size.height);
    let corners =
        [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)].map(|(x, y)| map.apply(x, y));
    let low = |pick: fn(&(f32, f32)) -> f32| corners.iter().map(pick).fold(f32::MAX, f32::min);
    let high = |pick: fn(&(f32, f32)) -> f32| corners.iter().map(pick).fold(f32::MIN, f32::max);
    // Beyond the canvas there is nothing; casts stop at their bounds.
    let near = |edge: f32| (edge.floor() - 1.0).max(0.0) as u32;
    let far = |edge: f32, most: u32| ((edge.ceil() + 1.0).max(0.0) as u32).min(most);
    let bounds = [
        near(low(|c| c.0)),
        near(low(|c| c.1)),
        far(high(|c| c.0), canvas.width),
        far(high(|c| c.1), canvas.height),
    ];
    (bounds[0] < bounds[2] && bounds[1] < bounds[3]).then_some(bounds)
}

/// A picture that moves is drawn flat, somewhat larger than it is seen, by steps of its size: which
/// step it is depends on the frame alone.
fn flat(viewport: (f32, f32), to_target: Projection) -> (Wanted, Projection) {
    let [[a, c, _], [b, d, _], _] = to_target.0;
    let seen = a.hypot(b).max(c.hypot(d)).clamp(1e-3, 1e3);
    let step = (seen.log2() * 2.0).ceil() / 2.0;
    let most = LONGEST_SIDE / viewport.0.max(viewport.1).max(1.0);
    let scale = step.exp2().min(most);
    let side = |length: f32| (length * scale).ceil().clamp(1.0, LONGEST_SIDE) as u32;
    let wanted = Wanted {
        viewport,
        to_sprite: Affine::scale(scale, scale),
        size: (side(viewport.0), side(viewport.1)),
    };
    let inverse = Affine::scale(1.0 / scale, 1.0 / scale);
    (wanted, to_target.then_inner(inverse))
}
