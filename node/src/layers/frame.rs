//! The box behind content: its shadows, its background and its border.

use kinora_composition::css::{
    Background, BackgroundClip, BorderSide, BorderStyle, Color, Radii, Shadow,
};
use kinora_composition::timeline::{BoxStyle, Size};
use tiny_skia::{Pixmap, PixmapPaint, Transform};

pub(super) use super::blur::{reach, sigma};
use super::boxes::model::{BoxModel, at_least, paddings};
use super::boxes::outline::RoundedBox;
use super::boxes::{background, border, shadow};
use super::easel::{Easel, HostStill, View, pixmap};
use crate::Result;
use crate::raster::{Mask, paint_rows};

/// The part of a box that its border and padding leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ContentBox {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) width: f32,
    pub(super) height: f32,
    /// Corners of its outline.
    pub(super) radii: Radii,
}

impl ContentBox {
    pub(super) fn new(style: &BoxStyle, size: Size) -> Self {
        let padding = paddings(style, size);
        let size = at_least(style, size);
        let border = style.border.widths();
        let [top, right, bottom, left] = std::array::from_fn(|side| padding[side] + border[side]);
        let radii = style.radii.resolve(size.width, size.height);
        let outer = RoundedBox::new([0.0, 0.0, size.width, size.height], radii);
        let inner = outer.inset([top, right, bottom, left]);
        Self {
            left,
            top,
            width: (size.width - left - right).max(0.0),
            height: (size.height - top - bottom).max(0.0),
            radii: inner.radii,
        }
    }
}

/// What a box's shadows may touch, in its coordinates: left, top, right, bottom.
pub(super) fn bounds(shadows: &[Shadow], size: Size) -> [f32; 4] {
    let margin = shadows
        .iter()
        .filter(|shadow| !shadow.inset)
        .map(|s| reach(sigma(s.blur)) + s.spread.max(0.0) + s.dx.abs().max(s.dy.abs()))
        .fold(0.0, f32::max);
    [-margin, -margin, size.width + margin, size.height + margin]
}

/// Rasters the box behind a picture; `None` when nothing is to be seen.
pub(super) fn raster(style: &BoxStyle, size: Size, view: &View) -> Result<Option<HostStill>> {
    match painted(style, size, view)? {
        Some(easel) => easel.finish(),
        None => Ok(None),
    }
}

/// The easel with the box on it; `None` when it is out of view.
pub(super) fn painted(style: &BoxStyle, size: Size, view: &View) -> Result<Option<Easel>> {
    let size = at_least(style, size);
    let Some(mut easel) = Easel::new(view, bounds(&style.shadows, size))? else {
        return Ok(None);
    };
    paint(&mut easel, style, size)?;
    Ok(Some(easel))
}

/// Paints shadows, background and border of a box whose top left corner is the easel's origin. A
/// background that is seen through letters only is left to [`paint_through`].
pub(super) fn paint(easel: &mut Easel, style: &BoxStyle, size: Size) -> Result<()> {
    let model = BoxModel::new(style, size, easel.map);
    let Background { color, clip, .. } = &style.background;
    let is_opaque = *clip == BackgroundClip::BorderBox && color.is_some_and(|color| color.a >= 1.0);
    shadow::paint_outer(easel, &style.shadows, &model.border, is_opaque);
    if !style.background.is_empty() && shows_edge(style, &model) {
        return paint_cut(easel, style, &model);
    }
    background::paint(easel, &style.background, &model, hidden_edge(style, &model));
    shadow::paint_inner(easel, &style.shadows, &model);
    border::paint(easel, &style.border, &model, 0.0);
    Ok(())
}

/// Paints the background that is seen through letters only, where `letters` cover.
pub(super) fn paint_through(easel: &mut Easel, style: &BoxStyle, size: Size, letters: &Mask) {
    let model = BoxModel::new(style, size, easel.map);
    background::paint_through(easel, &style.background, &model, letters);
}

/// Paints background and border as one, then cuts both along the outer edge: painted one over the
/// other, the background would shine through at round edges.
fn paint_cut(easel: &mut Easel, style: &BoxStyle, model: &BoxModel) -> Result<()> {
    /// How far both reach beyond the edge before they are cut.
    const BEYOND: f32 = 2.0;
    let empty = pixmap(easel.pixmap.width(), easel.pixmap.height())?;
    let below = std::mem::replace(&mut easel.pixmap, empty);
    background::paint(easel, &style.background, model, [-BEYOND; 4]);
    shadow::paint_inner(easel, &style.shadows, model);
    border::paint(easel, &style.border, model, BEYOND);
    let mask = easel.box_mask(&model.border);
    let layer = std::mem::replace(&mut easel.pixmap, below);
    if let Some(mask) = mask {
        let width = layer.width() as usize;
        let (pixels, _) = layer.data().as_chunks::<4>();
        paint_rows(&mut easel.pixmap, &mask, |(x, y), row| {
            for (to, from) in row.iter_mut().zip(&pixels[y * width + x..]) {
                *to = from.map(|channel| f32::from(channel) / 255.0);
            }
        });
    }
    Ok(())
}

/// Whether a round border hides all of the background below it.
fn hides_background(style: &BoxStyle) -> bool {
    style.border.sides().iter().all(|side| {
        let is_whole = !matches!(side.style, BorderStyle::Dashed | BorderStyle::Dotted);
        side.width > 0.0 && side.color.a >= 1.0 && is_whole
    })
}

/// Whether the background is seen below the edge of a round border.
fn shows_edge(style: &BoxStyle, model: &BoxModel) -> bool {
    let has_border = |side: &BorderSide| side.width > 0.0 && side.color.a > 0.0;
    model.border.is_round()
        && style.border.sides().iter().any(has_border)
        && !hides_background(style)
}

/// How far a background stays within the outer edge, unseen: below round opaque borders it would
/// shine through at the edge.
fn hidden_edge(style: &BoxStyle, model: &BoxModel) -> [f32; 4] {
    if !model.border.is_round() || !hides_background(style) {
        return [0.0; 4];
    }
    style.border.sides().map(|side| match side.style {
        BorderStyle::Double => side.width / 6.0,
        _ => side.width / 2.0,
    })
}

/// Sets a picture to one colour with this much coverage.
pub(super) fn tint(picture: &mut Pixmap, coverage: &[u8], color: Color) {
    for (pixel, coverage) in picture.data_mut().chunks_exact_mut(4).zip(coverage) {
        let alpha = color.a * f32::from(*coverage);
        let [r, g, b] = [color.r, color.g, color.b].map(|channel| (channel * alpha).round() as u8);
        pixel.copy_from_slice(&[r, g, b, alpha.round() as u8]);
    }
}

/// Blends a picture over another of the same size.
pub(super) fn blend(onto: &mut Pixmap, picture: &Pixmap) {
    let paint = PixmapPaint::default();
    onto.draw_pixmap(0, 0, picture.as_ref(), &paint, Transform::identity(), None);
}
