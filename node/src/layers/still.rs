//! Content that does not change: rastered once, then placed frame by frame.

use kinora_composition::timeline::{Affine, Projection, Size};

use super::easel::{HostStill, View};
use crate::Result;
use crate::gpu::{Clip, Gpu, Painter, Placement, Sprite};

/// A rastered overlay, or a part of one.
pub(super) struct Still {
    pub(super) sprite: Sprite,
    /// Where its top left corner lies in the picture that it is a part of.
    at: (i32, i32),
    /// From that picture back to the overlay's box; `None` where the picture is the canvas itself.
    to_box: Option<Affine>,
}

impl Still {
    /// Brings what was rastered to the device. Where `is_settled`, the view was the canvas.
    pub(super) fn upload(
        gpu: &Gpu,
        still: &HostStill,
        view: &View,
        is_settled: bool,
    ) -> Result<Self> {
        let pixels = &still.pixels;
        Ok(Self {
            sprite: Sprite::upload(gpu, pixels.width(), pixels.height(), pixels.data())?,
            at: still.at,
            to_box: (!is_settled).then(|| view.to_picture.inverse().unwrap_or(Affine::IDENTITY)),
        })
    }

    /// Draws the sprite where the box goes; without resampling where it lies on whole pixels.
    pub(super) fn draw(
        &self,
        painter: &mut Painter<'_>,
        target: &Sprite,
        box_to_target: Projection,
        opacity: f32,
    ) {
        let (x, y) = self.at;
        let Some(to_box) = self.to_box else {
            painter.copy(target, &self.sprite, self.at, opacity);
            return;
        };
        let to_target = box_to_target
            .then_inner(to_box)
            .then_inner(Affine::translate(x as f32, y as f32));
        let is_whole = |value: f32| value.fract() == 0.0 && value.abs() < 1e6;
        if let Some(map) = to_target.as_affine()
            && map.is_translation()
            && is_whole(map.e)
            && is_whole(map.f)
        {
            painter.copy(target, &self.sprite, (map.e as i32, map.f as i32), opacity);
            return;
        }
        let size = Size {
            width: self.sprite.width as f32,
            height: self.sprite.height as f32,
        };
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
}
