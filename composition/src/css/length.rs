//! Lengths and percentages.

use super::math::size;
use super::tokens::{Basis, whole};

/// Pixels plus a share of something that is known later.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Length {
    /// Pixels.
    pub px: f32,
    /// Share of the reference, 1 for 100%.
    pub share: f32,
}

impl Length {
    /// The length in pixels, given what 100% is.
    pub fn resolve(self, reference: f32) -> f32 {
        self.px + self.share * reference
    }
}

/// One length for each side of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the sides are named as everywhere")]
pub struct Sides {
    pub top: Length,
    pub right: Length,
    pub bottom: Length,
    pub left: Length,
}

impl Sides {
    /// Parses a CSS `padding`.
    pub fn parse_padding(text: &str) -> Option<Self> {
        Self::parse_padding_in(text, Basis::default())
    }

    /// Parses a CSS `padding` on an element of its own font size.
    pub fn parse_padding_in(text: &str, basis: Basis) -> Option<Self> {
        whole(text, |input| {
            let top = size(input, basis)?;
            let mut next = |fallback: Length| {
                input
                    .try_parse(|input| size(input, basis))
                    .unwrap_or(fallback)
            };
            let right = next(top);
            let bottom = next(top);
            let left = next(right);
            Ok(Self {
                top,
                right,
                bottom,
                left,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_has_one_to_four_sides() {
        let sides = Sides::parse_padding("1rem 5% calc(10% + 2px)").expect("valid");
        assert_eq!(
            sides.top,
            Length {
                px: 16.0,
                share: 0.0
            }
        );
        assert_eq!(
            sides.right,
            Length {
                px: 0.0,
                share: 0.05
            }
        );
        assert_eq!(sides.left, sides.right);
        assert_eq!(sides.bottom.resolve(100.0), 12.0);
        assert_eq!(Sides::parse_padding("-4px -"), None);
    }
}
