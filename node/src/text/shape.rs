//! Shaped text: which glyphs stand for it, in em, so that one shaping serves every size.

use std::ops::Range;

use kinora_composition::timeline::TextStyle;
use unicode_bidi::Level;

use super::face::{Run, StyledFace};
use super::{FontBook, breaks, itemize};

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
                Paragraph::new(fonts, &mut faces, named, paragraph, style, has_ligatures)
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
                let nature = begins.map_or(Nature::Ink, Nature::of);
                if nature == Nature::Tab {
                    glyphs.truncate(start);
                }
                clusters.push(Cluster {
                    advance: x,
                    glyphs: start..glyphs.len(),
                    level: item.level,
                    face: item.face,
                    nature,
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
