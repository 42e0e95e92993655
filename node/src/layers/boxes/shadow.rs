//! Shadows of boxes, outside and inside.

use kinora_composition::css::Shadow;

use super::model::BoxModel;
use super::outline::RoundedBox;
use crate::layers::blur::{blur_coverage, edge_profile, reach, sigma_under};
use crate::layers::easel::Easel;
use crate::raster::{Mask, Rule, paint_color};

/// Paints the shadows around a box. Nothing of them is seen under the box itself, but for a
/// hairline below its edge where the box is opaque.
pub(in crate::layers) fn paint_outer(
    easel: &mut Easel,
    shadows: &[Shadow],
    border: &RoundedBox,
    is_opaque: bool,
) {
    let mut hole: Option<Option<Mask>> = None;
    // The first shadow is in front: paint from the back.
    for shadow in shadows.iter().rev().filter(|shadow| !shadow.inset) {
        if shadow.color.a <= 0.0
            || (shadow.dx, shadow.dy, shadow.blur, shadow.spread) == (0.0, 0.0, 0.0, 0.0)
        {
            continue;
        }
        let shape = border.spread(shadow.spread).moved(shadow.dx, shadow.dy);
        let Some(mut mask) = blurred(easel, &shape, shadow.blur) else {
            continue;
        };
        let hole = hole.get_or_insert_with(|| {
            let hole = if is_opaque {
                border.inset([1.0; 4])
            } else {
                *border
            };
            easel.box_mask(&hole)
        });
        if let Some(hole) = hole {
            mask.cut(hole);
        }
        paint_color(&mut easel.pixmap, &mask, shadow.color);
    }
}

/// Paints the shadows that a box's border casts into it.
pub(in crate::layers) fn paint_inner(easel: &mut Easel, shadows: &[Shadow], model: &BoxModel) {
    let mut inside: Option<Option<Mask>> = None;
    for shadow in shadows.iter().rev().filter(|shadow| shadow.inset) {
        if shadow.color.a <= 0.0 {
            continue;
        }
        let inside = inside.get_or_insert_with(|| easel.box_mask(&model.padding));
        let Some(mut mask) = inside.clone() else {
            return;
        };
        let light = model
            .padding
            .spread(-shadow.spread)
            .moved(shadow.dx, shadow.dy);
        if let Some(light) = blurred(easel, &light, shadow.blur) {
            mask.cut(&light);
        }
        paint_color(&mut easel.pixmap, &mask, shadow.color);
    }
}

/// The coverage of a blurred box.
fn blurred(easel: &Easel, shape: &RoundedBox, blur: f32) -> Option<Mask> {
    if shape.is_empty() {
        return None;
    }
    let sigma = sigma_under(blur, easel.map);
    if sigma <= 0.0 {
        return easel.box_mask(shape);
    }
    let size = (easel.pixmap.width(), easel.pixmap.height());
    if !shape.is_round() && easel.keeps_rectangles() {
        return blurred_rectangle(easel, shape, sigma);
    }
    // What lies out of the picture reaches into it.
    let margin = reach(sigma) as usize;
    let map = easel
        .transform()
        .post_translate(margin as f32, margin as f32);
    let wide = (size.0 + 2 * margin as u32, size.1 + 2 * margin as u32);
    let sharp = Mask::of_shape(&shape.path(easel.map)?, Rule::NonZero, map, wide)?;
    let mut mask = sharp.grown(margin, wide);
    let width = mask.width;
    blur_coverage(&mut mask.coverage, width, sigma);
    mask.without_margin(margin, size)
}

/// The closed form: along each axis an edge fades by itself.
fn blurred_rectangle(easel: &Easel, shape: &RoundedBox, sigma: f32) -> Option<Mask> {
    let (x0, y0) = easel.map.apply(shape.left, shape.top);
    let (x1, y1) = easel.map.apply(shape.right, shape.bottom);
    let span = |from: f32, to: f32, size: u32| {
        let (from, to) = (from.min(to), from.max(to));
        let first = (from - reach(sigma)).floor().max(0.0) as usize;
        let end = ((to + reach(sigma)).ceil().max(0.0) as usize).min(size as usize);
        let shares: Vec<f32> = (first..end)
            .map(|pixel| {
                let at = pixel as f32 + 0.5;
                edge_profile(at - from, sigma) - edge_profile(at - to, sigma)
            })
            .collect();
        (first, shares)
    };
    let (left, across) = span(x0, x1, easel.pixmap.width());
    let (top, down) = span(y0, y1, easel.pixmap.height());
    if across.is_empty() || down.is_empty() {
        return None;
    }
    let coverage = down
        .iter()
        .flat_map(|y| across.iter().map(move |x| (x * y * 255.0 + 0.5) as u8))
        .collect();
    Some(Mask {
        left,
        top,
        width: across.len(),
        coverage,
    })
}
