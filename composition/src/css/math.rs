//! Numbers, percentages, angles and lengths, with the math functions of CSS.

use cssparser::Token;

use super::tokens::{Basis, Input, Parsed, function_name, refused, some, takes_comma};
use super::{Length, ROOT_FONT_SIZE};

/// Beyond this, browsers stop counting pixels.
const FARTHEST: f64 = 33_554_428.0;

/// A number with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity {
    Number(f64),
    /// 1 for 100%.
    Percent(f64),
    /// Pixels, and a share of something known later.
    Length(f64, f64),
    /// Degrees.
    Angle(f64),
}

/// What names and units stand for while a quantity is read.
#[derive(Clone, Copy)]
pub(super) struct Units<'a> {
    pub(super) em: f64,
    /// Words with a value, as the channels in relative colours.
    pub(super) names: &'a [(&'a str, f64)],
}

impl From<Basis> for Units<'static> {
    fn from(basis: Basis) -> Self {
        Self {
            em: f64::from(basis.em),
            names: &[],
        }
    }
}

impl Quantity {
    /// The next quantity.
    pub(super) fn parse<'i>(input: &mut Input<'i, '_>, units: Units<'_>) -> Parsed<'i, Self> {
        let token = input.next()?.clone();
        let value = match &token {
            Token::Number { value, .. } => Some(Self::Number(f64::from(*value))),
            Token::Percentage { unit_value, .. } => Some(Self::Percent(f64::from(*unit_value))),
            Token::Dimension { value, unit, .. } => dimension(f64::from(*value), unit, units),
            Token::Ident(name) => named(units.names, name).map(Self::Number),
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                return input.parse_nested_block(|input| function(&name, input, units));
            }
            _ => None,
        };
        some(input, value)
    }

    fn plus(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Number(a), Self::Number(b)) => Self::Number(a + b),
            (Self::Percent(a), Self::Percent(b)) => Self::Percent(a + b),
            (Self::Angle(a), Self::Angle(b)) => Self::Angle(a + b),
            (a, b) => {
                let ((a, a_share), (b, b_share)) = (a.as_length()?, b.as_length()?);
                Self::Length(a + b, a_share + b_share)
            }
        })
    }

    fn times(self, factor: f64) -> Self {
        match self {
            Self::Number(a) => Self::Number(a * factor),
            Self::Percent(a) => Self::Percent(a * factor),
            Self::Angle(a) => Self::Angle(a * factor),
            Self::Length(a, share) => Self::Length(a * factor, share * factor),
        }
    }

    fn as_length(self) -> Option<(f64, f64)> {
        match self {
            Self::Length(px, share) => Some((px, share)),
            Self::Percent(share) => Some((0.0, share)),
            Self::Number(_) | Self::Angle(_) => None,
        }
    }

    fn as_number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The values of two quantities of one unit, fit to be compared.
    fn alike(self, other: Self) -> Option<(f64, f64)> {
        match (self, other) {
            (Self::Number(a), Self::Number(b))
            | (Self::Percent(a), Self::Percent(b))
            | (Self::Angle(a), Self::Angle(b)) => Some((a, b)),
            (a, b) => {
                let ((a, a_share), (b, b_share)) = (a.as_length()?, b.as_length()?);
                if a_share == b_share {
                    Some((a, b))
                } else if a == b {
                    Some((a_share, b_share))
                } else {
                    None
                }
            }
        }
    }

    fn value(self) -> Option<f64> {
        match self {
            Self::Number(a) | Self::Percent(a) | Self::Angle(a) => Some(a),
            Self::Length(px, 0.0) => Some(px),
            Self::Length(..) => None,
        }
    }

    fn with_value(self, value: f64) -> Self {
        match self {
            Self::Number(_) => Self::Number(value),
            Self::Percent(_) => Self::Percent(value),
            Self::Angle(_) => Self::Angle(value),
            Self::Length(..) => Self::Length(value, 0.0),
        }
    }
}

fn named(names: &[(&str, f64)], name: &str) -> Option<f64> {
    names
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| *value)
}

