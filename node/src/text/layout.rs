//! Lines of text in a box: wrapping, alignment, and the search for the size that fits.

use glyphon::cosmic_text::Align;
use glyphon::{Attrs, Buffer, Family, Metrics, Shaping, Style, Weight, Wrap};
use kinora_composition::css::FontSize;
use kinora_composition::document::TextAlign;
use kinora_composition::timeline::TextStyle;

use super::FontBook;

/// Text never gets smaller than this to fit.
const SMALLEST_SIZE: f32 = 1.0;
/// Text never gets larger than this to fill its box.
const LARGEST_SIZE: f32 = 2000.0;
/// The search for the size that fits stops at this precision.
const SIZE_PRECISION: f32 = 0.25;

/// Laid-out lines, ready to be drawn in any colour.
pub struct TextLayout {
    pub(super) buffer: Buffer,
    /// Width of the widest line.
    pub width: f32,
    /// Height of all lines.
    pub height: f32,
    /// Left and right edge of the letters.
    pub edges: (f32, f32),
    /// The font size that was used.
    pub font_size: f32,
}

impl TextLayout {
    /// Lays text out in a box of this size, at the size that the style asks for.
    pub fn new(
        fonts: &mut FontBook,
        text: &str,
        style: &TextStyle,
        width: f32,
        height: f32,
    ) -> Self {
        let size = match style.size {
            FontSize::Exactly(size) => size,
            FontSize::AtMost(limit) => largest_fit(fonts, text, style, (width, height), limit),
            FontSize::Fit { scale } => {
                let size = largest_fit(fonts, text, style, (width, height), LARGEST_SIZE);
                (size * scale).clamp(SMALLEST_SIZE, LARGEST_SIZE)
            }
        };
        Self::at_size(fonts, text, style, size, Some(width), Wrap::WordOrGlyph)
    }

    /// Lays text out on one line.
    pub fn line(fonts: &mut FontBook, text: &str, style: &TextStyle, font_size: f32) -> Self {
        Self::at_size(fonts, text, style, font_size, None, Wrap::None)
    }

    fn at_size(
        fonts: &mut FontBook,
        text: &str,
        style: &TextStyle,
        font_size: f32,
        width: Option<f32>,
        wrap: Wrap,
    ) -> Self {
        let line_height = style.line_height.resolve(font_size).max(SMALLEST_SIZE);
        let family = fonts.resolve(&style.families).to_owned();
        let attrs = Attrs::new()
            .family(Family::Name(&family))
            .weight(Weight(style.weight))
            .style(if style.italic {
                Style::Italic
            } else {
                Style::Normal
            })
            .letter_spacing(style.letter_spacing.px / font_size + style.letter_spacing.em);
        let align = width.map(|_| match style.align {
            TextAlign::Left => Align::Left,
            TextAlign::Center => Align::Center,
            TextAlign::Right => Align::Right,
        });
        let mut buffer = Buffer::new(&mut fonts.system, Metrics::new(font_size, line_height));
        buffer.set_wrap(wrap);
        buffer.set_size(width, None);
        buffer.set_text(text, &attrs, Shaping::Advanced, align);
        buffer.shape_until_scroll(&mut fonts.system, false);
        let (mut widest, mut height, mut edges) = (0.0f32, 0.0f32, (f32::MAX, f32::MIN));
        for run in buffer.layout_runs() {
            widest = widest.max(run.line_w);
            height = height.max(run.line_top + run.line_height);
            for glyph in run.glyphs {
                edges = (edges.0.min(glyph.x), edges.1.max(glyph.x + glyph.w));
            }
        }
        Self {
            buffer,
            width: widest,
            height,
            edges,
            font_size,
        }
    }
}

/// The largest size up to `limit` at which the wrapped text stays inside, words kept whole.
fn largest_fit(
    fonts: &mut FontBook,
    text: &str,
    style: &TextStyle,
    (width, height): (f32, f32),
    limit: f32,
) -> f32 {
    let limit = limit.min(LARGEST_SIZE);
    let mut fits = |size: f32| {
        let layout = TextLayout::at_size(fonts, text, style, size, Some(width), Wrap::Word);
        layout.width <= width + 0.01 && layout.height <= height + 0.01
    };
    if text.trim().is_empty() || fits(limit) {
        return limit;
    }
    let (mut low, mut high) = (SMALLEST_SIZE, limit.min(height.max(SMALLEST_SIZE) * 1.5));
    while high - low > SIZE_PRECISION {
        let middle = f32::midpoint(low, high);
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
