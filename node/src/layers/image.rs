//! Image overlays.

use std::path::Path;

use kinora_composition::timeline::{Affine, Layer, MediaBox};

use super::fit::place;
use super::key;
use super::levels::Levels;
use crate::gpu::{Gpu, Painter, Sprite};
use crate::media::load_image;
use crate::{Error, Result};

/// A picture, ready to be drawn.
pub(super) struct Picture(Levels);

impl Picture {
    pub(super) fn load(gpu: &Gpu, path: &Path, media: &MediaBox) -> Result<Self> {
        let mut image = load_image(path)?;
        if let Some(screen) = &media.greenscreen {
            key::remove(gpu, &mut image, screen)?;
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

/// Puts the overlay's name before a message about its source.
pub(super) fn named(media: &MediaBox, error: Error) -> Error {
    match error {
        Error::BadInput(message) => {
            Error::BadInput(format!("{}: {} {message}", media.label, media.src))
        }
        other => other,
    }
}
