//! Rounded corners.

use lightningcss::properties::{Property, PropertyId};
use lightningcss::values::length::LengthPercentage;
use lightningcss::values::size::Size2D;
use lightningcss::vendor_prefix::VendorPrefix;

use super::{Length, property};

/// The horizontal and vertical radius of each corner, from the top left clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CornerRadii(pub [(Length, Length); 4]);

/// Corner radii in pixels, small enough for their box, from the top left clockwise.
pub type Radii = [(f32, f32); 4];

impl CornerRadii {
    /// Parses a CSS `border-radius`.
    pub fn parse(text: &str) -> Option<Self> {
        let id = PropertyId::BorderRadius(VendorPrefix::None);
        let Property::BorderRadius(radius, _) = property(id, text)? else {
            return None;
        };
        let corner = |Size2D(x, y): &Size2D<LengthPercentage>| {
            Some((Length::from_css(x)?, Length::from_css(y)?))
        };
        Some(Self([
            corner(&radius.top_left)?,
            corner(&radius.top_right)?,
            corner(&radius.bottom_right)?,
            corner(&radius.bottom_left)?,
        ]))
    }

    /// The radii on a box of this size; where neighbours would overlap, all shrink alike.
    pub fn resolve(&self, width: f32, height: f32) -> Radii {
        let mut radii = self
            .0
            .map(|(x, y)| (x.resolve(width).max(0.0), y.resolve(height).max(0.0)));
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
        assert_eq!(CornerRadii::parse("round"), None);
    }
}
