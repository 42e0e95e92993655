//! Backgrounds: a colour and tiles of gradients over it.

use kinora_composition::css::{
    Background, BackgroundClip, BackgroundLayer, BackgroundOrigin, BackgroundSize,
};
use kinora_composition::timeline::Affine;
use tiny_skia::{PathBuilder, Rect};

use super::gradient::GradientSource;
use super::model::BoxModel;
use super::outline::RoundedBox;
use crate::layers::easel::Easel;
use crate::layers::snap::snapped;
use crate::raster::{Mask, paint_color, paint_rows};

/// Paints the parts of a background that are seen in the box. `edge` is how far inside the border
/// box the outer edge lies, where the border hides it anyway.
pub(in crate::layers) fn paint(
    easel: &mut Easel,
    background: &Background,
    model: &BoxModel,
    edge: [f32; 4],
) {
    let area = |clip| match clip {
        BackgroundClip::BorderBox => Some(model.border.inset(edge)),
        BackgroundClip::PaddingBox => Some(model.padding),
        BackgroundClip::ContentBox => Some(model.content),
        BackgroundClip::Text => None,
    };
    // Most often all parts are seen in one box: its mask is worked out once.
    let mut last: Option<(BackgroundClip, Option<Mask>)> = None;
    each_part(background, |clip, part| {
        let Some(area) = area(clip) else {
            return;
        };
        if last.as_ref().is_none_or(|(known, _)| *known != clip) {
            let mask = easel.box_mask(&area);
            last = Some((clip, mask));
        }
        if let Some((_, Some(mask))) = &last {
            paint_part(easel, part, model, mask, Some(area));
        }
    });
}

/// Paints the parts of a background that are seen through letters only, where `letters` cover.
pub(in crate::layers) fn paint_through(
    easel: &mut Easel,
    background: &Background,
    model: &BoxModel,
    letters: &Mask,
) {
    each_part(background, |clip, part| {
        if clip == BackgroundClip::Text {
            paint_part(easel, part, model, letters, Some(model.border));
        }
    });
}

/// A colour or a layer.
#[derive(Clone, Copy)]
enum Part<'a> {
    Color(kinora_composition::css::Color),
    Layer(&'a BackgroundLayer),
}

/// The parts of a background from the back: the first layer is in front.
fn each_part(background: &Background, mut paint: impl FnMut(BackgroundClip, Part<'_>)) {
    if let Some(color) = background.color.filter(|color| color.a > 0.0) {
        paint(background.clip, Part::Color(color));
    }
    for layer in background.layers.iter().rev() {
        paint(layer.clip, Part::Layer(layer));
    }
}

fn paint_part(
    easel: &mut Easel,
    part: Part<'_>,
    model: &BoxModel,
    mask: &Mask,
    seen: Option<RoundedBox>,
) {
    match part {
        Part::Color(color) => paint_color(&mut easel.pixmap, mask, color),
        Part::Layer(layer) => paint_layer(easel, layer, model, mask, seen),
    }
}

/// Paints a gradient where `mask` covers; `seen` is the rectangle that it may be seen in.
fn paint_layer(
    easel: &mut Easel,
    layer: &BackgroundLayer,
    model: &BoxModel,
    mask: &Mask,
    seen: Option<RoundedBox>,
) {
    let area = match layer.origin {
        BackgroundOrigin::BorderBox => &model.border,
        BackgroundOrigin::PaddingBox => &model.padding,
        BackgroundOrigin::ContentBox => &model.content,
    };
    let (width, height) = tile_size(layer.size, area);
    if !(width > 0.0 && height > 0.0) {
        return;
    }
    let x = area.left + layer.position.x.resolve(area.width() - width);
    let y = area.top + layer.position.y.resolve(area.height() - height);
    // Where tiles do not repeat, the only one starts on a whole pixel.
    let [whole_x, whole_y, ..] = snapped([x, y, x, y], easel.map);
    let x = if layer.repeats.0 { x } else { whole_x };
    let y = if layer.repeats.1 { y } else { whole_y };
    // A tile that reaches beyond what is seen is not repeated: edges blend with its own colours.
    let tile = (
        if layer.repeats.0 && seen.is_none_or(|seen| seen.left < x || seen.right > x + width) {
            width
        } else {
            0.0
        },
        if layer.repeats.1 && seen.is_none_or(|seen| seen.top < y || seen.bottom > y + height) {
            height
        } else {
            0.0
        },
    );
    let map = easel.map.then_inner(Affine::translate(x, y));
    let gradient = layer.gradient.on_box(width, height);
    let Some(source) = GradientSource::new(&gradient, map, tile) else {
        return;
    };
    let only_once = layer.repeats != (true, true) && tile != (width, height);
    let cut = only_once.then(|| single_tile(easel, layer, [x, y, x + width, y + height], model));
    match cut {
        None => paint_rows(&mut easel.pixmap, mask, |at, row| source.row(at, row)),
        Some(Some(cut)) => {
            if let Some(mask) = mask.within(&cut) {
                paint_rows(&mut easel.pixmap, &mask, |at, row| source.row(at, row));
            }
        }
        Some(None) => {}
    }
}

/// The mask of what tiles reach that are not repeated in both directions.
fn single_tile(
    easel: &Easel,
    layer: &BackgroundLayer,
    tile: [f32; 4],
    model: &BoxModel,
) -> Option<Mask> {
    let [mut left, mut top, mut right, mut bottom] = tile;
    if layer.repeats.0 {
        (left, right) = (model.border.left - 1.0, model.border.right + 1.0);
    }
    if layer.repeats.1 {
        (top, bottom) = (model.border.top - 1.0, model.border.bottom + 1.0);
    }
    let rect = Rect::from_ltrb(left, top, right, bottom)?;
    easel.mask(&PathBuilder::from_rect(rect))
}

fn tile_size(size: BackgroundSize, area: &RoundedBox) -> (f32, f32) {
    match size {
        BackgroundSize::Whole => (area.width(), area.height()),
        BackgroundSize::Lengths(width, height) => (
            width.map_or(area.width(), |width| width.resolve(area.width())),
            height.map_or(area.height(), |height| height.resolve(area.height())),
        ),
    }
}
