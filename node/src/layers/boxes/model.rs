//! The boxes that a styled box is made of, with their edges where a browser paints them.

use kinora_composition::timeline::{Affine, BoxStyle, Size};

use super::outline::RoundedBox;
use crate::layers::snap::snapped;

/// A box, what its border leaves of it and what its padding leaves of that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::layers) struct BoxModel {
    /// Up to the outer edge of the border.
    pub(in crate::layers) border: RoundedBox,
    /// Up to the inner edge of the border.
    pub(in crate::layers) padding: RoundedBox,
    /// Inside the padding.
    pub(in crate::layers) content: RoundedBox,
}

impl BoxModel {
    /// The boxes of a style on a box of this size, whose coordinates `map` brings to pixels.
    pub(in crate::layers) fn new(style: &BoxStyle, size: Size, map: Affine) -> Self {
        let sides = paddings(style, size);
        let size = at_least(style, size);
        let radii = style.radii.resolve(size.width, size.height);
        let border = RoundedBox::new(snapped([0.0, 0.0, size.width, size.height], map), radii);
        let padding = border.inset(style.border.widths());
        let inside = padding.inset(sides);
        let content = RoundedBox::new(snapped(inside.rect(), map), inside.radii);
        Self {
            border,
            padding,
            content,
        }
    }
}

/// Padding of the top, right, bottom and left side; CSS percentages refer to the width on all sides.
pub(in crate::layers) fn paddings(style: &BoxStyle, size: Size) -> [f32; 4] {
    let sides = &style.padding;
    [sides.top, sides.right, sides.bottom, sides.left].map(|side| side.resolve(size.width).max(0.0))
}

/// A box is never smaller than its border and padding.
pub(in crate::layers) fn at_least(style: &BoxStyle, size: Size) -> Size {
    let border = style.border.widths();
    let padding = paddings(style, size);
    let [top, right, bottom, left]: [f32; 4] =
        std::array::from_fn(|side| border[side] + padding[side]);
    Size {
        width: size.width.max(left + right),
        height: size.height.max(top + bottom),
    }
}
