//! Sticker overlays.

use super::parse::{color, filters};
use super::style::Effects;
use crate::css::Color;
use crate::document::Sticker;
use crate::geometry::Size;

/// A sticker overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct StickerBox {
    /// Which sticker.
    pub id: String,
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

impl StickerBox {
    pub(crate) fn new(sticker: &Sticker, size: Size) -> Self {
        let styles = &sticker.styles;
        Self {
            id: sticker.content.clone(),
            fill: color(styles.fill.as_ref(), Color::BLACK),
            stroke: color(styles.stroke.as_ref(), Color::BLACK),
            stroke_width: styles.stroke_width.map(|width| width as f32),
            scale: styles.scale.map_or(1.0, |scale| scale.max(0.0) as f32),
            size,
        }
    }

    pub(crate) fn effects(sticker: &Sticker) -> Effects {
        Effects {
            filter: filters(sticker.styles.filter.as_ref(), Color::BLACK),
            ..Effects::default()
        }
    }
}
