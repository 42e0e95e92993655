//! The grammar of gradients.

use super::stops::Item;
use super::{Direction, Extent, Gradient, Kind, RadialSize};
use crate::css::color::{Exact, Method};
use crate::css::math::{degrees, length_percentage, size, size_in_pixels, turns};
use crate::css::tokens::{
    Basis, Input, Parsed, fills, function_name, in_any_order, keyword, refused, some, takes_comma,
    takes_word, word,
};
use crate::css::{Length, Position};

impl Gradient {
    /// The gradient that comes next.
    pub(in crate::css) fn take<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Self> {
        let name = function_name(input)?;
        let (repeating, family) = match name.strip_prefix("repeating-") {
            Some(family) => (true, family),
            None => (false, name.as_str()),
        };
        input.parse_nested_block(|input| {
            // How to mix stands before everything else or after it.
            let early = input.try_parse(Method::take).ok();
            let kind = match family {
                "linear-gradient" => linear(input)?,
                "radial-gradient" => radial(input, basis)?,
                "conic-gradient" => conic(input, basis)?,
                _ => return Err(refused(input)),
            };
            let method = match early {
                Some(method) => Some(method),
                None => input.try_parse(Method::take).ok(),
            };
            if (kind.is_some() || method.is_some()) && !takes_comma(input) {
                return Err(refused(input));
            }
            let kind = kind.unwrap_or_else(|| default_kind(family));
            let is_conic = matches!(kind, Kind::Conic { .. });
            let items = items(input, basis, is_conic)?;
            let is_modern =
                |item: &Item| matches!(item, Item::Stop { color, .. } if !color.is_legacy());
            let fallback = items.iter().any(is_modern).then_some(Method::OKLAB);
            Ok(Self {
                kind,
                items,
                method: method.or(fallback),
                repeating,
            })
        })
    }
}

/// A gradient that says nothing but its stops.
fn default_kind(family: &str) -> Kind {
    let at = Position::CENTER;
    match family {
        "radial-gradient" => Kind::Radial {
            size: RadialSize::EllipseExtent(FARTHEST_CORNER),
            at,
        },
        "conic-gradient" => Kind::Conic { from: 0.0, at },
        _ => Kind::Linear(Direction::Degrees(180.0)),
    }
}

fn linear<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, Option<Kind>> {
    Ok(input.try_parse(linear_direction).ok().map(Kind::Linear))
}

fn linear_direction<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, Direction> {
    if let Ok(degrees) = input.try_parse(degrees) {
        return Ok(Direction::Degrees(degrees as f32));
    }
    word(input, "to")?;
    let (mut right, mut down) = (None, None);
    in_any_order(input, |input| {
        fills(&mut right, input, |input| {
            keyword(input, &[("right", true), ("left", false)])
        }) || fills(&mut down, input, |input| {
            keyword(input, &[("bottom", true), ("top", false)])
        })
    });
    let direction = match (right, down) {
        (Some(right), Some(down)) => Some(Direction::Corner { right, down }),
        (Some(right), None) => Some(Direction::Degrees(if right { 90.0 } else { 270.0 })),
        (None, Some(down)) => Some(Direction::Degrees(if down { 180.0 } else { 0.0 })),
        (None, None) => None,
    };
    some(input, direction)
}

/// What a radial gradient says about its size before it is known whether it is a circle.
enum Lengths {
    One(f32),
    Two(Length, Length),
    Extent(Extent),
}

fn radial<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Option<Kind>> {
    let (mut is_circle, mut lengths, mut at) = (None, None, None);
    in_any_order(input, |input| {
        fills(&mut is_circle, input, |input| {
            keyword(input, &[("circle", true), ("ellipse", false)])
        }) || fills(&mut lengths, input, |input| radial_lengths(input, basis))
    });
    fills(&mut at, input, |input| at_position(input, basis));
    if is_circle.is_none() && lengths.is_none() && at.is_none() {
        return Ok(None);
    }
    let size = match (is_circle, lengths) {
        (Some(true) | None, Some(Lengths::One(radius))) => Some(RadialSize::Circle(radius)),
        (Some(false) | None, Some(Lengths::Two(x, y))) => Some(RadialSize::Ellipse(x, y)),
        (Some(true), Some(Lengths::Extent(extent))) => Some(RadialSize::CircleExtent(extent)),
        (_, Some(Lengths::Extent(extent))) => Some(RadialSize::EllipseExtent(extent)),
        (Some(true), None) => Some(RadialSize::CircleExtent(FARTHEST_CORNER)),
        (_, None) => Some(RadialSize::EllipseExtent(FARTHEST_CORNER)),
        (Some(true), Some(Lengths::Two(..))) | (Some(false), Some(Lengths::One(_))) => None,
    };
    Ok(Some(Kind::Radial {
        size: some(input, size)?,
        at: at.unwrap_or(Position::CENTER),
    }))
}

const FARTHEST_CORNER: Extent = Extent {
    farthest: true,
    corner: true,
};

fn radial_lengths<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Lengths> {
    let extent = |farthest, corner| Extent { farthest, corner };
    let extents = [
        ("closest-side", extent(false, false)),
        ("closest-corner", extent(false, true)),
        ("farthest-side", extent(true, false)),
        ("farthest-corner", FARTHEST_CORNER),
    ];
    if let Ok(extent) = input.try_parse(|input| keyword(input, &extents)) {
        return Ok(Lengths::Extent(extent));
    }
    let both = input.try_parse(|input| {
        Ok::<_, cssparser::ParseError<'_, ()>>((size(input, basis)?, size(input, basis)?))
    });
    if let Ok((x, y)) = both {
        return Ok(Lengths::Two(x, y));
    }
    size_in_pixels(input, basis).map(Lengths::One)
}

fn at_position<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Position> {
    word(input, "at")?;
    Position::take(input, basis, false)
}

fn conic<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Option<Kind>> {
    let from = if takes_word(input, "from") {
        Some(degrees(input)?)
    } else {
        None
    };
    let mut at = None;
    fills(&mut at, input, |input| at_position(input, basis));
    if from.is_none() && at.is_none() {
        return Ok(None);
    }
    Ok(Some(Kind::Conic {
        from: from.unwrap_or(0.0).rem_euclid(360.0) as f32,
        at: at.unwrap_or(Position::CENTER),
    }))
}

fn items<'i>(input: &mut Input<'i, '_>, basis: Basis, is_conic: bool) -> Parsed<'i, Vec<Item>> {
    let offset = |input: &mut Input<'i, '_>| {
        if is_conic {
            turns(input).map(|turns| Length {
                px: 0.0,
                share: turns as f32,
            })
        } else {
            length_percentage(input, basis)
        }
    };
    let mut items = Vec::new();
    loop {
        if let Ok(hint) = input.try_parse(offset) {
            items.push(Item::Hint(hint));
        } else {
            let color = Exact::take(input, basis)?;
            let at = input.try_parse(offset).ok();
            items.push(Item::Stop { color, at });
            if at.is_some()
                && let Ok(until) = input.try_parse(offset)
            {
                let at = Some(until);
                items.push(Item::Stop { color, at });
            }
        }
        if !takes_comma(input) {
            break;
        }
    }
    let is_hint = |item: Option<&Item>| matches!(item, None | Some(Item::Hint(_)));
    let is_orderly = !is_hint(items.first())
        && !is_hint(items.last())
        && !items
            .windows(2)
            .any(|pair| is_hint(pair.first()) && is_hint(pair.last()));
    some(input, is_orderly.then_some(items))
}
