//! Maps of the plane with perspective.

use super::Affine;

/// A projective map of the plane, rows first: `x' = (m00·x + m01·y + m02) / w`,
/// `y' = (m10·x + m11·y + m12) / w`, `w = m20·x + m21·y + m22`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection(pub [[f32; 3]; 3]);

impl Projection {
    /// The map that changes nothing.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// The same map without perspective; `None` where there is some.
    pub fn as_affine(self) -> Option<Affine> {
        let [[a, c, e], [b, d, f], [p, q, w]] = self.0;
        (p == 0.0 && q == 0.0 && w == 1.0).then_some(Affine { a, b, c, d, e, f })
    }

    /// The map that applies `inner` first, then this one; scaled so that no perspective is exactly
    /// none.
    #[must_use]
    pub fn then_inner(self, inner: impl Into<Self>) -> Self {
        let (outer, inner) = (self.0, inner.into().0);
        let mut product = [[0.0; 3]; 3];
        for (row, to) in outer.iter().zip(&mut product) {
            for (column, to) in to.iter_mut().enumerate() {
                *to = (0..3).map(|k| row[k] * inner[k][column]).sum();
            }
        }
        Self(product).normalised()
    }

    /// This map with a point as its origin.
    #[must_use]
    pub fn about(self, x: f32, y: f32) -> Self {
        Self::from(Affine::translate(x, y))
            .then_inner(self)
            .then_inner(Affine::translate(-x, -y))
    }

    /// Where a point goes; `None` for points behind the eye.
    pub fn apply(self, x: f32, y: f32) -> Option<(f32, f32)> {
        let [px, py, pw] = self.0.map(|[a, b, c]| a * x + b * y + c);
        (pw > 1e-6).then(|| (px / pw, py / pw))
    }

    /// The map back; `None` where everything collapses onto a line.
    pub fn inverse(self) -> Option<Self> {
        let m = self.0.map(|row| row.map(f64::from));
        let minor = |r: usize, c: usize| {
            let (r1, r2) = ((r + 1) % 3, (r + 2) % 3);
            let (c1, c2) = ((c + 1) % 3, (c + 2) % 3);
            m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        };
        let determinant: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
        if determinant.abs() < 1e-12 || !determinant.is_finite() {
            return None;
        }
        let mut inverse = [[0.0; 3]; 3];
        for (r, row) in inverse.iter_mut().enumerate() {
            for (c, to) in row.iter_mut().enumerate() {
                *to = (minor(c, r) / determinant) as f32;
            }
        }
        Some(Self(inverse).normalised())
    }

    /// Whether the map leads anywhere.
    pub(crate) fn is_finite(self) -> bool {
        self.0.iter().flatten().all(|number| number.is_finite())
    }

    /// Whether the map only moves.
    pub fn is_translation(self) -> bool {
        self.as_affine().is_some_and(Affine::is_translation)
    }

    /// How much the map enlarges a box of this size at most, at its corners and its centre; 0 where
    /// none of them is before the eye.
    pub fn largest_scale(self, width: f32, height: f32) -> f32 {
        let [rx, ry, rw] = self.0;
        let points = [
            (0.0, 0.0),
            (width, 0.0),
            (0.0, height),
            (width, height),
            (width / 2.0, height / 2.0),
        ];
        points
            .into_iter()
            .filter_map(|(x, y)| {
                let (px, py) = self.apply(x, y)?;
                let w = rw[0] * x + rw[1] * y + rw[2];
                let across = ((rx[0] - px * rw[0]) / w, (ry[0] - py * rw[0]) / w);
                let down = ((rx[1] - px * rw[1]) / w, (ry[1] - py * rw[1]) / w);
                Some(stretch(across, down))
            })
            .filter(|scale| scale.is_finite())
            .fold(0.0, f32::max)
    }

    /// The same map with a last element of 1, or of -1: its sign says what is behind the eye.
    fn normalised(self) -> Self {
        let w = self.0[2][2].abs();
        if w == 1.0 || w < 1e-9 || !w.is_finite() {
            return self;
        }
        Self(self.0.map(|row| row.map(|value| value / w)))
    }
}

/// The larger singular value of a map, given where it takes the two axes.
fn stretch((a, b): (f32, f32), (c, d): (f32, f32)) -> f32 {
    let sum = a * a + b * b + c * c + d * d;
    let determinant = a * d - b * c;
    let spread = (sum * sum - 4.0 * determinant * determinant)
        .max(0.0)
        .sqrt();
    ((sum + spread) / 2.0).sqrt()
}

impl From<Affine> for Projection {
    fn from(map: Affine) -> Self {
        Self([
            [map.a, map.c, map.e],
            [map.b, map.d, map.f],
            [0.0, 0.0, 1.0],
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILTED: Projection = Projection([[1.0, 0.2, 5.0], [0.0, 0.9, 7.0], [0.001, 0.002, 1.0]]);

    #[test]
    fn the_inverse_undoes() {
        let (x, y) = TILTED.apply(30.0, 40.0).expect("in front");
        let (x, y) = TILTED
            .inverse()
            .expect("invertible")
            .apply(x, y)
            .expect("in front");
        assert!((x - 30.0).abs() < 1e-3 && (y - 40.0).abs() < 1e-3);
        assert_eq!(Projection([[0.0; 3]; 3]).inverse(), None);
    }

    #[test]
    fn affine_maps_stay_affine() {
        let turn = Affine::rotate(30.0).about(5.0, 6.0);
        let map = Projection::from(turn).then_inner(Affine::scale(2.0, 3.0));
        assert_eq!(
            map.as_affine(),
            Some(turn.then_inner(Affine::scale(2.0, 3.0)))
        );
        assert_eq!(TILTED.as_affine(), None);
        assert!(map.inverse().expect("invertible").as_affine().is_some());
    }

    #[test]
    fn the_largest_scale_is_that_of_the_nearest_corner() {
        let turned = Projection::from(Affine::rotate(30.0)).then_inner(Affine::scale(3.0, 0.5));
        assert!((turned.largest_scale(10.0, 10.0) - 3.0).abs() < 1e-4);
        let near = Projection([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.005, 0.0, 1.0]]);
        assert!(near.largest_scale(100.0, 10.0) > 3.9);
        assert_eq!(Projection([[0.0; 3]; 3]).largest_scale(10.0, 10.0), 0.0);
    }

    #[test]
    fn a_box_whose_corner_is_behind_the_eye_keeps_its_front() {
        let map = Projection([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.01, 0.0, -0.5]]);
        let moved = map.then_inner(Affine::translate(0.0, 0.0));
        assert_eq!(moved.apply(10.0, 0.0), None);
        assert!(moved.apply(90.0, 0.0).is_some());
    }

    #[test]
    fn what_lies_behind_the_eye_goes_nowhere() {
        assert_eq!(TILTED.apply(-2000.0, 0.0), None);
    }
}
