//! Font and line properties.

use lightningcss::properties::font::{
    AbsoluteFontWeight, FontFamily, FontWeight, LineHeight as CssLineHeight,
};
use lightningcss::properties::text::Spacing;
use lightningcss::properties::{Property, PropertyId};
use lightningcss::stylesheet::PrinterOptions;
use lightningcss::traits::{Parse, ToCss};
use lightningcss::values::length::{Length as CssLength, LengthValue};

use super::length::px;
use super::{Length, property};

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
            Self::Fit { scale } => super::ROOT_FONT_SIZE * scale,
        }
    }
}

/// The height of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineHeight {
    /// Times the font size.
    Factor(f32),
    /// Pixels.
    Pixels(f32),
}

impl LineHeight {
    /// The height in pixels at a font size.
    pub fn resolve(self, font_size: f32) -> f32 {
        match self {
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

/// Parses any CSS length as a caption's font size in pixels.
pub fn css_font_size(text: &str) -> Option<f32> {
    CssLength::parse_string(text)
        .ok()
        .and_then(|length| px(&length))
        .filter(|px| *px > 0.0)
}

/// Parses a CSS `font-weight`; `bolder` and `lighter` are relative to 400.
pub fn font_weight(text: &str) -> Option<u16> {
    let Property::FontWeight(weight) = property(PropertyId::FontWeight, text)? else {
        return None;
    };
    Some(match weight {
        FontWeight::Absolute(AbsoluteFontWeight::Weight(weight)) => weight as u16,
        FontWeight::Absolute(AbsoluteFontWeight::Normal) => 400,
        FontWeight::Absolute(AbsoluteFontWeight::Bold) | FontWeight::Bolder => 700,
        FontWeight::Lighter => 100,
    })
}

/// Parses a CSS `font-family` into names in order of preference.
pub fn font_families(text: &str) -> Option<Vec<String>> {
    let Property::FontFamily(families) = property(PropertyId::FontFamily, text)? else {
        return None;
    };
    Some(
        families
            .iter()
            .map(|family| match family {
                FontFamily::Generic(generic) => generic.as_str().to_owned(),
                FontFamily::FamilyName(name) => {
                    let name = name
                        .to_css_string(PrinterOptions::default())
                        .unwrap_or_default();
                    name.trim_matches(['"', '\'']).to_owned()
                }
            })
            .collect(),
    )
}

/// Parses a CSS `line-height`.
pub fn line_height(text: &str) -> Option<LineHeight> {
    let Property::LineHeight(height) = property(PropertyId::LineHeight, text)? else {
        return None;
    };
    match height {
        CssLineHeight::Normal => Some(LineHeight::Factor(1.2)),
        CssLineHeight::Number(factor) => Some(LineHeight::Factor(factor)),
        CssLineHeight::Length(length) => {
            let length = Length::from_css(&length)?;
            Some(if length.share == 0.0 {
                LineHeight::Pixels(length.px)
            } else {
                LineHeight::Factor(length.share)
            })
        }
    }
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
        let Property::LetterSpacing(spacing) = property(PropertyId::LetterSpacing, text)? else {
            return None;
        };
        match spacing {
            Spacing::Normal => Some(Self::default()),
            Spacing::Length(CssLength::Value(LengthValue::Em(em))) => Some(Self { px: 0.0, em }),
            Spacing::Length(length) => px(&length).map(|px| Self { px, em: 0.0 }),
        }
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
        ] {
            assert_eq!(css_font_size(size), Some(pixels), "{size}");
        }
        for size in ["", "large one", "-4px"] {
            assert_eq!(css_font_size(size), None, "{size}");
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
