//! What lies behind a box, filtered.

use std::sync::PoisonError;

use kinora_composition::css::Radii;
use kinora_composition::timeline::{Affine, Content, Layer, Projection, Size};

use super::caption;
use super::filter::{self, Raster, Scope, Step};
use super::items::window_of;
use super::snap::snapped;
use super::stage::Stage;
use super::still::Surface;
use crate::Result;
use crate::gpu::{Beyond, Clip, Painter, Placement, Sprite};

impl Stage<'_> {
    /// Filters what lies behind a layer's box.
    pub(super) fn draw_backdrop(
        &self,
        painter: &mut Painter<'_>,
        surface: Surface<'_>,
        layer: &Layer,
    ) -> Result<()> {
        let frame = match &layer.content {
            Content::Text(block) => &block.frame,
            Content::LivingText(text) => &text.block.frame,
            Content::Caption { block, .. } => &block.frame,
            _ => return Ok(()),
        };
        let chain = self.chains.of(&layer.effects.backdrop);
        let pane = Pane {
            size: layer.size,
            radii: &|width, height| frame.radii.resolve(width, height),
            to_canvas: layer.transform,
            opacity: layer.opacity,
            window: window_of(layer),
        };
        pane.draw(painter, surface.sprite, &chain)
    }

    /// Filters what lies behind the spoken word of a caption.
    pub(super) fn draw_spoken_backdrop(
        &self,
        painter: &mut Painter<'_>,
        surface: Surface<'_>,
        layer: &Layer,
    ) -> Result<()> {
        let Content::Caption {
            block,
            caption,
            word,
        } = &layer.content
        else {
            return Ok(());
        };
        let mut typesetter = self
            .typesetter
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let Some((to_box, size)) = caption::chip(&mut typesetter, block, *caption, *word) else {
            return Ok(());
        };
        let highlight = &block.highlight;
        let chain = self.chains.of(&highlight.backdrop);
        let pane = Pane {
            size,
            radii: &|width, height| highlight.frame.radii.resolve(width, height),
            to_canvas: layer.transform.then_inner(to_box),
            opacity: layer.opacity,
            window: None,
        };
        pane.draw(painter, surface.sprite, &chain)
    }
}

/// A rounded box through which what was drawn before is seen filtered.
struct Pane<'a> {
    size: Size,
    /// Its corners, on the size that it is drawn at.
    radii: &'a dyn Fn(f32, f32) -> Radii,
    /// From the box to the canvas.
    to_canvas: Projection,
    opacity: f32,
    /// The part of the box that may be seen: left, top, right, bottom.
    window: Option<[f32; 4]>,
}

impl Pane<'_> {
    /// Filters the canvas inside the box.
    fn draw(&self, painter: &mut Painter<'_>, canvas: &Sprite, steps: &[Step]) -> Result<()> {
        let Some(Affine { a, b, c, d, .. }) = self.to_canvas.as_affine() else {
            return Ok(());
        };
        let scale = (a.hypot(b), c.hypot(d));
        let (clip, window) = self.outline(canvas, filter::reach(steps) * scale.0.max(scale.1));
        if window[0] >= window[2] || window[1] >= window[3] {
            return Ok(());
        }
        let beyond = Beyond::Mirrored;
        let shown = Raster::whole(canvas.clone(), (0, 0));
        let (raster, rest) = match steps {
            [Step::Blur(sigma), rest @ ..] => {
                let sigma = (sigma * scale.0, sigma * scale.1);
                let blurred = filter::blur(painter, &shown, window, sigma, beyond)?;
                match blurred {
                    Some(blurred) => (blurred, rest),
                    None => return Ok(()),
                }
            }
            _ => {
                let copy = Sprite::new(
                    painter.gpu(),
                    (window[2] - window[0]) as u32,
                    (window[3] - window[1]) as u32,
                )?;
                let from = (window[0], window[1]);
                painter.shrink(&copy, canvas, window, from, (1, 1), beyond);
                (Raster::whole(copy, from), steps)
            }
        };
        let scope = Scope {
            scale,
            beyond,
            limits: window,
        };
        let mut raster = filter::apply(painter, raster, rest, &scope)?;
        // What is spread or averaged over all of an opaque picture is opaque.
        raster.sprite.is_opaque = canvas.is_opaque && rest.is_empty();
        let (width, height) = (raster.sprite.width as f32, raster.sprite.height as f32);
        painter.picture(
            canvas,
            &raster.sprite,
            &Placement {
                to_target: raster.to_picture().into(),
                window: [0.0, 0.0, width, height],
                clip,
                opacity: self.opacity,
            },
        );
        Ok(())
    }

    /// The clip of the box, and the pixels of the canvas that are looked at.
    fn outline(&self, canvas: &Sprite, reach: f32) -> (Clip, [i32; 4]) {
        let Size { width, height } = self.size;
        let map = self.to_canvas.as_affine().unwrap_or(Affine::IDENTITY);
        let whole = snapped([0.0, 0.0, width, height], map);
        let seen = self.window.map_or(whole, |window| cut(whole, window));
        let [left, top, right, bottom] = seen;
        let size = Size {
            width: right - left,
            height: bottom - top,
        };
        let to_target = map.then_inner(Affine::translate(left, top));
        let radii = (self.radii)(whole[2] - whole[0], whole[3] - whole[1]);
        let clip = Clip {
            to_target: to_target.into(),
            size,
            radii: uncut(radii, whole, seen),
        };
        let corners = [
            (0.0, 0.0),
            (size.width, 0.0),
            (0.0, size.height),
            (size.width, size.height),
        ]
        .map(|(x, y)| to_target.apply(x, y));
        let xs = corners.map(|(x, _)| x);
        let ys = corners.map(|(_, y)| y);
        let low = |values: [f32; 4]| values.into_iter().fold(f32::INFINITY, f32::min);
        let high = |values: [f32; 4]| values.into_iter().fold(f32::NEG_INFINITY, f32::max);
        // An upright box ends where its backdrop does; a turned one sees what is around it.
        let margin = if map.b == 0.0 && map.c == 0.0 {
            0.0
        } else {
            reach
        };
        let window = [
            ((low(xs) - margin).floor() as i32).max(0),
            ((low(ys) - margin).floor() as i32).max(0),
            ((high(xs) + margin).ceil() as i32).min(canvas.width as i32),
            ((high(ys) + margin).ceil() as i32).min(canvas.height as i32),
        ];
        (clip, window)
    }
}

/// What a window leaves of a rectangle.
fn cut(rect: [f32; 4], window: [f32; 4]) -> [f32; 4] {
    let (left, top) = (rect[0].max(window[0]), rect[1].max(window[1]));
    [
        left,
        top,
        rect[2].min(window[2]).max(left),
        rect[3].min(window[3]).max(top),
    ]
}

/// The corners of a rectangle that are left of it: where an edge was cut off, they are square.
fn uncut(mut radii: Radii, whole: [f32; 4], seen: [f32; 4]) -> Radii {
    let [left, top, right, bottom]: [bool; 4] =
        std::array::from_fn(|edge| whole[edge] != seen[edge]);
    let corners = [left || top, right || top, right || bottom, left || bottom];
    for (radius, is_cut) in radii.iter_mut().zip(corners) {
        if is_cut {
            *radius = (0.0, 0.0);
        }
    }
    radii
}
