//! Characters that fall in columns.

use super::super::parse::color;
use super::super::text::TextBlock;
use super::{Brief, within};
use crate::css::Color;
use crate::document::{Text, TextStyles};
use crate::geometry::Size;

/// Katakana of half a width, and digits.
const CHARACTERS: &str = "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝ0123456789";
const GREEN: Color = Color {
    r: 0.13,
    g: 1.0,
    b: 0.42,
    a: 1.0,
};

/// Characters that fall in columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// The characters, white, each in the middle of a box of the size of `cell`.
    pub glyphs: Vec<TextBlock>,
    /// From one character to the next, across and down.
    pub cell: Size,
    /// Colour of the characters.
    pub color: Color,
    /// Share of the columns in which characters fall.
    pub density: f64,
    /// Factor on their speed.
    pub speed: f64,
}

impl Matrix {
    pub(super) fn new(brief: Brief<'_>) -> Self {
        const SMALLEST: f64 = 4.0;
        const LARGEST: f64 = 400.0;
        const MOST_CELLS: f64 = 40_000.0;
        let styles = brief.styles;
        let area = f64::from(brief.size.width) * f64::from(brief.size.height);
        let usual = (brief.short_side() / 42.0).max(7.0);
        let given = styles.matrix_font_size.or(styles.size);
        let font_size =
            within(given, usual, SMALLEST, LARGEST).max((area / MOST_CELLS).sqrt()) as f32;
        let characters = characters(styles.matrix_charset.as_deref());
        let is_narrow = characters.iter().all(|one| is_narrow(*one));
        let cell = Size {
            width: font_size * if is_narrow { 0.72 } else { 1.08 },
            height: font_size * 1.06,
        };
        Self {
            glyphs: characters
                .into_iter()
                .map(|one| glyph(one, font_size, cell))
                .collect(),
            cell,
            color: color(styles.matrix_color.as_ref(), Color::BLACK)
                .or(brief.color())
                .unwrap_or(GREEN),
            density: within(styles.matrix_density, 0.9, 0.0, 1.0),
            speed: brief.speed(),
        }
    }
}

/// The characters of a set, each once; the usual ones for a set without any.
fn characters(set: Option<&str>) -> Vec<char> {
    const MOST: usize = 256;
    let mut characters = Vec::new();
    for character in set.unwrap_or_default().chars() {
        let is_seen = !character.is_whitespace() && !character.is_control();
        if is_seen && characters.len() < MOST && !characters.contains(&character) {
            characters.push(character);
        }
    }
    if characters.is_empty() {
        return CHARACTERS.chars().collect();
    }
    characters
}

/// Whether a character takes half the room of an ideograph.
fn is_narrow(character: char) -> bool {
    !matches!(character, '\u{1100}'..='\u{ff60}' | '\u{ffe0}'.. | 'M' | 'W' | '@' | '%')
}

fn glyph(character: char, font_size: f32, cell: Size) -> TextBlock {
    let styles = TextStyles {
        color: Some("white".into()),
        font_size: Some(format!("{font_size}px")),
        font_size_fixed: Some(true),
        font_weight: Some("500".into()),
        line_height: Some("1".into()),
        ..TextStyles::default()
    };
    let content = character.into();
    TextBlock::new(&Text { content, styles }, cell)
}
