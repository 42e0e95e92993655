//! The box behind content: its shadows, its background and its border.

use kinora_composition::css::{Color, CornerRadii, Radii, Shadow};
use kinora_composition::timeline::{BoxStyle, Size};
use tiny_skia::{Pixmap, PixmapPaint, Rect, Transform};

use super::blur::blur_coverage;
use super::easel::{Easel, HostStill, View, pixmap};
use super::paint::{fill, rounded_box};
use super::snap::snapped;
use crate::Result;

/// Pixels beyond which a Gaussian of this deviation is nothing.
pub(super) fn reach(sigma: f32) -> f32 {
    (sigma * 3.0).ceil()
}

/// The standard deviation that a CSS blur radius stands for.
pub(super) fn sigma(blur: f32) -> f32 {
    blur / 2.0
}

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
        let padding = style.padding;
        // CSS padding percentages refer to the width on all sides.
        let padding = [padding.top, padding.right, padding.bottom, padding.left]
            .map(|side| side.resolve(size.width));
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
    let Some(mut easel) = Easel::new(view, bounds(&style.shadows, size))? else {
        return Ok(None);
    };
    paint(&mut easel, style, size)?;
    easel.finish()
}

/// Paints shadows, background and border of a box whose top left corner is the easel's origin.
pub(super) fn paint(easel: &mut Easel, style: &BoxStyle, size: Size) -> Result<()> {
    paint_shadows(easel, &style.shadows, &style.radii, size)?;
    let [left, top, right, bottom] = snapped([0.0, 0.0, size.width, size.height], easel.map);
    let radii = style.radii.resolve(right - left, bottom - top);
    let Some(path) = rounded_box(left, top, right - left, bottom - top, &radii) else {
        return Ok(());
    };
    let map = easel.transform();
    if let Some(color) = style.background.color.filter(|color| color.a > 0.0) {
        fill(&mut easel.pixmap, &path, color, None, map);
    }
    if let Some(area) = Rect::from_ltrb(left, top, right, bottom) {
        for layer in style.background.layers.iter().rev() {
            let gradient = Some((&layer.gradient, area));
            fill(&mut easel.pixmap, &path, Color::TRANSPARENT, gradient, map);
        }
    }
    Ok(())
}

/// Paints the outer shadows of a box.
pub(super) fn paint_shadows(
    easel: &mut Easel,
    shadows: &[Shadow],
    radii: &CornerRadii,
    size: Size,
) -> Result<()> {
    let outer = shadows
        .iter()
        .filter(|shadow| !shadow.inset && shadow.color.a > 0.0);
    // The first shadow is in front: draw from the back.
    for shadow in outer.rev() {
        let mut mask = pixmap(easel.pixmap.width(), easel.pixmap.height())?;
        let spread = shadow.spread;
        let (box_width, box_height) = (size.width + 2.0 * spread, size.height + 2.0 * spread);
        let corners = radii.resolve(size.width, size.height).map(|(x, y)| {
            if x > 0.0 && y > 0.0 {
                ((x + spread).max(0.0), (y + spread).max(0.0))
            } else {
                (0.0, 0.0)
            }
        });
        let (x, y) = (shadow.dx - spread, shadow.dy - spread);
        if let Some(path) = rounded_box(x, y, box_width, box_height, &corners) {
            fill(&mut mask, &path, Color::BLACK, None, easel.transform());
        }
        let width = mask.width() as usize;
        let mut coverage: Vec<u8> = mask.pixels().iter().map(|pixel| pixel.alpha()).collect();
        blur_coverage(&mut coverage, width, sigma(shadow.blur));
        tint(&mut mask, &coverage, shadow.color);
        blend(&mut easel.pixmap, &mask);
    }
    Ok(())
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
