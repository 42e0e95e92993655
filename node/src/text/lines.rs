//! Breaks shaped text into lines at a size.

use std::ops::Range;

use kinora_composition::timeline::TextStyle;
use unicode_bidi::{BidiInfo, Level};

use super::PlacedCluster;
use super::shape::{Cluster, Paragraph, ShapedText};
use super::units::ceil64;

/// Shaped text at a font size.
#[derive(Clone, Copy)]
pub(super) struct Sized<'s> {
    pub(super) shaped: &'s ShapedText,
    pub(super) size: f32,
    /// Pixels after each cluster.
    spacing: f32,
}

/// Clusters on a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LineRange {
    pub(super) paragraph: usize,
    pub(super) clusters: Range<usize>,
    /// What counts when the line is aligned: white space hangs where the line wraps.
    pub(super) width: f32,
    /// With all white space.
    pub(super) full_width: f32,
}

/// Where words that are too long for a line go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LongWords {
    /// They stick out.
    Overflow,
    /// They break between any two letters.
    Break,
}

/// A glyph on a line, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LineGlyph {
    pub(super) face: usize,
    pub(super) id: u16,
    /// From the start of the line.
    pub(super) x: f32,
    /// Above the baseline.
    pub(super) y: f32,
    /// Which cluster of the layout, in reading order.
    pub(super) cluster: usize,
}

impl<'s> Sized<'s> {
    pub(super) fn new(shaped: &'s ShapedText, style: &TextStyle, size: f32) -> Self {
        let spacing = style.letter_spacing.px + style.letter_spacing.em * size;
        Self {
            shaped,
            size,
            spacing,
        }
    }

    fn advance(&self, cluster: &Cluster) -> f32 {
        cluster.advance * self.size + self.spacing
    }

    /// The width of the widest paragraph on one line.
    pub(super) fn widest_paragraph(&self) -> f32 {
        let width = |paragraph: &Paragraph| {
            let advances = paragraph.clusters.iter().map(|c| self.advance(c));
            ceil64(advances.sum::<f32>())
        };
        (self.shaped.paragraphs.iter())
            .map(width)
            .fold(0.0, f32::max)
    }

    /// The width of the widest piece that has no break in it.
    pub(super) fn widest_word(&self) -> f32 {
        let mut widest = 0.0f32;
        for paragraph in &self.shaped.paragraphs {
            let (mut width, mut hanging) = (0.0, 0.0);
            for cluster in &paragraph.clusters {
                if cluster.may_begin_line {
                    (width, hanging) = (0.0, 0.0);
                }
                if cluster.is_space {
                    hanging += self.advance(cluster);
                } else {
                    width += hanging + self.advance(cluster);
                    hanging = 0.0;
                }
                widest = widest.max(width);
            }
        }
        ceil64(widest)
    }

    /// The lines of all paragraphs.
    pub(super) fn lines(&self, available: f32, long_words: LongWords) -> Vec<LineRange> {
        let mut lines = Vec::new();
        for index in 0..self.shaped.paragraphs.len() {
            self.break_paragraph(index, available, long_words, &mut lines);
        }
        lines
    }

    fn break_paragraph(
        &self,
        index: usize,
        available: f32,
        long_words: LongWords,
        lines: &mut Vec<LineRange>,
    ) {
        let clusters = &self.shaped.paragraphs[index].clusters;
        let fits = |width: f32| ceil64(width) <= available;
        let mut push = |range: Range<usize>, is_last: bool| {
            lines.push(self.measure(index, range, is_last, available));
        };
        let mut start = 0;
        // Where the line could end, and what comes after it would take.
        let (mut end, mut after_end) = (None, 0.0);
        // `width` ends with the last cluster that is not white space.
        let (mut width, mut hanging) = (0.0f32, 0.0f32);
        for (at, cluster) in clusters.iter().enumerate() {
            let advance = self.advance(cluster);
            if cluster.may_begin_line && at > start {
                (end, after_end) = (Some(at), 0.0);
            }
            if cluster.is_space {
                hanging += advance;
                after_end += advance;
                continue;
            }
            if !fits(width + hanging + advance) && at > start {
                if let Some(end) = end.take() {
                    push(start..end, false);
                    start = end;
                    (width, hanging) = (after_end, 0.0);
                    after_end = 0.0;
                }
                if long_words == LongWords::Break && at > start && !fits(width + hanging + advance)
                {
                    push(start..at, false);
                    start = at;
                    (width, hanging, after_end) = (0.0, 0.0, 0.0);
                }
            }
            width += hanging + advance;
            after_end += advance;
            hanging = 0.0;
        }
        push(start..clusters.len(), true);
    }

    fn measure(
        &self,
        paragraph: usize,
        clusters: Range<usize>,
        is_last: bool,
        available: f32,
    ) -> LineRange {
        let all = &self.shaped.paragraphs[paragraph].clusters[clusters.clone()];
        let text = all.len() - all.iter().rev().take_while(|c| c.is_space).count();
        let sum = |clusters: &[Cluster]| clusters.iter().map(|c| self.advance(c)).sum::<f32>();
        let full_width = ceil64(sum(all));
        let width = ceil64(sum(&all[..text]));
        LineRange {
            paragraph,
            clusters,
            width: if is_last {
                full_width.min(available.max(width))
            } else {
                width
            },
            full_width,
        }
    }

    /// The glyphs of a line from left to right. Its clusters, measured from its start, join those of the
    /// lines before it.
    pub(super) fn glyphs(
        &self,
        line: &LineRange,
        line_index: usize,
        placed: &mut Vec<PlacedCluster>,
    ) -> Vec<LineGlyph> {
        let paragraph = &self.shaped.paragraphs[line.paragraph];
        let clusters = &paragraph.clusters[line.clusters.clone()];
        let mut levels: Vec<Level> = clusters.iter().map(|c| c.level).collect();
        let trailing = clusters.iter().rev().take_while(|c| c.is_space).count();
        let text = levels.len() - trailing;
        levels[text..].fill(Level::ltr());
        let mut glyphs = Vec::new();
        let mut x = 0.0;
        let before = placed.len();
        placed.extend(clusters.iter().map(|cluster| PlacedCluster {
            line: line_index,
            x: 0.0,
            width: self.advance(cluster),
            letters: cluster.letters.clone(),
            is_space: cluster.is_space,
            begins_word: cluster.begins_word,
            is_rtl: cluster.level.is_rtl(),
        }));
        for index in BidiInfo::reorder_visual(&levels) {
            let cluster = &clusters[index];
            glyphs.extend(
                paragraph.glyphs[cluster.glyphs.clone()]
                    .iter()
                    .map(|glyph| LineGlyph {
                        face: cluster.face,
                        id: glyph.id,
                        x: x + glyph.x * self.size,
                        y: glyph.y * self.size,
                        cluster: before + index,
                    }),
            );
            placed[before + index].x = x;
            x += self.advance(cluster);
        }
        glyphs
    }
}
