//! Shaped text: which glyphs stand for it, in em, so that one shaping serves every size.

use std::ops::Range;

use kinora_composition::timeline::TextStyle;
use unicode_bidi::Level;

use super::face::{Run, StyledFace};
use super::{FontBook, breaks, itemize};

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
    pub(super) fn new(fonts: &mut FontBook, text: &str, style: &TextStyle) -> Self {
        let mut faces = fonts.named(style);
        let named = faces.len();
        let spacing = style.letter_spacing;
        let has_ligatures = spacing.px == 0.0 && spacing.em == 0.0;
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        // A newline at the very end begins no line.
        let paragraphs = text
            .strip_suffix('\n')
            .unwrap_or(&text)
            .split('\n')
            .map(|paragraph| {
                let paragraph = paragraph.replace('\t', "        ");
                Paragraph::new(fonts, &mut faces, named, &paragraph, style, has_ligatures)
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
        text: &str,
        style: &TextStyle,
        has_ligatures: bool,
    ) -> Self {
        let levels = itemize::levels(text);
        let items = itemize::items(fonts, faces, named, text, &levels, style);
        let opportunities = breaks::opportunities(text);
        let (mut clusters, mut glyphs) = (Vec::new(), Vec::new());
        for item in items {
            let Some(face) = faces.get(item.face) else {
                continue;
            };
            let run = Run {
                text,
                range: item.range,
                is_rtl: item.level.is_rtl(),
                script: item.script,
                has_ligatures,
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
                clusters.push(Cluster {
                    advance: x,
                    glyphs: start..glyphs.len(),
                    level: item.level,
                    face: item.face,
                    is_space: begins.is_some_and(|c| c == ' ' || c == '\u{3000}'),
                    may_begin_line: opportunities.binary_search(&head.cluster).is_ok(),
                });
            }
            if run.is_rtl {
                clusters[first..].reverse();
            }
        }
        Self { clusters, glyphs }
    }
}
