//! Lines of text in a box: wrapping, alignment, and the search for the size that fits.

use glyphon::cosmic_text::Align;
use glyphon::{Attrs, Buffer, Color as GlyphColor, Family, Metrics, Shaping, Style, Weight, Wrap};
use kinora_composition::css::{Color, FontSize};
use kinora_composition::document::TextAlign;
use kinora_composition::timeline::TextStyle;

use super::FontBook;

/// Text never gets smaller than this to fit.
const SMALLEST_SIZE: f32 = 1.0;
/// Text never gets larger than this to fill its box.
const LARGEST_SIZE: f32 = 2000.0;
/// The search for the size that fits stops at this precision.
const SIZE_PRECISION: f32 = 0.25;

/// A run of text with its own colour and weight.
#[derive(Clone, Debug)]
pub struct Span<'a> {
    /// The words.
    pub text: &'a str,
    /// Fill.
    pub color: Color,
    /// 1 to 1000.
    pub weight: u16,
}

/// Laid-out lines, ready to be drawn.
pub struct TextLayout {
    pub(super) buffer: Buffer,
    /// Width of the widest line.
    pub width: f32,
    /// Height of all lines.
    pub height: f32,
    /// The font size that was used.
    pub font_size: f32,
}

impl TextLayout {
    /// Lays text out in a box of this size, at the size that the style asks for.
    pub fn new(
        fonts: &mut FontBook,
        spans: &[Span<'_>],
        style: &TextStyle,
        width: f32,
        height: f32,
    ) -> Self {
        let exactly = |fonts: &mut FontBook, size| {
            Self::at_size(fonts, spans, style, size, width, Wrap::WordOrGlyph)
        };
        match style.size {
            FontSize::Exactly(size) => exactly(fonts, size),
            FontSize::AtMost(limit) => {
                let size = largest_fit(fonts, spans, style, (width, height), limit);
                exactly(fonts, size)
            }
            FontSize::Fit { scale } => {
                let size = largest_fit(fonts, spans, style, (width, height), LARGEST_SIZE);
                exactly(fonts, (size * scale).clamp(SMALLEST_SIZE, LARGEST_SIZE))
            }
        }
    }

    fn at_size(
        fonts: &mut FontBook,
        spans: &[Span<'_>],
        style: &TextStyle,
        font_size: f32,
        width: f32,
        wrap: Wrap,
    ) -> Self {
        let metrics = Metrics::new(
            font_size,
            style.line_height.resolve(font_size).max(SMALLEST_SIZE),
        );
        let family = fonts.resolve(&style.families).to_owned();
        let spacing = style.letter_spacing.px / font_size + style.letter_spacing.em;
        let attrs = |span: &Span<'_>| {
            let [r, g, b, a] = span.color.to_bytes();
            Attrs::new()
                .family(Family::Name(&family))
                .weight(Weight(span.weight))
                .style(if style.italic {
                    Style::Italic
                } else {
                    Style::Normal
                })
                .color(GlyphColor::rgba(r, g, b, a))
                .letter_spacing(spacing)
        };
        let align = match style.align {
            TextAlign::Left => Align::Left,
            TextAlign::Center => Align::Center,
            TextAlign::Right => Align::Right,
        };
        let mut buffer = Buffer::new(&mut fonts.system, metrics);
        buffer.set_wrap(wrap);
        buffer.set_size(Some(width), None);
        let plain = Attrs::new()
            .family(Family::Name(&family))
            .weight(Weight(style.weight));
        buffer.set_rich_text(
            spans.iter().map(|span| (span.text, attrs(span))),
            &plain,
            Shaping::Advanced,
            Some(align),
        );
        buffer.shape_until_scroll(&mut fonts.system, false);
        let (mut widest, mut height) = (0.0f32, 0.0f32);
        for run in buffer.layout_runs() {
            widest = widest.max(run.line_w);
            height = height.max(run.line_top + run.line_height);
        }
        Self {
            buffer,
            width: widest,
            height,
            font_size,
        }
    }

    /// The box around the letters of a byte range: left, top, width, height for each line it is on.
    pub fn range_boxes(&self, range: std::ops::Range<usize>) -> Vec<[f32; 4]> {
        self.buffer
            .layout_runs()
            .filter_map(|run| {
                let mut edges: Option<(f32, f32)> = None;
                for glyph in run.glyphs {
                    if range.contains(&glyph.start) {
                        let (low, high) = edges.unwrap_or((glyph.x, glyph.x + glyph.w));
                        edges = Some((low.min(glyph.x), high.max(glyph.x + glyph.w)));
                    }
                }
                edges.map(|(low, high)| [low, run.line_top, high - low, run.line_height])
            })
            .collect()
    }
}

/// The largest size up to `limit` at which the wrapped text stays inside, words kept whole.
fn largest_fit(
    fonts: &mut FontBook,
    spans: &[Span<'_>],
    style: &TextStyle,
    (width, height): (f32, f32),
    limit: f32,
) -> f32 {
    let limit = limit.min(LARGEST_SIZE);
    let mut fits = |size: f32| {
        let layout = TextLayout::at_size(fonts, spans, style, size, width, Wrap::Word);
        layout.width <= width + 0.01 && layout.height <= height + 0.01
    };
    if spans.iter().all(|span| span.text.trim().is_empty()) || fits(limit) {
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
