//! Caption overlays: a phrase, one word of which is being spoken.

use kinora_composition::css::{Color, Shadow};
use kinora_composition::document::TextAlign;
use kinora_composition::timeline::{Affine, CaptionBlock, Size, TextStyle};

use super::easel::{Easel, HostStill, View};
use super::frame::{self, ContentBox};
use super::text::{Words, cast, ink};
use crate::Result;
use crate::text::{TextLayout, Typesetter};

/// Letters of captions may leave their box this far.
const OVERFLOW: f32 = 4096.0;

/// Rasters one caption with one of its words highlighted. `None` when nothing is to be seen.
pub(super) fn raster(
    typesetter: &mut Typesetter,
    block: &CaptionBlock,
    caption: usize,
    spoken: Option<usize>,
    view: &View,
) -> Result<Option<HostStill>> {
    let [left, top, right, bottom] = frame::bounds(&[], block.size);
    let bounds = [
        left - OVERFLOW,
        top - OVERFLOW,
        right + OVERFLOW,
        bottom + OVERFLOW,
    ];
    let Some(mut easel) = Easel::new(view, bounds)? else {
        return Ok(None);
    };
    let caption = &block.captions[caption];
    let words: Vec<&str> = if caption.words.is_empty() {
        caption.text.split_whitespace().collect()
    } else {
        caption.words.iter().map(|word| word.word.trim()).collect()
    };
    let set = SetWords::new(typesetter, block, &words, spoken);
    frame::paint(&mut easel, &block.frame, block.size)?;
    let (quiet, loud): (Vec<_>, Vec<_>) =
        (set.words.iter().enumerate()).partition(|(index, _)| Some(*index) != spoken);
    for (_, word) in quiet {
        paint_word(
            &mut easel,
            typesetter,
            word,
            block.style.color,
            &block.style.shadows,
        )?;
    }
    for (_, word) in loud {
        let [x, y, width, height] = word.chip;
        let highlight = &block.highlight;
        let grow = Affine::scale(highlight.scale, highlight.scale)
            .about(x + width / 2.0, y + height / 2.0);
        let outer = easel.map;
        easel.map = outer.then_inner(grow).then_inner(Affine::translate(x, y));
        frame::paint(&mut easel, &highlight.frame, Size { width, height })?;
        easel.map = outer.then_inner(grow);
        let color = highlight.color.unwrap_or(block.style.color);
        let shadows = highlight.shadows.as_ref().unwrap_or(&block.style.shadows);
        paint_word(&mut easel, typesetter, word, color, shadows)?;
        easel.map = outer;
    }
    easel.finish()
}

fn paint_word(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    word: &SetWord,
    color: Color,
    shadows: &[Shadow],
) -> Result<()> {
    let words = Words {
        layout: &word.layout,
        at: word.at,
    };
    for shadow in shadows.iter().rev() {
        cast(easel, typesetter, words, shadow)?;
    }
    ink(easel, typesetter, words, color);
    Ok(())
}

/// A word at its place.
struct SetWord {
    layout: TextLayout,
    /// Where its letters begin.
    at: (f32, f32),
    /// Its box with padding: left, top, width, height.
    chip: [f32; 4],
}

/// The words of a caption on their lines. The spoken word is a box of its own in the line, with its
/// own weight and padding.
struct SetWords {
    words: Vec<SetWord>,
}

