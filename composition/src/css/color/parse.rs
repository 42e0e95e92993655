//! The grammar of colours.

use cssparser::Token;
use cssparser::color::{parse_hash_color, parse_named_color};

use super::exact::{Exact, HueWay, Method};
use super::space::Space;
use super::system::system_color;
use crate::css::math::{Quantity, Units};
use crate::css::tokens::{
    Basis, Input, Parsed, fills, in_any_order, keyword, refused, some, takes_comma, takes_slash,
    takes_word, word,
};

impl Exact {
    /// The colour that comes next.
    pub(in crate::css) fn take<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Self> {
        let token = input.next()?.clone();
        match &token {
            Token::Hash(digits) | Token::IDHash(digits) => {
                let color = parse_hash_color(digits.as_bytes()).ok();
                let (r, g, b, a) = some(input, color)?;
                Ok(bytes([r, g, b], f64::from(a)))
            }
            Token::Ident(name) => some(input, named(name, basis)),
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                input.parse_nested_block(|input| function(&name, input, basis))
            }
            _ => Err(refused(input)),
        }
    }
}

fn bytes(rgb: [u8; 3], alpha: f64) -> Exact {
    let parts = rgb.map(|byte| Some(f64::from(byte) / 255.0));
    Exact::new(Space::Srgb, parts, Some(alpha)).in_bytes()
}

fn named(name: &str, basis: Basis) -> Option<Exact> {
    if name.eq_ignore_ascii_case("currentcolor") {
        return Some(basis.current.into());
    }
    if name.eq_ignore_ascii_case("transparent") {
        return Some(bytes([0; 3], 0.0));
    }
    if let Ok((r, g, b)) = parse_named_color(name) {
        return Some(bytes([r, g, b], 1.0));
    }
    let [r, g, b, a] = system_color(name)?;
    Some(bytes([r, g, b], f64::from(a) / 255.0))
}

fn function<'i>(name: &str, input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Exact> {
    match name {
        "rgb" | "rgba" => channels(input, basis, &RGB),
        "hsl" | "hsla" => channels(input, basis, &HSL),
        "hwb" => channels(input, basis, &HWB),
        "lab" => channels(input, basis, &LAB),
        "lch" => channels(input, basis, &LCH),
        "oklab" => channels(input, basis, &OKLAB),
        "oklch" => channels(input, basis, &OKLCH),
        "color" => in_named_space(input, basis),
        "color-mix" => mix(input, basis),
        "light-dark" => {
            let light = Exact::take(input, basis)?;
            input.expect_comma()?;
            Exact::take(input, basis)?;
            Ok(light)
        }
        "contrast-color" => {
            let [_, luminance, _] = Exact::take(input, basis)?.components(Space::XyzD65);
            // Black stands out where its ratio to the colour is the larger one.
            let is_light = (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05);
            Ok(bytes([if is_light { 0 } else { 255 }; 3], 1.0))
        }
        "alpha" => {
            word(input, "from")?;
            let origin = Exact::take(input, basis)?;
            let names = [("alpha", origin.alpha.unwrap_or(0.0))];
            let units = Units {
                em: f64::from(basis.em),
                names: &names,
            };
            let alpha = alpha(input, units)?.unwrap_or(origin.alpha);
            Ok(Exact { alpha, ..origin })
        }
        _ => Err(refused(input)),
    }
}

