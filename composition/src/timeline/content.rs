//! The unchanging content of each overlay, with its CSS parsed.

use super::geometry::Size;
use crate::css::{
    Color, CornerRadii, FontSize, Gradient, LetterSpacing, LineHeight, Position, Shadow, ShapeId,
    Sides,
};
use crate::css::{css_font_size, font_families, font_weight, line_height, text_font_size};
use crate::document::{
    Caption, CaptionTrack, Image, NumberOrString, ObjectFit, Shape, Text, TextAlign, Video,
};
use crate::fonts::SANS;

const DEFAULT_WEIGHT: u16 = 400;
const DEFAULT_LINE_HEIGHT: LineHeight = LineHeight::Factor(1.2);

/// How text is set.
#[derive(Clone, Debug, PartialEq)]
pub struct TextStyle {
    /// Families in order of preference.
    pub families: Vec<String>,
    /// 1 to 1000.
    pub weight: u16,
    /// Whether it slants.
    pub italic: bool,
    /// How large.
    pub size: FontSize,
    /// From baseline to baseline.
    pub line_height: LineHeight,
    /// Between letters.
    pub letter_spacing: LetterSpacing,
    /// Left, centre or right.
    pub align: TextAlign,
    /// Fill.
    pub color: Color,
    /// Shadows, the front one first.
    pub shadows: Vec<Shadow>,
}

/// The box behind content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxStyle {
    /// Flat fill.
    pub color: Option<Color>,
    /// Gradient over the flat fill.
    pub gradient: Option<Gradient>,
    /// Corners.
    pub radii: CornerRadii,
    /// Shadows, the front one first.
    pub shadows: Vec<Shadow>,
    /// Space between box and content.
    pub padding: Sides,
}

/// A text overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct TextBlock {
    /// The words.
    pub text: String,
    /// How they are set.
    pub style: TextStyle,
    /// Their box.
    pub frame: BoxStyle,
    /// Size of the box.
    pub size: Size,
}

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
    /// The box behind the word.
    pub frame: BoxStyle,
    /// Growth about the word's centre.
    pub scale: f32,
}

/// A picture or a video in its box.
#[derive(Clone, Debug, PartialEq)]
pub struct MediaBox {
    /// Where the file is.
    pub src: String,
    /// How messages name the overlay.
    pub label: String,
    /// How the picture fills the box.
    pub fit: ObjectFit,
    /// Where in the box it sits.
    pub position: Position,
    /// The part of the source to show, as shares of its size: left, top, width, height.
    pub crop: Option<[f32; 4]>,
    /// Corners.
    pub radii: CornerRadii,
    /// Shadows, the front one first.
    pub shadows: Vec<Shadow>,
    /// Size of the box.
    pub size: Size,
}

/// A shape overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeBox {
    /// Which shape.
    pub id: ShapeId,
    /// Flat fill.
    pub fill: Color,
    /// Gradient instead of the flat fill.
    pub gradient: Option<Gradient>,
    /// Colour and width of the outline, inside the box.
    pub stroke: Option<(Color, f32)>,
    /// Corners of a rectangle.
    pub radii: CornerRadii,
    /// Shadows of the box, the front one first.
    pub shadows: Vec<Shadow>,
    /// Size of the box.
    pub size: Size,
}

fn color(text: Option<&String>, current: Color) -> Option<Color> {
    text.and_then(|text| Color::parse_with_current(text, current))
}

fn radii(text: Option<&String>) -> CornerRadii {
    text.and_then(|text| CornerRadii::parse(text))
        .unwrap_or_default()
}

fn box_shadows(text: Option<&String>, current: Color) -> Vec<Shadow> {
    text.and_then(|text| Shadow::parse_box(text, current))
        .unwrap_or_default()
}

fn text_shadows(text: Option<&String>, current: Color) -> Vec<Shadow> {
    text.and_then(|text| Shadow::parse_text(text, current))
        .unwrap_or_default()
}

fn families(text: Option<&String>) -> Vec<String> {
    let mut families = text
        .and_then(|text| font_families(text))
        .unwrap_or_default();
    families.push(SANS.into());
    families
}

/// `background` as a flat colour or a gradient, with `background-color` under it.
fn background(
    color_text: Option<&String>,
    background: Option<&String>,
    current: Color,
) -> (Option<Color>, Option<Gradient>) {
    let flat = color(background, current).or_else(|| color(color_text, current));
    (
        flat,
        background.and_then(|text| Gradient::parse(text, current)),
    )
}

impl TextBlock {
    pub(crate) fn new(text: &Text, size: Size) -> Self {
        let styles = &text.styles;
        let ink = color(styles.color.as_ref(), Color::BLACK).unwrap_or(Color::BLACK);
        let (flat, gradient) = background(
            styles.background_color.as_ref(),
            styles.background.as_ref(),
            ink,
        );
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
                color: ink,
                shadows: text_shadows(styles.text_shadow.as_ref(), ink),
            },
            frame: BoxStyle {
                color: flat,
                gradient,
                radii: radii(styles.border_radius.as_ref()),
                shadows: box_shadows(styles.box_shadow.as_ref(), ink),
                padding: styles
                    .padding
                    .as_ref()
                    .and_then(|padding| Sides::parse_padding(padding))
                    .unwrap_or_default(),
            },
            size,
        }
    }
}

