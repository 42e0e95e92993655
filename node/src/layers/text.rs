//! Text overlays: their box, and lines of text with shadows, clipped to it.

use kinora_composition::css::{BackgroundClip, Border, BorderSide, Color, TextDecoration};
use kinora_composition::timeline::{BoxStyle, TextBlock, TextStyle};

use super::clip::clip_to_padding_box;
use super::easel::{Easel, HostStill, View, pixmap};
use super::frame::{self, ContentBox, blend};
use super::words::{Inks, Words, paint_line};
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
    if block.frame.background.clip == BackgroundClip::Text {
        let plain = BoxStyle {
            background: Default::default(),
            ..block.frame.clone()
        };
        frame::paint(&mut easel, &plain, block.size)?;
        paint_through_letters(&mut easel, typesetter, block, words)?;
    } else {
        frame::paint(&mut easel, &block.frame, block.size)?;
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
    let (width, height) = (easel.pixmap.width(), easel.pixmap.height());
    let [top, right, bottom, left] = block.frame.border.sides().map(|side| BorderSide {
        color: Color::TRANSPARENT,
        ..side
    });
    let filled = BoxStyle {
        background: (block.frame.background.clone()).clipped(BackgroundClip::BorderBox),
        border: Border {
            top,
            right,
            bottom,
            left,
        },
        shadows: Vec::new(),
        ..block.frame.clone()
    };
    let painted = std::mem::replace(&mut easel.pixmap, pixmap(width, height)?);
    frame::paint(easel, &filled, block.size)?;
    let mut filled = std::mem::replace(&mut easel.pixmap, pixmap(width, height)?);
    let solid = TextStyle {
        color: Color::BLACK,
        shadows: Vec::new(),
        decoration: block.style.decoration.map(|decoration| TextDecoration {
            color: Color::BLACK,
            ..decoration
        }),
        ..block.style.clone()
    };
    paint_lines(easel, typesetter, words, Inks::of(&solid))?;
    let letters = std::mem::replace(&mut easel.pixmap, painted);
    let cut = filled.data_mut().chunks_exact_mut(4);
    for (pixel, letter) in cut.zip(letters.pixels()) {
        let share = f32::from(letter.alpha()) / 255.0;
        for channel in pixel {
            *channel = (f32::from(*channel) * share + 0.5) as u8;
        }
    }
    blend(&mut easel.pixmap, &filled);
    Ok(())
}
