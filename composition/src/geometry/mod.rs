//! Sizes, and maps of the plane.

mod affine;
mod projection;
mod standing;

pub use affine::{Affine, Size};
pub use projection::Projection;
pub(crate) use standing::Standing;
