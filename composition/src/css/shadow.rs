//! Shadows of boxes and of text.

use lightningcss::properties::{Property, PropertyId};
use lightningcss::vendor_prefix::VendorPrefix;

use super::length::px;
use super::{Color, property};

/// One shadow, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    /// Offset to the right.
    pub dx: f32,
    /// Offset downwards.
    pub dy: f32,
    /// CSS blur radius: twice the standard deviation.
    pub blur: f32,
    /// Growth on each side; 0 for text.
    pub spread: f32,
    /// Its colour.
    pub color: Color,
    /// Whether it falls inside the box.
    pub inset: bool,
}

impl Shadow {
    /// Parses a CSS `box-shadow`: the first listed is in front.
    pub fn parse_box(text: &str, current: Color) -> Option<Vec<Self>> {
        let id = PropertyId::BoxShadow(VendorPrefix::None);
        let Property::BoxShadow(shadows, _) = property(id, text)? else {
            return None;
        };
        shadows
            .iter()
            .map(|shadow| {
                Some(Self {
                    dx: px(&shadow.x_offset)?,
                    dy: px(&shadow.y_offset)?,
                    blur: px(&shadow.blur)?,
                    spread: px(&shadow.spread)?,
                    color: Color::from_css(&shadow.color, current),
                    inset: shadow.inset,
                })
            })
            .collect()
    }

    /// Parses a CSS `text-shadow`: the first listed is in front.
    pub fn parse_text(text: &str, current: Color) -> Option<Vec<Self>> {
        if text.trim().eq_ignore_ascii_case("none") {
            return Some(Vec::new());
        }
        let Property::TextShadow(shadows) = property(PropertyId::TextShadow, text)? else {
            return None;
        };
        shadows
            .iter()
            .map(|shadow| {
                Some(Self {
                    dx: px(&shadow.x_offset)?,
                    dy: px(&shadow.y_offset)?,
                    blur: px(&shadow.blur)?,
                    spread: 0.0,
                    color: Color::from_css(&shadow.color, current),
                    inset: false,
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_shadows_in_order() {
        let shadows = Shadow::parse_box(
            "0 20px 40px rgba(0,0,0,.6), inset 0 0 6px 1px #fff",
            Color::BLACK,
        )
        .expect("valid");
        assert_eq!(shadows.len(), 2);
        assert_eq!(
            (shadows[0].dy, shadows[0].blur, shadows[0].inset),
            (20.0, 40.0, false)
        );
        assert_eq!((shadows[1].spread, shadows[1].inset), (1.0, true));
    }

    #[test]
    fn a_text_shadow_without_a_colour_takes_the_text_colour() {
        let shadows = Shadow::parse_text("1px 2px", Color::WHITE).expect("valid");
        assert_eq!(shadows[0].color, Color::WHITE);
        assert_eq!(Shadow::parse_text("none", Color::BLACK), Some(vec![]));
        assert_eq!(Shadow::parse_text("blurry", Color::BLACK), None);
    }
}
