//! Vector outlines as pixels, on the host.

mod coverage;
mod edges;
mod flatten;
mod ink;
mod mask;

pub(crate) use coverage::Rule;
pub(crate) use flatten::flatten;
pub(crate) use ink::{paint_color, paint_rows, premultiplied};
pub(crate) use mask::Mask;
