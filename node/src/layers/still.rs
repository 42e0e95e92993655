//! Content that does not change: rastered once, then placed frame by frame.

use kinora_composition::timeline::{Affine, Size};

use crate::gpu::{Clip, Painter, Placement, Sprite};

/// A rastered overlay. Its sprite may reach beyond the overlay's box, as shadows do.
pub(super) struct Still {
    pub(super) sprite: Sprite,
    /// Where the sprite's top left corner lies, relative to the box.
    pub(super) origin: (f32, f32),
}

impl Still {
    /// Draws the sprite where the box goes; without resampling where it lies on whole pixels.
    pub(super) fn draw(
        &self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        transform: Affine,
        opacity: f32,
    ) {
        let to_target = transform.then_inner(Affine::translate(self.origin.0, self.origin.1));
        let is_whole = |value: f32| value.fract() == 0.0 && value.abs() < 1e6;
        if to_target.is_translation() && is_whole(to_target.e) && is_whole(to_target.f) {
            let corner = (to_target.e as i32, to_target.f as i32);
            painter.copy(canvas, &self.sprite, corner, opacity);
            return;
        }
        painter.picture(
            canvas,
            &self.sprite,
            &whole(&self.sprite, to_target, opacity),
        );
    }
}

/// A whole sprite under a map.
pub(super) fn whole(sprite: &Sprite, to_target: Affine, opacity: f32) -> Placement {
    let (width, height) = (sprite.width as f32, sprite.height as f32);
    Placement {
        to_target,
        window: [0.0, 0.0, width, height],
        clip: Clip {
            to_target,
            size: Size { width, height },
            radii: Default::default(),
        },
        opacity,
    }
}
