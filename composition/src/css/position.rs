//! Positions inside a box, as of `object-position` and gradient centres.

use lightningcss::traits::Parse;
use lightningcss::values::length::LengthPercentage;
use lightningcss::values::position::{
    HorizontalPositionKeyword, Position as CssPosition, PositionComponent, VerticalPositionKeyword,
};

use super::Length;

/// A point relative to a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// From the left.
    pub x: Length,
    /// From the top.
    pub y: Length,
}

impl Position {
    /// The middle of the box.
    pub const CENTER: Self = Self {
        x: Length {
            px: 0.0,
            share: 0.5,
        },
        y: Length {
            px: 0.0,
            share: 0.5,
        },
    };

    /// Parses a CSS `<position>`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_css(&CssPosition::parse_string(text).ok()?)
    }

    pub(super) fn from_css(position: &CssPosition) -> Option<Self> {
        Some(Self {
            x: component(&position.x, |side| {
                matches!(side, HorizontalPositionKeyword::Right)
            })?,
            y: component(&position.y, |side| {
                matches!(side, VerticalPositionKeyword::Bottom)
            })?,
        })
    }
}

fn component<S>(component: &PositionComponent<S>, is_far: impl Fn(&S) -> bool) -> Option<Length> {
    match component {
        PositionComponent::Center => Some(Length {
            px: 0.0,
            share: 0.5,
        }),
        PositionComponent::Length(length) => Length::from_css(length),
        PositionComponent::Side { side, offset } => {
            let offset = offset_length(offset.as_ref())?;
            Some(if is_far(side) {
                Length {
                    px: -offset.px,
                    share: 1.0 - offset.share,
                }
            } else {
                offset
            })
        }
    }
}

fn offset_length(offset: Option<&LengthPercentage>) -> Option<Length> {
    offset.map_or(Some(Length::default()), Length::from_css)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_percentages_and_offsets() {
        let place =
            |text: &str| Position::parse(text).map(|p| (p.x.resolve(200.0), p.y.resolve(100.0)));
        assert_eq!(place("center"), Some((100.0, 50.0)));
        assert_eq!(place("left top"), Some((0.0, 0.0)));
        assert_eq!(place("25% 10px"), Some((50.0, 10.0)));
        assert_eq!(place("right 10px bottom 20%"), Some((190.0, 80.0)));
        assert_eq!(place("middle"), None);
    }
}
