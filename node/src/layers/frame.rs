//! The box behind content: its shadows, its background and its border.

use kinora_composition::css::{Background, BackgroundClip, BorderStyle, Color, Radii, Shadow};
use kinora_composition::timeline::{BoxStyle, Size};
use tiny_skia::{Pixmap, PixmapPaint, Transform};

pub(super) use super::blur::{reach, sigma};
use super::boxes::model::{BoxModel, at_least, paddings};
use super::boxes::{background, border, shadow};
use super::easel::{Easel, HostStill, View};
use crate::Result;
use crate::raster::Mask;

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
        let [tl, tr, br, bl] = style.radii.resolve(size.width, size.height);
        let inner = |(x, y): (f32, f32), dx: f32, dy: f32| ((x - dx).max(0.0), (y - dy).max(0.0));
        Self {
            left,
            top,
            width: (size.width - left - right).max(0.0),
            height: (size.height - top - bottom).max(0.0),
            radii: [
                inner(tl, left, top),
                inner(tr, right, top),
                inner(br, right, bottom),
                inner(bl, left, bottom),
            ],
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
    let size = at_least(style, size);
    let Some(mut easel) = Easel::new(view, bounds(&style.shadows, size))? else {
        return Ok(None);
    };
    paint(&mut easel, style, size)?;
    easel.finish()
}

/// Paints shadows, background and border of a box whose top left corner is the easel's origin. A
/// background that is seen through letters only is left to [`paint_through`].
pub(super) fn paint(easel: &mut Easel, style: &BoxStyle, size: Size) -> Result<()> {
    let model = BoxModel::new(style, size, easel.map);
    let Background { color, clip, .. } = &style.background;
    let is_opaque = *clip == BackgroundClip::BorderBox && color.is_some_and(|color| color.a >= 1.0);
    shadow::paint_outer(easel, &style.shadows, &model.border, is_opaque);
    let edge = hidden_edge(style, &model);
    background::paint(easel, &style.background, &model, edge);
    shadow::paint_inner(easel, &style.shadows, &model);
    border::paint(easel, &style.border, &model);
    Ok(())
}

/// Paints the background that is seen through letters only, where `letters` cover.
pub(super) fn paint_through(easel: &mut Easel, style: &BoxStyle, size: Size, letters: &Mask) {
    let model = BoxModel::new(style, size, easel.map);
    background::paint_through(easel, &style.background, &model, letters);
}

/// How far a background may stay within the outer edge, unseen: under round opaque borders it would
/// shine through at the edge.
fn hidden_edge(style: &BoxStyle, model: &BoxModel) -> [f32; 4] {
    let sides = style.border.sides();
    let hides = sides.iter().all(|side| {
        let is_whole = !matches!(side.style, BorderStyle::Dashed | BorderStyle::Dotted);
        side.width > 0.0 && side.color.a >= 1.0 && is_whole
    });
    if !hides || !model.border.is_round() {
        return [0.0; 4];
    }
    sides.map(|side| match side.style {
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
