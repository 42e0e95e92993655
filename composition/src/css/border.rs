//! Borders.

use super::Color;
use super::math::size_in_pixels;
use super::tokens::{Basis, Input, Parsed, fills, in_any_order, keyword, refused, whole};

/// How the line of a border is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in CSS")]
pub enum BorderStyle {
    Solid,
    Dashed,
    Dotted,
    Double,
    Groove,
    Ridge,
    Inset,
    Outset,
}

/// One side of a border; nothing is drawn where the width is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BorderSide {
    /// Whole pixels.
    pub width: f32,
    /// How the line is drawn.
    pub style: BorderStyle,
    /// Its colour.
    pub color: Color,
}

impl Default for BorderSide {
    fn default() -> Self {
        Self {
            width: 0.0,
            style: BorderStyle::Solid,
            color: Color::TRANSPARENT,
        }
    }
}

/// The border of a box: it lies inside the box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the sides are named as everywhere")]
pub struct Border {
    pub top: BorderSide,
    pub right: BorderSide,
    pub bottom: BorderSide,
    pub left: BorderSide,
}

impl Border {
    /// The same line on every side.
    pub fn all(side: BorderSide) -> Self {
        Self {
            top: side,
            right: side,
            bottom: side,
            left: side,
        }
    }

    /// Top, right, bottom, left.
    pub fn sides(&self) -> [BorderSide; 4] {
        [self.top, self.right, self.bottom, self.left]
    }

    /// Widths of the top, right, bottom and left side.
    pub fn widths(&self) -> [f32; 4] {
        self.sides().map(|side| side.width)
    }
}

impl BorderSide {
    /// Parses a CSS `border`, `border-top` and so on. Widths under a pixel become one, others are
    /// rounded down, as browsers do.
    pub fn parse(text: &str, current: impl Into<Basis>) -> Option<Self> {
        let basis = current.into();
        whole(text, |input| {
            let (mut width, mut style, mut color) = (None, None, None);
            in_any_order(input, |input| {
                fills(&mut width, input, |input| line_width(input, basis))
                    || fills(&mut style, input, |input| keyword(input, &STYLES))
                    || fills(&mut color, input, |input| Color::take(input, basis))
            });
            if width.is_none() && style.is_none() && color.is_none() {
                return Err(refused(input));
            }
            let color = color.unwrap_or(basis.current);
            let style = style.flatten();
            Ok(Self {
                width: style.map_or(0.0, |_| width.unwrap_or(MEDIUM)),
                style: style.unwrap_or(BorderStyle::Solid),
                color,
            })
        })
    }
}

/// Pixels of `medium`, the width where none is named.
const MEDIUM: f32 = 3.0;

/// No line at all for `none` and `hidden`.
const STYLES: [(&str, Option<BorderStyle>); 10] = [
    ("none", None),
    ("hidden", None),
    ("solid", Some(BorderStyle::Solid)),
    ("dashed", Some(BorderStyle::Dashed)),
    ("dotted", Some(BorderStyle::Dotted)),
    ("double", Some(BorderStyle::Double)),
    ("groove", Some(BorderStyle::Groove)),
    ("ridge", Some(BorderStyle::Ridge)),
    ("inset", Some(BorderStyle::Inset)),
    ("outset", Some(BorderStyle::Outset)),
];

fn line_width<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, f32> {
    const WORDS: [(&str, f32); 3] = [("thin", 1.0), ("medium", MEDIUM), ("thick", 5.0)];
    if let Ok(width) = input.try_parse(|input| keyword(input, &WORDS)) {
        return Ok(width);
    }
    let width = size_in_pixels(input, basis)?;
    Ok(if width > 0.0 {
        width.floor().max(1.0)
    } else {
        0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<BorderSide> {
        BorderSide::parse(text, Color::WHITE)
    }

    #[test]
    fn parts_in_any_order() {
        let red = Color::parse("red").expect("a colour");
        for text in [
            "4px solid red",
            "red 4px solid",
            "solid RED 4px",
            "solid calc(1px + 3px) red",
        ] {
            let expected = BorderSide {
                width: 4.0,
                style: BorderStyle::Solid,
                color: red,
            };
            assert_eq!(parse(text), Some(expected), "{text}");
        }
        let plain = parse("double").expect("valid");
        assert_eq!((plain.width, plain.color), (3.0, Color::WHITE));
        assert_eq!(parse("thick ridge").map(|side| side.width), Some(5.0));
    }

    #[test]
    fn widths_are_whole_pixels() {
        for (text, width) in [
            ("0.4px solid", 1.0),
            ("1.9px solid", 1.0),
            ("2.99px solid", 2.0),
            ("0 solid", 0.0),
            ("6px none", 0.0),
            ("6px hidden red", 0.0),
            ("6px", 0.0),
            ("red", 0.0),
        ] {
            assert_eq!(parse(text).map(|side| side.width), Some(width), "{text}");
        }
    }

    #[test]
    fn what_is_no_border_is_ignored() {
        for text in [
            "",
            "4 solid",
            "4px solid red blue",
            "-4px solid",
            "10% solid",
            "4px wavy",
            "1px 2px solid",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
