//! Caption overlays.

use super::caption_templates::template;
use super::parse::{
    background, border, color, families, filters, padding_in, radii_in, text_shadows,
};
use super::style::{BoxStyle, Effects, TextStyle};
use super::{DEFAULT_LINE_HEIGHT, DEFAULT_WEIGHT};
use crate::css::{
    Basis, Color, Filter, FontSize, LetterSpacing, LineHeight, Shadow, css_font_size, font_weight,
};
use crate::document::{Caption, CaptionTrack, NumberOrString, TextAlign};
use crate::geometry::Size;

/// A caption overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct CaptionBlock {
    /// What is said, and when.
    pub captions: Vec<Caption>,
    /// How it is set.
    pub style: TextStyle,
    /// The box behind it.
    pub frame: BoxStyle,
    /// The word being spoken.
    pub highlight: Highlight,
    /// Size of the box.
    pub size: Size,
}

/// How the spoken word differs from the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Highlight {
    /// Fill.
    pub color: Option<Color>,
    /// 1 to 1000.
    pub weight: Option<u16>,
    /// Shadows of its letters; those of the other words when `None`.
    pub shadows: Option<Vec<Shadow>>,
    /// The box behind the word.
    pub frame: BoxStyle,
    /// On what lies behind that box.
    pub backdrop: Vec<Filter>,
    /// Growth about the word's centre.
    pub scale: f32,
}

impl CaptionBlock {
    pub(crate) fn new(track: &CaptionTrack, size: Size) -> Self {
        const DEFAULT_SIZE: f32 = 48.0;
        let look = track.template.as_ref().and_then(|name| template(name));
        let is_slanted = look.as_ref().is_some_and(|look| look.is_slanted);
        let styles = &look.map_or_else(
            || track.styles.clone(),
            |look| look.under(&track.styles, size),
        );
        let font_size = styles
            .font_size
            .as_ref()
            .and_then(|text| css_font_size(text))
            .unwrap_or(DEFAULT_SIZE);
        let ink = color(styles.color.as_ref(), Color::WHITE).unwrap_or(Color::WHITE);
        let weight = |weight: &NumberOrString| match weight {
            NumberOrString::Number(number) => Some(number.clamp(1.0, 1000.0) as u16),
            NumberOrString::String(text) => font_weight(text),
        };
        let highlight = styles.highlight_style.clone().unwrap_or_default();
        let highlight_ink = color(highlight.color.as_ref(), ink);
        let loud = Basis {
            current: highlight_ink.unwrap_or(ink),
            em: font_size,
        };
        let basis = Basis {
            current: ink,
            em: font_size,
        };
        Self {
            captions: track.captions.clone(),
            style: TextStyle {
                families: families(styles.font_family.as_ref()),
                weight: styles
                    .font_weight
                    .as_ref()
                    .and_then(weight)
                    .unwrap_or(DEFAULT_WEIGHT),
                italic: is_slanted,
                size: FontSize::Exactly(font_size),
                line_height: styles.line_height.map_or(DEFAULT_LINE_HEIGHT, |factor| {
                    LineHeight::Factor(factor as f32)
                }),
                letter_spacing: styles
                    .letter_spacing
                    .as_ref()
                    .and_then(|spacing| LetterSpacing::parse(spacing))
                    .unwrap_or_default(),
                align: styles.text_align.unwrap_or(TextAlign::Center),
                color: ink,
                decoration: None,
                shadows: text_shadows(styles.text_shadow.as_ref(), basis),
            },
            frame: BoxStyle {
                background: background(
                    styles.background.as_ref(),
                    styles.background_color.as_ref(),
                    basis,
                ),
                radii: radii_in(styles.border_radius.as_ref(), basis),
                padding: padding_in(styles.padding.as_ref(), basis),
                ..BoxStyle::default()
            },
            highlight: Highlight {
                color: highlight_ink,
                weight: highlight
                    .font_weight
                    .map(|weight| weight.clamp(1.0, 1000.0) as u16),
                shadows: highlight
                    .text_shadow
                    .as_ref()
                    .map(|text| text_shadows(Some(text), loud)),
                frame: BoxStyle {
                    background: background(
                        highlight.background.as_ref(),
                        highlight.background_color.as_ref(),
                        loud,
                    ),
                    border: border(highlight.border.as_ref(), loud),
                    radii: radii_in(highlight.border_radius.as_ref(), loud),
                    padding: padding_in(highlight.padding.as_ref(), loud),
                    shadows: Vec::new(),
                },
                backdrop: filters(highlight.backdrop_filter.as_ref(), loud),
                scale: highlight.scale.map_or(1.0, |scale| scale.max(0.0) as f32),
            },
            size,
        }
    }

    pub(crate) fn effects(track: &CaptionTrack) -> Effects {
        Effects {
            backdrop: filters(track.styles.backdrop_filter.as_ref(), Color::BLACK),
            ..Effects::default()
        }
    }

    /// The caption at a time since the overlay's start, and its word being spoken.
    pub(crate) fn at(&self, ms: f64) -> Option<(usize, Option<usize>)> {
        let index = self
            .captions
            .iter()
            .position(|caption| (caption.start_ms..caption.end_ms).contains(&ms))?;
        let word = self.captions[index]
            .words
            .iter()
            .position(|word| (word.start_ms..word.end_ms).contains(&ms));
        Some((index, word))
    }
}
