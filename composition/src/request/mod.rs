//! Turns a request body, or a file, into the composition that will be rendered: one code path for
//! renders and previews.
//!
//! [`RenderRequest::parse`] reads the body. Its caller finds the document that the request names and
//! hands both to [`resolve`], which puts replacements and overrides in and refuses what can't be
//! rendered.

mod ai;
mod parse;
mod refusal;
mod replacements;
mod resolve;
#[cfg(test)]
mod tests;

pub use ai::{Ai, AiKind, SkippedAi};
pub use parse::{Mode, Overrides, RenderRequest, Source};
pub use refusal::{Refusal, RefusalKind};
pub use resolve::{Origin, Resolution, ResolvedVariable, RewrittenUrl, read_file, resolve};
