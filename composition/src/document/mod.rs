//! The schema of a composition, typed: what may stand in a document and what is refused.

mod composition;
mod motion;
mod overlay;
mod playing;
mod reader;
mod schema;
mod styles;

pub use composition::{Composition, Limits};
pub use motion::*;
pub use overlay::*;
pub use reader::{EasingText, Issue};
pub(crate) use reader::{Field, Reader};
pub use schema::schemas;
pub use styles::*;
