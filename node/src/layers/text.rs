//! Text overlays: their box, and lines of text with shadows, clipped to it.

use kinora_composition::css::{BackgroundClip, Color, TextDecoration};
use kinora_composition::timeline::TextBlock;

use super::clip::clip_to_padding_box;
use super::easel::{Easel, HostStill, View, pixmap};
use super::frame::{self, ContentBox, blend};
use super::words::{Inks, Words, paint_line};
use crate::Result;
use crate::raster::Mask;
use crate::text::{TextLayout, Typesetter};

/// Rasters a text overlay: its box, its shadows, its letters. `None` when nothing is to be seen.
pub(super) fn raster(
    typesetter: &mut Typesetter,
    block: &TextBlock,
    view: &View,
) -> Result<Option<HostStill>> {
    let Some(mut easel) = Easel::new(view, frame::bounds(&block.frame.shadows, block.size))? else {
        return Ok(None);
    };
    let content = ContentBox::new(&block.frame, block.size);
    let layout = TextLayout::new(
        &mut typesetter.fonts,
        &block.text,
        &block.style,
        content.width,
        content.height,
    );
    let words = Words {
        layout: &layout,
        at: (content.left, content.top),
    };
    frame::paint(&mut easel, &block.frame, block.size)?;
    if block.frame.background.clip == BackgroundClip::Text {
        paint_through_letters(&mut easel, typesetter, block, words)?;
    }
    let letters = pixmap(easel.pixmap.width(), easel.pixmap.height())?;
    let painted = std::mem::replace(&mut easel.pixmap, letters);
    paint_lines(&mut easel, typesetter, words, Inks::of(&block.style))?;
    clip_to_padding_box(&mut easel, &block.frame, block.size);
    let letters = std::mem::replace(&mut easel.pixmap, painted);
    blend(&mut easel.pixmap, &letters);
    easel.finish()
}

fn paint_lines(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    words: Words<'_>,
    inks: Inks<'_>,
) -> Result<()> {
    for line in 0..words.layout.line_count() {
        paint_line(easel, typesetter, words, line, inks)?;
    }
    Ok(())
}

/// Paints the background of a box where its letters are, and nowhere else.
fn paint_through_letters(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    block: &TextBlock,
    words: Words<'_>,
) -> Result<()> {
    let decoration = block.style.decoration.map(|decoration| TextDecoration {
        color: Color::BLACK,
        ..decoration
    });
    let inks = Inks {
        color: Color::BLACK,
        shadows: &[],
        decoration: decoration.as_ref(),
    };
    let letters = pixmap(easel.pixmap.width(), easel.pixmap.height())?;
    let painted = std::mem::replace(&mut easel.pixmap, letters);
    paint_lines(easel, typesetter, words, inks)?;
    let letters = std::mem::replace(&mut easel.pixmap, painted);
    let mask = Mask {
        left: 0,
        top: 0,
        width: letters.width() as usize,
        coverage: letters.pixels().iter().map(|pixel| pixel.alpha()).collect(),
    };
    frame::paint_through(easel, &block.frame, block.size, &mask);
    Ok(())
}
