//! Colours in the space in which they were written, and what lies between two of them.

use super::Color;
use super::space::Space;

/// A colour before it is brought to what a screen shows. Components may be missing (`none`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::css) struct Exact {
    pub(super) space: Space,
    pub(super) parts: [Option<f64>; 3],
    pub(super) alpha: Option<f64>,
    /// Whether it was written in a syntax that browsers keep in bytes.
    pub(super) is_legacy: bool,
}

/// Which way around the circle a hue goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::css) enum HueWay {
    Shorter,
    Longer,
    Increasing,
    Decreasing,
}

/// Where and how two colours are mixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::css) struct Method {
    pub(super) space: Space,
    pub(super) way: HueWay,
}

impl Method {
    /// How colours are mixed where nothing is said and not all of them are in bytes.
    pub(in crate::css) const OKLAB: Self = Self {
        space: Space::Oklab,
        way: HueWay::Shorter,
    };
}

impl From<Color> for Exact {
    fn from(color: Color) -> Self {
        Self {
            space: Space::Srgb,
            parts: [color.r, color.g, color.b].map(|c| Some(f64::from(c))),
            alpha: Some(f64::from(color.a)),
            is_legacy: true,
        }
    }
}

impl Exact {
    pub(super) fn new(space: Space, parts: [Option<f64>; 3], alpha: Option<f64>) -> Self {
        Self {
            space,
            parts,
            alpha,
            is_legacy: false,
        }
    }

    /// Whether it was written in a syntax that browsers keep in bytes.
    pub(in crate::css) fn is_legacy(&self) -> bool {
        self.is_legacy
    }

    /// As browsers keep the old syntaxes: sRGB in whole bytes. Missing components stay missing.
    pub(super) fn in_bytes(self) -> Self {
        let byte = |value: f64| (value.clamp(0.0, 1.0) * 255.0).round() / 255.0;
        let alpha = self.alpha.map(byte);
        if self.parts.contains(&None) {
            return Self {
                alpha,
                is_legacy: true,
                ..self
            };
        }
        Self {
            space: Space::Srgb,
            parts: self.components(Space::Srgb).map(|c| Some(byte(c))),
            alpha,
            is_legacy: true,
        }
    }

    /// Its components in another space, missing ones as 0.
    pub(super) fn components(&self, space: Space) -> [f64; 3] {
        let parts = self.parts.map(|part| part.unwrap_or(0.0));
        self.space.convert(space, parts)
    }

    /// What a screen shows: outside of sRGB every channel is clipped.
    pub(in crate::css) fn shown(&self) -> Color {
        let whole = if self.is_legacy {
            self.in_bytes()
        } else {
            *self
        };
        let channel = |value: f64| {
            if value.is_nan() {
                0.0
            } else {
                value.clamp(0.0, 1.0) as f32
            }
        };
        let [r, g, b] = whole.components(Space::Srgb).map(channel);
        Color {
            r,
            g,
            b,
            a: channel(whole.alpha.unwrap_or(0.0)),
        }
    }

    /// The same colour in another space; hues that mean nothing are missing there.
    fn to(self, space: Space) -> Self {
        let components = self.components(space);
        let mut parts = components.map(Some);
        if let Some(hue) = space.hue() {
            let was_missing = self
                .space
                .hue()
                .is_some_and(|own| self.parts[own].is_none());
            let is_converted = self.space != space;
            if was_missing || is_converted && space.is_grey(components) {
                parts[hue] = None;
            }
        }
        if self.space == space {
            parts = self.parts;
        } else if is_like(self.space, space) {
            for (index, part) in parts.iter_mut().enumerate() {
                if self.parts[index].is_none() && self.space.hue() != Some(index) {
                    *part = None;
                }
            }
        }
        Self {
            space,
            parts,
            alpha: self.alpha,
            is_legacy: false,
        }
    }

    /// The colour at `weight` of the way to another.
    pub(in crate::css) fn mixed(self, other: Self, weight: f64, method: Method) -> Self {
        let (from, to) = (self.to(method.space), other.to(method.space));
        let missing = from.alpha.or(to.alpha);
        let alphas = [from.alpha.or(missing), to.alpha.or(missing)].map(|a| a.unwrap_or(0.0));
        let alpha = alphas[0] + (alphas[1] - alphas[0]) * weight;
        let parts = std::array::from_fn(|index| {
            let (a, b) = match (from.parts[index], to.parts[index]) {
                (Some(a), Some(b)) => (a, b),
                (Some(one), None) | (None, Some(one)) => (one, one),
                (None, None) => return None,
            };
            if method.space.hue() == Some(index) {
                let (a, b) = method.way.ends(a, b);
                return Some((a + (b - a) * weight).rem_euclid(360.0));
            }
            if alpha <= 0.0 {
                return Some(a + (b - a) * weight);
            }
            Some((a * alphas[0] * (1.0 - weight) + b * alphas[1] * weight) / alpha)
        });
        Self::new(method.space, parts, missing.map(|_| alpha))
    }

    pub(super) fn faded(self, factor: f64) -> Self {
        Self {
            alpha: self.alpha.map(|alpha| alpha * factor),
            ..self
        }
    }
}

/// Whether the components of two spaces mean the same, so that missing ones stay missing.
fn is_like(a: Space, b: Space) -> bool {
    let family = |space: Space| match space {
        Space::Srgb
        | Space::SrgbLinear
        | Space::DisplayP3
        | Space::DisplayP3Linear
        | Space::A98
        | Space::ProPhoto
        | Space::Rec2020
        | Space::XyzD65
        | Space::XyzD50 => 0,
        Space::Lab | Space::Oklab => 1,
        Space::Lch | Space::Oklch => 2,
        Space::Hsl => 3,
        Space::Hwb => 4,
    };
    family(a) == family(b)
}

impl HueWay {
    /// The two hues, moved by whole turns so that what lies between them is this way.
    fn ends(self, a: f64, b: f64) -> (f64, f64) {
        let (a, b) = (a.rem_euclid(360.0), b.rem_euclid(360.0));
        let turn = match self {
            Self::Shorter if b - a > 180.0 => -360.0,
            Self::Shorter if b - a < -180.0 => 360.0,
            Self::Longer if (0.0..180.0).contains(&(b - a)) && b != a => -360.0,
            Self::Longer if b - a > -180.0 && b - a <= 0.0 => 360.0,
            Self::Increasing if b < a => 360.0,
            Self::Decreasing if b > a => -360.0,
            _ => 0.0,
        };
        (a, b + turn)
    }
}
