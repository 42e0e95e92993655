//! Paints laid-out text.

use kinora_composition::css::Color;
use kinora_composition::timeline::Affine;
use tiny_skia::{FilterQuality, Pixmap, PixmapPaint, Transform};

use super::face::StyledFace;
use super::glyphs::{self, GlyphCache, GlyphMask};
use super::layout::Line;
use super::pictures::PictureCache;
use super::tone::adjusted;
use super::{FontBook, Part, TextLayout};
use crate::raster::{Mask, Rule, paint_color};

/// Letters that are larger on the canvas lie where they are, not on quarters of pixels.
const LARGEST_KEPT: f32 = 256.0;

/// Fonts, and the glyphs drawn so far.
pub struct Typesetter {
    /// The fonts.
    pub fonts: FontBook,
    glyphs: GlyphCache,
    pictures: PictureCache,
}

impl Typesetter {
    /// A typesetter with these fonts.
    pub fn new(fonts: FontBook) -> Self {
        Self {
            fonts,
            glyphs: GlyphCache::default(),
            pictures: PictureCache::default(),
        }
    }

    /// Paints a part of one line of text whose box has its top left corner at the origin of `map`:
    /// in one colour, or letters that have colours of their own in those.
    pub(crate) fn paint(
        &mut self,
        onto: &mut Pixmap,
        layout: &TextLayout,
        (line, part): (usize, Part),
        map: Affine,
        pen: Pen,
    ) {
        let Some(line) = layout.lines.get(line) else {
            return;
        };
        let (size, Line { x, baseline, .. }) = (layout.font_size, line);
        let color_of = |cluster: usize| match pen {
            Pen::Own(color) => layout.colors.get(cluster).copied().unwrap_or(color),
            Pen::Flat(color) => color,
        };
        let glyphs = line.glyphs.iter().filter(|one| part.contains(one.cluster));
        let mut ink: Option<Ink> = None;
        for glyph in glyphs {
            let color = color_of(glyph.cluster);
            if ink.as_ref().is_none_or(|ink| ink.color != color) {
                ink = Some(Ink {
                    color,
                    tone: adjusted(color),
                });
            }
            let Some(ink) = &ink else { continue };
            let Some(face) = layout.faces.get(glyph.face) else {
                continue;
            };
            let (e, f) = map.apply(x + glyph.x, baseline - glyph.y);
            let map = Affine { e, f, ..map };
            if e.is_finite() && f.is_finite() {
                self.paint_glyph(onto, face, glyph.id, size, map, ink);
            }
        }
    }

    fn paint_glyph(
        &mut self,
        onto: &mut Pixmap,
        face: &StyledFace,
        id: u16,
        size: f32,
        map: Affine,
        ink: &Ink,
    ) {
        let side = size * map.a.hypot(map.b).max(map.c.hypot(map.d));
        let away = side * 4.0;
        let (width, height) = (onto.width() as f32, onto.height() as f32);
        let is_seen = map.e + away >= 0.0
            && map.f + away >= 0.0
            && map.e - away <= width
            && map.f - away <= height;
        if !is_seen || side < 1e-3 {
            return;
        }
        if face.face.is_colored {
            self.paint_picture(onto, face, id, size, snapped(map, side).1, ink.color.a);
            return;
        }
        if side > LARGEST_KEPT {
            let Affine { a, b, c, d, e, f } = map;
            let transform = Transform::from_row(a, b, c, d, e, f);
            let size_of_picture = (onto.width(), onto.height());
            for path in glyphs::paths(face, id, size) {
                if let Some(mask) = Mask::of(&path, Rule::NonZero, transform, size_of_picture) {
                    paint_color(onto, &mask, ink.color);
                }
            }
            return;
        }
        let (quarter, placed) = snapped(map, side);
        if let Some(mask) = self.glyphs.mask(face, id, size, map, quarter) {
            let at = (placed.e.floor() as i32, placed.f.floor() as i32);
            blend(onto, &mask, at, ink);
        }
    }

