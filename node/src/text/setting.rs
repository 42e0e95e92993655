//! Words, and how they are laid out.

use kinora_composition::timeline::TextStyle;

/// What is laid out.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) text: &'a str,
    pub(crate) style: &'a TextStyle,
    /// Whether lines break that would be too long.
    pub(crate) wraps: bool,
    /// Whether digits are all as wide as each other, where the face can do that.
    pub(crate) has_even_digits: bool,
    /// As many letters at the start of each paragraph do not count as letters of the text.
    pub(crate) gutter: usize,
}

impl<'a> Setting<'a> {
    /// Plain words.
    pub(crate) fn new(text: &'a str, style: &'a TextStyle) -> Self {
        Self {
            text,
            style,
            wraps: true,
            has_even_digits: false,
            gutter: 0,
        }
    }
}