impl CaptionBlock {
    pub(crate) fn new(track: &CaptionTrack, size: Size) -> Self {
        const DEFAULT_SIZE: f32 = 48.0;
        let styles = &track.styles;
        let ink = color(styles.color.as_ref(), Color::WHITE).unwrap_or(Color::WHITE);
        let weight = |weight: &NumberOrString| match weight {
            NumberOrString::Number(number) => Some(number.clamp(1.0, 1000.0) as u16),
            NumberOrString::String(text) => font_weight(text),
        };
        let (flat, gradient) = background(
            styles.background_color.as_ref(),
            styles.background.as_ref(),
            ink,
        );
        let highlight = styles.highlight_style.clone().unwrap_or_default();
        let highlight_ink = color(highlight.color.as_ref(), ink);
        let (highlight_flat, highlight_gradient) = background(
            highlight.background_color.as_ref(),
            highlight.background.as_ref(),
            highlight_ink.unwrap_or(ink),
        );
        let padding = |text: Option<&String>| {
            text.and_then(|text| Sides::parse_padding(text))
                .unwrap_or_default()
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
                italic: false,
                size: FontSize::Exactly(
                    styles
                        .font_size
                        .as_ref()
                        .and_then(|text| css_font_size(text))
                        .unwrap_or(DEFAULT_SIZE),
                ),
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
                shadows: text_shadows(styles.text_shadow.as_ref(), ink),
            },
            frame: BoxStyle {
                color: flat,
                gradient,
                radii: radii(styles.border_radius.as_ref()),
                shadows: Vec::new(),
                padding: padding(styles.padding.as_ref()),
            },
            highlight: Highlight {
                color: highlight_ink,
                weight: highlight
                    .font_weight
                    .map(|weight| weight.clamp(1.0, 1000.0) as u16),
                frame: BoxStyle {
                    color: highlight_flat,
                    gradient: highlight_gradient,
                    radii: radii(highlight.border_radius.as_ref()),
                    shadows: Vec::new(),
                    padding: padding(highlight.padding.as_ref()),
                },
                scale: highlight.scale.map_or(1.0, |scale| scale.max(0.0) as f32),
            },
            size,
        }
    }

    /// The caption at a time since the overlay's start, and its word being spoken.
    pub(super) fn at(&self, ms: f64) -> Option<(usize, Option<usize>)> {
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

/// Crop percentages as shares of the source.
fn crop(enabled: Option<bool>, parts: [Option<f64>; 4]) -> Option<[f32; 4]> {
    (enabled == Some(true)).then(|| {
        let [x, y, width, height] = parts;
        let x = (x.unwrap_or(0.0) / 100.0).clamp(0.0, 1.0);
        let y = (y.unwrap_or(0.0) / 100.0).clamp(0.0, 1.0);
        let width = (width.unwrap_or(100.0) / 100.0).clamp(0.0, 1.0 - x);
        let height = (height.unwrap_or(100.0) / 100.0).clamp(0.0, 1.0 - y);
        [x as f32, y as f32, width as f32, height as f32]
    })
}

/// Builds a [`MediaBox`] from the styles that images and videos have in common.
macro_rules! media_box {
    ($media:expr, $label:expr, $size:expr) => {{
        let styles = &$media.styles;
        MediaBox {
            src: $media.src.clone(),
            label: $label,
            fit: styles.object_fit.unwrap_or(ObjectFit::Cover),
            position: styles
                .object_position
                .as_ref()
                .and_then(|position| Position::parse(position))
                .unwrap_or(Position::CENTER),
            crop: crop(
                styles.crop_enabled,
                [
                    styles.crop_x,
                    styles.crop_y,
                    styles.crop_width,
                    styles.crop_height,
                ],
            ),
            radii: radii(styles.border_radius.as_ref()),
            shadows: box_shadows(styles.box_shadow.as_ref(), Color::BLACK),
            size: $size,
        }
    }};
}

impl MediaBox {
    pub(super) fn image(image: &Image, label: String, size: Size) -> Self {
        media_box!(image, label, size)
    }

    pub(super) fn video(video: &Video, label: String, size: Size) -> Self {
        media_box!(video, label, size)
    }
}

impl ShapeBox {
    pub(super) fn new(shape: &Shape, size: Size) -> Option<Self> {
        const DEFAULT_FILL: Color = Color::BLACK;
        const DEFAULT_STROKE_WIDTH: f64 = 1.0;
        let styles = &shape.styles;
        let stroke_width = styles.stroke_width.unwrap_or(DEFAULT_STROKE_WIDTH) as f32;
        Some(Self {
            id: ShapeId::parse(&shape.content)?,
            fill: color(styles.fill.as_ref(), Color::BLACK).unwrap_or(DEFAULT_FILL),
            gradient: styles
                .gradient
                .as_ref()
                .and_then(|gradient| Gradient::parse(gradient, Color::BLACK)),
            stroke: color(styles.stroke.as_ref(), Color::BLACK)
                .filter(|stroke| stroke.a > 0.0 && stroke_width > 0.0)
                .map(|stroke| (stroke, stroke_width)),
            radii: radii(styles.border_radius.as_ref()),
            shadows: box_shadows(styles.box_shadow.as_ref(), Color::BLACK),
            size,
        })
    }
}
