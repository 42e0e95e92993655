//! Lines of text in a box: wrapping, alignment, and the search for the size that fits.

use kinora_composition::css::{Color, FontSize, LineHeight};
use kinora_composition::document::TextAlign;
use kinora_composition::timeline::TextStyle;

use super::face::StyledFace;
use super::lines::{LineGlyph, LongWords, Sized};
use super::shape::ShapedText;
use super::units::trunc64;
use super::{FontBook, Part, PlacedCluster, Setting};

/// Text never gets smaller than this to fit.
const SMALLEST_SIZE: f32 = 1.0;
/// Text never gets larger than this to fill its box.
const LARGEST_SIZE: f32 = 2000.0;
/// The search for the size that fits stops at this precision.
const SIZE_PRECISION: f32 = 0.125;

/// Laid-out lines, ready to be drawn in any colour.
pub struct TextLayout {
    pub(super) faces: Vec<StyledFace>,
    pub(super) lines: Vec<Line>,
    /// In reading order.
    pub(super) clusters: Vec<PlacedCluster>,
    /// The colour of each cluster, where they have colours of their own.
    pub(super) colors: Vec<Color>,
    pub(super) strut: Strut,
    /// Ascent of the primary face in whole pixels.
    pub(super) ascent: f32,
    /// Width of the widest line.
    pub width: f32,
    /// Height of all lines.
    pub height: f32,
    /// The font size that was used.
    pub font_size: f32,
}

/// One line, in pixels from the top left corner of the box.
pub(super) struct Line {
    pub(super) x: f32,
    pub(super) baseline: f32,
    /// With white space at its end.
    pub(super) width: f32,
    pub(super) glyphs: Vec<LineGlyph>,
    /// Which letter of the text it begins with.
    pub(super) first_letter: usize,
}

/// How high a line is, and where its baseline lies, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strut {
    pub(crate) ascent: f32,
    pub(crate) descent: f32,
    pub(crate) height: f32,
    /// From the top of the line down to the baseline.
    pub(crate) baseline: f32,
}

impl Strut {
    pub(super) fn new(face: Option<&StyledFace>, style: &TextStyle, size: f32) -> Self {
        let (ascent, descent) = face.map_or((size, 0.0), |face| face.face.extent(size));
        let height = match (style.line_height, face) {
            (LineHeight::Normal, Some(face)) => {
                ascent + descent + (face.face.line_gap * size).round()
            }
            (height, _) => trunc64(height.resolve(size)).max(0.0),
        };
        // Browsers round what lies above the letters down to whole pixels.
        let above = (trunc64((height - ascent - descent) / 2.0)).floor();
        Self {
            ascent,
            descent,
            height,
            baseline: ascent + above,
        }
    }
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
        let setting = Setting::new(text, style);
        Self::of(fonts, &setting, None, (width, height))
    }

    /// Lays words out in a box of this size. `sized_as` decides in place of them how large they are.
    pub(crate) fn of(
        fonts: &mut FontBook,
        setting: &Setting<'_>,
        sized_as: Option<&str>,
        (width, height): (f32, f32),
    ) -> Self {
        let style = setting.style;
        let shaped = ShapedText::new(fonts, setting);
        let other = sized_as.map(|text| ShapedText::new(fonts, &Setting { text, ..*setting }));
        let measured = other.as_ref().unwrap_or(&shaped);
        let (width, height) = (trunc64(width), trunc64(height));
        let fit = |limit| largest_fit(measured, setting, (width, height), limit);
        let (size, long_words) = match style.size {
            FontSize::Exactly(size) => (size.min(MOST_PIXELS), LongWords::Overflow),
            FontSize::AtMost(limit) => fit(limit),
            FontSize::Fit { scale } => {
                let (size, long_words) = fit(LARGEST_SIZE);
                let scaled = (size * scale).clamp(SMALLEST_SIZE, LARGEST_SIZE);
                (scaled, long_words)
            }
        };
        Self::at_size(shaped, setting, size, (width, height), long_words)
    }

    /// Sets text on one line that begins at the origin, on the baseline.
    pub(crate) fn line(
        fonts: &mut FontBook,
        text: &str,
        style: &TextStyle,
        font_size: f32,
    ) -> (Self, Strut) {
        let shaped = ShapedText::new(fonts, &Setting::new(text, style));
        let size = font_size.min(MOST_PIXELS);
        let strut = Strut::new(shaped.faces.first(), style, size);
        let sized = Sized::new(&shaped, style, size);
        let ranges = sized.lines(f32::MAX, LongWords::Overflow);
        let mut clusters = Vec::new();
        let line = ranges.first().map(|range| Line {
            x: 0.0,
            baseline: 0.0,
            width: range.full_width,
            glyphs: sized.glyphs(range, 0, &mut clusters),
            first_letter: 0,
        });
        let layout = Self {
            width: line.as_ref().map_or(0.0, |line| line.width),
            lines: Vec::from_iter(line),
            clusters,
            colors: Vec::new(),
            strut,
            ascent: strut.ascent,
            height: strut.height,
            font_size: size,
            faces: shaped.faces,
        };
        (layout, strut)
    }

    /// How many lines there are.
    pub(crate) fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// What the letters of a part of a line may touch: left, top, right, bottom.
    pub(crate) fn reach(&self, line: usize, part: Part) -> Option<[f32; 4]> {
        let Line {
            x, baseline, width, ..
        } = self.lines.get(line)?;
        let (left, right) = match part {
            Part::ALL => (*x, x + width),
            _ => {
                let spans = self.spans(line, part);
                (spans.first()?.0, spans.last()?.1)
            }
        };
        let size = self.font_size;
        Some([
            left - size,
            baseline - 2.0 * size,
            right + size,
            baseline + 1.5 * size,
        ])
    }

    /// The baseline of a line.
    pub(crate) fn baseline(&self, line: usize) -> Option<f32> {
        Some(self.lines.get(line)?.baseline)
    }

    /// How far a cursor reaches above and below the baseline.
    pub(crate) fn reach_of_cursor(&self) -> (f32, f32) {
        let Strut {
            ascent, descent, ..
        } = self.strut;
        (0.9 * ascent, 0.9 * descent)
    }

    /// Gives letters colours of their own; `None` is for what is no letter of the text.
    pub(crate) fn color_letters(&mut self, color: impl Fn(Option<usize>) -> Color) {
        let letter = |cluster: &PlacedCluster| {
            let letters = &cluster.letters;
            (!letters.is_empty()).then_some(letters.start)
        };
        self.colors = self.clusters.iter().map(|one| color(letter(one))).collect();
    }

    fn at_size(
        shaped: ShapedText,
        setting: &Setting<'_>,
        size: f32,
        (width, height): (f32, f32),
        long_words: LongWords,
    ) -> Self {
        let style = setting.style;
        let sized = Sized::new(&shaped, style, size);
        let strut = Strut::new(shaped.faces.first(), style, size);
        // The lines lie in a block that is as wide as they need, at most as wide as the box unless a
        // word needs more.
        let longest = sized.widest_paragraph();
        let block = if longest <= width || !setting.wraps {
            longest
        } else if long_words == LongWords::Overflow {
            sized.widest_word().max(width)
        } else {
            width
        };
        let room = if setting.wraps { block } else { f32::MAX };
        let ranges = sized.lines(room, long_words);
        let total = strut.height * ranges.len() as f32;
        let left = aligned(style.align, width - block);
        let top = trunc64((height - total) / 2.0);
        let mut widest = 0.0f32;
        let mut clusters = Vec::new();
        let lines = ranges
            .iter()
            .enumerate()
            .map(|(index, range)| {
                widest = widest.max(range.width);
                let before = clusters.len();
                let glyphs = sized.glyphs(range, index, &mut clusters);
                let x = left + aligned(style.align, block - range.width).max(0.0);
                for cluster in &mut clusters[before..] {
                    cluster.x += x;
                }
                let begins = clusters.get(before).map(|cluster| cluster.letters.start);
                let paragraph = &shaped.paragraphs[range.paragraph];
                Line {
                    x,
                    baseline: top + strut.height * index as f32 + strut.baseline,
                    width: range.full_width,
                    glyphs,
                    first_letter: begins.unwrap_or(paragraph.first_letter),
                }
            })
            .collect();
        Self {
            lines,
            clusters,
            colors: Vec::new(),
            strut,
            ascent: strut.ascent,
            width: widest,
            height: total,
            font_size: size,
            faces: shaped.faces,
        }
    }
}

