//! CSS strings of a document as values; what can't be parsed falls back, as in a browser.

use crate::css::{
    Background, Basis, Border, BorderSide, ClipPath, Color, CornerRadii, Filter, Shadow, Sides,
    font_families,
};
use crate::fonts::SANS;

pub(super) fn color(text: Option<&String>, current: Color) -> Option<Color> {
    text.and_then(|text| Color::parse_with_current(text, current))
}

pub(super) fn radii(text: Option<&String>) -> CornerRadii {
    radii_in(text, Basis::default())
}

pub(super) fn radii_in(text: Option<&String>, basis: Basis) -> CornerRadii {
    text.and_then(|text| CornerRadii::parse_in(text, basis))
        .unwrap_or_default()
}

pub(super) fn padding(text: Option<&String>) -> Sides {
    padding_in(text, Basis::default())
}

pub(super) fn padding_in(text: Option<&String>, basis: Basis) -> Sides {
    text.and_then(|text| Sides::parse_padding_in(text, basis))
        .unwrap_or_default()
}

pub(super) fn border(text: Option<&String>, current: impl Into<Basis>) -> Border {
    text.and_then(|text| BorderSide::parse(text, current))
        .map(Border::all)
        .unwrap_or_default()
}

/// A border with the sides that have a style of their own: top, right, bottom, left.
pub(super) fn border_with_sides(
    all: Option<&String>,
    sides: [Option<&String>; 4],
    current: impl Into<Basis>,
) -> Border {
    let current = current.into();
    let border = border(all, current);
    let own = |index: usize, side: BorderSide| {
        sides[index]
            .and_then(|text| BorderSide::parse(text, current))
            .unwrap_or(side)
    };
    Border {
        top: own(0, border.top),
        right: own(1, border.right),
        bottom: own(2, border.bottom),
        left: own(3, border.left),
    }
}

pub(super) fn box_shadows(text: Option<&String>, current: impl Into<Basis>) -> Vec<Shadow> {
    text.and_then(|text| Shadow::parse_box(text, current))
        .unwrap_or_default()
}

pub(super) fn text_shadows(text: Option<&String>, current: impl Into<Basis>) -> Vec<Shadow> {
    text.and_then(|text| Shadow::parse_text(text, current))
        .unwrap_or_default()
}

pub(super) fn filters(text: Option<&String>, current: impl Into<Basis>) -> Vec<Filter> {
    text.and_then(|text| Filter::parse_list(text, current))
        .unwrap_or_default()
}

pub(super) fn clip_path(text: Option<&String>) -> Option<ClipPath> {
    text.and_then(|text| ClipPath::parse(text))
}

pub(super) fn families(text: Option<&String>) -> Vec<String> {
    let mut families = text
        .and_then(|text| font_families(text))
        .unwrap_or_default();
    families.push(SANS.into());
    families
}

/// `background` with `background-color` under it.
pub(super) fn background(
    background: Option<&String>,
    color_text: Option<&String>,
    current: impl Into<Basis>,
) -> Background {
    let current = current.into();
    let flat = color(color_text, current.current);
    background
        .and_then(|text| Background::parse(text, flat, current))
        .unwrap_or(Background {
            color: flat,
            ..Background::default()
        })
}
