//! Rasters what living text is drawn from: parts of its letters, wrong letters, cursors.

use kinora_composition::timeline::TextBlock;
use tiny_skia::{PathBuilder, Rect};

use super::steps::SheetKey;
use crate::Result;
use crate::layers::easel::{Easel, HostStill, View};
use crate::layers::frame;
use crate::layers::set_text::SetText;
use crate::layers::snap::snapped;
use crate::layers::text::raster_part;
use crate::layers::words::{Inks, Words, paint_line};
use crate::raster::paint_color;
use crate::text::{Place, TextLayout, Typesetter};

/// How wide a cursor is, in em.
const CURSOR: f32 = 0.07;
/// Between a letter and the cursor, in em.
const BESIDE: f32 = 0.05;

pub(super) fn raster(
    typesetter: &mut Typesetter,
    block: &TextBlock,
    set: &SetText,
    key: &SheetKey,
    view: &View,
) -> Result<Option<HostStill>> {
    match key {
        SheetKey::Part { part, coat, .. } => {
            raster_part(typesetter, block, set, (*part, *coat), view)
        }
        SheetKey::Wrong { letter, text } => wrong(typesetter, block, set, (*letter, text), view),
        SheetKey::Cursor { letters, wrong } => {
            let place = match wrong {
                None => set.layout.caret(*letters),
                Some(text) => {
                    let wrong = lone(typesetter, block, set, text);
                    behind(set.layout.letter(*letters), wrong.width)
                }
            };
            place.map_or(Ok(None), |place| cursor(block, set, place, view))
        }
    }
}

/// A letter that the text does not have.
fn lone(typesetter: &mut Typesetter, block: &TextBlock, set: &SetText, text: &str) -> TextLayout {
    let size = set.layout.font_size;
    TextLayout::line(&mut typesetter.fonts, text, &block.style, size).0
}

/// Behind a letter of a width in place of another.
fn behind(place: Option<Place>, width: f32) -> Option<Place> {
    let place = place?;
    let x = if place.is_rtl {
        place.x + place.width - width
    } else {
        place.x + width
    };
    Some(Place { x, ..place })
}

fn wrong(
    typesetter: &mut Typesetter,
    block: &TextBlock,
    set: &SetText,
    (letter, text): (usize, &str),
    view: &View,
) -> Result<Option<HostStill>> {
    let wrong = lone(typesetter, block, set, text);
    let place = set.layout.letter(letter);
    let baseline = place.and_then(|place| set.layout.baseline(place.line));
    let (Some(place), Some(baseline)) = (place, baseline) else {
        return Ok(None);
    };
    let x = if place.is_rtl {
        place.x + place.width - wrong.width
    } else {
        place.x
    };
    let size = [0.0, 0.0, block.size.width, block.size.height];
    let Some(mut easel) = Easel::new(view, size)? else {
        return Ok(None);
    };
    let words = Words::all(&wrong, (set.at.0 + x, set.at.1 + baseline));
    paint_line(&mut easel, typesetter, words, 0, Inks::of(&block.style))?;
    easel.finish()
}

/// A bar as high as the letters of its line, in their colour.
fn cursor(
    block: &TextBlock,
    set: &SetText,
    place: Place,
    view: &View,
) -> Result<Option<HostStill>> {
    let layout = &set.layout;
    let Some(baseline) = layout.baseline(place.line) else {
        return Ok(None);
    };
    let em = layout.font_size;
    let width = (em * CURSOR).max(2.0).round();
    let left = if place.is_rtl {
        place.x - em * BESIDE - width
    } else {
        place.x + em * BESIDE
    };
    let (above, below) = layout.reach_of_cursor();
    let (x, y) = set.at;
    let bar = [
        x + left,
        y + baseline - above,
        x + left + width,
        y + baseline + below,
    ];
    let Some(mut easel) = Easel::new(view, bar)? else {
        return Ok(None);
    };
    let [left, top, right, bottom] = snapped(bar, easel.map);
    let path = Rect::from_ltrb(left, top, right, bottom).map(PathBuilder::from_rect);
    if let Some(mask) = path.and_then(|path| easel.mask(&path)) {
        // Where letters are see-through, what is seen through them is seen through the cursor.
        if block.style.color.a > 0.0 {
            paint_color(&mut easel.pixmap, &mask, block.style.color);
        } else {
            frame::paint_through(&mut easel, &block.frame, block.size, &mask);
        }
    }
    easel.finish()
}
