//! Caption overlays: a phrase, one word of which is being spoken.

use kinora_composition::timeline::{Affine, CaptionBlock, Size};

use super::caption_lines::{CaptionLines, SpokenWord};
use super::easel::{Easel, HostStill, View};
use super::frame;
use super::words::{Inks, Words, paint_line};
use crate::Result;
use crate::text::{Pen, Typesetter};

/// Letters of captions may leave their box this far.
const OVERFLOW: f32 = 4096.0;

/// What of a caption is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Everything.
    Whole,
    /// All but the spoken word.
    Quiet,
    /// The spoken word and its box.
    Spoken,
}

/// Whether the box of the spoken word filters what lies behind it, and is painted apart for that.
pub(super) fn is_apart(block: &CaptionBlock, spoken: Option<usize>) -> bool {
    spoken.is_some() && !block.highlight.backdrop.is_empty()
}

/// The box of the spoken word: from its top left corner to the overlay's box, and its size.
pub(super) fn chip(
    typesetter: &mut Typesetter,
    block: &CaptionBlock,
    caption: usize,
    spoken: Option<usize>,
) -> Option<(Affine, Size)> {
    let words = words_of(block, caption);
    let word = CaptionLines::new(&mut typesetter.fonts, block, &words, spoken).spoken?;
    Some((chip_map(Affine::IDENTITY, block, &word), word.size))
}

/// Rasters one caption with one of its words highlighted, or a part of it. `None` when nothing is to
/// be seen.
pub(super) fn raster(
    typesetter: &mut Typesetter,
    block: &CaptionBlock,
    caption: usize,
    spoken: Option<usize>,
    part: Part,
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
    let words = words_of(block, caption);
    let lines = CaptionLines::new(&mut typesetter.fonts, block, &words, spoken);
    if part == Part::Spoken {
        if let Some(word) = &lines.spoken {
            paint_spoken(&mut easel, typesetter, block, word)?;
        }
        return easel.finish();
    }
    frame::paint(&mut easel, &block.frame, block.size)?;
    // A word that is scaled lies in front of all others, as what is transformed does in a browser.
    let is_in_front = block.highlight.scale != 1.0;
    let mut spoken = lines.spoken.as_ref().filter(|_| part == Part::Whole);
    for fragment in &lines.quiet {
        if !fragment.is_before
            && !is_in_front
            && let Some(word) = spoken.take()
        {
            paint_spoken(&mut easel, typesetter, block, word)?;
        }
        let words = Words::all(&fragment.layout, fragment.at);
        paint_line(&mut easel, typesetter, words, 0, Inks::of(&block.style))?;
    }
    if let Some(word) = spoken {
        paint_spoken(&mut easel, typesetter, block, word)?;
    }
    easel.finish()
}

/// Paints the spoken word in its box, scaled about the centre of the box.
fn paint_spoken(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    block: &CaptionBlock,
    word: &SpokenWord,
) -> Result<()> {
    let highlight = &block.highlight;
    let outer = easel.map;
    easel.map = chip_map(outer, block, word);
    frame::paint(easel, &highlight.frame, word.size)?;
    let words = Words::all(&word.layout, word.inset);
    let inks = Inks {
        pen: Pen::Own(highlight.color.unwrap_or(block.style.color)),
        shadows: highlight.shadows.as_ref().unwrap_or(&block.style.shadows),
        decoration: None,
    };
    let painted = paint_line(easel, typesetter, words, 0, inks);
    easel.map = outer;
    painted
}

/// From the box of the spoken word to where the overlay's box goes.
fn chip_map(outer: Affine, block: &CaptionBlock, word: &SpokenWord) -> Affine {
    let scale = block.highlight.scale;
    let at = Affine::translate(word.corner.0, word.corner.1);
    if scale == 1.0 {
        return outer.then_inner(at);
    }
    let center = (word.size.width / 2.0, word.size.height / 2.0);
    let grow = Affine::scale(scale, scale).about(center.0, center.1);
    on_whole_pixel(outer.then_inner(at)).then_inner(grow)
}

fn words_of(block: &CaptionBlock, caption: usize) -> Vec<&str> {
    let caption = &block.captions[caption];
    if caption.words.is_empty() {
        caption.text.split_whitespace().collect()
    } else {
        caption.words.iter().map(|word| word.word.trim()).collect()
    }
}

/// Browsers drop the fraction of a pixel at which a box lies that is more than moved.
fn on_whole_pixel(map: Affine) -> Affine {
    if !map.is_translation() {
        return map;
    }
    Affine::translate((map.e + 0.5).floor(), (map.f + 0.5).floor())
}
