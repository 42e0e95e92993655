//! Emoji: glyphs that are pictures, in sizes of halves.

use std::collections::HashMap;
use std::sync::Arc;

use tiny_skia::{Pixmap, PremultipliedColorU8};
use ttf_parser::{GlyphId, RasterImageFormat};

use super::face::Face;

/// Pictures beyond this many pixels across are not shown.
const LARGEST_SIDE: u32 = 1024;
/// This many glyphs are kept.
const MOST_KEPT: usize = 512;

/// A glyph that is a picture.
pub(super) struct GlyphPicture {
    /// The picture, then half of it, and so on.
    sizes: Vec<Pixmap>,
    /// From the glyph's origin to the picture's top left corner, in em.
    pub(super) corner: (f32, f32),
    /// Em across one pixel of the whole picture.
    pub(super) pixel: f32,
}

impl GlyphPicture {
    fn new(face: &Face, id: u16) -> Option<Self> {
        let parsed = face.parsed()?;
        let raster = parsed.glyph_raster_image(GlyphId(id), u16::MAX)?;
        if raster.format != RasterImageFormat::PNG || raster.pixels_per_em == 0 {
            return None;
        }
        let picture = image::load_from_memory_with_format(raster.data, image::ImageFormat::Png)
            .ok()?
            .into_rgba8();
        if picture.width().max(picture.height()) > LARGEST_SIDE {
            return None;
        }
        let mut pixmap = Pixmap::new(picture.width(), picture.height())?;
        for (to, from) in pixmap.pixels_mut().iter_mut().zip(picture.pixels()) {
            let [r, g, b, a] = from.0;
            *to = tiny_skia::ColorU8::from_rgba(r, g, b, a).premultiply();
        }
        let pixel = 1.0 / f32::from(raster.pixels_per_em);
        let top = f32::from(raster.y) + picture.height() as f32;
        let mut sizes = vec![pixmap];
        while let Some(half) = sizes.last().and_then(halved) {
            sizes.push(half);
        }
        Some(Self {
            sizes,
            corner: (f32::from(raster.x) * pixel, -top * pixel),
            pixel,
        })
    }

    /// The size that is nearest to a scale, and how much smaller than the whole picture it is.
    pub(super) fn nearest(&self, scale: f32) -> (&Pixmap, (f32, f32)) {
        let halvings = (1.0 / scale.max(1e-6)).log2().round().max(0.0) as usize;
        let pixmap = &self.sizes[halvings.min(self.sizes.len() - 1)];
        let whole = &self.sizes[0];
        let shrink = (
            whole.width() as f32 / pixmap.width() as f32,
            whole.height() as f32 / pixmap.height() as f32,
        );
        (pixmap, shrink)
    }
}

/// A picture half as large; `None` where it can't be smaller.
fn halved(picture: &Pixmap) -> Option<Pixmap> {
    let (width, height) = (picture.width(), picture.height());
    if width < 2 || height < 2 {
        return None;
    }
    let mut half = Pixmap::new(width / 2, height / 2)?;
    let (stride, half_width) = (width as usize, width as usize / 2);
    let from = picture.pixels();
    for (index, pixel) in half.pixels_mut().iter_mut().enumerate() {
        let at = index / half_width * 2 * stride + index % half_width * 2;
        let four = [
            from[at],
            from[at + 1],
            from[at + stride],
            from[at + stride + 1],
        ];
        let mean = |channel: fn(&PremultipliedColorU8) -> u8| {
            let sum: u16 = four.iter().map(|pixel| u16::from(channel(pixel))).sum();
            ((sum + 2) / 4) as u8
        };
        let alpha = mean(|p| p.alpha());
        let [r, g, b] = [
            mean(|p| p.red()).min(alpha),
            mean(|p| p.green()).min(alpha),
            mean(|p| p.blue()).min(alpha),
        ];
        *pixel = PremultipliedColorU8::from_rgba(r, g, b, alpha)
            .unwrap_or(PremultipliedColorU8::TRANSPARENT);
    }
    Some(half)
}

/// Pictures decoded so far.
#[derive(Default)]
pub(super) struct PictureCache(HashMap<(u32, u16), Option<Arc<GlyphPicture>>>);

impl PictureCache {
    pub(super) fn picture(&mut self, face: &Face, id: u16) -> Option<Arc<GlyphPicture>> {
        if self.0.len() >= MOST_KEPT {
            self.0.clear();
        }
        self.0
            .entry((face.serial, id))
            .or_insert_with(|| GlyphPicture::new(face, id).map(Arc::new))
            .clone()
    }
}
