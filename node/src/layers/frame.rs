//! The box behind content: its shadows and its background.

use kinora_composition::css::{Color, CornerRadii, Radii, Shadow};
use kinora_composition::timeline::{BoxStyle, Size};
use tiny_skia::Rect;

use super::blur::blur_coverage;
use super::paint::{fill, pixmap, rounded_box};
use super::still::Still;
use crate::Result;
use crate::gpu::{Gpu, Sprite};

/// Pixels beyond which a Gaussian of this deviation is nothing.
pub(super) fn reach(sigma: f32) -> f32 {
    (sigma * 3.0).ceil()
}

/// The standard deviation that a CSS blur radius stands for.
pub(super) fn sigma(blur: f32) -> f32 {
    blur / 2.0
}

/// How far shadows reach beyond a box, at most.
fn margin(shadows: &[Shadow]) -> f32 {
    shadows
        .iter()
        .filter(|shadow| !shadow.inset)
        .map(|s| reach(sigma(s.blur)) + s.spread.max(0.0) + s.dx.abs().max(s.dy.abs()))
        .fold(0.0, f32::max)
        .ceil()
}

/// Rasters the shadows and the background of a box; `None` when there is nothing to see.
pub(super) fn raster(gpu: &Gpu, style: &BoxStyle, size: Size) -> Result<Option<Still>> {
    let radii = style.radii.resolve(size.width, size.height);
    let shadows = raster_shadows(gpu, &style.shadows, &style.radii, size)?;
    let background = raster_background(gpu, style, size, &radii)?;
    let background = background.map(|sprite| Still::at(sprite, 0.0, 0.0));
    Still::flatten(gpu, shadows.into_iter().chain(background).collect())
}

/// Rasters the outer shadows of a box.
pub(super) fn raster_shadows(
    gpu: &Gpu,
    shadows: &[Shadow],
    radii: &CornerRadii,
    size: Size,
) -> Result<Option<Still>> {
    let outer: Vec<&Shadow> = shadows
        .iter()
        .filter(|shadow| !shadow.inset && shadow.color.a > 0.0)
        .collect();
    if outer.is_empty() {
        return Ok(None);
    }
    let margin = margin(shadows);
    let width = (size.width + 2.0 * margin).ceil() as u32;
    let height = (size.height + 2.0 * margin).ceil() as u32;
    let mut parts = Vec::with_capacity(outer.len());
    // The first shadow is in front: draw from the back.
    for shadow in outer.into_iter().rev() {
        let mut mask = pixmap(width, height)?;
        let spread = shadow.spread;
        let (box_width, box_height) = (size.width + 2.0 * spread, size.height + 2.0 * spread);
        let corners = radii.resolve(size.width, size.height).map(|(x, y)| {
            if x > 0.0 && y > 0.0 {
                ((x + spread).max(0.0), (y + spread).max(0.0))
            } else {
                (0.0, 0.0)
            }
        });
        let (x, y) = (margin + shadow.dx - spread, margin + shadow.dy - spread);
        if let Some(path) = rounded_box(x, y, box_width, box_height, &corners) {
            fill(&mut mask, &path, Color::BLACK, None);
        }
        let mut coverage: Vec<u8> = mask.pixels().iter().map(|pixel| pixel.alpha()).collect();
        blur_coverage(&mut coverage, width as usize, sigma(shadow.blur));
        let pixels: Vec<u8> = coverage
            .into_iter()
            .flat_map(|coverage| tinted(shadow.color, coverage))
            .collect();
        let sprite = Sprite::upload(gpu, width, height, &pixels)?;
        parts.push(Still::at(sprite, -margin, -margin));
    }
    Still::flatten(gpu, parts)
}

/// A colour with this much coverage, premultiplied.
fn tinted(color: Color, coverage: u8) -> [u8; 4] {
    let alpha = color.a * f32::from(coverage);
    let [r, g, b] = [color.r, color.g, color.b].map(|channel| (channel * alpha).round() as u8);
    [r, g, b, alpha.round() as u8]
}

fn raster_background(
    gpu: &Gpu,
    style: &BoxStyle,
    size: Size,
    radii: &Radii,
) -> Result<Option<Sprite>> {
    let color = style.color.filter(|color| color.a > 0.0);
    if color.is_none() && style.gradient.is_none() {
        return Ok(None);
    }
    let mut picture = pixmap(size.width.ceil() as u32, size.height.ceil() as u32)?;
    if let Some(path) = rounded_box(0.0, 0.0, size.width, size.height, radii) {
        if let Some(color) = color {
            fill(&mut picture, &path, color, None);
        }
        let area = Rect::from_xywh(0.0, 0.0, size.width, size.height);
        if let (Some(gradient), Some(area)) = (&style.gradient, area) {
            fill(
                &mut picture,
                &path,
                Color::TRANSPARENT,
                Some((gradient, area)),
            );
        }
    }
    Sprite::upload(gpu, picture.width(), picture.height(), picture.data()).map(Some)
}
