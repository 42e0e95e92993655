//! Lines of text with what belongs to them: shadows, letters and lines on them.

use kinora_composition::css::{Color, Shadow, TextDecoration};
use kinora_composition::timeline::{Affine, TextStyle};
use tiny_skia::{LineJoin, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::blur::blur_coverage;
use super::easel::{Easel, pixmap};
use super::frame::{reach, sigma, tint};
use crate::Result;
use crate::raster::{Mask, Rule, paint_color};
use crate::text::{Mark, Part, Pen, TextLayout, Typesetter};

/// Shadows are worked out up to this far around letters, in pixels.
const FARTHEST_BLUR: f32 = 1024.0;

/// Laid-out words at a place of their box.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) layout: &'a TextLayout,
    pub(super) at: (f32, f32),
    /// What of them is painted.
    pub(super) part: Part,
}

impl<'a> Words<'a> {
    /// All words of a layout.
    pub(super) fn all(layout: &'a TextLayout, at: (f32, f32)) -> Self {
        Self {
            layout,
            at,
            part: Part::ALL,
        }
    }
}

/// What words are painted with.
#[derive(Clone, Copy)]
pub(super) struct Inks<'a> {
    pub(super) pen: Pen,
    /// The front one first.
    pub(super) shadows: &'a [Shadow],
    pub(super) decoration: Option<&'a TextDecoration>,
}

impl<'a> Inks<'a> {
    pub(super) fn of(style: &'a TextStyle) -> Self {
        Self {
            pen: Pen::Own(style.color),
            shadows: &style.shadows,
            decoration: style.decoration.as_ref(),
        }
    }
}

/// Paints one line of words: the shadows from the back, then the letters and what is on them.
pub(super) fn paint_line(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    words: Words<'_>,
    line: usize,
    inks: Inks<'_>,
) -> Result<()> {
    paint_shadows(easel, typesetter, words, line, inks)?;
    let map = easel
        .map
        .then_inner(Affine::translate(words.at.0, words.at.1));
    let inks = Inks {
        shadows: &[],
        ..inks
    };
    ink(&mut easel.pixmap, typesetter, words, line, map, inks);
    Ok(())
}

/// Paints the shadows of one line of words.
pub(super) fn paint_shadows(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    words: Words<'_>,
    line: usize,
    inks: Inks<'_>,
) -> Result<()> {
    for shadow in inks.shadows.iter().rev() {
        cast(easel, typesetter, words, line, inks.decoration, shadow)?;
    }
    Ok(())
}

/// Paints the letters of a line and the lines on them.
fn ink(
    onto: &mut Pixmap,
    typesetter: &mut Typesetter,
    Words { layout, part, .. }: Words<'_>,
    line: usize,
    map: Affine,
    inks: Inks<'_>,
) {
    let marks = inks.decoration.map(|decoration| {
        let marks = layout.marks(line, part, decoration);
        (marks, decoration.color)
    });
    if let Some((marks, color)) = &marks {
        draw_marks(onto, &marks.behind, map, *color);
    }
    typesetter.paint(onto, layout, (line, part), map, inks.pen);
    if let Some((marks, color)) = &marks {
        draw_marks(onto, &marks.above, map, *color);
    }
}

/// Paints the shadow that a line casts.
fn cast(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    words: Words<'_>,
    line: usize,
    decoration: Option<&TextDecoration>,
    shadow: &Shadow,
) -> Result<()> {
    let Some(letters) = words.layout.reach(line, words.part) else {
        return Ok(());
    };
    let at = Affine::translate(words.at.0 + shadow.dx, words.at.1 + shadow.dy);
    let map = easel.map.then_inner(at);
    let Affine { a, b, c, d, .. } = map;
    let deviation = sigma(shadow.blur) * (a * d - b * c).abs().sqrt();
    let margin = reach(deviation).min(FARTHEST_BLUR);
    let (width, height) = (easel.pixmap.width() as f32, easel.pixmap.height() as f32);
    let [left, top, right, bottom] = letters;
    let corners =
        [(left, top), (right, top), (left, bottom), (right, bottom)].map(|(x, y)| map.apply(x, y));
    // Letters beyond the picture cast shadows into it.
    let span = |values: [f32; 4], side: f32| {
        let low = values.into_iter().fold(f32::MAX, f32::min) - margin;
        let high = values.into_iter().fold(f32::MIN, f32::max) + margin;
        (
            low.max(-margin).floor() as i32,
            high.min(side + margin).ceil() as i32,
        )
    };
    let (x0, x1) = span(corners.map(|corner| corner.0), width);
    let (y0, y1) = span(corners.map(|corner| corner.1), height);
    if x0 >= x1 || y0 >= y1 || shadow.color.a <= 0.0 {
        return Ok(());
    }
    let mut picture = pixmap((x1 - x0) as u32, (y1 - y0) as u32)?;
    let map = Affine::translate(-(x0 as f32), -(y0 as f32)).then_inner(map);
    let solid = decoration.map(|decoration| TextDecoration {
        color: Color::BLACK,
        ..*decoration
    });
    let inks = Inks {
        pen: Pen::Flat(Color {
            a: 1.0,
            ..shadow.color
        }),
        shadows: &[],
        decoration: solid.as_ref(),
    };
    ink(&mut picture, typesetter, words, line, map, inks);
    let row = picture.width() as usize;
    let mut coverage: Vec<u8> = picture.pixels().iter().map(|pixel| pixel.alpha()).collect();
    blur_coverage(&mut coverage, row, deviation);
    tint(&mut picture, &coverage, shadow.color);
    let paint = tiny_skia::PixmapPaint::default();
    let still = Transform::identity();
    easel
        .pixmap
        .draw_pixmap(x0, y0, picture.as_ref(), &paint, still, None);
    Ok(())
}

fn draw_marks(onto: &mut Pixmap, marks: &[Mark], map: Affine, color: Color) {
    let Affine { a, b, c, d, e, f } = map;
    let transform = Transform::from_row(a, b, c, d, e, f);
    let size = (onto.width(), onto.height());
    for mark in marks {
        let path = match mark {
            Mark::Bar(bar) => bar_on_rows(*bar, map),
            Mark::Dot((x, y), size) => {
                let y = on_row(y - size / 2.0, map) + size / 2.0;
                PathBuilder::from_circle(*x, y, size / 2.0)
            }
            Mark::Wave(points, width) => wave(points, *width),
        };
        if let Some(mask) = path.and_then(|path| Mask::of(&path, Rule::NonZero, transform, size)) {
            paint_color(onto, &mask, color);
        }
    }
}

/// The outline of a stroke through points.
fn wave(points: &[(f32, f32)], width: f32) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (first, others) = points.split_first()?;
    path.move_to(first.0, first.1);
    for (x, y) in others {
        path.line_to(*x, *y);
    }
    let stroke = Stroke {
        width,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    path.finish()?.stroke(&stroke, 1.0)
}

/// A bar whose upper and lower edge lie on pixel rows.
fn bar_on_rows([left, top, right, bottom]: [f32; 4], map: Affine) -> Option<Path> {
    let moved = on_row(top, map) - top;
    let rect = Rect::from_ltrb(left, top + moved, right, bottom + moved)?;
    Some(PathBuilder::from_rect(rect))
}

/// The height nearest to `y` that lies on a row of pixels, where the map only moves; else of the box.
fn on_row(y: f32, map: Affine) -> f32 {
    let shift = if map.is_translation() { map.f } else { 0.0 };
    (y + shift + 0.5).floor() - shift
}