/// How the arguments of a colour function are read.
struct Syntax {
    space: Space,
    names: [&'static str; 3],
    /// What 100% is, and what 1 is, of each component; nothing for a hue.
    scales: [Option<(f64, f64)>; 3],
    /// Bounds of each component.
    bounds: [(f64, f64); 3],
    /// What the components of a colour are multiplied by where their names stand for them.
    by_name: f64,
    /// Whether commas may stand between the arguments.
    takes_commas: bool,
    /// Whether the result is kept in bytes.
    is_legacy: bool,
}

const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
const POSITIVE: (f64, f64) = (0.0, f64::INFINITY);

const RGB: Syntax = Syntax {
    space: Space::Srgb,
    names: ["r", "g", "b"],
    scales: [Some((1.0, 1.0 / 255.0)); 3],
    bounds: [ANY; 3],
    by_name: 255.0,
    takes_commas: true,
    is_legacy: true,
};
const HSL: Syntax = Syntax {
    space: Space::Hsl,
    names: ["h", "s", "l"],
    scales: [None, Some((100.0, 1.0)), Some((100.0, 1.0))],
    bounds: [ANY, POSITIVE, ANY],
    by_name: 1.0,
    takes_commas: true,
    is_legacy: true,
};
const HWB: Syntax = Syntax {
    space: Space::Hwb,
    names: ["h", "w", "b"],
    scales: [None, Some((100.0, 1.0)), Some((100.0, 1.0))],
    bounds: [ANY, POSITIVE, POSITIVE],
    by_name: 1.0,
    takes_commas: false,
    is_legacy: true,
};
const LAB: Syntax = Syntax {
    space: Space::Lab,
    names: ["l", "a", "b"],
    scales: [Some((100.0, 1.0)), Some((125.0, 1.0)), Some((125.0, 1.0))],
    bounds: [(0.0, 100.0), ANY, ANY],
    by_name: 1.0,
    takes_commas: false,
    is_legacy: false,
};
const LCH: Syntax = Syntax {
    space: Space::Lch,
    names: ["l", "c", "h"],
    scales: [Some((100.0, 1.0)), Some((150.0, 1.0)), None],
    bounds: [(0.0, 100.0), POSITIVE, ANY],
    by_name: 1.0,
    takes_commas: false,
    is_legacy: false,
};
const OKLAB: Syntax = Syntax {
    space: Space::Oklab,
    names: ["l", "a", "b"],
    scales: [Some((1.0, 1.0)), Some((0.4, 1.0)), Some((0.4, 1.0))],
    bounds: [(0.0, 1.0), ANY, ANY],
    by_name: 1.0,
    takes_commas: false,
    is_legacy: false,
};
const OKLCH: Syntax = Syntax {
    space: Space::Oklch,
    names: ["l", "c", "h"],
    scales: [Some((1.0, 1.0)), Some((0.4, 1.0)), None],
    bounds: [(0.0, 1.0), POSITIVE, ANY],
    by_name: 1.0,
    takes_commas: false,
    is_legacy: false,
};

fn in_named_space<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Exact> {
    let origin = origin(input, basis)?;
    let name = input.expect_ident()?.clone();
    let space = Space::named(&name).filter(|space| {
        !matches!(
            space,
            Space::Lab | Space::Lch | Space::Oklab | Space::Oklch | Space::Hsl | Space::Hwb
        )
    });
    let space = some(input, space)?;
    let names = match space {
        Space::XyzD50 | Space::XyzD65 => ["x", "y", "z"],
        _ => ["r", "g", "b"],
    };
    let syntax = Syntax {
        space,
        names,
        scales: [Some((1.0, 1.0)); 3],
        bounds: [ANY; 3],
        by_name: 1.0,
        takes_commas: false,
        is_legacy: false,
    };
    spaced(input, basis, &syntax, origin)
}

/// The colour that a relative colour starts from.
fn origin<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Option<Exact>> {
    if takes_word(input, "from") {
        Exact::take(input, basis).map(Some)
    } else {
        Ok(None)
    }
}

fn channels<'i>(input: &mut Input<'i, '_>, basis: Basis, syntax: &Syntax) -> Parsed<'i, Exact> {
    let origin = origin(input, basis)?;
    if origin.is_none() && syntax.takes_commas {
        let with_commas = input.try_parse(|input| with_commas(input, basis, syntax));
        if with_commas.is_ok() {
            return with_commas;
        }
    }
    spaced(input, basis, syntax, origin)
}

/// Arguments between commas: numbers and percentages don't mix, and nothing is missing.
fn with_commas<'i>(input: &mut Input<'i, '_>, basis: Basis, syntax: &Syntax) -> Parsed<'i, Exact> {
    let units = Units::from(basis);
    let mut parts = [None; 3];
    let mut percentages = 0;
    for (index, part) in parts.iter_mut().enumerate() {
        if index > 0 {
            input.expect_comma()?;
        }
        let value = Quantity::parse(input, units)?;
        let is_percentage = matches!(value, Quantity::Percent(_));
        percentages += usize::from(is_percentage);
        if syntax.scales[index].is_some() && syntax.scales[0].is_none() && !is_percentage {
            return Err(refused(input));
        }
        *part = Some(some(input, syntax.component(index, value))?);
    }
    if syntax.scales[0].is_some() && percentages != 0 && percentages != 3 {
        return Err(refused(input));
    }
    let alpha = if takes_comma(input) {
        alpha_value(input, units)?
    } else {
        Some(1.0)
    };
    input.expect_exhausted()?;
    Ok(Exact::new(syntax.space, parts, alpha).in_bytes())
}

fn spaced<'i>(
    input: &mut Input<'i, '_>,
    basis: Basis,
    syntax: &Syntax,
    origin: Option<Exact>,
) -> Parsed<'i, Exact> {
    let values = origin.map(|origin| {
        (
            origin
                .components(syntax.space)
                .map(|value| value * syntax.by_name),
            origin.alpha.unwrap_or(0.0),
        )
    });
    let names = values.map(|([a, b, c], alpha)| {
        let [first, second, third] = syntax.names;
        [(first, a), (second, b), (third, c), ("alpha", alpha)]
    });
    let units = Units {
        em: f64::from(basis.em),
        names: names.as_ref().map_or(&[], |names| names),
    };
    let mut parts = [None; 3];
    for (index, part) in parts.iter_mut().enumerate() {
        if takes_word(input, "none") {
            continue;
        }
        let value = Quantity::parse(input, units)?;
        *part = Some(some(input, syntax.component(index, value))?);
    }
    let default = values.map_or(1.0, |(_, alpha)| alpha);
    let alpha = alpha(input, units)?.unwrap_or(Some(default));
    let exact = Exact::new(syntax.space, parts, alpha);
    Ok(match (syntax.is_legacy, origin) {
        (true, None) => exact.in_bytes(),
        // What is relative is no longer in bytes, and hues of sRGB become sRGB.
        (true, Some(_)) => {
            let parts = exact.components(Space::Srgb).map(Some);
            Exact::new(Space::Srgb, parts, alpha)
        }
        (false, _) => exact,
    })
}

