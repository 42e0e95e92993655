//! The `styles` of each overlay type, as they are written; CSS strings are parsed when a scene is built.

mod caption;
mod drawn;
mod effect;
mod media;
mod text;

pub use caption::*;
pub use drawn::*;
pub use effect::*;
pub use media::*;
pub use text::*;
