//! Filter functions, for `filter` and `backdrop-filter`.

use super::Shadow;
use super::math::{degrees, positive_share, size_in_pixels};
use super::tokens::{Basis, Input, Parsed, function_name, refused, takes_word, whole};

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
    pub fn parse_list(text: &str, current: impl Into<Basis>) -> Option<Vec<Self>> {
        let basis = current.into();
        whole(text, |input| {
            let mut list = Vec::new();
            if takes_word(input, "none") {
                return Ok(list);
            }
            loop {
                let name = function_name(input)?;
                list.push(input.parse_nested_block(|input| Self::take(&name, input, basis))?);
                if input.is_exhausted() {
                    return Ok(list);
                }
            }
        })
    }

    fn take<'i>(name: &str, input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Self> {
        let is_empty = input.is_exhausted();
        let amount = |input: &mut Input<'i, '_>| {
            if is_empty {
                return Ok(1.0);
            }
            positive_share(input).map(|amount| amount as f32)
        };
        Ok(match name {
            "blur" if is_empty => Self::Blur(0.0),
            "blur" => Self::Blur(size_in_pixels(input, basis)?),
            "hue-rotate" if is_empty => Self::HueRotate(0.0),
            "hue-rotate" => Self::HueRotate(degrees(input)? as f32),
            "brightness" => Self::Brightness(amount(input)?),
            "contrast" => Self::Contrast(amount(input)?),
            "saturate" => Self::Saturate(amount(input)?),
            "grayscale" => Self::Grayscale(amount(input)?.min(1.0)),
            "invert" => Self::Invert(amount(input)?.min(1.0)),
            "opacity" => Self::Opacity(amount(input)?.min(1.0)),
            "sepia" => Self::Sepia(amount(input)?.min(1.0)),
            "drop-shadow" => Self::DropShadow(Shadow::take_plain(input, basis)?),
            _ => return Err(refused(input)),
        })
    }

    /// The function as a matrix on colours; `None` for what reaches beyond a pixel.
    pub fn color_matrix(&self) -> Option<ColorMatrix> {
        /// How bright red, green and blue are.
        const LUMA: [f32; 3] = [0.2126, 0.7152, 0.0722];
        const SEPIA: [[f32; 3]; 3] = [
            [0.393, 0.769, 0.189],
            [0.349, 0.686, 0.168],
            [0.272, 0.534, 0.131],
        ];
        Some(match *self {
            Self::Blur(_) | Self::DropShadow(_) => return None,
            Self::Brightness(factor) => each_channel(factor, 0.0),
            Self::Contrast(factor) => each_channel(factor, 0.5 - 0.5 * factor),
            Self::Invert(share) => each_channel(1.0 - 2.0 * share, share),
            Self::Opacity(factor) => {
                let mut matrix = each_channel(1.0, 0.0);
                matrix[3][3] = factor;
                matrix
            }
            Self::Grayscale(share) => towards([LUMA; 3], share),
            Self::Sepia(share) => towards(SEPIA, share),
            Self::Saturate(factor) => {
                // These weights have fewer digits than those of greyscale, as written in the
                // specification.
                const COARSE: [f32; 3] = [0.213, 0.715, 0.072];
                towards([COARSE; 3], 1.0 - factor)
            }
            Self::HueRotate(degrees) => hue_rotation(degrees),
        })
    }
}

fn each_channel(factor: f32, constant: f32) -> ColorMatrix {
    let mut matrix = [[0.0; 5]; 4];
    for (index, row) in matrix.iter_mut().enumerate().take(3) {
        row[index] = factor;
        row[4] = constant;
    }
    matrix[3][3] = 1.0;
    matrix
}

/// From no change to these factors.
fn towards(factors: [[f32; 3]; 3], share: f32) -> ColorMatrix {
    let mut matrix = each_channel(1.0 - share, 0.0);
    for (row, factors) in matrix.iter_mut().zip(factors) {
        for (to, factor) in row.iter_mut().zip(factors) {
            *to += factor * share;
        }
    }
    matrix
}