fn dimension(value: f64, unit: &str, units: Units<'_>) -> Option<Quantity> {
    let pixels = match unit.to_ascii_lowercase().as_str() {
        "px" => 1.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 9.6 / 2.54,
        "q" => 2.4 / 2.54,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        "em" => units.em,
        "ex" | "ch" => units.em / 2.0,
        "rem" => f64::from(ROOT_FONT_SIZE),
        angle => {
            let degrees = match angle {
                "deg" => 1.0,
                "grad" => 0.9,
                "rad" => 180.0 / std::f64::consts::PI,
                "turn" => 360.0,
                _ => return None,
            };
            return Some(Quantity::Angle(value * degrees));
        }
    };
    Some(Quantity::Length(value * pixels, 0.0))
}

fn sum<'i>(input: &mut Input<'i, '_>, units: Units<'_>) -> Parsed<'i, Quantity> {
    let mut total = product(input, units)?;
    loop {
        let sign = input.try_parse(|input| match input.next() {
            Ok(Token::Delim('+')) => Ok(1.0),
            Ok(Token::Delim('-')) => Ok(-1.0),
            _ => Err(()),
        });
        let Ok(sign) = sign else {
            return Ok(total);
        };
        let next = product(input, units)?.times(sign);
        total = some(input, total.plus(next))?;
    }
}

fn product<'i>(input: &mut Input<'i, '_>, units: Units<'_>) -> Parsed<'i, Quantity> {
    let mut total = operand(input, units)?;
    loop {
        let divides = input.try_parse(|input| match input.next() {
            Ok(Token::Delim('*')) => Ok(false),
            Ok(Token::Delim('/')) => Ok(true),
            _ => Err(()),
        });
        let Ok(divides) = divides else {
            return Ok(total);
        };
        let next = operand(input, units)?;
        let result = match (total, next) {
            (total, Quantity::Number(factor)) if divides => Some(total.times(1.0 / factor)),
            (total, Quantity::Number(factor)) => Some(total.times(factor)),
            (Quantity::Number(factor), next) if !divides => Some(next.times(factor)),
            (total, next) if divides => total.alike(next).map(|(a, b)| Quantity::Number(a / b)),
            _ => None,
        };
        total = some(input, result)?;
    }
}

fn operand<'i>(input: &mut Input<'i, '_>, units: Units<'_>) -> Parsed<'i, Quantity> {
    const CONSTANTS: [(&str, f64); 5] = [
        ("pi", std::f64::consts::PI),
        ("e", std::f64::consts::E),
        ("infinity", f64::INFINITY),
        ("-infinity", f64::NEG_INFINITY),
        ("nan", f64::NAN),
    ];
    let in_brackets = input.try_parse(|input| {
        input.expect_parenthesis_block()?;
        input.parse_nested_block(|input| sum(input, units))
    });
    if in_brackets.is_ok() {
        return in_brackets;
    }
    if let Ok(quantity) = input.try_parse(|input| Quantity::parse(input, units)) {
        return Ok(quantity);
    }
    let name = input.expect_ident()?.clone();
    some(input, named(&CONSTANTS, &name).map(Quantity::Number))
}

fn function<'i>(name: &str, input: &mut Input<'i, '_>, units: Units<'_>) -> Parsed<'i, Quantity> {
    if matches!(name, "calc" | "-webkit-calc") {
        return sum(input, units);
    }
    let strategy = if name == "round" {
        input
            .try_parse(|input| {
                let strategy = function_strategy(input)?;
                input.expect_comma()?;
                Ok::<_, cssparser::ParseError<'_, ()>>(strategy)
            })
            .unwrap_or(f64::round as fn(f64) -> f64)
    } else {
        f64::round
    };
    let mut arguments = vec![sum(input, units)?];
    while takes_comma(input) {
        arguments.push(sum(input, units)?);
    }
    some(input, apply(name, strategy, &arguments))
}

fn function_strategy<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, fn(f64) -> f64> {
    super::tokens::keyword(
        input,
        &[
            ("nearest", (|x| (x + 0.5).floor()) as fn(f64) -> f64),
            ("up", f64::ceil),
            ("down", f64::floor),
            ("to-zero", f64::trunc),
        ],
    )
}

