//! Shaped text: which glyphs stand for it, in em, so that one shaping serves every size.

use std::ops::Range;

use unicode_bidi::Level;
use unicode_segmentation::UnicodeSegmentation;

use super::face::{Run, StyledFace};
use super::{FontBook, Setting, breaks, itemize};

/// Text as glyphs, before it is broken into lines.
pub(super) struct ShapedText {
    pub(super) paragraphs: Vec<Paragraph>,
    /// The first one is the primary face: lines are as high as it says.
    pub(super) faces: Vec<StyledFace>,
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
    /// Whether it is white space, which may hang at the end of a line.
    pub(super) is_space: bool,
    /// Whether a line may begin with it.
    pub(super) may_begin_line: bool,
    /// Whether a word begins with it.
    pub(super) begins_word: bool,
    /// Which letters of the text it stands for.
    pub(super) letters: Range<usize>,
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
        Self { paragraphs, faces }
    }

    /// Whether there is nothing to see.
    pub(super) fn is_blank(&self) -> bool {
        let mut clusters = self.paragraphs.iter().flat_map(|p| &p.clusters);
        clusters.all(|cluster| cluster.is_space)
    }
}

impl Paragraph {
    fn new(
        fonts: &mut FontBook,
        faces: &mut Vec<StyledFace>,
        named: usize,
        letters: &Letters,
        setting: &Setting<'_>,
    ) -> Self {
        let (text, style) = (letters.text.as_str(), setting.style);
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
                let may_begin_line = opportunities.binary_search(&head.cluster).is_ok();
                clusters.push(Cluster {
                    advance: x,
                    glyphs: start..glyphs.len(),
                    level: item.level,
                    face: item.face,
                    is_space: begins.is_some_and(|c| c == ' ' || c == '\u{3000}'),
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

/// A paragraph with spaces for tabs, and where its letters begin.
struct Letters {
    text: String,
    /// The bytes at which grapheme clusters begin.
    starts: Vec<usize>,
    first: usize,
    /// As many at the start are no letters of the text.
    gutter: usize,
}

impl Letters {
    fn new(paragraph: &str, first: usize, gutter: usize) -> Self {
        let mut text = String::with_capacity(paragraph.len());
        let mut starts = Vec::with_capacity(paragraph.len());
        for letter in paragraph.graphemes(true) {
            starts.push(text.len());
            text.push_str(if letter == "\t" { "        " } else { letter });
        }
        Self {
            text,
            starts,
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
