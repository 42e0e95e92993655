//! Filter functions, for `filter` and `backdrop-filter`.

use super::{Color, Shadow};

/// One filter function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filter {
    /// Gaussian blur of this standard deviation in pixels.
    Blur(f32),
    /// Factor, 1 changes nothing.
    Brightness(f32),
    /// Factor, 1 changes nothing.
    Contrast(f32),
    /// Share from 0 to 1.
    Grayscale(f32),
    /// Degrees.
    HueRotate(f32),
    /// Share from 0 to 1.
    Invert(f32),
    /// Factor from 0 to 1.
    Opacity(f32),
    /// Factor, 1 changes nothing.
    Saturate(f32),
    /// Share from 0 to 1.
    Sepia(f32),
    /// A shadow of what is opaque; its `blur` is a standard deviation here, as in this function.
    DropShadow(Shadow),
}

/// Rows for red, green, blue and alpha, each with factors of red, green, blue and alpha and a
/// constant; on colours whose alpha is not multiplied in, clamped to 0 to 1 afterwards.
pub type ColorMatrix = [[f32; 5]; 4];

impl Filter {
    /// Parses a CSS `filter`; `none` is an empty list.
    pub fn parse_list(_text: &str, _current: Color) -> Option<Vec<Self>> {
        None
    }

    /// The function as a matrix on colours; `None` for what reaches beyond a pixel.
    pub fn color_matrix(&self) -> Option<ColorMatrix> {
        None
    }
}
