//! Shapes whose gradients fade one into the next.

use kinora_composition::timeline::{Content, Crossfade, Layer, ShapeBox};

use super::filter::Raster;
use super::items::{Painted, StillKey};
use super::shape;
use super::stage::Stage;
use super::still::Still;
use crate::Result;
use crate::gpu::{Painter, Sprite};

/// Two gradients of a run in one picture, kept for the next time.
pub(super) struct Mixed {
    of: Crossfade,
    painted: Painted,
    pub(super) still: Still,
}

impl Stage<'_> {
    /// Makes sure that the gradients which a crossfade shows are on the device, and no others of its run.
    pub(super) fn prepare_crossfade(
        &mut self,
        layer: &Layer,
        shape: &ShapeBox,
        crossfade: Crossfade,
    ) -> Result<()> {
        let Crossfade { from, to, .. } = crossfade;
        let own = Painted::of(layer);
        self.stills.parts.retain(|key, _| {
            !matches!(key, StillKey::Gradient(overlay, index, painted)
                if *overlay == layer.overlay && ((*index != from && *index != to) || *painted != own))
        });
        for gradient in [from, to] {
            let key = StillKey::Gradient(layer.overlay, gradient, own);
            self.prepare_still(layer, key, |_, view| {
                shape::raster_of_run(shape, gradient, view)
            })?;
        }
        Ok(())
    }

    /// Draws the picture between two gradients, where a layer shows one and it is not there yet.
    pub(super) fn make_crossfade(
        &mut self,
        painter: &mut Painter<'_>,
        layer: &Layer,
    ) -> Result<()> {
        let Content::Shape {
            crossfade: Some(crossfade),
            ..
        } = layer.content
        else {
            return Ok(());
        };
        let painted = Painted::of(layer);
        let kept = self.stills.crossfades.remove(&layer.overlay);
        let kept = kept.filter(|mixed| mixed.painted == painted);
        let still_of = |index| {
            self.stills
                .get(StillKey::Gradient(layer.overlay, index, painted))
        };
        let (Some(going), Some(coming)) = (still_of(crossfade.from), still_of(crossfade.to)) else {
            return Ok(());
        };
        let (going, coming) = (&going.raster, &coming.raster);
        let mixed = match kept {
            Some(mixed) if crossfade.share == 0 || mixed.of == crossfade => mixed,
            _ if crossfade.share == 0 => return Ok(()),
            kept => {
                let mut sheet = match kept {
                    Some(mixed) => mixed.still.raster.sprite,
                    None => Sprite::new(painter.gpu(), going.sprite.width, going.sprite.height)?,
                };
                sheet.is_opaque = going.sprite.is_opaque && coming.sprite.is_opaque;
                painter.mix(&sheet, &going.sprite, &coming.sprite, crossfade.share);
                let at = (going.at.0 as i32, going.at.1 as i32);
                Mixed {
                    of: crossfade,
                    painted,
                    still: Still::new(Raster::whole(sheet, at), &self.space_of(layer)),
                }
            }
        };
        self.stills.crossfades.insert(layer.overlay, mixed);
        Ok(())
    }
}
