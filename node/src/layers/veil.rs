//! What lies still over a moving background: flattened into one sprite of the canvas's size, which
//! the background's own pass blends on its way.

use super::items::{Placed, Stills};
use super::still::Surface;
use crate::Result;
use crate::gpu::{Painter, Sprite};

/// A veil that covers less of the canvas than this is not worth a look at every pixel.
const WORTHWHILE_SHARE: f32 = 0.4;

/// The stills directly above the background, and their flattened picture.
#[derive(Default)]
pub(super) struct Veil {
    placed: Vec<Placed>,
    sprite: Option<Sprite>,
}

impl Veil {
    /// The flattened picture of these stills, where it saves work.
    pub(super) fn of(
        &mut self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        placed: Vec<Placed>,
        stills: &Stills,
    ) -> Result<Option<&Sprite>> {
        if self.placed != placed {
            *self = Self {
                placed,
                sprite: None,
            };
        }
        if self.sprite.is_none() && self.covers_enough(canvas, stills) {
            let sprite = Sprite::new(painter.gpu(), canvas.width, canvas.height)?;
            let surface = Surface {
                sprite: &sprite,
                corner: (0, 0),
                scale: 1.0,
            };
            for placed in &self.placed {
                if let Some(still) = stills.get(placed.key) {
                    still.draw(painter, surface, placed);
                }
            }
            self.sprite = Some(sprite);
        }
        Ok(self.sprite.as_ref())
    }

    fn covers_enough(&self, canvas: &Sprite, stills: &Stills) -> bool {
        let pixels = |sprite: &Sprite| sprite.width as f32 * sprite.height as f32;
        let covered: f32 = self
            .placed
            .iter()
            .filter_map(|placed| stills.get(placed.key))
            .map(|still| pixels(&still.raster.sprite).min(pixels(canvas)))
            .sum();
        covered > WORTHWHILE_SHARE * pixels(canvas)
    }
}
