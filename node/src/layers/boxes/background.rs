//! Backgrounds: a colour and tiles of gradients over it.

use kinora_composition::css::{Background, BackgroundLayer, BackgroundSize};
use kinora_composition::timeline::Affine;

use super::gradient::GradientSource;
use super::outline::RoundedBox;
use crate::layers::easel::Easel;
use crate::raster::{Mask, Rule, paint_color, paint_rows};

/// Paints a background where `mask` covers; gradients are laid out on `area`.
pub(in crate::layers) fn paint(
    easel: &mut Easel,
    background: &Background,
    area: &RoundedBox,
    mask: &Mask,
) {
    if let Some(color) = background.color {
        paint_color(&mut easel.pixmap, mask, color);
    }
    // The first layer is in front: paint from the back.
    for layer in background.layers.iter().rev() {
        paint_layer(easel, layer, area, mask);
    }
}

fn paint_layer(easel: &mut Easel, layer: &BackgroundLayer, area: &RoundedBox, mask: &Mask) {
    let (width, height) = tile_size(layer.size, area);
    if !(width > 0.0 && height > 0.0) {
        return;
    }
    let x = area.left + layer.position.x.resolve(area.width() - width);
    let y = area.top + layer.position.y.resolve(area.height() - height);
    // A tile that is all there is to see need not be repeated.
    let repeats = (
        layer.repeats.0 && (width, x) != (area.width(), area.left) || needs_repeat(layer.repeats.0, area, mask),
        layer.repeats.1,
    );
    let _ = repeats;
    let tile = (
        if layer.repeats.0 { width } else { 0.0 },
        if layer.repeats.1 { height } else { 0.0 },
    );
    let gradient = layer.gradient.on_box(width, height);
    let map = easel.map.then_inner(Affine::translate(x, y));
    let Some(source) = GradientSource::new(&gradient, map, tile) else {
        return;
    };
    let _ = (Rule::NonZero, source);
}

fn needs_repeat(_: bool, _: &RoundedBox, _: &Mask) -> bool { false }

fn tile_size(size: BackgroundSize, area: &RoundedBox) -> (f32, f32) {
    match size {
        BackgroundSize::Whole => (area.width(), area.height()),
        BackgroundSize::Lengths(width, height) => (
            width.map_or(area.width(), |width| width.resolve(area.width())),
            height.map_or(area.height(), |height| height.resolve(area.height())),
        ),
    }
}