fn hue_rotation(degrees: f32) -> ColorMatrix {
    const STILL: [[f32; 3]; 3] = [[0.213, 0.715, 0.072]; 3];
    const COSINE: [[f32; 3]; 3] = [
        [0.787, -0.715, -0.072],
        [-0.213, 0.285, -0.072],
        [-0.213, -0.715, 0.928],
    ];
    const SINE: [[f32; 3]; 3] = [
        [-0.213, -0.715, 0.928],
        [0.143, 0.140, -0.283],
        [-0.787, 0.715, 0.072],
    ];
    let (sin, cos) = degrees.to_radians().sin_cos();
    let mut matrix = each_channel(0.0, 0.0);
    for (r, row) in matrix.iter_mut().enumerate().take(3) {
        for (c, to) in row.iter_mut().enumerate().take(3) {
            *to = STILL[r][c] + cos * COSINE[r][c] + sin * SINE[r][c];
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::super::Color;
    use super::*;

    fn parse(text: &str) -> Option<Vec<Filter>> {
        Filter::parse_list(text, Color::WHITE)
    }

    /// What the functions of a list make of a colour.
    fn filtered(text: &str, color: [f32; 3]) -> [i32; 4] {
        let mut color = [color[0], color[1], color[2], 1.0];
        for filter in parse(text).expect(text) {
            let matrix = filter.color_matrix().expect("a matrix");
            color = matrix.map(|[r, g, b, a, constant]| {
                let sum = r * color[0] + g * color[1] + b * color[2] + a * color[3] + constant;
                sum.clamp(0.0, 1.0)
            });
        }
        color.map(|value| (value * 255.0).round() as i32)
    }

    #[test]
    fn amounts_units_and_defaults() {
        assert_eq!(
            parse("blur() brightness(60%) hue-rotate(-0.5turn) GRAYSCALE(4)"),
            Some(vec![
                Filter::Blur(0.0),
                Filter::Brightness(0.6),
                Filter::HueRotate(-180.0),
                Filter::Grayscale(1.0)
            ])
        );
        assert_eq!(parse("invert()"), Some(vec![Filter::Invert(1.0)]));
        assert_eq!(
            parse("contrast(calc(-1))"),
            Some(vec![Filter::Contrast(0.0)]),
            "what a function yields is clamped"
        );
        assert_eq!(parse("none"), Some(vec![]));
        assert_eq!(parse("blur(calc(1rem / 4))"), Some(vec![Filter::Blur(4.0)]));
    }

    #[test]
    fn a_drop_shadow_takes_the_text_colour() {
        let list = parse("drop-shadow(1px 2px 3px)").expect("valid");
        let [Filter::DropShadow(shadow)] = list.as_slice() else {
            panic!("{list:?}")
        };
        assert_eq!((shadow.blur, shadow.color), (3.0, Color::WHITE));
    }

    #[test]
    fn colours_become_what_a_browser_makes_of_them() {
        const ORANGE: [f32; 3] = [1.0, 0.6, 0.2];
        // Read off Chromium's own pixels.
        for (text, expected) in [
            ("brightness(0.5)", [128, 76, 26, 255]),
            ("contrast(2)", [255, 179, 0, 255]),
            ("grayscale(1)", [167, 167, 167, 255]),
            ("invert(1)", [0, 102, 204, 255]),
            ("opacity(40%)", [255, 153, 51, 102]),
            ("sepia(1)", [228, 203, 158, 255]),
            ("saturate(0)", [167, 167, 167, 255]),
            ("saturate(2.2)", [255, 136, 0, 255]),
            ("hue-rotate(90deg)", [51, 211, 80, 255]),
            ("hue-rotate(-0.2turn)", [255, 122, 215, 255]),
            (
                "sepia(1) hue-rotate(180deg) saturate(1.8)",
                [163, 208, 255, 255],
            ),
        ] {
            let got = filtered(text, ORANGE);
            let is_near = got
                .iter()
                .zip(expected)
                .all(|(got, expected)| (got - expected).abs() <= 1);
            assert!(is_near, "{text}: {got:?} instead of {expected:?}");
        }
    }

    #[test]
    fn one_bad_function_spoils_the_list() {
        for text in [
            "",
            "blur(3px) sparkle(2)",
            "blur(-1px)",
            "blur(10%)",
            "blur(3)",
            "brightness(-1)",
            "brightness(1px)",
            "hue-rotate(90)",
            "drop-shadow(red)",
            "drop-shadow(1px 2px 3px 4px)",
            "blur(2px), invert(1)",
            "url(#f)",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
