//! The words of a text overlay, laid out in its box.

use kinora_composition::css::Color;
use kinora_composition::timeline::{CodeStyle, TextBlock};

use super::frame::ContentBox;
use super::words::Words;
use crate::text::{Palette, Part, Setting, TextLayout, Typesetter, letter_colors};

/// Laid-out words, and where they lie in their box.
pub(super) struct SetText {
    pub(super) layout: TextLayout,
    pub(super) at: (f32, f32),
}

impl SetText {
    /// Lays out the words of a text, or a number in place of them.
    pub(super) fn new(
        typesetter: &mut Typesetter,
        block: &TextBlock,
        number: Option<&str>,
    ) -> Self {
        let content = ContentBox::new(&block.frame, block.size);
        let size = (content.width, content.height);
        let fonts = &mut typesetter.fonts;
        let layout = match (&block.code, number) {
            (Some(code), _) => {
                let (text, gutter) = numbered(&block.text, code);
                let setting = Setting {
                    wraps: false,
                    gutter,
                    ..Setting::new(&text, &block.style)
                };
                let mut layout = TextLayout::of(fonts, &setting, None, size);
                color(&mut layout, block, code);
                layout
            }
            (None, Some(number)) => {
                let setting = Setting {
                    has_even_digits: true,
                    ..Setting::new(number, &block.style)
                };
                TextLayout::of(fonts, &setting, block.number.as_deref(), size)
            }
            (None, None) => {
                TextLayout::of(fonts, &Setting::new(&block.text, &block.style), None, size)
            }
        };
        Self {
            layout,
            at: (content.left, content.top),
        }
    }

    /// A part of the words.
    pub(super) fn words(&self, part: Part) -> Words<'_> {
        Words {
            layout: &self.layout,
            at: self.at,
            part,
        }
    }
}

/// Code with its lines numbered where that is asked for, and how many letters each number takes.
fn numbered(text: &str, code: &CodeStyle) -> (String, usize) {
    if !code.has_numbers {
        return (text.to_owned(), 0);
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text
        .strip_suffix('\n')
        .unwrap_or(&text)
        .split('\n')
        .collect();
    let digits = lines.len().to_string().len();
    let numbered: Vec<String> = (lines.iter().enumerate())
        .map(|(index, line)| format!("{:>digits$}  {line}", index + 1))
        .collect();
    (numbered.join("\n"), digits + 2)
}

fn color(layout: &mut TextLayout, block: &TextBlock, code: &CodeStyle) {
    let palette = Palette::of(code.theme);
    let colors = letter_colors(&block.text, &code.language, code.theme);
    let own = |color: Color| match color == palette.plain {
        true => block.style.color,
        false => color,
    };
    layout.color_letters(|letter| match letter {
        Some(letter) => own(colors.get(letter).copied().unwrap_or(palette.plain)),
        None => palette.gutter,
    });
}
