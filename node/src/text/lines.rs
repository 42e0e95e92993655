//! Breaks shaped text into lines at a size.

use std::ops::Range;

use kinora_composition::timeline::TextStyle;
use unicode_bidi::{BidiInfo, Level};

use super::PlacedCluster;
use super::shape::{Cluster, Nature, Paragraph, ShapedText};
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
    /// Whether the paragraph ends with it.
    pub(super) is_last: bool,
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

    /// How far a cluster that begins so far from the start of its line goes.
    fn advance(&self, cluster: &Cluster, from: f32) -> f32 {
        match cluster.nature {
            Nature::Ink | Nature::Space => self.scaled(cluster) + self.spacing,
            Nature::Tab => self.tab_advance(from),
            Nature::SoftHyphen | Nature::Unseen => self.scaled(cluster),
        }
    }

    /// The advance of a cluster at the size.
    fn scaled(&self, cluster: &Cluster) -> f32 {
        let face = self.shaped.faces.get(cluster.face);
        face.map_or(0.0, |face| face.face.advance_at(cluster.advance, self.size))
    }

    /// How far it is to the next tab stop that is at least half a space away.
    fn tab_advance(&self, from: f32) -> f32 {
        let tab = self.shaped.tab * self.size;
        if tab <= 0.0 {
            return 0.0;
        }
        let distance = tab - from.rem_euclid(tab);
        let is_too_near = distance < self.shaped.space * self.size / 2.0;
        distance + if is_too_near { tab } else { 0.0 }
    }

    /// The width of the hyphen that a line ends with when it is broken after this cluster.
    fn hyphen(&self, last: Option<&Cluster>) -> f32 {
        let hyphen = self.shaped.hyphen.as_ref();
        match (last, hyphen) {
            (Some(last), Some(hyphen)) if last.nature == Nature::SoftHyphen => {
                hyphen.advance * self.size + self.spacing
            }
            _ => 0.0,
        }
    }

    /// The width of a line of these clusters without the white space at its end, and that white space.
    fn extent(&self, clusters: &[Cluster]) -> (f32, f32) {
        let (mut width, mut hanging) = (0.0, 0.0);
        for cluster in clusters {
            let advance = self.advance(cluster, width + hanging);
            if cluster.is_space() {
                hanging += advance;
            } else {
                width += hanging + advance;
                hanging = 0.0;
            }
        }
        (width, hanging)
    }

    /// The width of the widest paragraph on one line.
    pub(super) fn widest_paragraph(&self) -> f32 {
        let width = |paragraph: &Paragraph| {
            let (width, hanging) = self.extent(&paragraph.clusters);
            ceil64(width + hanging)
        };
        (self.shaped.paragraphs.iter())
            .map(width)
            .fold(0.0, f32::max)
    }

    /// The width of the widest piece that has no break in it.
    pub(super) fn widest_word(&self) -> f32 {
        let mut widest = 0.0f32;
        for Paragraph { clusters, .. } in &self.shaped.paragraphs {
            let mut start = 0;
            for end in 1..=clusters.len() {
                let next = clusters.get(end);
                if next.is_none_or(|next| next.may_begin_line) {
                    let word = &clusters[start..end];
                    let hyphen = next.map_or(0.0, |_| self.hyphen(word.last()));
                    widest = widest.max(self.extent(word).0 + hyphen);
                    start = end;
                }
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
        let (mut start, mut at) = (0, 0);
        // Where the line could end.
        let mut end = None;
        // `width` ends with the last cluster that is not white space.
        let (mut width, mut hanging) = (0.0f32, 0.0f32);
        while let Some(cluster) = clusters.get(at) {
            if cluster.may_begin_line && at > start {
                let hyphen = self.hyphen(clusters[..at].last());
                if end.is_none() || fits(width + hyphen) {
                    end = Some(at);
                }
            }
            let advance = self.advance(cluster, width + hanging);
            if cluster.is_space() {
                hanging += advance;
                at += 1;
                continue;
            }
            if !fits(width + hanging + advance) && at > start {
                let anywhere = (long_words == LongWords::Break).then_some(at);
                if let Some(next) = end.take().or(anywhere) {
                    push(start..next, false);
                    (start, at) = (next, next);
                    (width, hanging) = (0.0, 0.0);
                    continue;
                }
            }
            width += hanging + advance;
            hanging = 0.0;
            at += 1;
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
        let (width, hanging) = self.extent(all);
        let hyphen = if is_last {
            0.0
        } else {
            self.hyphen(all.last())
        };
        let full_width = ceil64(width + hanging + hyphen);
        let width = ceil64(width + hyphen);
        LineRange {
            paragraph,
            clusters,
            width: if is_last {
                full_width.min(available.max(width))
            } else {
                width
            },
            full_width,
            is_last,
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
        let trailing = clusters.iter().rev().take_while(|c| c.is_space()).count();
        let text = levels.len() - trailing;
        levels[text..].fill(Level::ltr());
        let mut glyphs = Vec::new();
        let mut x = 0.0;
        let before = placed.len();
        placed.extend(clusters.iter().map(|cluster| PlacedCluster {
            line: line_index,
            x: 0.0,
            width: 0.0,
            letters: cluster.letters.clone(),
            is_space: cluster.is_space(),
            begins_word: cluster.begins_word,
            is_rtl: cluster.level.is_rtl(),
        }));
        for index in BidiInfo::reorder_visual(&levels) {
            let cluster = &clusters[index];
            placed[before + index].x = x;
            let ends_line = index + 1 == clusters.len() && !line.is_last;
            if let (true, Nature::SoftHyphen, Some(hyphen)) =
                (ends_line, cluster.nature, &self.shaped.hyphen)
            {
                glyphs.push(LineGlyph {
                    face: 0,
                    id: hyphen.glyph,
                    x,
                    y: 0.0,
                    cluster: before + index,
                });
                placed[before + index].width = self.hyphen(Some(cluster));
                x += placed[before + index].width;
                continue;
            }
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
            placed[before + index].width = self.advance(cluster, x);
            x += placed[before + index].width;
        }
        glyphs
    }
}
