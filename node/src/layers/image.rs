//! Image overlays.

use std::path::Path;
use std::sync::Arc;

use kinora_composition::timeline::{Affine, Layer, MediaBox};

use super::fit::place;
use super::levels::Levels;
use super::retouch::Retouch;
use super::vector::VectorPicture;
use crate::gpu::{Gpu, Painter, Sprite};
use crate::media::{Animation, Artwork, DecodedImage, VectorFonts, load_artwork};
use crate::{Error, Result};

/// A picture, ready to be drawn.
pub(super) enum Picture {
    /// One that stays the same.
    Still(Levels),
    /// One of the frames of a picture that moves.
    Animated {
        animation: Box<Animation>,
        /// The frame at hand.
        frame: usize,
        levels: Levels,
        /// What is done to every frame.
        retouch: Retouch,
    },
    /// Outlines.
    Vector(Box<VectorPicture>),
}

impl Picture {
    /// Reads a picture, and a frame of it if it moves.
    pub(super) fn load(
        gpu: &Gpu,
        path: &Path,
        retouch: Retouch,
        frame: Option<usize>,
        fonts: impl FnOnce() -> Arc<VectorFonts>,
    ) -> Result<Self> {
        if let Some(frame) = frame {
            let mut animation = Box::new(Animation::open(path)?);
            return Ok(Self::Animated {
                levels: levels(gpu, animation.frame(frame)?, &retouch)?,
                animation,
                frame,
                retouch,
            });
        }
        Ok(match load_artwork(path, fonts)? {
            Artwork::Bitmap(image) => Self::Still(levels(gpu, image, &retouch)?),
            Artwork::Vector(vector) => Self::Vector(Box::new(VectorPicture::new(*vector, retouch))),
        })
    }

    /// Brings another frame of a picture that moves to the device.
    pub(super) fn show(&mut self, gpu: &Gpu, wanted: usize) -> Result<()> {
        if let Self::Animated {
            animation,
            frame,
            levels: shown,
            retouch,
        } = self
            && *frame != wanted
        {
            *shown = levels(gpu, animation.frame(wanted)?, retouch)?;
            *frame = wanted;
        }
        Ok(())
    }

    pub(super) fn is_opaque(&self) -> bool {
        match self {
            Self::Still(levels) | Self::Animated { levels, .. } => levels.full().is_opaque,
            Self::Vector(_) => false,
        }
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
        let levels = match self {
            Self::Still(levels) | Self::Animated { levels, .. } => levels,
            Self::Vector(vector) => {
                let drawn = vector.draw(painter, canvas, layer, media, drift);
                return drawn.map_err(|error| named(media, error));
            }
        };
        let full = levels.full();
        let size = (full.width as f32, full.height as f32);
        let placement = place(layer, media, drift, size);
        let is_settled = layer.is_settled && drift == Affine::IDENTITY;
        levels.draw(painter, canvas, placement, is_settled)
    }
}

fn levels(gpu: &Gpu, mut image: DecodedImage, retouch: &Retouch) -> Result<Levels> {
    retouch.apply_to_image(gpu, &mut image)?;
    Levels::new(gpu, image)
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
