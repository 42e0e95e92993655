//! Text: the fonts we ship, laid out and painted.

mod fonts;
mod layout;
mod typesetter;

pub use fonts::{FontBook, find_font_folder};
pub use layout::TextLayout;
pub use typesetter::Typesetter;
