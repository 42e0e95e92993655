//! Shadows of boxes and of text.

use super::Color;
use super::math::{pixels, size_in_pixels};
use super::tokens::{
    Basis, Input, Parsed, fills, in_any_order, refused, some, takes_word, whole, word,
};

/// One shadow, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    /// Offset to the right.
    pub dx: f32,
    /// Offset downwards.
    pub dy: f32,
    /// CSS blur radius: twice the standard deviation.
    pub blur: f32,
    /// Growth on each side; 0 for text.
    pub spread: f32,
    /// Its colour.
    pub color: Color,
    /// Whether it falls inside the box.
    pub inset: bool,
}

impl Shadow {
    /// Parses a CSS `box-shadow`: the first listed is in front.
    pub fn parse_box(text: &str, current: impl Into<Basis>) -> Option<Vec<Self>> {
        parse_list(text, current.into(), Kind::Box)
    }

    /// Parses a CSS `text-shadow`: the first listed is in front.
    pub fn parse_text(text: &str, current: impl Into<Basis>) -> Option<Vec<Self>> {
        parse_list(text, current.into(), Kind::Text)
    }

    /// The shadow that comes next, without spread and never inset.
    pub(super) fn take_plain<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Self> {
        take(input, basis, Kind::Text)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Box,
    Text,
}

fn parse_list(text: &str, basis: Basis, kind: Kind) -> Option<Vec<Shadow>> {
    whole(text, |input| {
        if takes_word(input, "none") {
            return Ok(Vec::new());
        }
        input.parse_comma_separated(|input| take(input, basis, kind))
    })
}

fn take<'i>(input: &mut Input<'i, '_>, basis: Basis, kind: Kind) -> Parsed<'i, Shadow> {
    let (mut inset, mut lengths, mut color) = (None, None, None);
    in_any_order(input, |input| {
        fills(&mut lengths, input, |input| {
            shadow_lengths(input, basis, kind)
        }) || (kind == Kind::Box && fills(&mut inset, input, |input| word(input, "inset")))
            || fills(&mut color, input, |input| Color::take(input, basis))
    });
    let [dx, dy, blur, spread] = some(input, lengths)?;
    Ok(Shadow {
        dx,
        dy,
        blur,
        spread,
        color: color.unwrap_or(basis.current),
        inset: inset.is_some(),
    })
}

fn shadow_lengths<'i>(input: &mut Input<'i, '_>, basis: Basis, kind: Kind) -> Parsed<'i, [f32; 4]> {
    let (dx, dy) = (pixels(input, basis)?, pixels(input, basis)?);
    let blur = input.try_parse(|input| size_in_pixels(input, basis));
    let spread = match (&blur, kind) {
        (Ok(_), Kind::Box) => input.try_parse(|input| pixels(input, basis)).ok(),
        _ => None,
    };
    if input.try_parse(|input| pixels(input, basis)).is_ok() {
        return Err(refused(input));
    }
    Ok([dx, dy, blur.unwrap_or(0.0), spread.unwrap_or(0.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_shadows_in_order() {
        let shadows = Shadow::parse_box(
            "0 20px 40px rgba(0,0,0,.6), inset 0 0 6px 1px #fff",
            Color::BLACK,
        )
        .expect("valid");
        assert_eq!(shadows.len(), 2);
        assert_eq!(
            (shadows[0].dy, shadows[0].blur, shadows[0].inset),
            (20.0, 40.0, false)
        );
        assert_eq!((shadows[1].spread, shadows[1].inset), (1.0, true));
    }

    #[test]
    fn parts_in_any_order() {
        let expected = Shadow::parse_box("inset 1px 2px 3px 4px #fff", Color::BLACK);
        assert!(expected.is_some());
        for text in ["#fff 1px 2px 3px 4px inset", "1px 2px 3px 4px #fff inset"] {
            assert_eq!(Shadow::parse_box(text, Color::BLACK), expected, "{text}");
        }
        for text in [
            "",
            "1px",
            "1px 2px -3px",
            "1px red 2px",
            "1px 2px 3px 4px 5px",
            "1px 2px red red",
            "1px 5%",
            "none, 1px 2px",
        ] {
            assert_eq!(Shadow::parse_box(text, Color::BLACK), None, "{text}");
        }
        for text in ["1px 2px 3px 4px", "inset 1px 2px"] {
            assert_eq!(Shadow::parse_text(text, Color::BLACK), None, "{text}");
        }
    }

    #[test]
    fn a_text_shadow_without_a_colour_takes_the_text_colour() {
        let shadows = Shadow::parse_text("1px 2px", Color::WHITE).expect("valid");
        assert_eq!(shadows[0].color, Color::WHITE);
        assert_eq!(Shadow::parse_text("none", Color::BLACK), Some(vec![]));
        assert_eq!(Shadow::parse_text("blurry", Color::BLACK), None);
    }
}
