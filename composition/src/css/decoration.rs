//! Lines on text.

use super::math::length_percentage;
use super::tokens::{
    Basis, Input, Parsed, fills, in_any_order, keyword, refused, takes_word, whole,
};
use super::{Color, Length};

/// How a line on text is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as in CSS")]
pub enum LineStyle {
    #[default]
    Solid,
    Double,
    Dotted,
    Dashed,
    Wavy,
}

/// The lines on text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextDecoration {
    /// Below the letters.
    pub underline: bool,
    /// Above them.
    pub overline: bool,
    /// Through them.
    pub line_through: bool,
    /// How they are drawn.
    pub style: LineStyle,
    /// Their colour.
    pub color: Color,
    /// Pixels and shares of the font size; the font's own thickness when `None`.
    pub thickness: Option<Length>,
}

impl TextDecoration {
    /// Parses a CSS `text-decoration`; no line at all is `None`.
    pub fn parse(text: &str, current: impl Into<Basis>) -> Option<Self> {
        Self::parse_any(text, current)
            .filter(|lines| lines.underline || lines.overline || lines.line_through)
    }

    /// Parses a CSS `text-decoration`, even one without lines.
    pub(crate) fn parse_any(text: &str, current: impl Into<Basis>) -> Option<Self> {
        let basis = current.into();
        whole(text, |input| {
            let (mut lines, mut style, mut color, mut thickness) = (None, None, None, None);
            in_any_order(input, |input| {
                fills(&mut lines, input, decoration_lines)
                    || fills(&mut style, input, |input| keyword(input, &STYLES))
                    || fills(&mut thickness, input, |input| line_thickness(input, basis))
                    || fills(&mut color, input, |input| Color::take(input, basis))
            });
            if lines.is_none() && style.is_none() && color.is_none() && thickness.is_none() {
                return Err(refused(input));
            }
            let [underline, overline, line_through] = lines.unwrap_or_default();
            Ok(Self {
                underline,
                overline,
                line_through,
                style: style.unwrap_or_default(),
                color: color.unwrap_or(basis.current),
                thickness: thickness.flatten(),
            })
        })
    }
}

const STYLES: [(&str, LineStyle); 5] = [
    ("solid", LineStyle::Solid),
    ("double", LineStyle::Double),
    ("dotted", LineStyle::Dotted),
    ("dashed", LineStyle::Dashed),
    ("wavy", LineStyle::Wavy),
];

/// Whether there is a line below, above and through the letters.
fn decoration_lines<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, [bool; 3]> {
    const WORDS: [(&str, usize); 4] = [
        ("underline", 0),
        ("overline", 1),
        ("line-through", 2),
        ("blink", 3),
    ];
    if takes_word(input, "none") {
        return Ok([false; 3]);
    }
    let mut lines = [false; 4];
    lines[keyword(input, &WORDS)?] = true;
    while let Ok(line) = input.try_parse(|input| keyword(input, &WORDS)) {
        if std::mem::replace(&mut lines[line], true) {
            return Err(refused(input));
        }
    }
    let [underline, overline, line_through, _] = lines;
    Ok([underline, overline, line_through])
}

/// `auto` and `from-font` leave the thickness to the font.
fn line_thickness<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Option<Length>> {
    if takes_word(input, "auto") || takes_word(input, "from-font") {
        return Ok(None);
    }
    length_percentage(input, basis).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<TextDecoration> {
        TextDecoration::parse(text, Color::WHITE)
    }

    #[test]
    fn lines_style_colour_and_thickness_in_any_order() {
        let lines = parse("wavy 10% underline line-through #000").expect("valid");
        assert!(lines.underline && lines.line_through && !lines.overline);
        assert_eq!((lines.style, lines.color), (LineStyle::Wavy, Color::BLACK));
        let share = Length {
            px: 0.0,
            share: 0.1,
        };
        assert_eq!(lines.thickness, Some(share));
        let plain = parse("OVERLINE from-font").expect("valid");
        assert!(plain.overline && plain.thickness.is_none());
        assert_eq!(plain.color, Color::WHITE);
    }

    #[test]
    fn no_line_is_no_decoration() {
        for text in [
            "none",
            "dotted red",
            "",
            "underline underline",
            "under",
            "underline 3",
            "underline none",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
