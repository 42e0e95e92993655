//! Colours.

mod exact;
mod parse;
mod space;
mod system;
#[cfg(test)]
mod tests;

use super::tokens::{Basis, Input, Parsed, whole};
pub(super) use exact::{Exact, Method};

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
        Exact::take(input, basis).map(|color| color.shown())
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
