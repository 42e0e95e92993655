//! What lies still over a moving background: flattened into one sprite of the canvas's size, which
//! the background's own pass blends on its way.

use kinora_composition::timeline::Projection;

use super::still::Still;
use crate::Result;
use crate::gpu::{Gpu, Painter, Sprite};

/// A veil that covers less of the canvas than this is not worth a look at every pixel.
const WORTHWHILE_SHARE: f32 = 0.4;

/// A still at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed<K> {
    pub(super) key: K,
    pub(super) transform: Projection,
    pub(super) opacity: f32,
}

/// The stills directly above the background, and their flattened picture.
pub(super) struct Veil<K> {
    placed: Vec<Placed<K>>,
    sprite: Option<Sprite>,
}

impl<K> Default for Veil<K> {
    fn default() -> Self {
        Self {
            placed: Vec::new(),
            sprite: None,
        }
    }
}

impl<K: Copy + PartialEq> Veil<K> {
    /// The flattened picture of these stills, where it saves work.
    pub(super) fn of<'s>(
        &mut self,
        gpu: &Gpu,
        canvas: &Sprite,
        placed: Vec<Placed<K>>,
        still: impl Fn(K) -> Option<&'s Still>,
    ) -> Result<Option<&Sprite>> {
        if self.placed != placed {
            *self = Self {
                placed,
                sprite: None,
            };
        }
        if self.sprite.is_none() && self.covers_enough(canvas, &still) {
            let sprite = Sprite::new(gpu, canvas.width, canvas.height)?;
            let mut painter = Painter::new(gpu);
            for placed in &self.placed {
                if let Some(still) = still(placed.key) {
                    still.draw(&mut painter, &sprite, placed.transform, placed.opacity);
                }
            }
            painter.submit();
            self.sprite = Some(sprite);
        }
        Ok(self.sprite.as_ref())
    }

    fn covers_enough<'s>(&self, canvas: &Sprite, still: &impl Fn(K) -> Option<&'s Still>) -> bool {
        let pixels = |sprite: &Sprite| sprite.width as f32 * sprite.height as f32;
        let covered: f32 = self
            .placed
            .iter()
            .filter_map(|placed| still(placed.key))
            .map(|still| pixels(&still.sprite).min(pixels(canvas)))
            .sum();
        covered > WORTHWHILE_SHARE * pixels(canvas)
    }
}