    fn paint_picture(
        &mut self,
        onto: &mut Pixmap,
        face: &StyledFace,
        id: u16,
        size: f32,
        map: Affine,
        opacity: f32,
    ) {
        let Some(picture) = self.pictures.picture(&face.face, id) else {
            return;
        };
        let pixel = picture.pixel * size;
        let scale = pixel * (map.a * map.d - map.b * map.c).abs().sqrt();
        let (pixmap, shrink) = picture.nearest(scale);
        let to_picture = map
            .then_inner(Affine::translate(
                picture.corner.0 * size,
                picture.corner.1 * size,
            ))
            .then_inner(Affine::scale(pixel * shrink.0, pixel * shrink.1));
        let paint = PixmapPaint {
            opacity: opacity.clamp(0.0, 1.0),
            quality: FilterQuality::Bilinear,
            ..PixmapPaint::default()
        };
        let Affine { a, b, c, d, e, f } = to_picture;
        let transform = Transform::from_row(a, b, c, d, e, f);
        onto.draw_pixmap(0, 0, pixmap.as_ref(), &paint, transform, None);
    }
}

/// The colour of letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pen {
    /// Letters that have colours of their own keep them.
    Own(Color),
    /// All in one.
    Flat(Color),
}

/// Where a glyph is drawn: on quarters of pixels along its line, and on whole pixels across where the
/// line runs along the pixels. The quarters, and the map moved there.
fn snapped(map: Affine, side: f32) -> ((u8, u8), Affine) {
    if side > LARGEST_KEPT {
        return ((0, 0), map);
    }
    let quarter = |at: f32| (at * 4.0 + 0.5).floor() / 4.0;
    let whole = |at: f32| (at + 0.5).floor();
    let (e, f) = if map.b == 0.0 && map.c == 0.0 {
        (quarter(map.e), whole(map.f))
    } else if map.a == 0.0 && map.d == 0.0 {
        (whole(map.e), quarter(map.f))
    } else {
        (quarter(map.e), quarter(map.f))
    };
    let part = |at: f32| ((at - at.floor()) * 4.0) as u8;
    ((part(e), part(f)), Affine { e, f, ..map })
}

/// What letters are painted with.
struct Ink {
    color: Color,
    tone: [u8; 256],
}

/// Lays a colour through a mask whose origin lies at a pixel, with its coverage adjusted.
fn blend(onto: &mut Pixmap, mask: &GlyphMask, at: (i32, i32), ink: &Ink) {
    let Ink { color, tone } = ink;
    let (width, height) = (onto.width() as i32, onto.height() as i32);
    let left = mask.left.saturating_add(at.0);
    let top = mask.top.saturating_add(at.1);
    if mask.width == 0 || color.a <= 0.0 {
        return;
    }
    let channels = [color.r, color.g, color.b].map(|c| c.clamp(0.0, 1.0));
    let ink = [channels[0], channels[1], channels[2], 1.0].map(|c| c * color.a.min(1.0));
    let data = onto.data_mut();
    let skipped = (-left).clamp(0, mask.width as i32);
    let shown = (width - left).clamp(0, mask.width as i32);
    if skipped >= shown {
        return;
    }
    for (row, coverage) in mask.coverage.chunks_exact(mask.width).enumerate() {
        let y = top.saturating_add(row as i32);
        if y < 0 || y >= height {
            continue;
        }
        let start = (y as usize * width as usize + (left + skipped) as usize) * 4;
        let coverage = &coverage[skipped as usize..shown as usize];
        let pixels = data[start..].chunks_exact_mut(4);
        for (pixel, coverage) in pixels.zip(coverage) {
            if *coverage == 0 {
                continue;
            }
            let coverage = f32::from(tone[usize::from(*coverage)]);
            let through = 1.0 - ink[3] * coverage / 255.0;
            for (channel, ink) in pixel.iter_mut().zip(ink) {
                *channel = (ink * coverage + f32::from(*channel) * through + 0.5) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn baselines_lie_on_pixel_rows_and_letters_on_quarters() {
        let (quarter, map) = snapped(Affine::translate(10.3, 20.5), 30.0);
        assert_eq!((quarter, map.e, map.f), ((1, 0), 10.25, 21.0));
        let turned = Affine {
            e: 10.4,
            f: 20.9,
            ..Affine::rotate(30.0)
        };
        assert_eq!(snapped(turned, 30.0).0, (2, 0));
        let upright = Affine {
            e: 10.4,
            f: 20.3,
            ..Affine::rotate(90.0)
        };
        let (quarter, map) = snapped(upright, 30.0);
        assert_eq!((quarter, map.e), ((0, 1), 10.0));
        let large = Affine::translate(0.3, 0.3);
        assert_eq!(snapped(large, 300.0).1, large);
    }
}
