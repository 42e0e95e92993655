//! Text overlays, and words in general: letters with their shadows.

use kinora_composition::css::{Color, Shadow};
use kinora_composition::timeline::{Affine, TextBlock};

use super::blur::blur_coverage;
use super::easel::{Easel, HostStill, View, pixmap};
use super::frame::{self, ContentBox, blend, sigma, tint};
use crate::Result;
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
    frame::paint(&mut easel, &block.frame, block.size)?;
    let content = ContentBox::new(&block.frame, block.size);
    let layout = TextLayout::new(
        &mut typesetter.fonts,
        &block.text,
        &block.style,
        content.width,
        content.height,
    );
    let first_line = content.top + (content.height - layout.height) / 2.0;
    let words = Words {
        layout: &layout,
        at: (content.left, first_line.round()),
    };
    for shadow in block.style.shadows.iter().rev() {
        cast(&mut easel, typesetter, words, shadow)?;
    }
    ink(&mut easel, typesetter, words, block.style.color);
    easel.finish()
}

/// Laid-out words at a place of their box.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) layout: &'a TextLayout,
    pub(super) at: (f32, f32),
}

/// Paints the letters of words in one colour.
pub(super) fn ink(easel: &mut Easel, typesetter: &mut Typesetter, words: Words<'_>, color: Color) {
    let map = easel
        .map
        .then_inner(Affine::translate(words.at.0, words.at.1));
    typesetter.paint(&mut easel.pixmap, words.layout, map, color);
}

/// Paints the shadow that words cast.
pub(super) fn cast(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    words: Words<'_>,
    shadow: &Shadow,
) -> Result<()> {
    let mut letters = pixmap(easel.pixmap.width(), easel.pixmap.height())?;
    let (x, y) = (words.at.0 + shadow.dx, words.at.1 + shadow.dy);
    let map = easel.map.then_inner(Affine::translate(x, y));
    typesetter.paint(&mut letters, words.layout, map, Color::BLACK);
    let width = letters.width() as usize;
    let mut coverage: Vec<u8> = letters.pixels().iter().map(|pixel| pixel.alpha()).collect();
    blur_coverage(&mut coverage, width, sigma(shadow.blur));
    tint(&mut letters, &coverage, shadow.color);
    blend(&mut easel.pixmap, &letters);
    Ok(())
}
