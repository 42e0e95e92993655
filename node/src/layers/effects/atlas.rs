//! Pictures of one size side by side in one sprite.

use kinora_composition::timeline::{Affine, EffectBox, Layer, Matrix, MediaBox, Size};

use super::super::easel::View;
use super::super::image::{Picture, named};
use super::super::text;
use crate::Result;
use crate::gpu::{Gpu, Painter, Sprite};
use crate::text::Typesetter;

/// Pixels of an atlas, beyond which its pictures become smaller.
const MOST_PIXELS: f32 = 24_000_000.0;

/// Pictures of one size side by side.
pub(super) struct Atlas {
    pub(super) sprite: Sprite,
    /// How many pictures there are.
    pub(super) count: usize,
    across: usize,
    /// Size of a slot in whole pixels.
    slot: Size,
}

/// Where the slots of an atlas lie.
struct Plan {
    across: usize,
    down: usize,
    slot: Size,
}

impl Plan {
    /// Room for so many pictures of a size, drawn larger by a scale.
    fn new(count: usize, size: Size, scale: f32) -> Self {
        let scale = scale.clamp(0.25, 4.0);
        let wanted = size.width * size.height * scale * scale * count as f32;
        let scale = scale * (MOST_PIXELS / wanted).min(1.0).sqrt();
        let side = |length: f32| (length * scale).ceil().clamp(1.0, 8192.0);
        let slot = Size {
            width: side(size.width),
            height: side(size.height),
        };
        // About as wide as high.
        let across = (count as f32 * slot.height / slot.width).sqrt().ceil();
        let across = (across as usize).clamp(1, count.max(1));
        Self {
            across,
            down: count.div_ceil(across).max(1),
            slot,
        }
    }

    fn size(&self) -> (u32, u32) {
        let pixels = |count: usize, side: f32| count as u32 * side as u32;
        (
            pixels(self.across, self.slot.width),
            pixels(self.down, self.slot.height),
        )
    }

    fn corner(&self, index: usize) -> (f32, f32) {
        (
            (index % self.across) as f32 * self.slot.width,
            (index / self.across) as f32 * self.slot.height,
        )
    }

    fn with(self, sprite: Sprite, count: usize) -> Atlas {
        Atlas {
            sprite,
            count,
            across: self.across,
            slot: self.slot,
        }
    }
}

impl Atlas {
    /// Where a picture lies: left, top, width, height.
    pub(super) fn slot(&self, index: usize) -> [f32; 4] {
        let (column, row) = (index % self.across, index / self.across);
        [
            column as f32 * self.slot.width,
            row as f32 * self.slot.height,
            self.slot.width,
            self.slot.height,
        ]
    }

    /// The pictures of an effect, drawn as those of image overlays are. `take` lends them by their
    /// boxes, and they are given back beside.
    pub(super) fn of_pictures<K>(
        painter: &mut Painter<'_>,
        layer: &Layer,
        effect: &EffectBox,
        mut take: impl FnMut(&MediaBox) -> Option<(K, Picture)>,
    ) -> Result<(Self, Vec<(K, Picture)>)> {
        let pictures = &effect.pictures;
        let size = pictures.first().map_or(effect.size, |picture| picture.size);
        let plan = Plan::new(pictures.len(), size, layer.raster_scale);
        let (width, height) = plan.size();
        let sprite = Sprite::new(painter.gpu(), width, height)?;
        let mut lent = Vec::new();
        for (index, media) in pictures.iter().enumerate() {
            let Some((key, mut picture)) = take(media) else {
                continue;
            };
            let (x, y) = plan.corner(index);
            let place = Affine::translate(x, y).then_inner(Affine::scale(
                plan.slot.width / size.width,
                plan.slot.height / size.height,
            ));
            let in_slot = Layer {
                size,
                transform: place.into(),
                opacity: 1.0,
                is_settled: true,
                ..layer.clone()
            };
            picture
                .draw(painter, &sprite, &in_slot, media, Affine::IDENTITY)
                .map_err(|error| named(media, error))?;
            lent.push((key, picture));
        }
        Ok((plan.with(sprite, pictures.len()), lent))
    }

    /// The characters of a matrix; `None` where none of them is to be seen.
    pub(super) fn of_glyphs(
        gpu: &Gpu,
        typesetter: &mut Typesetter,
        matrix: &Matrix,
        scale: f32,
    ) -> Result<Option<Self>> {
        let plan = Plan::new(matrix.glyphs.len(), matrix.cell, scale);
        let (width, height) = plan.size();
        let mut pixels = vec![0; width as usize * height as usize * 4];
        let (slot_width, slot_height) = (plan.slot.width as i32, plan.slot.height as i32);
        let view = View {
            to_picture: Affine::scale(
                plan.slot.width / matrix.cell.width,
                plan.slot.height / matrix.cell.height,
            ),
            limits: [0, 0, slot_width, slot_height],
        };
        let row_bytes = width as usize * 4;
        for (index, glyph) in matrix.glyphs.iter().enumerate() {
            let Some(still) = text::raster(typesetter, glyph, &view)? else {
                continue;
            };
            let (x, y) = plan.corner(index);
            let left = (x as usize + still.at.0.max(0) as usize) * 4;
            let top = y as usize + still.at.1.max(0) as usize;
            let line = still.pixels.width() as usize * 4;
            for (row, from) in still.pixels.data().chunks_exact(line).enumerate() {
                let start = (top + row) * row_bytes + left;
                if let Some(to) = pixels.get_mut(start..start + line) {
                    to.copy_from_slice(from);
                }
            }
        }
        let sprite = Sprite::upload(gpu, width, height, &pixels)?;
        Ok(Some(plan.with(sprite, matrix.glyphs.len())))
    }
}