impl Syntax {
    fn component(&self, index: usize, value: Quantity) -> Option<f64> {
        let component = match (self.scales[index], value) {
            (None, Quantity::Angle(degrees) | Quantity::Number(degrees)) => degrees,
            (Some((whole, _)), Quantity::Percent(share)) => share * whole,
            (Some((_, one)), Quantity::Number(number)) => number * one,
            _ => return None,
        };
        let (low, high) = self.bounds[index];
        if component.is_nan() {
            return Some(0.0);
        }
        Some(component.clamp(low.max(-1e9), high.min(1e9)))
    }
}

/// What stands behind a slash; nothing where there is none.
fn alpha<'i>(input: &mut Input<'i, '_>, units: Units<'_>) -> Parsed<'i, Option<Option<f64>>> {
    if takes_slash(input) {
        alpha_value(input, units).map(Some)
    } else {
        Ok(None)
    }
}

fn alpha_value<'i>(input: &mut Input<'i, '_>, units: Units<'_>) -> Parsed<'i, Option<f64>> {
    if takes_word(input, "none") {
        return Ok(None);
    }
    let value = match Quantity::parse(input, units)? {
        Quantity::Number(value) | Quantity::Percent(value) => Some(value),
        _ => None,
    };
    some(input, value).map(|value| {
        Some(if value.is_nan() {
            0.0
        } else {
            value.clamp(0.0, 1.0)
        })
    })
}

impl Method {
    /// What follows `in`: a space and perhaps a way around its hues.
    pub(in crate::css) fn take<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, Self> {
        const WAYS: [(&str, HueWay); 4] = [
            ("shorter", HueWay::Shorter),
            ("longer", HueWay::Longer),
            ("increasing", HueWay::Increasing),
            ("decreasing", HueWay::Decreasing),
        ];
        word(input, "in")?;
        let name = input.expect_ident()?.clone();
        let space = some(input, Space::named(&name))?;
        let way = input.try_parse(|input| {
            let way = keyword(input, &WAYS)?;
            word(input, "hue")?;
            Ok::<_, cssparser::ParseError<'i, ()>>(way)
        });
        if way.is_ok() && space.hue().is_none() {
            return Err(refused(input));
        }
        Ok(Self {
            space,
            way: way.unwrap_or(HueWay::Shorter),
        })
    }
}

fn mix<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Exact> {
    let method = if let Ok(method) = input.try_parse(Method::take) {
        input.expect_comma()?;
        method
    } else {
        Method::OKLAB
    };
    let (first, p1) = weighted(input, basis)?;
    input.expect_comma()?;
    let (second, p2) = weighted(input, basis)?;
    let (p1, p2) = match (p1, p2) {
        (None, None) => (0.5, 0.5),
        (Some(p1), None) => (p1, 1.0 - p1),
        (None, Some(p2)) => (1.0 - p2, p2),
        (Some(p1), Some(p2)) => (p1, p2),
    };
    let sum = p1 + p2;
    let weight = if sum > 0.0 { p2 / sum } else { 0.5 };
    let mixed = first.mixed(second, weight, method).faded(sum.min(1.0));
    if method.space == Space::Hsl || method.space == Space::Hwb {
        let parts = mixed.components(Space::Srgb).map(Some);
        return Ok(Exact::new(Space::Srgb, parts, mixed.alpha));
    }
    Ok(mixed)
}

/// A colour and its share of a mix, in either order.
fn weighted<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, (Exact, Option<f64>)> {
    let (mut color, mut weight) = (None, None);
    in_any_order(input, |input| {
        fills(&mut color, input, |input| Exact::take(input, basis))
            || fills(&mut weight, input, |input| {
                match Quantity::parse(input, basis.into())? {
                    Quantity::Percent(share) if (0.0..=1.0).contains(&share) => Ok(share),
                    _ => Err(refused(input)),
                }
            })
    });
    Ok((some(input, color)?, weight))
}
