//! Sizes, and maps of the plane.

mod affine;
mod projection;

pub use affine::{Affine, Size};
pub use projection::Projection;
