//! Sticker overlays.

use super::parse::{color, filters};
use super::style::Effects;
use super::text::TextBlock;
use crate::css::Color;
use crate::document::{Sticker, Text, TextStyles};
use crate::fonts::EMOJI;
use crate::geometry::Size;
use crate::stickers::StickerArt;

/// A sticker overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct StickerBox {
    /// What it shows.
    pub picture: StickerPicture,
    /// Colour of its main areas in place of its own.
    pub fill: Option<Color>,
    /// Colour of its outlines in place of its own.
    pub stroke: Option<Color>,
    /// Width of its outlines in pixels, in place of its own.
    pub stroke_width: Option<f32>,
    /// Growth about the centre of the box.
    pub scale: f32,
    /// Size of the box.
    pub size: Size,
}

/// What a sticker shows.
#[derive(Clone, Debug, PartialEq)]
pub enum StickerPicture {
    /// An SVG document.
    Drawing(&'static str),
    /// Characters of the colour emoji font, at the size that its pictures have, with room around
    /// them.
    Emoji(Box<TextBlock>),
}

impl StickerBox {
    /// `None` for an identifier that stands for nothing.
    pub(crate) fn new(sticker: &Sticker, size: Size) -> Option<Self> {
        let styles = &sticker.styles;
        let picture = match StickerArt::find(&sticker.content)? {
            StickerArt::Drawing(svg) => StickerPicture::Drawing(svg),
            StickerArt::Emoji(content) => StickerPicture::Emoji(Box::new(emoji(content))),
        };
        Some(Self {
            picture,
            fill: color(styles.fill.as_ref(), Color::BLACK),
            stroke: color(styles.stroke.as_ref(), Color::BLACK),
            stroke_width: styles
                .stroke_width
                .filter(|width| *width >= 0.0)
                .map(|width| width as f32),
            scale: styles.scale.map_or(1.0, |scale| scale.max(0.0) as f32),
            size,
        })
    }

    pub(crate) fn effects(sticker: &Sticker) -> Effects {
        Effects {
            filter: filters(sticker.styles.filter.as_ref(), Color::BLACK),
            ..Effects::default()
        }
    }
}

fn emoji(content: String) -> TextBlock {
    const ROOM: Size = Size {
        width: 2048.0,
        height: 256.0,
    };
    let styles = TextStyles {
        font_family: Some(format!("'{EMOJI}'")),
        font_size: Some("109px".into()),
        font_size_fixed: Some(true),
        ..TextStyles::default()
    };
    TextBlock::new(&Text { content, styles }, ROOM)
}
