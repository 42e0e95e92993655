//! Caption overlays: a phrase, one word of which is being spoken.

use kinora_composition::timeline::{Affine, CaptionBlock};

use super::caption_lines::{CaptionLines, SpokenWord};
use super::easel::{Easel, HostStill, View};
use super::frame;
use super::words::{Inks, Words, paint_line};
use crate::Result;
use crate::text::Typesetter;

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
    frame::paint(&mut easel, &block.frame, block.size)?;
    let lines = CaptionLines::new(&mut typesetter.fonts, block, &words, spoken);
    // A word that is scaled lies in front of all others, as what is transformed does in a browser.
    let is_in_front = block.highlight.scale != 1.0;
    let mut spoken = lines.spoken.as_ref();
    for fragment in &lines.quiet {
        if !fragment.is_before
            && !is_in_front
            && let Some(word) = spoken.take()
        {
            paint_spoken(&mut easel, typesetter, block, word)?;
        }
        let words = Words {
            layout: &fragment.layout,
            at: fragment.at,
        };
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
    let at = Affine::translate(word.corner.0, word.corner.1);
    easel.map = if highlight.scale == 1.0 {
        outer.then_inner(at)
    } else {
        let center = (word.size.width / 2.0, word.size.height / 2.0);
        let grow = Affine::scale(highlight.scale, highlight.scale).about(center.0, center.1);
        on_whole_pixel(outer.then_inner(at)).then_inner(grow)
    };
    frame::paint(easel, &highlight.frame, word.size)?;
    let words = Words {
        layout: &word.layout,
        at: word.inset,
    };
    let inks = Inks {
        color: highlight.color.unwrap_or(block.style.color),
        shadows: highlight.shadows.as_ref().unwrap_or(&block.style.shadows),
        decoration: None,
    };
    let painted = paint_line(easel, typesetter, words, 0, inks);
    easel.map = outer;
    painted
}

/// Browsers drop the fraction of a pixel at which a box lies that is more than moved.
fn on_whole_pixel(map: Affine) -> Affine {
    if !map.is_translation() {
        return map;
    }
    Affine::translate((map.e + 0.5).floor(), (map.f + 0.5).floor())
}
