//! The document: what a composition is, whether it can be rendered, what it costs and what each
//! of its frames shows.
//!
//! JSON flows in and is read into a [`document::Composition`] ([`request::resolve`] for a whole
//! API request, [`request::read_file`] for a file). A [`timeline::Scene`] parses its CSS once, and
//! [`timeline::Scene::plan`] turns a frame number into a [`timeline::FramePlan`]: plain data that a
//! node draws. Everything here is pure: no I/O, no clock, no GPU.

pub mod css;
pub mod document;
pub mod price;
pub mod request;
pub mod timeline;
