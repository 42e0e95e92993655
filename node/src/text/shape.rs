//! Shaped text: which glyphs stand for it, in em, so that one shaping serves every size.

use std::ops::Range;

use unicode_bidi::Level;
use unicode_segmentation::UnicodeSegmentation;

use super::face::{Run, StyledFace};
use super::{FontBook, Setting, breaks, itemize};

/// Tab stops are this many spaces apart.
const SPACES_PER_TAB: f32 = 8.0;

/// Text as glyphs, before it is broken into lines.
pub(super) struct ShapedText {
    pub(super) paragraphs: Vec<Paragraph>,
    /// The first one is the primary face: lines are as high as it says.
    pub(super) faces: Vec<StyledFace>,
    /// What is shown of a soft hyphen at which a line ends; of the primary face.
    pub(super) hyphen: Option<Hyphen>,
    /// From one tab stop to the next, in em.
    pub(super) tab: f32,
    /// The width of a space of the primary face, in em.
    pub(super) space: f32,
}

/// A hyphen that is not in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hyphen {
    /// In em.
    pub(super) advance: f32,
    pub(super) glyph: u16,
}

/// Text up to a newline.
pub(super) struct Paragraph {
    /// In reading order.
    pub(super) clusters: Vec<Cluster>,
    pub(super) glyphs: Vec<ShapedGlyph>,
    /// Which letter of the text it begins with.
    pub(super) first_letter: usize,
}

/// What can't be taken apart: a letter with its marks, a ligature, an emoji.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cluster {
    /// In em.
    pub(super) advance: f32,
    /// In visual order.
    pub(super) glyphs: Range<usize>,
    pub(super) level: Level,
    pub(super) face: usize,
    pub(super) nature: Nature,
    /// Whether a line may begin with it.
    pub(super) may_begin_line: bool,
    /// Whether a word begins with it.
    pub(super) begins_word: bool,
    /// Which letters of the text it stands for.
    pub(super) letters: Range<usize>,
}

/// What a cluster does on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    /// It is seen.
    Ink,
    /// It may hang at the end of a line.
    Space,
    /// A space up to the next tab stop of its line.
    Tab,
    /// Nothing, but a hyphen where a line ends with it.
    SoftHyphen,
    /// Nothing: it tells where lines may break or letters join.
    Unseen,
}

impl Nature {
    fn of(first: char) -> Self {
        match first {
            ' ' | '\u{3000}' => Self::Space,
            '\t' => Self::Tab,
            '\u{AD}' => Self::SoftHyphen,
            '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2060}' | '\u{FEFF}' => Self::Unseen,
            _ => Self::Ink,
        }
    }
}

impl Cluster {
    /// Whether it is white space, which may hang at the end of a line.
    pub(super) fn is_space(&self) -> bool {
        matches!(self.nature, Nature::Space | Nature::Tab)
    }
}

/// A glyph, in em; positions are relative to where its cluster begins, its advance included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShapedGlyph {
    pub(super) id: u16,
    pub(super) x: f32,
    /// Upwards.
    pub(super) y: f32,
}

impl ShapedText {
    pub(super) fn new(fonts: &mut FontBook, setting: &Setting<'_>) -> Self {
        let mut faces = fonts.named(setting.style);
        let named = faces.len();
        let mut first_letter = 0;
        let text = setting.text.replace("\r\n", "\n").replace('\r', "\n");
        // A newline at the very end begins no line.
        let paragraphs = text
            .strip_suffix('\n')
            .unwrap_or(&text)
            .split('\n')
            .map(|paragraph| {
                let letters = Letters::new(paragraph, first_letter, setting.gutter);
                // A newline is a letter too.
                first_letter = letters.nth(letters.starts.len()) + 1;
                Paragraph::new(fonts, &mut faces, named, &letters, setting)
            })
            .collect();
        let primary = faces.first().map(|face| &face.face);
        let space = primary.and_then(|face| face.letter(' '));
        let space = space.map_or(0.0, |(_, advance)| advance);
        let hyphen = primary.and_then(|face| face.letter('\u{2010}').or_else(|| face.letter('-')));
        Self {
            hyphen: hyphen.map(|(glyph, advance)| Hyphen { advance, glyph }),
            tab: SPACES_PER_TAB * space,
            space,
            paragraphs,
            faces,
        }
    }

