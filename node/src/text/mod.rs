//! Text: the fonts we ship, laid out and painted.

mod book;
mod breaks;
mod code;
mod decoration;
mod face;
mod fallback;
mod folder;
mod glyphs;
mod itemize;
mod layout;
mod lines;
mod parts;
mod pictures;
mod setting;
mod shape;
mod tone;
mod typesetter;
mod units;

pub use book::FontBook;
pub(crate) use code::{Palette, letter_colors};
pub(crate) use decoration::Mark;
pub use folder::find_font_folder;
pub use layout::TextLayout;
pub(crate) use layout::{Strut, aligned};
use parts::PlacedCluster;
pub(crate) use parts::{Part, Place};
pub(crate) use setting::Setting;
pub(crate) use typesetter::Pen;
pub use typesetter::Typesetter;
pub(crate) use units::trunc64;

#[cfg(test)]
mod tests;
