//! Backgrounds: a colour and tiles of gradients over it.

use kinora_composition::css::{
    Background, BackgroundClip, BackgroundLayer, BackgroundOrigin, BackgroundSize, Length, Repeat,
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
    let position = layer.position;
    let [across, down] = [
        Run::new(
            layer.repeats.0,
            (area.left, area.width()),
            width,
            position.x,
        ),
        Run::new(
            layer.repeats.1,
            (area.top, area.height()),
            height,
            position.y,
        ),
    ];
    // Where tiles do not repeat, the only one starts on a whole pixel.
    let [whole_x, whole_y, ..] = snapped([across.start, down.start, 0.0, 0.0], easel.map);
    let x = if across.repeats() {
        across.start
    } else {
        whole_x
    };
    let y = if down.repeats() { down.start } else { whole_y };
    // A tile that reaches beyond what is seen is not repeated: edges blend with its own colours.
    let is_enough = |run: &Run, at: f32, from: f32, to: f32| from >= at && to <= at + run.length;
    let tile = (
        if across.repeats() && seen.is_none_or(|seen| !is_enough(&across, x, seen.left, seen.right))
        {
            across.length + across.gap
        } else {
            0.0
        },
        if down.repeats() && seen.is_none_or(|seen| !is_enough(&down, y, seen.top, seen.bottom)) {
            down.length + down.gap
        } else {
            0.0
        },
    );
    let map = easel.map.then_inner(Affine::translate(x, y));
    let gradient = layer.gradient.on_box(across.length, down.length);
    let Some(source) = GradientSource::new(&gradient, map, tile) else {
        return;
    };
    let columns = across.seen(x, tile.0, (model.border.left, model.border.right));
    let rows = down.seen(y, tile.1, (model.border.top, model.border.bottom));
    if columns.is_none() && rows.is_none() {
        paint_rows(&mut easel.pixmap, mask, |at, row| source.row(at, row));
        return;
    }
    let everywhere = |from: f32, to: f32| vec![[from - 1.0, to + 1.0]];
    let columns = columns.unwrap_or_else(|| everywhere(model.border.left, model.border.right));
    let rows = rows.unwrap_or_else(|| everywhere(model.border.top, model.border.bottom));
    for [top, bottom] in &rows {
        for [left, right] in &columns {
            let rect = Rect::from_ltrb(*left, *top, *right, *bottom);
            let cut = rect.and_then(|rect| easel.mask(&PathBuilder::from_rect(rect)));
            if let Some(mask) = cut.and_then(|cut| mask.within(&cut)) {
                paint_rows(&mut easel.pixmap, &mask, |at, row| source.row(at, row));
            }
        }
    }
}

/// Tiles side by side in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    repeat: Repeat,
    /// Where one of them begins.
    start: f32,
    length: f32,
    /// Between two of them.
    gap: f32,
}

impl Run {
    fn new(repeat: Repeat, (from, room): (f32, f32), length: f32, position: Length) -> Self {
        /// More gaps than this can't be told apart.
        const MOST: f32 = 1000.0;
        let start = from + position.resolve(room - length);
        let plain = Self {
            repeat,
            start,
            length,
            gap: 0.0,
        };
        match repeat {
            Repeat::Tiles | Repeat::Once => plain,
            Repeat::Fitted => {
                let length = room / (room / length).round().max(1.0);
                Self {
                    start: from + position.resolve(room - length),
                    length,
                    ..plain
                }
            }
            Repeat::Spaced => match (room / length).floor() {
                ..2.0 => Self {
                    repeat: Repeat::Once,
                    ..plain
                },
                count if count > MOST => Self {
                    repeat: Repeat::Tiles,
                    ..plain
                },
                count => Self {
                    start: from,
                    gap: (room - count * length) / (count - 1.0),
                    ..plain
                },
            },
        }
    }

    fn repeats(&self) -> bool {
        self.repeat != Repeat::Once
    }

    /// The stretches between two edges that tiles are seen in, given where one begins and after how
    /// much they repeat; `None` where everything is tiled.
    fn seen(&self, start: f32, period: f32, (from, to): (f32, f32)) -> Option<Vec<[f32; 2]>> {
        if !self.repeats() {
            return Some(vec![[start, start + self.length]]);
        }
        if self.gap <= 0.0 || period <= 0.0 {
            return None;
        }
        let first = start + ((from - start) / period).floor() * period;
        let starts = std::iter::successors(Some(first), |at| Some(at + period));
        let stretches = starts.take_while(|at| *at < to);
        Some(stretches.map(|at| [at, at + self.length]).collect())
    }
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
