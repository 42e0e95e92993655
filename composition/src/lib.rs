//! The document: what a composition is, whether it can be rendered, what it costs and what each
//! of its frames shows.
//!
//! JSON flows in and is read into a [`document::Composition`]: a whole API request by
//! [`request::RenderRequest::parse`] and [`request::resolve`], a file by [`request::read_file`]. A
//! [`timeline::Scene`] parses its CSS once, and [`timeline::Scene::plan`] turns a frame number into a
//! [`timeline::FramePlan`]: plain data that a node draws. Beside that road, [`variables`] says what
//! may be replaced in a document and [`warnings`] what will not look as it was meant. Everything
//! here is pure: no I/O, no clock, no GPU.

mod capacity;
pub mod code_languages;
pub mod css;
pub mod document;
pub mod fonts;
mod geometry;
pub mod media_url;
mod nearest;
pub mod price;
#[cfg(test)]
mod random;
pub mod request;
pub mod stickers;
pub mod timeline;
pub mod variables;
pub mod warnings;
