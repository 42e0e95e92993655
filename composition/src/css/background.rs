//! Backgrounds: a colour and gradients over it.

use super::{Color, Gradient, Length, Position};

/// What is painted behind content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Background {
    /// Under everything else.
    pub color: Option<Color>,
    /// Gradients, the front one first.
    pub layers: Vec<BackgroundLayer>,
    /// Where it is seen.
    pub clip: BackgroundClip,
}

/// One gradient of a background, perhaps tiled.
#[derive(Clone, Debug, PartialEq)]
pub struct BackgroundLayer {
    /// The picture.
    pub gradient: Gradient,
    /// Where the first tile sits in the padding box.
    pub position: Position,
    /// How large a tile is.
    pub size: BackgroundSize,
    /// Whether tiles repeat across and down.
    pub repeats: (bool, bool),
}

/// How large a tile of a background is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BackgroundSize {
    /// As large as the padding box.
    #[default]
    Whole,
    /// Width and height; what is left out is as large as the padding box.
    Lengths(Option<Length>, Option<Length>),
}

/// Where a background is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackgroundClip {
    /// Up to the outer edge of the border.
    #[default]
    BorderBox,
    /// Up to the inner edge of the border.
    PaddingBox,
    /// Inside the padding.
    ContentBox,
    /// Through the letters only.
    Text,
}

impl Background {
    /// Whether nothing is painted.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty() && self.color.is_none_or(|color| color.a <= 0.0)
    }

    /// Parses a CSS `background`, and puts `color` under it where it names none.
    pub fn parse(text: &str, color: Option<Color>, current: Color) -> Option<Self> {
        let layers = Gradient::parse(text, current).map(|gradient| BackgroundLayer {
            gradient,
            position: Position::CENTER,
            size: BackgroundSize::Whole,
            repeats: (true, true),
        });
        let flat = Color::parse_with_current(text, current);
        (layers.is_some() || flat.is_some()).then(|| Self {
            color: flat.or(color),
            layers: Vec::from_iter(layers),
            clip: BackgroundClip::default(),
        })
    }
}
