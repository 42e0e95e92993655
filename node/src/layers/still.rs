//! Content that does not change: rastered once, then placed frame by frame.

use kinora_composition::timeline::Affine;

use super::easel::{HostStill, View};
use super::filter::Raster;
use super::items::Placed;
use super::space::Space;
use crate::Result;
use crate::gpu::{Gpu, Painter, Sprite};

/// A rastered overlay, or a part of one.
pub(super) struct Still {
    pub(super) raster: Raster,
    /// From the picture that it is a part of back to the overlay's box; `None` where that picture is
    /// the canvas itself.
    to_box: Option<Affine>,
}

/// What things are drawn on.
#[derive(Clone, Copy)]
pub(super) struct Surface<'a> {
    pub(super) sprite: &'a Sprite,
    /// Where its top left corner lies in the picture that it is a part of.
    pub(super) corner: (i32, i32),
    /// How many of its pixels make one of that picture.
    pub(super) scale: f32,
}

impl Surface<'_> {
    /// From the picture to pixels of the surface.
    pub(super) fn picture_to_surface(&self) -> Affine {
        let (x, y) = self.corner;
        Affine::scale(self.scale, self.scale).then_inner(Affine::translate(-x as f32, -y as f32))
    }
}

impl Still {
    /// Brings what was rastered to the device.
    pub(super) fn upload(gpu: &Gpu, still: &HostStill, space: &Space) -> Result<Self> {
        let pixels = &still.pixels;
        let sprite = Sprite::upload(gpu, pixels.width(), pixels.height(), pixels.data())?;
        Ok(Self::new(Raster::whole(sprite, still.at), space))
    }

    /// A picture in a layer's space.
    pub(super) fn new(raster: Raster, space: &Space) -> Self {
        let View { to_picture, .. } = space.view;
        let to_box = (!space.is_canvas).then(|| to_picture.inverse().unwrap_or(Affine::IDENTITY));
        Self { raster, to_box }
    }

    /// Draws it where it belongs on the surface.
    pub(super) fn draw(&self, painter: &mut Painter<'_>, surface: Surface<'_>, placed: &Placed) {
        let (map, window) = match self.to_box {
            None => (surface.picture_to_surface().into(), None),
            Some(to_box) => (
                placed.transform.then_inner(to_box),
                placed.window.map(|window| mapped(window, to_box.inverse())),
            ),
        };
        self.raster
            .draw_window(painter, surface.sprite, map, window, placed.opacity);
    }
}

/// Where a rectangle goes by a map that keeps it upright; all of the plane where there is none.
fn mapped([left, top, right, bottom]: [f32; 4], map: Option<Affine>) -> [f32; 4] {
    let Some(map) = map else {
        return [f32::MIN, f32::MIN, f32::MAX, f32::MAX];
    };
    let ((x0, y0), (x1, y1)) = (map.apply(left, top), map.apply(right, bottom));
    [x0, y0, x1, y1]
}
