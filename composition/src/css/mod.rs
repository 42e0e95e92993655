//! CSS strings as typed values. Each value is parsed by the grammar that browsers use into the
//! few plain types that a node draws. What can't be parsed is `None`, as a browser ignores it.

mod background;
mod border;
mod case;
mod clip_path;
mod color;
mod decoration;
mod easing;
#[cfg(test)]
mod extremes;
mod filter;
mod gradient;
mod length;
mod math;
mod position;
mod radius;
mod shadow;
mod shape;
mod text;
mod tokens;
mod transform;

pub use background::{
    Background, BackgroundClip, BackgroundLayer, BackgroundOrigin, BackgroundSize, Repeat,
};
pub use border::{Border, BorderSide, BorderStyle};
pub use case::TextTransform;
pub use clip_path::{ClipPath, FillRule, Outline, PathStep};
pub use color::Color;
pub use decoration::{LineStyle, TextDecoration};
pub use easing::Easing;
pub(crate) use easing::{Family, Side};
pub use filter::{ColorMatrix, Filter};
pub use gradient::{Gradient, GradientLine, GradientOnBox};
pub use length::{Length, Sides};
pub use position::Position;
pub use radius::{CornerRadii, Radii};
pub use shadow::Shadow;
pub use shape::{ShapeId, shape_ids};
pub use text::{
    FontSize, LetterSpacing, LineHeight, css_font_size, font_families, font_weight, is_slanted,
    line_height, text_font_size,
};
pub use tokens::Basis;
pub use transform::Transform;

/// Pixels of 1rem, and of 1em where no other size is known.
pub const ROOT_FONT_SIZE: f32 = 16.0;
