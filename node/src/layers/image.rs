//! Image overlays.

use std::path::Path;

use kinora_composition::timeline::{Affine, Layer, MediaBox};

use super::fit::place;
use super::key::key_of;
use super::levels::Levels;
use crate::gpu::{ColorChange, ColorFunction, Gpu, Painter, Sprite};
use crate::media::{DecodedImage, load_image};
use crate::{Error, Result};

/// A picture, ready to be drawn.
pub(super) struct Picture(Levels);

impl Picture {
    /// Reads a picture, without its green screen and with its colours changed by functions.
    pub(super) fn load(
        gpu: &Gpu,
        path: &Path,
        media: &MediaBox,
        functions: &[ColorFunction],
    ) -> Result<Self> {
        let mut image = load_image(path)?;
        if let Some(screen) = &media.greenscreen {
            let key = key_of(screen);
            change(gpu, &mut image, |painter, sprite| painter.key(sprite, &key))?;
        }
        if !functions.is_empty() {
            let colors = ColorChange {
                functions: functions.to_vec(),
                alpha: 1.0,
            };
            change(gpu, &mut image, |painter, sprite| {
                painter.colors(sprite, &colors);
            })?;
        }
        Levels::new(gpu, image).map(Self)
    }

    pub(super) fn is_opaque(&self) -> bool {
        self.0.full().is_opaque
    }

    /// Draws the picture in its layer's box.
    pub(super) fn draw(
        &mut self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        layer: &Layer,
        media: &MediaBox,
        drift: Affine,
    ) -> Result<()> {
        let full = self.0.full();
        let size = (full.width as f32, full.height as f32);
        let placement = place(layer, media, drift, size);
        let is_settled = layer.is_settled && drift == Affine::IDENTITY;
        self.0.draw(painter, canvas, placement, is_settled)
    }
}

/// Changes a picture on the host by passes of the device.
fn change(
    gpu: &Gpu,
    image: &mut DecodedImage,
    passes: impl FnOnce(&mut Painter<'_>, &Sprite),
) -> Result<()> {
    let sprite = Sprite::upload(gpu, image.width, image.height, &image.pixels)?;
    let mut painter = Painter::new(gpu);
    passes(&mut painter, &sprite);
    painter.submit();
    image.pixels = sprite.download(gpu)?;
    Ok(())
}

/// Puts the overlay's name before a message about its source.
pub(super) fn named(media: &MediaBox, error: Error) -> Error {
    match error {
        Error::BadInput(message) => {
            Error::BadInput(format!("{}: {} {message}", media.label, media.src))
        }
        other => other,
    }
}