    /// Whether there is nothing to see.
    pub(super) fn is_blank(&self) -> bool {
        let mut clusters = self.paragraphs.iter().flat_map(|p| &p.clusters);
        clusters.all(Cluster::is_space)
    }
}

impl Paragraph {
    fn new(
        fonts: &mut FontBook,
        faces: &mut Vec<StyledFace>,
        named: usize,
        letters: &Letters<'_>,
        setting: &Setting<'_>,
    ) -> Self {
        let (text, style) = (letters.text, setting.style);
        let spacing = style.letter_spacing;
        let has_ligatures = spacing.px == 0.0 && spacing.em == 0.0;
        let levels = itemize::levels(text);
        let items = itemize::items(fonts, faces, named, text, &levels, style);
        let opportunities = breaks::opportunities(text);
        let (mut clusters, mut glyphs) = (Vec::<Cluster>::new(), Vec::new());
        for item in items {
            let item_end = item.range.end;
            let Some(face) = faces.get(item.face) else {
                continue;
            };
            let run = Run {
                text,
                range: item.range,
                is_rtl: item.level.is_rtl(),
                script: item.script,
                has_ligatures,
                has_even_digits: setting.has_even_digits,
            };
            let shaped = face.face.shape(&run);
            let first = clusters.len();
            let mut rest = shaped.as_slice();
            while let Some(head) = rest.first() {
                let count = rest
                    .iter()
                    .take_while(|g| g.cluster == head.cluster)
                    .count();
                let (own, others) = rest.split_at(count);
                rest = others;
                let start = glyphs.len();
                let mut x = 0.0;
                for glyph in own {
                    glyphs.push(ShapedGlyph {
                        id: glyph.id,
                        x: x + glyph.dx,
                        y: glyph.dy,
                    });
                    x += glyph.advance;
                }
                let begins = text[head.cluster..].chars().next();
                let nature = begins.map_or(Nature::Ink, Nature::of);
                if nature == Nature::Tab {
                    glyphs.truncate(start);
                }
                let may_begin_line = opportunities.binary_search(&head.cluster).is_ok();
                clusters.push(Cluster {
                    advance: x,
                    glyphs: start..glyphs.len(),
                    level: item.level,
                    face: item.face,
                    nature,
                    may_begin_line,
                    begins_word: breaks::begins_word(text, head.cluster, may_begin_line),
                    letters: head.cluster..head.cluster,
                });
            }
            if run.is_rtl {
                clusters[first..].reverse();
            }
            let mut end = item_end;
            for cluster in clusters[first..].iter_mut().rev() {
                let bytes = cluster.letters.start..end;
                end = bytes.start;
                cluster.letters = letters.in_bytes(&bytes);
            }
        }
        Self {
            clusters,
            glyphs,
            first_letter: letters.nth(0),
        }
    }
}

/// A paragraph, and where its letters begin.
struct Letters<'t> {
    text: &'t str,
    /// The bytes at which grapheme clusters begin.
    starts: Vec<usize>,
    first: usize,
    /// As many at the start are no letters of the text.
    gutter: usize,
}

impl<'t> Letters<'t> {
    fn new(paragraph: &'t str, first: usize, gutter: usize) -> Self {
        let starts = paragraph.grapheme_indices(true).map(|(start, _)| start);
        Self {
            text: paragraph,
            starts: starts.collect(),
            first,
            gutter,
        }
    }

    /// Which letter of the text the grapheme cluster of an index is.
    fn nth(&self, index: usize) -> usize {
        self.first + index.saturating_sub(self.gutter)
    }

    fn in_bytes(&self, bytes: &Range<usize>) -> Range<usize> {
        let first = self.starts.partition_point(|start| *start <= bytes.start);
        let end = self.starts.partition_point(|start| *start < bytes.end);
        self.nth(first.saturating_sub(1))..self.nth(end)
    }
}
