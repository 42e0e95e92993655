//! Rounded corners.

use super::Length;
use super::math::size;
use super::tokens::{Basis, Input, Parsed, takes_slash, whole};

/// The horizontal and vertical radius of each corner, from the top left clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CornerRadii(pub [(Length, Length); 4]);

/// Corner radii in pixels, small enough for their box, from the top left clockwise.
pub type Radii = [(f32, f32); 4];

impl CornerRadii {
    /// Parses a CSS `border-radius`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_in(text, Basis::default())
    }

    /// Parses a CSS `border-radius` on an element of its own font size.
    pub fn parse_in(text: &str, basis: Basis) -> Option<Self> {
        whole(text, |input| Self::take(input, basis))
    }

    /// The radii that come next.
    pub(super) fn take<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Self> {
        let across = four(input, basis)?;
        let down = if takes_slash(input) {
            four(input, basis)?
        } else {
            across
        };
        let mut radii = across.map(|x| (x, x));
        for (radius, y) in radii.iter_mut().zip(down) {
            radius.1 = y;
        }
        Ok(Self(radii))
    }

    /// The radii on a box of this size; where neighbours would overlap, all shrink alike.
    pub fn resolve(&self, width: f32, height: f32) -> Radii {
        self.resolve_on((width, height), (width, height))
    }

    /// The radii on a box of this size, with percentages of another one.
    pub(super) fn resolve_on(&self, whole: (f32, f32), (width, height): (f32, f32)) -> Radii {
        let mut radii = self
            .0
            .map(|(x, y)| (x.resolve(whole.0).max(0.0), y.resolve(whole.1).max(0.0)));
        let [tl, tr, br, bl] = radii;
        let fits = |sum: f32, side: f32| {
            if sum > side && sum > 0.0 {
                side / sum
            } else {
                1.0
            }
        };
        let shrink = fits(tl.0 + tr.0, width)
            .min(fits(bl.0 + br.0, width))
            .min(fits(tl.1 + bl.1, height))
            .min(fits(tr.1 + br.1, height));
        for (x, y) in &mut radii {
            *x *= shrink;
            *y *= shrink;
        }
        radii
    }
}

/// One to four sizes; those left out are as those across from them.
fn four<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, [Length; 4]> {
    let first = size(input, basis)?;
    let mut next = |fallback: Length| {
        input
            .try_parse(|input| size(input, basis))
            .unwrap_or(fallback)
    };
    let second = next(first);
    let third = next(first);
    Ok([first, second, third, next(second)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pill_is_capped_by_its_short_side() {
        let radii = CornerRadii::parse("999px")
            .expect("valid")
            .resolve(200.0, 60.0);
        assert_eq!(radii, [(30.0, 30.0); 4]);
    }

    #[test]
    fn corners_and_percentages() {
        let radii = CornerRadii::parse("10px 50% / 20px")
            .expect("valid")
            .resolve(100.0, 80.0);
        assert_eq!(
            radii,
            [(10.0, 20.0), (50.0, 20.0), (10.0, 20.0), (50.0, 20.0)]
        );
        for text in ["round", "", "-4px", "1px 2px 3px 4px 5px", "4px /", "4"] {
            assert_eq!(CornerRadii::parse(text), None, "{text}");
        }
    }
}
