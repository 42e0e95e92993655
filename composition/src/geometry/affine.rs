//! Sizes and affine maps of the plane.

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "named as everywhere")]
pub struct Size {
    pub width: f32,
    pub height: f32,
}

/// An affine map: `x' = a·x + c·y + e`, `y' = b·x + d·y + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "named as in CSS matrix()")]
pub struct Affine {
    pub a: f32,
    pub b: f32,
    pub c: f32,
    pub d: f32,
    pub e: f32,
    pub f: f32,
}

impl Affine {
    /// The map that changes nothing.
    pub const IDENTITY: Self = Self {
        a: 1.0,
        b: 0.0,
        c: 0.0,
        d: 1.0,
        e: 0.0,
        f: 0.0,
    };

    /// Moves.
    pub fn translate(x: f32, y: f32) -> Self {
        Self {
            e: x,
            f: y,
            ..Self::IDENTITY
        }
    }

    /// Scales about the origin.
    pub fn scale(x: f32, y: f32) -> Self {
        Self {
            a: x,
            d: y,
            ..Self::IDENTITY
        }
    }

    /// Turns clockwise about the origin; whole quarter turns are exact.
    pub fn rotate(degrees: f64) -> Self {
        let (sin, cos) = match degrees.rem_euclid(360.0) {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            other => other.to_radians().sin_cos(),
        };
        let (sin, cos) = (sin as f32, cos as f32);
        Self {
            a: cos,
            b: sin,
            c: -sin,
            d: cos,
            e: 0.0,
            f: 0.0,
        }
    }

    /// The map that applies `inner` first, then this one.
    #[must_use]
    pub fn then_inner(self, inner: Self) -> Self {
        Self {
            a: self.a * inner.a + self.c * inner.b,
            b: self.b * inner.a + self.d * inner.b,
            c: self.a * inner.c + self.c * inner.d,
            d: self.b * inner.c + self.d * inner.d,
            e: self.a * inner.e + self.c * inner.f + self.e,
            f: self.b * inner.e + self.d * inner.f + self.f,
        }
    }

    /// This map with `center` as its origin.
    #[must_use]
    pub fn about(self, x: f32, y: f32) -> Self {
        Self::translate(x, y)
            .then_inner(self)
            .then_inner(Self::translate(-x, -y))
    }

    /// Where a point goes.
    pub fn apply(self, x: f32, y: f32) -> (f32, f32) {
        (
            self.a * x + self.c * y + self.e,
            self.b * x + self.d * y + self.f,
        )
    }

    /// The map back; `None` where everything collapses onto a line.
    pub fn inverse(self) -> Option<Self> {
        let determinant = self.a * self.d - self.b * self.c;
        if determinant.abs() < 1e-12 || !determinant.is_finite() {
            return None;
        }
        let (a, b, c, d) = (
            self.d / determinant,
            -self.b / determinant,
            -self.c / determinant,
            self.a / determinant,
        );
        Some(Self {
            a,
            b,
            c,
            d,
            e: -(a * self.e + c * self.f),
            f: -(b * self.e + d * self.f),
        })
    }

    /// Whether the map only moves.
    pub fn is_translation(self) -> bool {
        (self.a, self.b, self.c, self.d) == (1.0, 0.0, 0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_about_the_centre_keeps_the_centre() {
        let turn = Affine::rotate(30.0).about(50.0, 20.0);
        let (x, y) = turn.apply(50.0, 20.0);
        assert!((x - 50.0).abs() < 1e-4 && (y - 20.0).abs() < 1e-4);
    }

    #[test]
    fn the_inverse_undoes() {
        let map = Affine::translate(3.0, 4.0)
            .then_inner(Affine::rotate(33.0))
            .then_inner(Affine::scale(2.0, 0.5));
        let (x, y) = map.apply(7.0, 9.0);
        let (x, y) = map.inverse().expect("invertible").apply(x, y);
        assert!((x - 7.0).abs() < 1e-3 && (y - 9.0).abs() < 1e-3);
        assert_eq!(Affine::scale(0.0, 1.0).inverse(), None);
    }

    #[test]
    fn quarter_turns_are_exact() {
        assert_eq!(Affine::rotate(90.0).apply(1.0, 0.0), (0.0, 1.0));
        assert!(Affine::rotate(720.0).is_translation());
    }
}