impl SetWords {
    fn new(
        typesetter: &mut Typesetter,
        block: &CaptionBlock,
        words: &[&str],
        spoken: Option<usize>,
    ) -> Self {
        let content = ContentBox::new(&block.frame, block.size);
        let style = &block.style;
        let font_size = style.size.limit();
        let loud_style = TextStyle {
            weight: block.highlight.weight.unwrap_or(style.weight),
            ..style.clone()
        };
        let fonts = &mut typesetter.fonts;
        let mut line =
            |text: &str, style: &TextStyle| TextLayout::line(fonts, text, style, font_size);
        let space = line("a b", style).width - line("a", style).width - line("b", style).width;
        let layouts: Vec<TextLayout> = words
            .iter()
            .enumerate()
            .map(|(index, word)| {
                line(
                    word,
                    if Some(index) == spoken {
                        &loud_style
                    } else {
                        style
                    },
                )
            })
            .collect();
        let padding = block.highlight.frame.padding;
        let padding_of = |index: usize| {
            if Some(index) == spoken {
                [padding.top, padding.right, padding.bottom, padding.left]
                    .map(|side| side.resolve(block.size.width))
            } else {
                [0.0; 4]
            }
        };
        let width_of = |index: usize| {
            let [_, right, _, left] = padding_of(index);
            layouts[index].width + left + right
        };

        let lines = wrap(layouts.len(), content.width, space, width_of);
        let line_height = style.line_height.resolve(font_size);
        let heights: Vec<(f32, f32)> = lines
            .iter()
            .map(|line| {
                let above = line
                    .clone()
                    .map(|index| padding_of(index)[0])
                    .fold(0.0, f32::max);
                let below = line
                    .clone()
                    .map(|index| padding_of(index)[2])
                    .fold(0.0, f32::max);
                (above, above + line_height + below)
            })
            .collect();
        let total: f32 = heights.iter().map(|(_, height)| height).sum();
        let mut top = content.top + (content.height - total) / 2.0;
        let mut places = vec![((0.0, 0.0), [0.0; 4]); layouts.len()];
        for (line, (above, height)) in lines.iter().zip(heights) {
            let gaps = line.len().saturating_sub(1) as f32;
            let width = line.clone().map(width_of).sum::<f32>() + gaps * space;
            let free = content.width - width;
            let mut x = content.left
                + match style.align {
                    TextAlign::Left => 0.0,
                    TextAlign::Center => free / 2.0,
                    TextAlign::Right => free,
                };
            let y = (top + above).round();
            for index in in_reading_order(line.clone(), words) {
                let [pad_top, _, pad_bottom, pad_left] = padding_of(index);
                let chip = [
                    x,
                    y - pad_top,
                    width_of(index),
                    line_height + pad_top + pad_bottom,
                ];
                places[index] = ((x + pad_left, y), chip);
                x += width_of(index) + space;
            }
            top += height;
        }
        let words = layouts
            .into_iter()
            .zip(places)
            .map(|(layout, (at, chip))| SetWord { layout, at, chip })
            .collect();
        Self { words }
    }
}

/// Breaks words into lines: as many on each as fit, at least one.
fn wrap(
    count: usize,
    width: f32,
    space: f32,
    width_of: impl Fn(usize) -> f32,
) -> Vec<std::ops::Range<usize>> {
    let mut lines = Vec::new();
    let (mut start, mut used) = (0, 0.0);
    for index in 0..count {
        let needed = if index == start {
            width_of(index)
        } else {
            used + space + width_of(index)
        };
        if index > start && needed > width {
            lines.push(start..index);
            (start, used) = (index, width_of(index));
        } else {
            used = needed;
        }
    }
    if start < count {
        lines.push(start..count);
    }
    lines
}

/// The words of a line from left to right; a line with right-to-left words runs from the right.
fn in_reading_order(line: std::ops::Range<usize>, words: &[&str]) -> Vec<usize> {
    let is_rtl = |c: char| matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}');
    if line.clone().any(|index| words[index].chars().any(is_rtl)) {
        line.rev().collect()
    } else {
        line.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_what_fits_and_at_least_one_word() {
        let widths = [30.0, 30.0, 30.0, 200.0, 10.0];
        let lines = wrap(widths.len(), 100.0, 10.0, |index| widths[index]);
        assert_eq!(lines, [0..2, 2..3, 3..4, 4..5]);
        assert_eq!(
            wrap(0, 100.0, 10.0, |_| 1.0),
            Vec::<std::ops::Range<usize>>::new()
        );
    }

    #[test]
    fn right_to_left_lines_run_from_the_right() {
        assert_eq!(in_reading_order(0..2, &["one", "two"]), [0, 1]);
        assert_eq!(in_reading_order(0..2, &["שלום", "עולם"]), [1, 0]);
    }
}
