//! Paints laid-out text.

use glyphon::SwashCache;
use glyphon::cosmic_text::{CacheKey, PhysicalGlyph, SwashContent};
use kinora_composition::css::Color;
use kinora_composition::timeline::Affine;
use tiny_skia::{Pixmap, PixmapPaint, PremultipliedColorU8, Transform};

use super::{FontBook, TextLayout};

/// Fonts, and the glyphs drawn so far.
pub struct Typesetter {
    /// The fonts.
    pub fonts: FontBook,
    glyphs: SwashCache,
}

impl Typesetter {
    /// A typesetter with these fonts.
    pub fn new(fonts: FontBook) -> Self {
        Self {
            fonts,
            glyphs: SwashCache::new(),
        }
    }

    /// Paints text whose top left corner is the origin of `map`.
    pub fn paint(&mut self, onto: &mut Pixmap, layout: &TextLayout, map: Affine, color: Color) {
        for run in layout.buffer.layout_runs() {
            for glyph in run.glyphs {
                let PhysicalGlyph { cache_key, x, y } =
                    glyph.physical((map.e, map.f + run.line_y), 1.0);
                self.paint_glyph(onto, cache_key, (x, y), color);
            }
        }
    }

    fn paint_glyph(&mut self, onto: &mut Pixmap, key: CacheKey, (x, y): (i32, i32), color: Color) {
        let image = self.glyphs.get_image(&mut self.fonts.system, key);
        let Some(image) = image else { return };
        let (width, height) = (image.placement.width, image.placement.height);
        let Some(mut glyph) = Pixmap::new(width, height) else {
            return;
        };
        let pixels = glyph.pixels_mut();
        match image.content {
            SwashContent::Mask => {
                for (pixel, coverage) in pixels.iter_mut().zip(&image.data) {
                    *pixel = shade([color.r, color.g, color.b], color.a * f32::from(*coverage));
                }
            }
            SwashContent::Color | SwashContent::SubpixelMask => {
                for (pixel, rgba) in pixels.iter_mut().zip(image.data.chunks_exact(4)) {
                    let rgb = [rgba[0], rgba[1], rgba[2]].map(|c| f32::from(c) / 255.0);
                    *pixel = shade(rgb, color.a * f32::from(rgba[3]));
                }
            }
        }
        let at = (x + image.placement.left, y - image.placement.top);
        let paint = PixmapPaint::default();
        onto.draw_pixmap(
            at.0,
            at.1,
            glyph.as_ref(),
            &paint,
            Transform::identity(),
            None,
        );
    }
}

fn shade(rgb: [f32; 3], alpha: f32) -> PremultipliedColorU8 {
    let [r, g, b] = rgb.map(|channel| (channel * alpha).round() as u8);
    PremultipliedColorU8::from_rgba(r, g, b, alpha.round() as u8)
        .unwrap_or(PremultipliedColorU8::TRANSPARENT)
}
