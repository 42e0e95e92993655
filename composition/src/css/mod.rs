//! CSS strings as typed values. Parsing is lightningcss's; here its results become the few plain
//! types that a node draws. What can't be parsed is `None`, as a browser ignores it.

mod background;
mod border;
mod clip_path;
mod color;
mod decoration;
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
    Background, BackgroundClip, BackgroundLayer, BackgroundOrigin, BackgroundSize,
};
pub use border::{Border, BorderSide, BorderStyle};
pub use clip_path::{ClipPath, FillRule, Outline, PathStep};
pub use color::Color;
pub use decoration::{LineStyle, TextDecoration};
pub use filter::{ColorMatrix, Filter};
pub use gradient::{Gradient, GradientLine, GradientOnBox};
pub use length::{Length, Sides};
pub use position::Position;
pub use radius::{CornerRadii, Radii};
pub use shadow::Shadow;
pub use shape::{ShapeId, shape_ids};
pub use text::{
    FontSize, LetterSpacing, LineHeight, css_font_size, font_families, font_weight, line_height,
    text_font_size,
};
pub use tokens::Basis;
pub use transform::Transform;

/// Pixels of 1rem, and of 1em where no other size is known.
pub const ROOT_FONT_SIZE: f32 = 16.0;

use lightningcss::properties::{Property, PropertyId};
use lightningcss::stylesheet::ParserOptions;

/// Parses `value` as the value of a property; unparsable and variable-laden values are `None`.
fn property<'i>(id: PropertyId<'i>, value: &'i str) -> Option<Property<'i>> {
    match Property::parse_string(id, value, ParserOptions::default()).ok()? {
        Property::Unparsed(_) | Property::Custom(_) => None,
        property => Some(property),
    }
}
