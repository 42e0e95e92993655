//! Everything that moves, as short compositions: `make gallery` renders them into a page, and a test
//! compares some of their frames with kept ones.
//!
//! A family is a file of [`families`]; adding a clip is adding a line there and running the test once
//! with `KINORA_UPDATE_GOLDEN=1`.

mod families;
mod page;
mod studio;

pub use families::families;
pub use page::write_page;
pub use studio::Studio;

use serde_json::Value;

/// Clips of one kind.
pub struct Family {
    /// As in `during`.
    pub name: &'static str,
    /// Its clips.
    pub clips: Vec<Clip>,
}

/// A short composition.
pub struct Clip {
    /// As in `ken-burns-in`.
    pub name: String,
    /// The document.
    pub composition: Value,
    /// Frames that are kept and compared.
    pub frames: Vec<u32>,
}
