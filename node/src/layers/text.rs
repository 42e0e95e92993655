//! Text overlays, and words in general: letters with their shadows.

use kinora_composition::css::{Color, Shadow};
use kinora_composition::timeline::{BoxStyle, Size, TextBlock};

use super::frame::{self, reach, sigma};
use super::still::Still;
use crate::Result;
use crate::gpu::{Gpu, Painter};
use crate::text::{PlacedText, TextLayout, Typesetter};

/// Rasters a text overlay: its box, its shadows, its letters. `None` when nothing is to be seen.
pub(super) fn raster(
    gpu: &Gpu,
    typesetter: &mut Typesetter,
    block: &TextBlock,
) -> Result<Option<Still>> {
    let content = ContentBox::new(&block.frame, block.size);
    let layout = TextLayout::new(
        &mut typesetter.fonts,
        &block.text,
        &block.style,
        content.width,
        content.height,
    );
    let first_line = content.top + (content.height - layout.height) / 2.0;
    let words = [Words {
        layout: &layout,
        at: (content.left, first_line.round()),
    }];
    let mut parts = Vec::from_iter(frame::raster(gpu, &block.frame, block.size)?);
    let bounds = [
        0,
        0,
        block.size.width.ceil() as i32,
        block.size.height.ceil() as i32,
    ];
    for shadow in block.style.shadows.iter().rev() {
        parts.extend(cast(gpu, typesetter, &words, shadow, bounds)?);
    }
    parts.extend(ink(gpu, typesetter, &words, block.style.color, bounds)?);
    Still::flatten(gpu, parts)
}

/// The part of a box that its padding leaves.
pub(super) struct ContentBox {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl ContentBox {
    pub(super) fn new(style: &BoxStyle, size: Size) -> Self {
        let padding = style.padding;
        // CSS padding percentages refer to the width on all sides.
        let [top, right, bottom, left] = [padding.top, padding.right, padding.bottom, padding.left]
            .map(|side| side.resolve(size.width));
        Self {
            left,
            top,
            width: (size.width - left - right).max(0.0),
            height: (size.height - top - bottom).max(0.0),
        }
    }
}

/// Laid-out words at a place of their box.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) layout: &'a TextLayout,
    pub(super) at: (f32, f32),
}

impl Words<'_> {
    /// The pixels of the box that letters may touch: left, top, right, bottom.
    fn reach(&self) -> Option<[f32; 4]> {
        let (left, right) = self.layout.edges;
        // Swashes and diacritics may leave the line by this much.
        let overhang = self.layout.font_size / 2.0;
        (left < right).then_some([
            self.at.0 + left - overhang,
            self.at.1 - overhang,
            self.at.0 + right + overhang,
            self.at.1 + self.layout.height + overhang,
        ])
    }
}

/// The letters of words in one colour, cut off at `bounds`.
pub(super) fn ink(
    gpu: &Gpu,
    typesetter: &mut Typesetter,
    words: &[Words<'_>],
    color: Color,
    bounds: [i32; 4],
) -> Result<Option<Still>> {
    letters(gpu, typesetter, words, color, (0.0, 0.0), 0.0, bounds)
}

/// The shadow that words cast, cut off at `bounds`.
pub(super) fn cast(
    gpu: &Gpu,
    typesetter: &mut Typesetter,
    words: &[Words<'_>],
    shadow: &Shadow,
    bounds: [i32; 4],
) -> Result<Option<Still>> {
    let sigma = sigma(shadow.blur);
    let offset = (shadow.dx, shadow.dy);
    let sharp = letters(
        gpu,
        typesetter,
        words,
        shadow.color,
        offset,
        reach(sigma),
        bounds,
    )?;
    match sharp {
        Some(sharp) if sigma > 0.0 => {
            let mut painter = Painter::new(gpu);
            let sprite = painter.blur(&sharp.sprite, sigma)?;
            painter.submit();
            Ok(Some(Still { sprite, ..sharp }))
        }
        sharp => Ok(sharp),
    }
}

fn letters(
    gpu: &Gpu,
    typesetter: &mut Typesetter,
    words: &[Words<'_>],
    color: Color,
    (dx, dy): (f32, f32),
    margin: f32,
    bounds: [i32; 4],
) -> Result<Option<Still>> {
    let reaches = words.iter().filter_map(Words::reach);
    let Some([left, top, right, bottom]) = reaches.reduce(|a, b| {
        [
            a[0].min(b[0]),
            a[1].min(b[1]),
            a[2].max(b[2]),
            a[3].max(b[3]),
        ]
    }) else {
        return Ok(None);
    };
    let left = ((left + dx - margin).floor() as i32).max(bounds[0]);
    let top = ((top + dy - margin).floor() as i32).max(bounds[1]);
    let right = ((right + dx + margin).ceil() as i32).min(bounds[2]);
    let bottom = ((bottom + dy + margin).ceil() as i32).min(bounds[3]);
    if color.a <= 0.0 || right <= left || bottom <= top {
        return Ok(None);
    }
    let placed: Vec<PlacedText<'_>> = words
        .iter()
        .map(|words| PlacedText {
            layout: words.layout,
            at: (words.at.0 + dx - left as f32, words.at.1 + dy - top as f32),
            color,
        })
        .collect();
    let size = ((right - left) as u32, (bottom - top) as u32);
    let sprite = typesetter.draw(gpu, &placed, size)?;
    Ok(Some(Still::at(sprite, left as f32, top as f32)))
}
