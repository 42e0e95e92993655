//! Image overlays, and how a picture sits in its box.

use std::path::Path;

use kinora_composition::document::ObjectFit;
use kinora_composition::timeline::{Affine, Layer, MediaBox, Projection, Size};

use super::frame::ContentBox;
use crate::gpu::{Clip, Gpu, Painter, Placement, Sprite};
use crate::media::{DecodedImage, load_image};
use crate::{Error, Result};

/// A picture at its own size and at halves of it, so that a shrunken one does not shimmer.
pub(super) struct Picture {
    /// From the full size down.
    levels: Vec<Sprite>,
}

impl Picture {
    pub(super) fn load(gpu: &Gpu, path: &Path) -> Result<Self> {
        let mut image = load_image(path)?;
        while image.width.max(image.height) > gpu.max_side() {
            image = halved(&image);
        }
        let mut levels = vec![Sprite::upload(
            gpu,
            image.width,
            image.height,
            &image.pixels,
        )?];
        while image.width > 1 && image.height > 1 {
            image = halved(&image);
            levels.push(Sprite::upload(
                gpu,
                image.width,
                image.height,
                &image.pixels,
            )?);
        }
        Ok(Self { levels })
    }

    fn full(&self) -> &Sprite {
        &self.levels[0]
    }

    pub(super) fn is_opaque(&self) -> bool {
        self.full().is_opaque
    }

    /// Draws the picture in its layer's box.
    pub(super) fn draw(
        &self,
        painter: &mut Painter<'_>,
        canvas: &Sprite,
        layer: &Layer,
        media: &MediaBox,
        drift: Affine,
    ) {
        let full = self.full();
        let mut placement = place(layer, media, drift, (full.width, full.height));
        let level = self.level_for(placement.to_target);
        let sprite = &self.levels[level];
        let (x, y) = (
            full.width as f32 / sprite.width as f32,
            full.height as f32 / sprite.height as f32,
        );
        placement.to_target = placement.to_target.then_inner(Affine::scale(x, y));
        let [left, top, right, bottom] = placement.window;
        placement.window = [left / x, top / y, right / x, bottom / y];
        painter.picture(canvas, sprite, &placement);
    }

    /// The smallest level that still has a texel for every pixel.
    fn level_for(&self, to_target: Projection) -> usize {
        let [[a, c, _], [b, d, _], _] = to_target.0;
        let (across, down) = (a.hypot(b), c.hypot(d));
        let shrink = 1.0 / across.max(down).max(1e-6);
        let level = shrink.log2().floor().max(0.0) as usize;
        level.min(self.levels.len() - 1)
    }
}

/// Half the size, each pixel the mean of four.
fn halved(image: &DecodedImage) -> DecodedImage {
    let (width, height) = ((image.width / 2).max(1), (image.height / 2).max(1));
    let row = image.width as usize * 4;
    let mut pixels = Vec::with_capacity(width as usize * height as usize * 4);
    for y in 0..height as usize {
        let upper = &image.pixels[2 * y * row..][..row];
        let lower_y = (2 * y + 1).min(image.height as usize - 1);
        let lower = &image.pixels[lower_y * row..][..row];
        for x in 0..width as usize {
            let left = 2 * x * 4;
            let right = (2 * x + 1).min(image.width as usize - 1) * 4;
            for channel in 0..4 {
                let sum = u16::from(upper[left + channel])
                    + u16::from(upper[right + channel])
                    + u16::from(lower[left + channel])
                    + u16::from(lower[right + channel]);
                pixels.push(((sum + 2) / 4) as u8);
            }
        }
    }
    DecodedImage {
        width,
        height,
        pixels,
    }
}

/// Where a source of this size goes: fitted into its layer's box, drifted, and clipped to it.
pub(super) fn place(
    layer: &Layer,
    media: &MediaBox,
    drift: Affine,
    (source_width, source_height): (u32, u32),
) -> Placement {
    let (source_width, source_height) = (source_width as f32, source_height as f32);
    let content = ContentBox::new(&media.frame, layer.size);
    let (box_width, box_height) = (content.width, content.height);
    let [crop_x, crop_y, crop_width, crop_height] = media.crop.unwrap_or([0.0, 0.0, 1.0, 1.0]);
    let (left, top) = (crop_x * source_width, crop_y * source_height);
    let (width, height) = (
        (crop_width * source_width).max(1e-3),
        (crop_height * source_height).max(1e-3),
    );
    let (across, down) = (box_width / width, box_height / height);
    let (scale_x, scale_y) = match media.fit {
        ObjectFit::Fill => (across, down),
        ObjectFit::Contain => (across.min(down), across.min(down)),
        ObjectFit::Cover => (across.max(down), across.max(down)),
        ObjectFit::None => (1.0, 1.0),
        ObjectFit::ScaleDown => (across.min(down).min(1.0), across.min(down).min(1.0)),
    };
    let x = media.position.x.resolve(box_width - width * scale_x);
    let y = media.position.y.resolve(box_height - height * scale_y);
    let fitted = Affine::translate(x, y)
        .then_inner(Affine::scale(scale_x, scale_y))
        .then_inner(Affine::translate(-left, -top));
    let inside = Affine::translate(content.left, content.top);
    Placement {
        to_target: layer
            .transform
            .then_inner(drift)
            .then_inner(inside)
            .then_inner(fitted),
        window: [left, top, left + width, top + height],
        clip: Clip {
            to_target: layer.transform.then_inner(inside),
            size: Size {
                width: box_width,
                height: box_height,
            },
            radii: content.radii,
        },
        opacity: layer.opacity,
    }
}

/// Whether a picture without transparency leaves no pixel of its box uncovered.
pub(super) fn fills_box(media: &MediaBox) -> bool {
    let content = ContentBox::new(&media.frame, media.size);
    matches!(media.fit, ObjectFit::Cover | ObjectFit::Fill)
        && media.greenscreen.is_none()
        && (content.width, content.height) == (media.size.width, media.size.height)
        && content.radii.iter().all(|(x, y)| *x == 0.0 || *y == 0.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_averages_four_pixels_and_ends_at_one() {
        let image = DecodedImage {
            width: 2,
            height: 2,
            pixels: [
                [0, 0, 0, 255],
                [255, 0, 0, 255],
                [0, 255, 0, 255],
                [1, 1, 0, 255],
            ]
            .concat(),
        };
        let half = halved(&image);
        assert_eq!((half.width, half.height), (1, 1));
        assert_eq!(half.pixels, [64, 64, 0, 255]);
        let column = DecodedImage {
            width: 1,
            height: 3,
            pixels: vec![9; 12],
        };
        assert_eq!(halved(&column).pixels, [9; 4]);
    }
}