fn apply(name: &str, round: fn(f64) -> f64, arguments: &[Quantity]) -> Option<Quantity> {
    let pick = |prefers_second: fn(f64, f64) -> bool| {
        arguments[1..].iter().try_fold(arguments[0], |best, next| {
            let (a, b) = best.alike(*next)?;
            Some(if prefers_second(a, b) { *next } else { best })
        })
    };
    let number = |index: usize| arguments.get(index).and_then(|value| value.as_number());
    let radians = |index: usize| match arguments.get(index)? {
        Quantity::Number(radians) => Some(*radians),
        Quantity::Angle(degrees) => Some(degrees.to_radians()),
        _ => None,
    };
    match (name, arguments) {
        ("min", _) => pick(|a, b| b < a),
        ("max", _) => pick(|a, b| b > a),
        ("clamp", [low, value, high]) => {
            let capped = apply("min", round, &[*value, *high])?;
            apply("max", round, &[*low, capped])
        }
        ("abs", [value]) => Some(value.with_value(value.value()?.abs())),
        ("sign", [value]) => {
            let value = value.value()?;
            Some(Quantity::Number(if value == 0.0 {
                0.0
            } else {
                value.signum()
            }))
        }
        ("round", [value]) => Some(value.with_value(round(value.value()?))),
        ("round" | "mod" | "rem", [value, step]) => {
            let (a, b) = value.alike(*step)?;
            let result = match name {
                "round" => round(a / b) * b,
                "mod" => a - b * (a / b).floor(),
                _ => a % b,
            };
            Some(value.with_value(result))
        }
        ("sin", [_]) => Some(Quantity::Number(radians(0)?.sin())),
        ("cos", [_]) => Some(Quantity::Number(radians(0)?.cos())),
        ("tan", [_]) => Some(Quantity::Number(radians(0)?.tan())),
        ("asin", [_]) => Some(Quantity::Angle(number(0)?.asin().to_degrees())),
        ("acos", [_]) => Some(Quantity::Angle(number(0)?.acos().to_degrees())),
        ("atan", [_]) => Some(Quantity::Angle(number(0)?.atan().to_degrees())),
        ("atan2", [y, x]) => {
            let (y, x) = y.alike(*x)?;
            Some(Quantity::Angle(y.atan2(x).to_degrees()))
        }
        ("pow", [_, _]) => Some(Quantity::Number(number(0)?.powf(number(1)?))),
        ("sqrt", [_]) => Some(Quantity::Number(number(0)?.sqrt())),
        ("exp", [_]) => Some(Quantity::Number(number(0)?.exp())),
        ("log", [_]) => Some(Quantity::Number(number(0)?.ln())),
        ("log", [_, _]) => Some(Quantity::Number(number(0)?.log(number(1)?))),
        ("hypot", [first, ..]) => {
            let squares = arguments.iter().try_fold(0.0, |total, value| {
                let (_, b) = first.alike(*value)?;
                Some(total + b * b)
            })?;
            Some(first.with_value(squares.sqrt()))
        }
        _ => None,
    }
}

fn tame(value: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(-FARTHEST, FARTHEST)
    }
}

/// A length or a percentage; 0 needs no unit.
pub(super) fn length_percentage<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Length> {
    let is_bare = is_bare_number(input);
    let length = match Quantity::parse(input, basis.into())? {
        Quantity::Number(0.0) if is_bare => Some((0.0, 0.0)),
        other => other.as_length(),
    };
    let (px, share) = some(input, length)?;
    Ok(Length {
        px: tame(px) as f32,
        share: tame(share) as f32,
    })
}

/// A length or a percentage that is not negative.
pub(super) fn size<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Length> {
    let is_function = is_function(input);
    let length = length_percentage(input, basis)?;
    if is_function {
        // What a function yields is clamped, not refused.
        let is_plain = length.share == 0.0 || length.px == 0.0;
        return Ok(if is_plain {
            Length {
                px: length.px.max(0.0),
                share: length.share.max(0.0),
            }
        } else {
            length
        });
    }
    some(
        input,
        Some(length).filter(|l| l.px >= 0.0 && l.share >= 0.0),
    )
}

/// A length in pixels, without percentages.
pub(super) fn pixels<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, f32> {
    let before = input.state();
    let token = input.next()?.clone();
    if matches!(token, Token::Percentage { .. }) {
        return Err(refused(input));
    }
    input.reset(&before);
    let length = length_percentage(input, basis)?;
    some(input, (length.share == 0.0).then_some(length.px))
}

/// A length in pixels that is not negative; what a function yields is clamped.
pub(super) fn size_in_pixels<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, f32> {
    let is_function = is_function(input);
    let px = pixels(input, basis)?;
    if is_function {
        return Ok(px.max(0.0));
    }
    some(input, Some(px).filter(|px| *px >= 0.0))
}

