//! What lies behind a box, filtered.

use kinora_composition::css::Radii;
use kinora_composition::timeline::{Affine, Projection, Size};

use super::filter::{self, Raster, Scope, Step};
use super::snap::snapped;
use crate::Result;
use crate::gpu::{Beyond, Clip, Painter, Placement, Sprite};

/// A rounded box through which what was drawn before is seen filtered.
pub(super) struct Pane<'a> {
    pub(super) size: Size,
    /// Its corners, on the size that it is drawn at.
    pub(super) radii: &'a dyn Fn(f32, f32) -> Radii,
    /// From the box to the canvas.
    pub(super) to_canvas: Projection,
    pub(super) opacity: f32,
}

impl Pane<'_> {
    /// Filters the canvas inside the box.
    pub(super) fn draw(
        &self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        steps: &[Step],
    ) -> Result<()> {
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
        let [left, top, right, bottom] = snapped([0.0, 0.0, width, height], map);
        let size = Size {
            width: right - left,
            height: bottom - top,
        };
        let to_target = map.then_inner(Affine::translate(left, top));
        let clip = Clip {
            to_target: to_target.into(),
            size,
            radii: (self.radii)(size.width, size.height),
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
