//! Font and line properties.

use super::ROOT_FONT_SIZE;
use super::math::{degrees, length_percentage, number, positive_number, size};
use super::tokens::{Basis, Input, Parsed, keyword, some, takes_word, whole, word};

/// How large text is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FontSize {
    /// As large as fits the box, times a factor.
    Fit {
        /// The factor.
        scale: f32,
    },
    /// This size, or less where it would not fit.
    AtMost(f32),
    /// This size, fit or not.
    Exactly(f32),
}

impl FontSize {
    /// The size to start from, in pixels; where none is known, that of a browser's plain text.
    pub fn limit(self) -> f32 {
        match self {
            Self::AtMost(size) | Self::Exactly(size) => size,
            Self::Fit { scale } => ROOT_FONT_SIZE * scale,
        }
    }
}

/// The height of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineHeight {
    /// As the font asks for.
    Normal,
    /// Times the font size.
    Factor(f32),
    /// Pixels.
    Pixels(f32),
}

impl LineHeight {
    /// The height in pixels at a font size; where the font decides and is not known, that of most
    /// fonts.
    pub fn resolve(self, font_size: f32) -> f32 {
        match self {
            Self::Normal => 1.2 * font_size,
            Self::Factor(factor) => factor * font_size,
            Self::Pixels(pixels) => pixels,
        }
    }
}

/// The size of a text overlay: px and unitless numbers count, any other unit means auto-fit.
pub fn text_font_size(size: Option<&str>, scale: Option<f64>, fixed: bool) -> FontSize {
    let pixels = size.and_then(|size| {
        let size = size.trim();
        let number = size
            .len()
            .checked_sub(2)
            .filter(|end| size.is_char_boundary(*end) && size[*end..].eq_ignore_ascii_case("px"))
            .map_or(size, |end| &size[..end]);
        number
            .parse::<f32>()
            .ok()
            .filter(|px| px.is_finite() && *px > 0.0)
    });
    match pixels {
        Some(pixels) if fixed => FontSize::Exactly(pixels),
        Some(pixels) => FontSize::AtMost(pixels),
        None => FontSize::Fit {
            scale: scale.map_or(1.0, |scale| scale as f32),
        },
    }
}

/// Parses a CSS `font-size` in pixels, inside text of a browser's plain size.
pub fn css_font_size(text: &str) -> Option<f32> {
    const WORDS: [(&str, f32); 10] = [
        ("xx-small", 9.0),
        ("x-small", 10.0),
        ("small", 13.0),
        ("medium", 16.0),
        ("large", 18.0),
        ("x-large", 24.0),
        ("xx-large", 32.0),
        ("xxx-large", 48.0),
        ("smaller", 16.0 / 1.2),
        ("larger", 16.0 * 1.2),
    ];
    whole(text, |input| {
        input
            .try_parse(|input| keyword(input, &WORDS))
            .or_else(|_| {
                let length = size(input, Basis::default())?;
                Ok(length.resolve(ROOT_FONT_SIZE))
            })
    })
    .filter(|px| *px > 0.0)
}

/// Parses a CSS `font-weight`; `bolder` and `lighter` are relative to 400.
pub fn font_weight(text: &str) -> Option<u16> {
    const WORDS: [(&str, u16); 4] = [
        ("normal", 400),
        ("bold", 700),
        ("bolder", 700),
        ("lighter", 100),
    ];
    whole(text, |input| {
        if let Ok(weight) = input.try_parse(|input| keyword(input, &WORDS)) {
            return Ok(weight);
        }
        let weight = number(input)?;
        let weight = (1.0..=1000.0).contains(&weight).then_some(weight as u16);
        some(input, weight)
    })
}

/// Parses a CSS `font-style`: whether the letters slant. Fonts have one slant, so that every angle
/// to the right is as good as another.
pub fn is_slanted(text: &str) -> Option<bool> {
    whole(text, |input| {
        if let Ok(slants) =
            input.try_parse(|input| keyword(input, &[("normal", false), ("italic", true)]))
        {
            return Ok(slants);
        }
        word(input, "oblique")?;
        if input.is_exhausted() {
            return Ok(true);
        }
        let angle = degrees(input)?;
        some(
            input,
            (-90.0..=90.0).contains(&angle).then_some(angle > 0.0),
        )
    })
}

/// Parses a CSS `font-family` into names in order of preference.
pub fn font_families(text: &str) -> Option<Vec<String>> {
    whole(text, |input| input.parse_comma_separated(family_name))
}

/// A name in quotes, or words that stand for it.
fn family_name<'i>(input: &mut Input<'i, '_>) -> Parsed<'i, String> {
    if let Ok(name) = input.try_parse(|input| input.expect_string().cloned()) {
        return Ok(name.as_ref().to_owned());
    }
    let mut name = input.expect_ident()?.as_ref().to_owned();
    while let Ok(word) = input.try_parse(|input| input.expect_ident().cloned()) {
        name.push(' ');
        name.push_str(&word);
    }
    Ok(name)
}

