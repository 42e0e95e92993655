//! Transform lists.

use super::Length;
use super::math::{degrees, length_percentage, number, pixels, share};
use super::tokens::{
    Basis, Input, Parsed, function_name, refused, some, takes_comma, takes_word, whole,
};
use crate::geometry::Projection;

/// A parsed `transform`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transform {
    functions: Vec<Function>,
}

/// One function of a list; angles are in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Translate(Length, Length, f64),
    Fixed(Matrix),
}

/// Rows first, on columns of x, y, z and w.
type Matrix = [[f64; 4]; 4];

const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

impl Transform {
    /// Parses a CSS `transform`; `none` is an empty list.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_in(text, Basis::default())
    }

    /// Parses a CSS `transform` on an element of its own font size.
    pub fn parse_in(text: &str, basis: Basis) -> Option<Self> {
        whole(text, |input| {
            let mut functions = Vec::new();
            if takes_word(input, "none") {
                return Ok(Self { functions });
            }
            loop {
                let name = function_name(input)?;
                let function =
                    input.parse_nested_block(|input| Function::take(&name, input, basis))?;
                functions.push(function);
                if input.is_exhausted() {
                    return Ok(Self { functions });
                }
            }
        })
    }

    /// The whole list on a box of this size, about its centre, seen from the front. What lies behind
    /// the plane of the canvas is shown all the same: depth only counts for perspective.
    pub fn on_box(&self, width: f32, height: f32) -> Projection {
        let mut matrix = IDENTITY;
        for function in &self.functions {
            matrix = times(&matrix, &function.on_box(width, height));
        }
        let (x, y) = (f64::from(width) / 2.0, f64::from(height) / 2.0);
        let about = times(
            &times(&translation(x, y, 0.0), &matrix),
            &translation(-x, -y, 0.0),
        );
        flattened(&about)
    }
}

/// The map of the plane z = 0.
fn flattened(matrix: &Matrix) -> Projection {
    let row = |row: usize| [matrix[row][0], matrix[row][1], matrix[row][3]];
    let rows = [row(0), row(1), row(3)];
    let w = rows[2][2];
    let scale = if w == 1.0 || w.abs() < 1e-9 || !w.is_finite() {
        1.0
    } else {
        w.abs()
    };
    let is_finite = rows.iter().flatten().all(|value| value.is_finite());
    if is_finite {
        Projection(rows.map(|row| row.map(|value| (value / scale) as f32)))
    } else {
        Projection::IDENTITY
    }
}

fn times(outer: &Matrix, inner: &Matrix) -> Matrix {
    let mut product = [[0.0; 4]; 4];
    for (to, row) in product.iter_mut().zip(outer) {
        for (column, to) in to.iter_mut().enumerate() {
            *to = (0..4).map(|k| row[k] * inner[k][column]).sum();
        }
    }
    product
}

fn translation(x: f64, y: f64, z: f64) -> Matrix {
    let mut matrix = IDENTITY;
    (matrix[0][3], matrix[1][3], matrix[2][3]) = (x, y, z);
    matrix
}

fn scaling(x: f64, y: f64, z: f64) -> Matrix {
    let mut matrix = IDENTITY;
    (matrix[0][0], matrix[1][1], matrix[2][2]) = (x, y, z);
    matrix
}

fn skewing(x: f64, y: f64) -> Matrix {
    let mut matrix = IDENTITY;
    (matrix[0][1], matrix[1][0]) = (x.to_radians().tan(), y.to_radians().tan());
    matrix
}

/// Sine and cosine of degrees, exact for quarter turns.
fn sine_cosine(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => other.to_radians().sin_cos(),
    }
}