/// Fixed sizes beyond this are drawn at this one.
const MOST_PIXELS: f32 = 100_000.0;

/// How far from the left something lies that leaves so much space free.
pub(crate) fn aligned(align: TextAlign, free: f32) -> f32 {
    match align {
        TextAlign::Left => 0.0,
        TextAlign::Center => trunc64(free / 2.0),
        TextAlign::Right => free,
    }
}

/// The largest size up to `limit` at which the wrapped text stays inside, words kept whole unless that
/// would make it vanish.
fn largest_fit(
    shaped: &ShapedText,
    setting: &Setting<'_>,
    (width, height): (f32, f32),
    limit: f32,
) -> (f32, LongWords) {
    let style = setting.style;
    let limit = limit.min(LARGEST_SIZE);
    let fits = |size: f32, long_words: LongWords, counts_ink: bool| {
        let sized = Sized::new(shaped, style, size);
        let widest = match setting.wraps {
            true => sized.widest_word(),
            false => sized.widest_paragraph(),
        };
        if long_words == LongWords::Overflow && widest > width {
            return false;
        }
        let strut = Strut::new(shaped.faces.first(), style, size);
        let room = if setting.wraps { width } else { f32::MAX };
        let lines = sized.lines(room, long_words);
        let spare = if counts_ink {
            (strut.ascent + strut.descent - strut.height).max(0.0)
        } else {
            0.0
        };
        strut.height * lines.len() as f32 + spare <= height
    };
    if shaped.is_blank() || fits(limit, LongWords::Overflow, false) {
        return (limit, LongWords::Overflow);
    }
    let long_words = if !setting.wraps || fits(SMALLEST_SIZE, LongWords::Overflow, true) {
        LongWords::Overflow
    } else {
        LongWords::Break
    };
    let (mut low, mut high) = (SMALLEST_SIZE, limit.min(height.max(SMALLEST_SIZE) * 4.0));
    while high - low > SIZE_PRECISION {
        let middle = f32::midpoint(low, high);
        if fits(middle, long_words, true) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, long_words)
}
