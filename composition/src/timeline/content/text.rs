//! Text overlays.

use super::parse::{
    background, border_with_sides, box_shadows, color, families, filters, padding, radii,
    text_shadows,
};
use super::style::{BoxStyle, Effects, TextStyle};
use super::{DEFAULT_LINE_HEIGHT, DEFAULT_WEIGHT};
use crate::css::{Color, LetterSpacing, TextDecoration, font_weight, line_height, text_font_size};
use crate::document::{Text, TextAlign};
use crate::geometry::Size;

/// A text overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct TextBlock {
    /// The words, in the case that the style asks for.
    pub text: String,
    /// How they are set.
    pub style: TextStyle,
    /// Their box.
    pub frame: BoxStyle,
    /// Size of the box.
    pub size: Size,
}

impl TextBlock {
    pub(crate) fn new(text: &Text, size: Size) -> Self {
        let styles = &text.styles;
        let ink = color(styles.color.as_ref(), Color::BLACK).unwrap_or(Color::BLACK);
        Self {
            text: text.content.clone(),
            style: TextStyle {
                families: families(styles.font_family.as_ref()),
                weight: styles
                    .font_weight
                    .as_ref()
                    .and_then(|weight| font_weight(weight))
                    .unwrap_or(DEFAULT_WEIGHT),
                italic: styles.font_style.as_ref().is_some_and(|style| {
                    style.trim().eq_ignore_ascii_case("italic")
                        || style.trim().to_ascii_lowercase().starts_with("oblique")
                }),
                size: text_font_size(
                    styles.font_size.as_deref(),
                    styles.font_size_scale,
                    styles.font_size_fixed == Some(true),
                ),
                line_height: styles
                    .line_height
                    .as_ref()
                    .and_then(|height| line_height(height))
                    .unwrap_or(DEFAULT_LINE_HEIGHT),
                letter_spacing: styles
                    .letter_spacing
                    .as_ref()
                    .and_then(|spacing| LetterSpacing::parse(spacing))
                    .unwrap_or_default(),
                align: styles.text_align.unwrap_or(TextAlign::Center),
                color: color(styles.webkit_text_fill_color.as_ref(), ink).unwrap_or(ink),
                decoration: styles
                    .text_decoration
                    .as_ref()
                    .and_then(|text| TextDecoration::parse(text, ink)),
                shadows: text_shadows(styles.text_shadow.as_ref(), ink),
            },
            frame: BoxStyle {
                background: background(
                    styles.background.as_ref(),
                    styles.background_color.as_ref(),
                    ink,
                ),
                border: border_with_sides(
                    styles.border.as_ref(),
                    [
                        styles.border_top.as_ref(),
                        styles.border_right.as_ref(),
                        styles.border_bottom.as_ref(),
                        styles.border_left.as_ref(),
                    ],
                    ink,
                ),
                radii: radii(styles.border_radius.as_ref()),
                shadows: box_shadows(styles.box_shadow.as_ref(), ink),
                padding: padding(styles.padding.as_ref()),
            },
            size,
        }
    }

    pub(crate) fn effects(text: &Text) -> Effects {
        Effects {
            backdrop: filters(text.styles.backdrop_filter.as_ref(), Color::BLACK),
            ..Effects::default()
        }
    }
}
