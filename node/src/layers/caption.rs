//! Caption overlays: a phrase, one word of which is being spoken.

use kinora_composition::css::Color;
use kinora_composition::timeline::{Affine, CaptionBlock, Size};

use super::frame;
use super::still::{Still, whole};
use super::text::{SetText, Stack};
use crate::Result;
use crate::gpu::Gpu;
use crate::text::{Span, Typesetter};

/// Rasters one caption with one of its words highlighted.
pub(super) fn raster(
    gpu: &Gpu,
    typesetter: &mut Typesetter,
    block: &CaptionBlock,
    caption: usize,
    spoken: Option<usize>,
) -> Result<Still> {
    let words: Vec<&str> = block.captions[caption]
        .words
        .iter()
        .map(|word| word.word.as_str())
        .collect();
    let phrase = Phrase::new(&words, &block.captions[caption].text);
    let mut stack = Stack::new(gpu, &block.frame, block.size)?;
    let set = |typesetter: &mut Typesetter, color: Color, highlight: Option<Color>| {
        let spans = phrase.spans(block, spoken, color, highlight);
        SetText::new(typesetter, &spans, &block.style, &block.frame, block.size)
    };
    let ink = block.style.color;
    let is_highlighted = spoken.is_some();
    for shadow in block.style.shadows.iter().rev() {
        let cast = set(
            typesetter,
            shadow.color,
            is_highlighted.then_some(shadow.color),
        );
        stack.put_shadow(&cast, typesetter, shadow)?;
    }
    let Some(word) = spoken else {
        let text = set(typesetter, ink, None);
        stack.put_text(&text, typesetter)?;
        return Ok(stack.finish());
    };

    let others = set(typesetter, ink, Some(Color::TRANSPARENT));
    stack.put_text(&others, typesetter)?;
    let highlight = &block.highlight;
    let text = set(
        typesetter,
        Color::TRANSPARENT,
        Some(highlight.color.unwrap_or(ink)),
    );
    let letters = typesetter.draw(
        gpu,
        &text.layout,
        (
            block.size.width.ceil() as u32,
            block.size.height.ceil() as u32,
        ),
        text.origin,
    )?;
    for [left, top, width, height] in text.layout.range_boxes(phrase.range(word)) {
        let (x, y) = (left + text.origin.0, top + text.origin.1);
        let padding = highlight.frame.padding;
        let [top, right, bottom, left] = [padding.top, padding.right, padding.bottom, padding.left]
            .map(|side| side.resolve(width));
        let size = Size {
            width: width + left + right,
            height: height + top + bottom,
        };
        let grow = Affine::scale(highlight.scale, highlight.scale)
            .about(x + width / 2.0, y + height / 2.0);
        let behind = frame::raster(gpu, &highlight.frame, size)?;
        let (painter, still) = stack.painter();
        let to_sprite = Affine::translate(-still.origin.0, -still.origin.1).then_inner(grow);
        if let Some(behind) = behind {
            let place = to_sprite.then_inner(Affine::translate(x - left, y - top));
            behind.draw(painter, &still.sprite, place, 1.0);
        }
        painter.picture(&still.sprite, &letters, &whole(&letters, to_sprite, 1.0));
        painter.submit();
    }
    Ok(stack.finish())
}

/// The words of a caption joined by spaces, and where each one lies.
struct Phrase {
    text: String,
    ranges: Vec<std::ops::Range<usize>>,
}

impl Phrase {
    fn new(words: &[&str], fallback: &str) -> Self {
        if words.is_empty() {
            return Self {
                text: fallback.to_owned(),
                ranges: Vec::new(),
            };
        }
        let mut text = String::new();
        let mut ranges = Vec::with_capacity(words.len());
        for word in words {
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(word.trim());
            ranges.push(start..text.len());
        }
        Self { text, ranges }
    }

    fn range(&self, word: usize) -> std::ops::Range<usize> {
        self.ranges.get(word).cloned().unwrap_or_default()
    }

    fn spans<'a>(
        &'a self,
        block: &CaptionBlock,
        spoken: Option<usize>,
        color: Color,
        highlight: Option<Color>,
    ) -> Vec<Span<'a>> {
        let weight = block.style.weight;
        let plain = |text: &'a str| Span {
            text,
            color,
            weight,
        };
        let Some(range) = spoken.map(|word| self.range(word)) else {
            return vec![plain(&self.text)];
        };
        vec![
            plain(&self.text[..range.start]),
            Span {
                text: &self.text[range.clone()],
                color: highlight.unwrap_or(color),
                weight: block.highlight.weight.unwrap_or(weight),
            },
            plain(&self.text[range.end..]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_by_single_spaces_and_found_again() {
        let phrase = Phrase::new(&["Never ", "trust", " a"], "ignored");
        assert_eq!(phrase.text, "Never trust a");
        assert_eq!(&phrase.text[phrase.range(1)], "trust");
        assert_eq!(&phrase.text[phrase.range(2)], "a");
        assert_eq!(Phrase::new(&[], "whole").text, "whole");
    }
}
