//! Vector outlines as pixels, on the host.

mod coverage;
mod flatten;
mod ink;

pub(crate) use coverage::{Mask, Rule};
pub(crate) use ink::{paint_color, paint_rows, premultiplied};
