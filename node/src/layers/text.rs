//! Text overlays: their box, and lines of text with shadows, clipped to it.

use kinora_composition::css::{BackgroundClip, Color, TextDecoration};
use kinora_composition::timeline::TextBlock;

use super::blur::{reach, sigma};
use super::clip::clip_to_padding_box;
use super::easel::{Easel, HostStill, View, pixmap};
use super::frame::{self, blend};
use super::set_text::SetText;
use super::words::{Inks, Words, paint_line, paint_shadows};
use crate::Result;
use crate::raster::Mask;
use crate::text::{Part, Pen, Typesetter};

/// What of letters is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Coat {
    /// Everything.
    All,
    /// What lies under all letters: the background seen through them, and their shadows.
    Under,
    /// The letters and the lines on them.
    Ink,
    /// The same in one colour: a ghost of a displaced letter.
    Red,
    /// The other ghost.
    Cyan,
}

/// Rasters a text overlay: its box, its shadows, its letters. `None` when nothing is to be seen.
pub(super) fn raster(
    typesetter: &mut Typesetter,
    block: &TextBlock,
    view: &View,
) -> Result<Option<HostStill>> {
    let Some(mut easel) = Easel::new(view, frame::bounds(&block.frame.shadows, block.size))? else {
        return Ok(None);
    };
    let set = SetText::new(typesetter, block, None);
    frame::paint(&mut easel, &block.frame, block.size)?;
    paint(
        &mut easel,
        typesetter,
        block,
        set.words(Part::ALL),
        Coat::All,
    )?;
    easel.finish()
}

/// Rasters a part of the letters of a text overlay.
pub(super) fn raster_part(
    typesetter: &mut Typesetter,
    block: &TextBlock,
    set: &SetText,
    (part, coat): (Part, Coat),
    view: &View,
) -> Result<Option<HostStill>> {
    let words = set.words(part);
    let margin = (block.style.shadows.iter())
        .map(|shadow| reach(sigma(shadow.blur)) + shadow.dx.abs().max(shadow.dy.abs()))
        .fold(0.0, f32::max);
    let reaches = lines(words).filter_map(|line| words.layout.reach(line, part));
    let bounds = reaches.reduce(|a, b| {
        [
            a[0].min(b[0]),
            a[1].min(b[1]),
            a[2].max(b[2]),
            a[3].max(b[3]),
        ]
    });
    let Some([left, top, right, bottom]) = bounds else {
        return Ok(None);
    };
    let (x, y) = words.at;
    let bounds = [
        (left + x - margin).max(0.0),
        (top + y - margin).max(0.0),
        (right + x + margin).min(block.size.width),
        (bottom + y + margin).min(block.size.height),
    ];
    let Some(mut easel) = Easel::new(view, bounds)? else {
        return Ok(None);
    };
    paint(&mut easel, typesetter, block, words, coat)?;
    easel.finish()
}

/// Paints letters, clipped to their box.
fn paint(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    block: &TextBlock,
    words: Words<'_>,
    coat: Coat,
) -> Result<()> {
    let is_through = block.frame.background.clip == BackgroundClip::Text;
    if is_through && matches!(coat, Coat::All | Coat::Under) {
        paint_through_letters(easel, typesetter, block, words)?;
    }
    let letters = pixmap(easel.pixmap.width(), easel.pixmap.height())?;
    let painted = std::mem::replace(&mut easel.pixmap, letters);
    let own = Inks::of(&block.style);
    match coat {
        Coat::All => paint_lines(easel, typesetter, words, own)?,
        Coat::Under => {
            for line in lines(words) {
                paint_shadows(easel, typesetter, words, line, own)?;
            }
        }
        Coat::Ink => {
            let bare = Inks {
                shadows: &[],
                ..own
            };
            paint_lines(easel, typesetter, words, bare)?;
        }
        Coat::Red => paint_flat(easel, typesetter, block, words, rgb(1.0, 0.1, 0.25))?,
        Coat::Cyan => paint_flat(easel, typesetter, block, words, rgb(0.1, 0.9, 1.0))?,
    }
    clip_to_padding_box(easel, &block.frame, block.size);
    let letters = std::mem::replace(&mut easel.pixmap, painted);
    blend(&mut easel.pixmap, &letters);
    Ok(())
}

fn rgb(r: f32, g: f32, b: f32) -> Color {
    Color { r, g, b, a: 1.0 }
}

/// The lines that words have a part of.
fn lines(words: Words<'_>) -> std::ops::Range<usize> {
    match words.part {
        Part::ALL => 0..words.layout.line_count(),
        part => words.layout.lines_of(part),
    }
}

fn paint_lines(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    words: Words<'_>,
    inks: Inks<'_>,
) -> Result<()> {
    for line in lines(words) {
        paint_line(easel, typesetter, words, line, inks)?;
    }
    Ok(())
}

/// Paints letters and the lines on them in one colour.
fn paint_flat(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    block: &TextBlock,
    words: Words<'_>,
    color: Color,
) -> Result<()> {
    let decoration = block.style.decoration.map(|decoration| TextDecoration {
        color,
        ..decoration
    });
    let inks = Inks {
        pen: Pen::Flat(color),
        shadows: &[],
        decoration: decoration.as_ref(),
    };
    paint_lines(easel, typesetter, words, inks)
}

/// Paints the background of a box where its letters are, and nowhere else.
fn paint_through_letters(
    easel: &mut Easel,
    typesetter: &mut Typesetter,
    block: &TextBlock,
    words: Words<'_>,
) -> Result<()> {
    let letters = pixmap(easel.pixmap.width(), easel.pixmap.height())?;
    let painted = std::mem::replace(&mut easel.pixmap, letters);
    paint_flat(easel, typesetter, block, words, Color::BLACK)?;
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
