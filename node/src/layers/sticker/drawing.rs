//! Drawings of the sticker set: SVG paths under clip paths, painted as they will be seen.

use std::rc::Rc;

use kinora_composition::css::Color;
use kinora_composition::timeline::{Affine, Size, StickerBox};
use tiny_skia::{PathStroker, Pixmap, Transform};
use usvg::{Group, Node, Options, PaintOrder, Path, Tree};

use super::fit;
use crate::layers::easel::{Easel, HostStill, View};
use crate::raster::{Mask, Rule, paint_color};
use crate::{Error, Result};

/// Rasters a drawing in the colours that its overlay asks for.
pub(super) fn raster(svg: &str, sticker: &StickerBox, view: &View) -> Result<Option<HostStill>> {
    let own_size = read(svg, None)?.size();
    let size = Size {
        width: own_size.width(),
        height: own_size.height(),
    };
    let Some(to_box) = fit(size, sticker) else {
        return Ok(None);
    };
    let tree = read(svg, Some(style_sheet(sticker, to_box.a)))?;
    let ink = tree.root().abs_stroke_bounding_box();
    let (left, top) = to_box.apply(ink.left(), ink.top());
    let (right, bottom) = to_box.apply(ink.right(), ink.bottom());
    let Some(mut easel) = Easel::new(view, [left, top, right, bottom])? else {
        return Ok(None);
    };
    let Affine { a, b, c, d, e, f } = easel.map.then_inner(to_box);
    let map = Transform::from_row(a, b, c, d, e, f);
    paint_group(&mut easel.pixmap, tree.root(), map, None);
    easel.finish()
}

fn read(svg: &str, style_sheet: Option<String>) -> Result<Tree> {
    let options = Options {
        style_sheet,
        ..Options::default()
    };
    Tree::from_str(svg, &options).map_err(|error| Error::internal("reading a sticker", error))
}

/// Colours and widths that an overlay sets, for the classes of the drawings. `growth` is how many
/// pixels a unit of the drawing takes.
fn style_sheet(sticker: &StickerBox, growth: f32) -> String {
    let mut sheet = String::new();
    let mut set = |class: &str, property: &str, color: Option<Color>| {
        if let Some(Color { r, g, b, a }) = color {
            let [r, g, b] = [r, g, b].map(|channel| (channel * 255.0).round());
            sheet.push_str(&format!(".{class}{{{property}:rgb({r},{g},{b})}}"));
            if a < 1.0 {
                sheet.push_str(&format!(".{class}{{{property}-opacity:{a}}}"));
            }
        }
    };
    set("tint", "fill", sticker.fill);
    set("edge", "stroke", sticker.stroke);
    if let Some(width) = sticker.stroke_width {
        let width = (width / growth).min(WIDEST_STROKE);
        sheet.push_str(&format!(".edge{{stroke-width:{width:.4}}}"));
    }
    sheet
}

/// In units of a drawing, which is a few hundred of them large: all of it is outline by then.
const WIDEST_STROKE: f32 = 2000.0;

fn paint_group(onto: &mut Pixmap, group: &Group, map: Transform, outer: Option<&Rc<Mask>>) {
    let map = map.pre_concat(group.transform());
    let clip = match group.clip_path() {
        None => outer.cloned(),
        Some(clip) => {
            let inside = clip_mask(onto, clip.root(), map.pre_concat(clip.transform()));
            match inside.and_then(|inside| clipped(inside, outer)) {
                Some(inside) => Some(Rc::new(inside)),
                None => return,
            }
        }
    };
    for node in group.children() {
        match node {
            Node::Group(group) => paint_group(onto, group, map, clip.as_ref()),
            Node::Path(path) => paint_path(onto, path, map, clip.as_ref()),
            Node::Image(_) | Node::Text(_) => {}
        }
    }
}

/// What a clip path leaves of a picture; `None` where that is nothing.
fn clip_mask(onto: &Pixmap, clip: &Group, map: Transform) -> Option<Mask> {
    let Some(Node::Path(path)) = clip.children().first() else {
        return None;
    };
    let rule = path.fill().map_or(Rule::NonZero, |fill| rule(fill.rule()));
    Mask::of(path.data(), rule, map, (onto.width(), onto.height()))
}

