//! The unchanging content of each overlay, with its CSS parsed. One file for each overlay type.

mod caption;
mod caption_templates;
mod code;
mod crossfade;
mod effect;
mod media;
mod parse;
mod shape;
mod sticker;
mod style;
mod text;

pub use caption::{CaptionBlock, Highlight};
pub use code::CodeStyle;
pub use crossfade::{Crossfade, GradientRun};
pub use effect::{
    CellFill, Columns, EffectBox, EffectKind, Grid, Matrix, Particles, ScrollingColumn, Species,
};
pub use media::MediaBox;
pub use shape::ShapeBox;
pub use sticker::{StickerBox, StickerPicture};
pub use style::{BoxStyle, Effects, TextStyle};
pub use text::TextBlock;

use crate::css::LineHeight;

const DEFAULT_WEIGHT: u16 = 400;
const DEFAULT_LINE_HEIGHT: LineHeight = LineHeight::Factor(1.2);
