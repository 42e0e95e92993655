//! Lengths and percentages.

use lightningcss::properties::{Property, PropertyId};
use lightningcss::values::calc::{Calc, MathFunction};
use lightningcss::values::length::{
    Length as CssLength, LengthPercentage, LengthPercentageOrAuto, LengthValue,
};
use lightningcss::values::percentage::DimensionPercentage;

use super::{ROOT_FONT_SIZE, property};

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

    pub(super) fn from_css(length: &LengthPercentage) -> Option<Self> {
        match length {
            DimensionPercentage::Dimension(value) => value_px(value).map(Self::pixels),
            DimensionPercentage::Percentage(share) => Some(Self {
                px: 0.0,
                share: share.0,
            }),
            DimensionPercentage::Calc(calc) => Self::from_calc(calc),
        }
    }

    fn from_calc(calc: &Calc<LengthPercentage>) -> Option<Self> {
        match calc {
            Calc::Value(value) => Self::from_css(value),
            Calc::Sum(left, right) => {
                let (left, right) = (Self::from_calc(left)?, Self::from_calc(right)?);
                Some(Self {
                    px: left.px + right.px,
                    share: left.share + right.share,
                })
            }
            Calc::Product(factor, inner) => {
                let inner = Self::from_calc(inner)?;
                Some(Self {
                    px: inner.px * factor,
                    share: inner.share * factor,
                })
            }
            Calc::Function(function) => match &**function {
                MathFunction::Calc(calc) => Self::from_calc(calc),
                _ => None,
            },
            Calc::Number(_) => None,
        }
    }

    fn pixels(px: f32) -> Self {
        Self { px, share: 0.0 }
    }
}

/// A length without percentages, in pixels.
pub(super) fn px(length: &CssLength) -> Option<f32> {
    match length {
        CssLength::Value(value) => value_px(value),
        CssLength::Calc(_) => None,
    }
}

fn value_px(value: &LengthValue) -> Option<f32> {
    match value {
        LengthValue::Rem(factor) | LengthValue::Em(factor) => Some(factor * ROOT_FONT_SIZE),
        other => other.to_px(),
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
        let Property::Padding(padding) = property(PropertyId::Padding, text)? else {
            return None;
        };
        let side = |side: &LengthPercentageOrAuto| match side {
            LengthPercentageOrAuto::LengthPercentage(length) => Length::from_css(length),
            LengthPercentageOrAuto::Auto => None,
        };
        Some(Self {
            top: side(&padding.top)?,
            right: side(&padding.right)?,
            bottom: side(&padding.bottom)?,
            left: side(&padding.left)?,
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