/// Parses a CSS `line-height`.
pub fn line_height(text: &str) -> Option<LineHeight> {
    whole(text, |input| {
        if takes_word(input, "normal") {
            return Ok(LineHeight::Normal);
        }
        if let Ok(factor) = input.try_parse(positive_number) {
            return Ok(LineHeight::Factor(factor as f32));
        }
        // What depends on the font size is a factor on it.
        let at = |em: f32| Basis {
            em,
            ..Basis::default()
        };
        let start = input.state();
        let fixed = size(input, at(0.0))?;
        input.reset(&start);
        let one = size(input, at(1.0))?;
        let factor = one.share + one.px - fixed.px;
        Ok(if factor == 0.0 {
            LineHeight::Pixels(fixed.px)
        } else if fixed.px == 0.0 {
            LineHeight::Factor(factor)
        } else {
            LineHeight::Pixels(fixed.px + factor * ROOT_FONT_SIZE)
        })
    })
}

/// Space added after each letter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LetterSpacing {
    /// Pixels.
    pub px: f32,
    /// Times the font size.
    pub em: f32,
}

impl LetterSpacing {
    /// Parses a CSS `letter-spacing`.
    pub fn parse(text: &str) -> Option<Self> {
        whole(text, |input| {
            if takes_word(input, "normal") {
                return Ok(Self::default());
            }
            let at = |em: f32| Basis {
                em,
                ..Basis::default()
            };
            let start = input.state();
            let fixed = length_percentage(input, at(0.0))?;
            input.reset(&start);
            let one = length_percentage(input, at(1.0))?;
            Ok(Self {
                px: fixed.px,
                em: one.share + one.px - fixed.px,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pixels_count_for_text() {
        assert_eq!(
            text_font_size(Some("48px"), None, false),
            FontSize::AtMost(48.0)
        );
        assert_eq!(
            text_font_size(Some("48"), Some(1.2), true),
            FontSize::Exactly(48.0)
        );
        for size in [
            "3rem", "2em", "5vw", "50%", "12pt", "", "px", "NaN", "-4px", "é",
        ] {
            assert_eq!(
                text_font_size(Some(size), None, true),
                FontSize::Fit { scale: 1.0 },
                "{size}"
            );
        }
        assert_eq!(
            text_font_size(None, Some(0.9), false),
            FontSize::Fit { scale: 0.9 }
        );
    }

    #[test]
    fn captions_take_a_length_in_any_unit() {
        for (size, pixels) in [
            ("40px", 40.0),
            ("2rem", 32.0),
            ("1.5em", 24.0),
            ("12pt", 16.0),
            ("150%", 24.0),
            ("x-large", 24.0),
            ("calc(1rem + 4px)", 20.0),
        ] {
            assert_eq!(css_font_size(size), Some(pixels), "{size}");
        }
        for size in ["", "large one", "-4px"] {
            assert_eq!(css_font_size(size), None, "{size}");
        }
    }

    #[test]
    fn slants() {
        for (text, slants) in [
            ("normal", Some(false)),
            ("ITALIC", Some(true)),
            ("oblique", Some(true)),
            ("oblique 5deg", Some(true)),
            ("oblique 0deg", Some(false)),
            ("oblique -0.1turn", Some(false)),
            ("oblique 100deg", None),
            ("italic 10deg", None),
            ("slanted", None),
        ] {
            assert_eq!(is_slanted(text), slants, "{text}");
        }
    }

    #[test]
    fn families_weights_and_lines() {
        assert_eq!(
            font_families("'Open Sans', Inter, sans-serif"),
            Some(vec![
                "Open Sans".into(),
                "Inter".into(),
                "sans-serif".into()
            ])
        );
        assert_eq!(font_weight("bold"), Some(700));
        assert_eq!(font_weight("650"), Some(650));
        assert_eq!(font_weight("heavy"), None);
        assert_eq!(line_height("1.4"), Some(LineHeight::Factor(1.4)));
        assert_eq!(line_height("30px"), Some(LineHeight::Pixels(30.0)));
        assert_eq!(line_height("150%"), Some(LineHeight::Factor(1.5)));
        assert_eq!(line_height("1.5em"), Some(LineHeight::Factor(1.5)));
        assert_eq!(
            line_height("calc(1.1 + 0.1)"),
            Some(LineHeight::Factor(1.2))
        );
        assert_eq!(line_height("normal"), Some(LineHeight::Normal));
        assert_eq!(line_height("-1"), None);
        assert_eq!(font_weight("bolder"), Some(700));
        assert_eq!(font_weight("1001"), None);
        assert_eq!(
            font_families("Open  Sans,Inter"),
            Some(vec!["Open Sans".into(), "Inter".into()])
        );
        assert_eq!(font_families("Inter,"), None);
        assert_eq!(
            LetterSpacing::parse("10%"),
            Some(LetterSpacing { px: 0.0, em: 0.1 })
        );
        assert_eq!(
            LetterSpacing::parse("normal"),
            Some(LetterSpacing::default())
        );
        assert_eq!(
            LetterSpacing::parse("0.1em"),
            Some(LetterSpacing { px: 0.0, em: 0.1 })
        );
        assert_eq!(
            LetterSpacing::parse("2px"),
            Some(LetterSpacing { px: 2.0, em: 0.0 })
        );
    }
}
