//! Content that does not change: rastered once, then placed frame by frame.

use kinora_composition::timeline::{Affine, Size};

use crate::Result;
use crate::gpu::{Clip, Gpu, Painter, Placement, Sprite};

/// A rastered overlay, or a part of one.
pub(super) struct Still {
    pub(super) sprite: Sprite,
    /// From the sprite to the overlay's box. The sprite may reach beyond the box, as shadows do.
    pub(super) to_box: Affine,
}

impl Still {
    /// A sprite with its top left corner at a place of the box.
    pub(super) fn at(sprite: Sprite, x: f32, y: f32) -> Self {
        Self {
            sprite,
            to_box: Affine::translate(x, y),
        }
    }

    /// Draws the sprite where the box goes; without resampling where it lies on whole pixels.
    pub(super) fn draw(
        &self,
        painter: &mut Painter<'_>,
        target: &Sprite,
        box_to_target: Affine,
        opacity: f32,
    ) {
        let to_target = box_to_target.then_inner(self.to_box);
        let is_whole = |value: f32| value.fract() == 0.0 && value.abs() < 1e6;
        if to_target.is_translation() && is_whole(to_target.e) && is_whole(to_target.f) {
            let corner = (to_target.e as i32, to_target.f as i32);
            painter.copy(target, &self.sprite, corner, opacity);
            return;
        }
        let size = self.size();
        let placement = Placement {
            to_target,
            window: [0.0, 0.0, size.width, size.height],
            clip: Clip {
                to_target,
                size,
                radii: Default::default(),
            },
            opacity,
        };
        painter.picture(target, &self.sprite, &placement);
    }

    /// Puts stills on top of one another, the first at the bottom; `None` when there are none.
    pub(super) fn flatten(gpu: &Gpu, mut parts: Vec<Self>) -> Result<Option<Self>> {
        if parts.len() <= 1 {
            return Ok(parts.pop());
        }
        let (mut low, mut high) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
        for part in &parts {
            let Size { width, height } = part.size();
            for (x, y) in [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)] {
                let (x, y) = part.to_box.apply(x, y);
                low = (low.0.min(x), low.1.min(y));
                high = (high.0.max(x), high.1.max(y));
            }
        }
        let (left, top) = (low.0.floor(), low.1.floor());
        let target = Sprite::new(
            gpu,
            (high.0 - left).ceil() as u32,
            (high.1 - top).ceil() as u32,
        )?;
        let mut painter = Painter::new(gpu);
        for part in &parts {
            part.draw(&mut painter, &target, Affine::translate(-left, -top), 1.0);
        }
        painter.submit();
        Ok(Some(Self::at(target, left, top)))
    }

    fn size(&self) -> Size {
        Size {
            width: self.sprite.width as f32,
            height: self.sprite.height as f32,
        }
    }
}