fn turning([x, y, z]: [f64; 3], degrees: f64) -> Matrix {
    let norm = (x * x + y * y + z * z).sqrt();
    if norm == 0.0 || !norm.is_finite() {
        return IDENTITY;
    }
    let (x, y, z) = (x / norm, y / norm, z / norm);
    let (sin, cos) = sine_cosine(degrees);
    let rest = 1.0 - cos;
    [
        [
            x * x * rest + cos,
            x * y * rest - z * sin,
            x * z * rest + y * sin,
            0.0,
        ],
        [
            y * x * rest + z * sin,
            y * y * rest + cos,
            y * z * rest - x * sin,
            0.0,
        ],
        [
            z * x * rest - y * sin,
            z * y * rest + x * sin,
            z * z * rest + cos,
            0.0,
        ],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

fn viewing(distance: f64) -> Matrix {
    let mut matrix = IDENTITY;
    // Nearer than a pixel counts as a pixel.
    matrix[3][2] = -1.0 / distance.max(1.0);
    matrix
}

impl Function {
    fn on_box(&self, width: f32, height: f32) -> Matrix {
        match self {
            Self::Translate(x, y, z) => translation(
                f64::from(x.resolve(width)),
                f64::from(y.resolve(height)),
                *z,
            ),
            Self::Fixed(matrix) => *matrix,
        }
    }

    fn take<'i>(name: &str, input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Self> {
        let zero = Length::default();
        let fixed = match name {
            "translate" => {
                let x = length_percentage(input, basis)?;
                let y = after_comma(input, |input| length_percentage(input, basis))?;
                return Ok(Self::Translate(x, y.unwrap_or_default(), 0.0));
            }
            "translatex" => {
                return Ok(Self::Translate(length_percentage(input, basis)?, zero, 0.0));
            }
            "translatey" => {
                return Ok(Self::Translate(zero, length_percentage(input, basis)?, 0.0));
            }
            "translatez" => {
                return Ok(Self::Translate(zero, zero, pixels(input, basis)?.into()));
            }
            "translate3d" => {
                let x = length_percentage(input, basis)?;
                input.expect_comma()?;
                let y = length_percentage(input, basis)?;
                input.expect_comma()?;
                return Ok(Self::Translate(x, y, pixels(input, basis)?.into()));
            }
            "scale" => {
                let x = share(input)?;
                let y = after_comma(input, share)?.unwrap_or(x);
                scaling(x, y, 1.0)
            }
            "scalex" => scaling(share(input)?, 1.0, 1.0),
            "scaley" => scaling(1.0, share(input)?, 1.0),
            "scalez" => scaling(1.0, 1.0, share(input)?),
            "scale3d" => {
                let [x, y, z] = numbers(input, share)?;
                scaling(x, y, z)
            }
            "rotate" | "rotatez" => turning([0.0, 0.0, 1.0], degrees(input)?),
            "rotatex" => turning([1.0, 0.0, 0.0], degrees(input)?),
            "rotatey" => turning([0.0, 1.0, 0.0], degrees(input)?),
            "rotate3d" => {
                let axis = numbers(input, number)?;
                input.expect_comma()?;
                turning(axis, degrees(input)?)
            }
            "skew" => {
                let x = degrees(input)?;
                skewing(x, after_comma(input, degrees)?.unwrap_or(0.0))
            }
            "skewx" => skewing(degrees(input)?, 0.0),
            "skewy" => skewing(0.0, degrees(input)?),
            "matrix" => {
                let [a, b, c, d, e, f] = numbers(input, number)?;
                [
                    [a, c, 0.0, e],
                    [b, d, 0.0, f],
                    [0.0, 0.0, 1.0, 0.0],
                    [0.0, 0.0, 0.0, 1.0],
                ]
            }
            "matrix3d" => {
                let columns: [f64; 16] = numbers(input, number)?;
                let mut matrix = IDENTITY;
                for (index, value) in columns.into_iter().enumerate() {
                    matrix[index % 4][index / 4] = value;
                }
                matrix
            }
            "perspective" => {
                if takes_word(input, "none") {
                    IDENTITY
                } else {
                    let distance = pixels(input, basis)?;
                    viewing(some(input, (distance >= 0.0).then_some(distance))?.into())
                }
            }
            _ => return Err(refused(input)),
        };
        Ok(Self::Fixed(fixed))
    }
}

/// A second argument, where there is one.
fn after_comma<'i, 't, T>(
    input: &mut Input<'i, 't>,
    parse: impl FnOnce(&mut Input<'i, 't>) -> Parsed<'i, T>,
) -> Parsed<'i, Option<T>> {
    if takes_comma(input) {
        parse(input).map(Some)
    } else {
        Ok(None)
    }
}

