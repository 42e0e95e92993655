//! Transform lists.

use crate::geometry::Projection;

/// A parsed `transform`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transform {}

impl Transform {
    /// Parses a CSS `transform`; `none` is an empty list.
    pub fn parse(_text: &str) -> Option<Self> {
        None
    }

    /// The whole list on a box of this size, about its centre, seen from the front.
    pub fn on_box(&self, _width: f32, _height: f32) -> Projection {
        Projection::IDENTITY
    }
}
