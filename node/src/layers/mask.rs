//! Masks of `clip-path`.

use kinora_composition::css::{Color, FillRule, Outline, PathStep};
use kinora_composition::timeline::Affine;
use tiny_skia::{PathBuilder, Transform};

use super::easel::pixmap;
use crate::Result;
use crate::gpu::{Gpu, Sprite};
use crate::raster::{Mask, Rule, paint_color};

/// What an outline covers, as alpha. The map leads from the box to pixels of the mask.
pub(super) fn raster(
    gpu: &Gpu,
    outline: &Outline,
    map: Affine,
    (width, height): (u32, u32),
) -> Result<Sprite> {
    let mut picture = pixmap(width, height)?;
    let rule = match outline.rule {
        FillRule::NonZero => Rule::NonZero,
        FillRule::EvenOdd => Rule::EvenOdd,
    };
    let Affine { a, b, c, d, e, f } = map;
    let map = Transform::from_row(a, b, c, d, e, f);
    if let Some(path) = path(outline)
        && let Some(mask) = Mask::of(&path, rule, map, (width, height))
    {
        paint_color(&mut picture, &mask, Color::WHITE);
    }
    Sprite::upload(gpu, width, height, picture.data())
}

fn path(outline: &Outline) -> Option<tiny_skia::Path> {
    let mut path = PathBuilder::new();
    for step in &outline.steps {
        match *step {
            PathStep::MoveTo(x, y) => path.move_to(x, y),
            PathStep::LineTo(x, y) => path.line_to(x, y),
            PathStep::QuadTo(x1, y1, x, y) => path.quad_to(x1, y1, x, y),
            PathStep::CubicTo(x1, y1, x2, y2, x, y) => path.cubic_to(x1, y1, x2, y2, x, y),
            PathStep::Close => path.close(),
        }
    }
    path.finish()
}