/// Exactly so many numbers between commas.
fn numbers<'i, 't, const COUNT: usize>(
    input: &mut Input<'i, 't>,
    parse: impl Fn(&mut Input<'i, 't>) -> Parsed<'i, f64>,
) -> Parsed<'i, [f64; COUNT]> {
    let mut values = [0.0; COUNT];
    for (index, value) in values.iter_mut().enumerate() {
        if index > 0 {
            input.expect_comma()?;
        }
        *value = parse(input)?;
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the corners of a box of 200 × 100 go.
    fn corners(text: &str) -> Vec<(i32, i32)> {
        let map = Transform::parse(text).expect(text).on_box(200.0, 100.0);
        [(0.0, 0.0), (200.0, 0.0), (200.0, 100.0)]
            .into_iter()
            .map(|(x, y)| map.apply(x, y).expect("in front"))
            .map(|(x, y)| (x.round() as i32, y.round() as i32))
            .collect()
    }

    #[test]
    fn plane_functions() {
        for (text, expected) in [
            ("none", [(0, 0), (200, 0), (200, 100)]),
            ("translate(10px, 50%)", [(10, 50), (210, 50), (210, 150)]),
            (
                "translateX(calc(50% - 5px))",
                [(95, 0), (295, 0), (295, 100)],
            ),
            ("scale(50%)", [(50, 25), (150, 25), (150, 75)]),
            ("scaleX(-1)", [(200, 0), (0, 0), (0, 100)]),
            ("rotate(0.25turn)", [(150, -50), (150, 150), (50, 150)]),
            (
                "rotate(90deg) translateX(10px)",
                [(150, -40), (150, 160), (50, 160)],
            ),
            ("skewX(45deg)", [(-50, 0), (150, 0), (250, 100)]),
            ("matrix(1, 0, 0, 1, 7, 8)", [(7, 8), (207, 8), (207, 108)]),
            (
                "rotate3d(0, 0, 1, 90deg)",
                [(150, -50), (150, 150), (50, 150)],
            ),
            ("rotateX(60deg)", [(0, 25), (200, 25), (200, 75)]),
            ("rotateY(180deg)", [(200, 0), (0, 0), (0, 100)]),
        ] {
            assert_eq!(corners(text), expected, "{text}");
        }
    }

    #[test]
    fn perspective_shrinks_what_is_far() {
        // Turned by 90°, the right edge is 100 px behind: half as large from 100 px away.
        let map = Transform::parse("perspective(100px) translateZ(-100px)")
            .expect("valid")
            .on_box(200.0, 100.0);
        assert_eq!(map.apply(0.0, 0.0), Some((50.0, 25.0)));
        let tilted = Transform::parse("perspective(400px) rotateY(30deg)")
            .expect("valid")
            .on_box(200.0, 100.0);
        assert!(tilted.as_affine().is_none());
        let (_, left) = tilted.apply(0.0, 0.0).expect("in front");
        let (_, right) = tilted.apply(200.0, 0.0).expect("in front");
        assert!(left < 0.0 && right > 0.0, "the left edge comes nearer");
    }

    #[test]
    fn what_is_no_transform_is_ignored() {
        for text in [
            "",
            "rotate(30)",
            "rotate(30px)",
            "scale(2px)",
            "translate(10)",
            "translateZ(10%)",
            "matrix(1, 2, 3)",
            "rotate(30deg) spin(3)",
            "rotate(30deg), scale(2)",
            "perspective(-3px)",
            "none none",
        ] {
            assert_eq!(Transform::parse(text), None, "{text}");
        }
    }
}