/// What a clip leaves of a mask; `None` where that is nothing.
fn clipped(mask: Mask, clip: Option<&Rc<Mask>>) -> Option<Mask> {
    match clip {
        Some(clip) => mask.within(clip),
        None => Some(mask),
    }
}

fn paint_path(onto: &mut Pixmap, path: &Path, map: Transform, clip: Option<&Rc<Mask>>) {
    match path.paint_order() {
        PaintOrder::FillAndStroke => {
            paint_fill(onto, path, map, clip);
            paint_stroke(onto, path, map, clip);
        }
        PaintOrder::StrokeAndFill => {
            paint_stroke(onto, path, map, clip);
            paint_fill(onto, path, map, clip);
        }
    }
}

fn paint_fill(onto: &mut Pixmap, path: &Path, map: Transform, clip: Option<&Rc<Mask>>) {
    let Some(fill) = path.fill() else { return };
    if let Some(color) = flat(fill.paint(), fill.opacity().get()) {
        paint_outline(onto, path.data(), rule(fill.rule()), map, clip, color);
    }
}

fn paint_stroke(onto: &mut Pixmap, path: &Path, map: Transform, clip: Option<&Rc<Mask>>) {
    let Some(stroke) = path.stroke() else { return };
    let Some(color) = flat(stroke.paint(), stroke.opacity().get()) else {
        return;
    };
    let stroke = stroke.to_tiny_skia();
    let precision = PathStroker::compute_resolution_scale(&map);
    let dashed = stroke
        .dash
        .as_ref()
        .map(|dash| path.data().dash(dash, precision));
    let line = match &dashed {
        None => path.data(),
        Some(Some(dashes)) => dashes,
        Some(None) => return,
    };
    if let Some(outline) = line.stroke(&stroke, precision) {
        paint_outline(onto, &outline, Rule::NonZero, map, clip, color);
    }
}

fn paint_outline(
    onto: &mut Pixmap,
    outline: &tiny_skia::Path,
    rule: Rule,
    map: Transform,
    clip: Option<&Rc<Mask>>,
    color: Color,
) {
    let mask = Mask::of(outline, rule, map, (onto.width(), onto.height()));
    if let Some(mask) = mask.and_then(|mask| clipped(mask, clip)) {
        paint_color(onto, &mask, color);
    }
}

/// Drawings are made of flat colours.
fn flat(paint: &usvg::Paint, opacity: f32) -> Option<Color> {
    let usvg::Paint::Color(color) = paint else {
        return None;
    };
    let [r, g, b] = [color.red, color.green, color.blue].map(|c| f32::from(c) / 255.0);
    Some(Color {
        r,
        g,
        b,
        a: opacity,
    })
}

fn rule(rule: usvg::FillRule) -> Rule {
    match rule {
        usvg::FillRule::NonZero => Rule::NonZero,
        usvg::FillRule::EvenOdd => Rule::EvenOdd,
    }
}

#[cfg(test)]
mod tests {
    use kinora_composition::stickers::{StickerArt, drawn_sticker_ids};

    use super::*;

    /// Whether a group holds nothing that `paint_group` would leave out.
    fn is_plain(group: &Group) -> bool {
        let clip_is_one_path = group.clip_path().is_none_or(|clip| {
            clip.clip_path().is_none() && matches!(clip.root().children(), [Node::Path(_)])
        });
        clip_is_one_path
            && group.opacity().get() == 1.0
            && group.mask().is_none()
            && group.filters().is_empty()
            && group.children().iter().all(|node| match node {
                Node::Group(group) => is_plain(group),
                Node::Path(path) => {
                    let fill = path.fill().map(usvg::Fill::paint);
                    let stroke = path.stroke().map(usvg::Stroke::paint);
                    fill.into_iter()
                        .chain(stroke)
                        .all(|paint| matches!(paint, usvg::Paint::Color(_)))
                }
                Node::Image(_) | Node::Text(_) => false,
            })
    }

    #[test]
    fn drawings_use_only_what_is_painted() {
        for id in drawn_sticker_ids() {
            let Some(StickerArt::Drawing(svg)) = StickerArt::find(id) else {
                panic!("{id}");
            };
            let tree = read(svg, None).expect("an SVG document");
            assert!(is_plain(tree.root()), "{id}");
        }
    }
}
