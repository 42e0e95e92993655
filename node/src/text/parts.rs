//! Parts of laid-out text: the pieces that move by themselves, and where a cursor stands.

use std::ops::Range;

use kinora_composition::document::Split;

use super::TextLayout;

/// Clusters of a layout in reading order, as one part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// A cluster where it lies, in pixels from the top left corner of the box.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlacedCluster {
    pub(super) line: usize,
    pub(super) x: f32,
    pub(super) width: f32,
    /// Which letters of the text it stands for.
    pub(super) letters: Range<usize>,
    pub(super) is_space: bool,
    pub(super) begins_word: bool,
    pub(super) is_rtl: bool,
}

/// A place on a line, in pixels from the top left corner of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) x: f32,
    /// Of what lies there.
    pub(crate) width: f32,
    pub(crate) is_rtl: bool,
}

impl Part {
    /// Everything.
    pub(crate) const ALL: Self = Self {
        first: 0,
        end: usize::MAX,
    };

    pub(crate) fn contains(self, cluster: usize) -> bool {
        (self.first..self.end).contains(&cluster)
    }
}

impl TextLayout {
    /// The pieces of the text in reading order, without those that show nothing. White space goes
    /// with what is before it.
    pub(crate) fn pieces(&self, split: Split) -> Vec<Part> {
        let mut pieces: Vec<(Part, bool)> = Vec::new();
        for (index, cluster) in self.clusters.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| &self.clusters[before]);
            let begins = match split {
                Split::None => false,
                Split::Line => before.is_some_and(|before| before.line != cluster.line),
                Split::Word => cluster.begins_word && !cluster.is_space,
                Split::Character => !cluster.is_space,
            };
            match pieces.last_mut() {
                Some((part, is_seen)) if !(begins && *is_seen) => {
                    part.end = index + 1;
                    *is_seen |= !cluster.is_space;
                }
                _ => pieces.push((
                    Part {
                        first: index,
                        end: index + 1,
                    },
                    !cluster.is_space,
                )),
            }
        }
        if let [(part, _)] = &mut pieces[..] {
            *part = Part::ALL;
        }
        pieces.retain(|(_, is_seen)| *is_seen);
        pieces.into_iter().map(|(part, _)| part).collect()
    }

    /// The part that is there when so many letters are.
    pub(crate) fn typed(&self, letters: usize) -> Part {
        let is_there = |cluster: &PlacedCluster| cluster.letters.end <= letters;
        Part {
            first: 0,
            end: self.clusters.partition_point(is_there),
        }
    }

    /// The lines of a part that show something.
    pub(crate) fn lines_of(&self, part: Part) -> Range<usize> {
        let clusters = self.clusters_of(part);
        match (clusters.first(), clusters.last()) {
            (Some(first), Some(last)) => first.line..last.line + 1,
            _ => 0..0,
        }
    }

    /// The part that lies on one line.
    pub(crate) fn line_part(&self, line: usize) -> Part {
        Part {
            first: self.clusters.partition_point(|one| one.line < line),
            end: self.clusters.partition_point(|one| one.line <= line),
        }
    }

    fn clusters_of(&self, part: Part) -> &[PlacedCluster] {
        let end = part.end.min(self.clusters.len());
        self.clusters.get(part.first..end).unwrap_or_default()
    }

    /// What a part covers of a line from left to right, on whole pixels, so that neighbours meet.
    pub(super) fn spans(&self, line: usize, part: Part) -> Vec<(f32, f32)> {
        let mut spans: Vec<(f32, f32)> = (self.clusters_of(part).iter())
            .filter(|cluster| cluster.line == line)
            .map(|cluster| (cluster.x.round(), (cluster.x + cluster.width).round()))
            .collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut joined: Vec<(f32, f32)> = Vec::new();
        for (left, right) in spans {
            match joined.last_mut() {
                Some(last) if left <= last.1 => last.1 = last.1.max(right),
                _ => joined.push((left, right)),
            }
        }
        joined
    }

    /// What the clusters of a part take up: left, top, right, bottom.
    pub(crate) fn extent(&self, part: Part) -> Option<[f32; 4]> {
        let boxes = self.clusters_of(part).iter().filter_map(|cluster| {
            let top = self.lines.get(cluster.line)?.baseline - self.strut.baseline;
            let right = cluster.x + cluster.width;
            Some([cluster.x, top, right, top + self.strut.height])
        });
        boxes.reduce(|a, b| {
            [
                a[0].min(b[0]),
                a[1].min(b[1]),
                a[2].max(b[2]),
                a[3].max(b[3]),
            ]
        })
    }

    /// Where a letter lies.
    pub(crate) fn letter(&self, letter: usize) -> Option<Place> {
        let index = self
            .clusters
            .partition_point(|cluster| cluster.letters.end <= letter);
        let cluster = self.clusters.get(index)?;
        if !cluster.letters.contains(&letter) {
            return None;
        }
        // Letters that share a cluster share its width.
        let count = cluster.letters.len() as f32;
        let (width, nth) = (
            cluster.width / count,
            (letter - cluster.letters.start) as f32,
        );
        let before = if cluster.is_rtl {
            count - 1.0 - nth
        } else {
            nth
        };
        Some(Place {
            line: cluster.line,
            x: cluster.x + before * width,
            width,
            is_rtl: cluster.is_rtl,
        })
    }

    /// Where a cursor stands behind so many letters.
    pub(crate) fn caret(&self, letters: usize) -> Option<Place> {
        let before = letters.checked_sub(1).and_then(|last| self.letter(last));
        if let Some(place) = before {
            let x = if place.is_rtl {
                place.x
            } else {
                place.x + place.width
            };
            return Some(Place { x, ..place });
        }
        if let Some(place) = self.letter(letters) {
            let x = if place.is_rtl {
                place.x + place.width
            } else {
                place.x
            };
            return Some(Place { x, ..place });
        }
        // On a line without letters.
        let line = (self.lines.iter()).rposition(|line| line.first_letter <= letters)?;
        let x = (self.clusters_of(self.line_part(line)).iter())
            .map(|cluster| cluster.x + cluster.width)
            .fold(self.lines[line].x, f32::max);
        Some(Place {
            line,
            x,
            width: 0.0,
            is_rtl: false,
        })
    }
}
