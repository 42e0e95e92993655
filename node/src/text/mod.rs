//! Text: the fonts we ship, laid out and painted.

mod book;
mod breaks;
mod face;
mod fallback;
mod folder;
mod glyphs;
mod itemize;
mod layout;
mod lines;
mod pictures;
mod shape;
mod typesetter;
mod units;

pub use book::FontBook;
pub use folder::find_font_folder;
pub use layout::TextLayout;
pub use typesetter::Typesetter;