/// A plain number.
pub(super) fn number<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, f64> {
    let number = Quantity::parse(input, Basis::default().into())?.as_number();
    some(input, number).map(finite)
}

/// A plain number that is not negative; what a function yields is clamped.
pub(super) fn positive_number<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, f64> {
    let is_function = is_function(input);
    let value = number(input)?;
    if is_function {
        return Ok(value.max(0.0));
    }
    some(input, Some(value).filter(|value| *value >= 0.0))
}

/// A number, or a percentage of 1.
pub(super) fn share<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, f64> {
    let share = match Quantity::parse(input, Basis::default().into())? {
        Quantity::Number(value) | Quantity::Percent(value) => Some(finite(value)),
        _ => None,
    };
    some(input, share)
}

/// A number or a percentage that is not negative; what a function yields is clamped.
pub(super) fn positive_share<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, f64> {
    let is_function = is_function(input);
    let value = share(input)?;
    if is_function {
        return Ok(value.max(0.0));
    }
    some(input, Some(value).filter(|value| *value >= 0.0))
}

/// An angle in degrees; 0 needs no unit.
pub(super) fn degrees<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, f64> {
    let is_bare = is_bare_number(input);
    let degrees = match Quantity::parse(input, Basis::default().into())? {
        Quantity::Angle(degrees) => Some(finite(degrees)),
        Quantity::Number(0.0) if is_bare => Some(0.0),
        _ => None,
    };
    some(input, degrees)
}

/// An angle or a percentage as a share of a turn.
pub(super) fn turns<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, f64> {
    let is_bare = is_bare_number(input);
    let turns = match Quantity::parse(input, Basis::default().into())? {
        Quantity::Angle(degrees) => Some(finite(degrees / 360.0)),
        Quantity::Percent(share) => Some(finite(share)),
        Quantity::Number(0.0) if is_bare => Some(0.0),
        _ => None,
    };
    some(input, turns)
}

fn finite(value: f64) -> f64 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(f64::from(f32::MIN), f64::from(f32::MAX))
    }
}

fn is_bare_number(input: &mut Input<'_, '_>) -> bool {
    let before = input.state();
    let is_bare = matches!(input.next(), Ok(Token::Number { .. }));
    input.reset(&before);
    is_bare
}

fn is_function(input: &mut Input<'_, '_>) -> bool {
    let before = input.state();
    let is_function = function_name(input).is_ok();
    input.reset(&before);
    is_function
}

#[cfg(test)]
mod tests {
    use super::super::tokens::whole;
    use super::*;

    fn length(text: &str) -> Option<(f32, f32)> {
        whole(text, |input| length_percentage(input, Basis::default())).map(|l| (l.px, l.share))
    }

    #[test]
    fn units_become_pixels() {
        for (text, px) in [
            ("0", 0.0),
            ("1in", 96.0),
            ("12pt", 16.0),
            ("1pc", 16.0),
            ("2em", 32.0),
            ("1.5rem", 24.0),
            ("25.4mm", 96.0),
            ("-3PX", -3.0),
        ] {
            let (got, share) = length(text).expect(text);
            assert!((got - px).abs() < 1e-4 && share == 0.0, "{text}: {got}");
        }
        for text in ["5", "5vw", "1fr", "5deg", "px", "", "5px 5px"] {
            assert_eq!(length(text), None, "{text}");
        }
    }

    #[test]
    fn functions_nest_and_keep_percentages() {
        assert_eq!(length("calc(50% - 2 * (3px + 1px))"), Some((-8.0, 0.5)));
        assert_eq!(length("min(10px, max(4px, 1rem))"), Some((10.0, 0.0)));
        assert_eq!(length("clamp(1px, 50px, 3em)"), Some((48.0, 0.0)));
        assert_eq!(length("calc(100% / 4)"), Some((0.0, 0.25)));
        assert_eq!(length("calc(10px * 6px / 3px)"), None);
        assert_eq!(length("round(up, 11px, 5px)"), Some((15.0, 0.0)));
        assert_eq!(length("calc(1px * infinity)"), Some((33_554_428.0, 0.0)));
        assert_eq!(length("calc(1px + 2)"), None);
        assert_eq!(length("min(10px, 5%)"), None, "known only on a box");
    }
}
