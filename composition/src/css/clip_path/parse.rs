//! The grammar of basic shapes.

use super::{ClipPath, FillRule, Radius, Shape, svg};
use crate::css::math::{length_percentage, size};
use crate::css::tokens::{
    Basis, Input, Parsed, fills, function_name, in_any_order, keyword, refused, some, takes_comma,
    takes_word,
};
use crate::css::{CornerRadii, Length, Position};

impl ClipPath {
    /// The shape that comes next, perhaps with the box that it refers to. Every box is taken for the
    /// outer edge of the border.
    pub(super) fn take<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Self> {
        let (mut shape, mut reference) = (None, None);
        in_any_order(input, |input| {
            fills(&mut shape, input, |input| basic_shape(input, basis))
                || fills(&mut reference, input, reference_box)
        });
        let shape = shape.or(reference.map(|()| Shape::Whole));
        some(input, shape).map(Self)
    }
}

fn reference_box<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, ()> {
    const BOXES: [(&str, ()); 7] = [
        ("border-box", ()),
        ("padding-box", ()),
        ("content-box", ()),
        ("margin-box", ()),
        ("fill-box", ()),
        ("stroke-box", ()),
        ("view-box", ()),
    ];
    keyword(input, &BOXES)
}

fn basic_shape<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Shape> {
    let name = function_name(input)?;
    input.parse_nested_block(|input| match name.as_str() {
        "inset" => {
            let mut sides = vec![length_percentage(input, basis)?];
            while sides.len() < 4
                && let Ok(side) = input.try_parse(|input| length_percentage(input, basis))
            {
                sides.push(side);
            }
            let side = |index: usize, fallback: usize| {
                sides
                    .get(index)
                    .or(sides.get(fallback))
                    .unwrap_or(&sides[0])
            };
            let sides = [*side(0, 0), *side(1, 0), *side(2, 0), *side(3, 1)];
            Ok(Shape::Inset(sides, round(input, basis)?))
        }
        "rect" => {
            let mut edges = [Length::default(); 4];
            for (index, to) in edges.iter_mut().enumerate() {
                let is_far = index == 1 || index == 2;
                if takes_word(input, "auto") {
                    continue;
                }
                let at = length_percentage(input, basis)?;
                *to = if is_far { from_far_edge(at) } else { at };
            }
            Ok(Shape::Inset(edges, round(input, basis)?))
        }
        "xywh" => {
            let x = length_percentage(input, basis)?;
            let y = length_percentage(input, basis)?;
            let right = plus(x, size(input, basis)?);
            let bottom = plus(y, size(input, basis)?);
            let sides = [y, from_far_edge(right), from_far_edge(bottom), x];
            Ok(Shape::Inset(sides, round(input, basis)?))
        }
        "circle" => {
            let radius = input.try_parse(|input| radius(input, basis));
            let at = at_position(input, basis)?;
            Ok(Shape::Circle(radius.unwrap_or(Radius::ClosestSide), at))
        }
        "ellipse" => {
            let radii = input.try_parse(|input| {
                Ok::<_, cssparser::ParseError<'i, ()>>((
                    radius(input, basis)?,
                    radius(input, basis)?,
                ))
            });
            let (x, y) = radii.unwrap_or((Radius::ClosestSide, Radius::ClosestSide));
            Ok(Shape::Ellipse(x, y, at_position(input, basis)?))
        }
        "polygon" => {
            let rule = fill_rule(input)?;
            let points = input.parse_comma_separated(|input| {
                let x = length_percentage(input, basis)?;
                Ok((x, length_percentage(input, basis)?))
            })?;
            Ok(Shape::Polygon(rule, points))
        }
        "path" => {
            let rule = fill_rule(input)?;
            let data = input.expect_string()?.clone();
            some(input, svg::parse(&data).filter(|steps| !steps.is_empty()))
                .map(|steps| Shape::Path(rule, steps))
        }
        _ => Err(refused(input)),
    })
}

fn from_far_edge(at: Length) -> Length {
    Length {
        px: -at.px,
        share: 1.0 - at.share,
    }
}

fn plus(a: Length, b: Length) -> Length {
    Length {
        px: a.px + b.px,
        share: a.share + b.share,
    }
}

fn round<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, CornerRadii> {
    if takes_word(input, "round") {
        CornerRadii::take(input, basis)
    } else {
        Ok(CornerRadii::default())
    }
}

fn radius<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Radius> {
    const WORDS: [(&str, Radius); 2] = [
        ("closest-side", Radius::ClosestSide),
        ("farthest-side", Radius::FarthestSide),
    ];
    input
        .try_parse(|input| keyword(input, &WORDS))
        .or_else(|_| size(input, basis).map(Radius::Length))
}

fn at_position<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Position> {
    if takes_word(input, "at") {
        Position::take(input, basis, false)
    } else {
        Ok(Position::CENTER)
    }
}

fn fill_rule<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, FillRule> {
    const RULES: [(&str, FillRule); 2] = [
        ("nonzero", FillRule::NonZero),
        ("evenodd", FillRule::EvenOdd),
    ];
    match input.try_parse(|input| keyword(input, &RULES)) {
        Ok(rule) if takes_comma(input) => Ok(rule),
        Ok(_) => Err(refused(input)),
        Err(_) => Ok(FillRule::NonZero),
    }
}
