//! Colours.

use lightningcss::traits::Parse;
use lightningcss::values::color::{CssColor, RGBA, SRGB};

use super::tokens::{Basis, Input, Parsed, some, whole};

/// An sRGB colour, components 0 to 1, alpha not multiplied in.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the components are named as everywhere")]
pub struct Color {
    pub r: f32,
    pub g: f32,
    pub b: f32,
    pub a: f32,
}

impl Color {
    /// Black.
    pub const BLACK: Self = Self {
        r: 0.0,
        g: 0.0,
        b: 0.0,
        a: 1.0,
    };
    /// White.
    pub const WHITE: Self = Self {
        r: 1.0,
        g: 1.0,
        b: 1.0,
        a: 1.0,
    };
    /// Nothing.
    pub const TRANSPARENT: Self = Self {
        r: 0.0,
        g: 0.0,
        b: 0.0,
        a: 0.0,
    };

    /// Parses any CSS colour; `currentColor` is black.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_with_current(text, Self::BLACK)
    }

    /// Parses any CSS colour, with the colour that `currentColor` stands for.
    pub fn parse_with_current(text: &str, current: Self) -> Option<Self> {
        whole(text, |input| Self::take(input, current.into()))
    }

    /// The colour that comes next.
    pub(super) fn take<'i>(input: &mut Input<'i, '_>, basis: Basis) -> Parsed<'i, Self> {
        let color = input.try_parse(CssColor::parse).ok();
        some(input, color).map(|color| Self::from_css(&color, basis.current))
    }

    pub(super) fn from_css(color: &CssColor, current: Self) -> Self {
        match color {
            CssColor::CurrentColor => current,
            CssColor::RGBA(RGBA {
                red,
                green,
                blue,
                alpha,
            }) => {
                let [r, g, b, a] = [*red, *green, *blue, *alpha].map(|c| f32::from(c) / 255.0);
                Self { r, g, b, a }
            }
            CssColor::LightDark(light, _) => Self::from_css(light, current),
            other => SRGB::try_from(other).map_or(current, |SRGB { r, g, b, alpha }| {
                let [r, g, b, a] =
                    [r, g, b, alpha].map(|c| if c.is_nan() { 0.0 } else { c.clamp(0.0, 1.0) });
                Self { r, g, b, a }
            }),
        }
    }

    /// The colour at `weight` of the way to another, mixed with premultiplied alpha.
    #[must_use]
    pub fn mixed(self, other: Self, weight: f32) -> Self {
        let a = self.a + (other.a - self.a) * weight;
        let channel = |from: f32, to: f32| {
            if a <= 0.0 {
                0.0
            } else {
                (from * self.a * (1.0 - weight) + to * other.a * weight) / a
            }
        };
        Self {
            r: channel(self.r, other.r),
            g: channel(self.g, other.g),
            b: channel(self.b, other.b),
            a,
        }
    }

    /// The components as bytes, alpha not multiplied in.
    pub fn to_bytes(self) -> [u8; 4] {
        [self.r, self.g, self.b, self.a].map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_syntaxes_name_one_colour() {
        for text in [
            "red",
            "#f00",
            "#ff0000ff",
            "rgb(255 0 0)",
            "hsl(0 100% 50%)",
            "hwb(0 0% 0%)",
        ] {
            assert_eq!(
                Color::parse(text).map(Color::to_bytes),
                Some([255, 0, 0, 255]),
                "{text}"
            );
        }
        assert_eq!(
            Color::parse("oklch(62.796% 0.25768 29.234)").map(Color::to_bytes),
            Some([255, 0, 0, 255])
        );
        assert_eq!(
            Color::parse("#0006").map(Color::to_bytes),
            Some([0, 0, 0, 102])
        );
        assert_eq!(Color::parse("transparent"), Some(Color::TRANSPARENT));
        assert_eq!(Color::parse("currentColor"), Some(Color::BLACK));
    }

    #[test]
    fn what_is_no_colour_is_ignored() {
        for text in ["", "redd", "rgb(", "#12", "12px"] {
            assert_eq!(Color::parse(text), None, "{text}");
        }
    }
}
