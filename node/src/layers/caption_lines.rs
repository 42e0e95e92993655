//! The words of a caption on their lines: the spoken word is a box of its own in its line.

use std::ops::Range;

use kinora_composition::timeline::{CaptionBlock, Size, TextStyle};
use unicode_bidi::{BidiInfo, Level};

use super::frame::ContentBox;
use crate::text::{FontBook, Strut, TextLayout, aligned, trunc64};

/// A caption, laid out in its box.
pub(super) struct CaptionLines {
    /// Words that are not spoken, from the left of the first line on.
    pub(super) quiet: Vec<Fragment>,
    pub(super) spoken: Option<SpokenWord>,
}

/// Words side by side.
pub(super) struct Fragment {
    pub(super) layout: TextLayout,
    /// Where their baseline begins.
    pub(super) at: (f32, f32),
    /// Whether they come before the spoken word.
    pub(super) is_before: bool,
}

/// The spoken word and its box.
pub(super) struct SpokenWord {
    pub(super) layout: TextLayout,
    /// The top left corner of its box.
    pub(super) corner: (f32, f32),
    /// The size of its box.
    pub(super) size: Size,
    /// From that corner to where its baseline begins.
    pub(super) inset: (f32, f32),
}

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Word(usize),
    Space,
}

impl CaptionLines {
    pub(super) fn new(
        fonts: &mut FontBook,
        block: &CaptionBlock,
        words: &[&str],
        spoken: Option<usize>,
    ) -> Self {
        let content = ContentBox::new(&block.frame, block.size);
        let style = &block.style;
        let font_size = style.size.limit();
        let loud_style = TextStyle {
            weight: block.highlight.weight.unwrap_or(style.weight),
            ..style.clone()
        };
        let [chip_top, chip_right, chip_bottom, chip_left] = chip_edges(block);
        let mut line =
            |text: &str, style: &TextStyle| TextLayout::line(fonts, text, style, font_size);
        let strut = line("", style).1;
        let space = line(" ", style).0.width;
        let (available, height) = (trunc64(content.width), trunc64(content.height));
        let widths: Vec<(f32, f32)> = words
            .iter()
            .map(|word| {
                let quiet = line(word, style).0.width;
                let loud = line(word, &loud_style).0.width + chip_left + chip_right;
                (quiet, loud)
            })
            .collect();
        let loud = spoken
            .and_then(|index| words.get(index))
            .map(|word| line(word, &loud_style));
        let loud_strut = loud.as_ref().map(|(_, strut)| *strut);
        let lines = wrap(&widths, available, space);

        let mut rows: Vec<Row> = Vec::new();
        for range in lines {
            let mut fragments = Vec::new();
            for run in visual_runs(range.clone(), words, spoken) {
                fragments.push(match run {
                    Run::Spoken => Laid::Spoken,
                    Run::Quiet { text, is_before } => Laid::Quiet {
                        layout: line(&text, style).0,
                        is_before,
                    },
                });
            }
            rows.push(Row::new(
                fragments,
                spoken.is_some_and(|index| range.contains(&index)),
                strut,
                loud_strut,
                (chip_top, chip_bottom),
            ));
        }
        let loud_width = spoken
            .and_then(|index| widths.get(index))
            .map_or(0.0, |w| w.1);
        let width_of = |row: &Row| row.width(loud_width);
        let block_width = rows.iter().map(width_of).fold(0.0, f32::max);
        let left = content.left + aligned(style.align, available - block_width);
        let total: f32 = rows.iter().map(|row| row.above + row.below).sum();
        let mut top = content.top + trunc64((height - total) / 2.0);
        let mut set = Self {
            quiet: Vec::new(),
            spoken: None,
        };
        let mut loud = loud;
        for row in rows {
            let mut x = left + aligned(style.align, block_width - width_of(&row)).max(0.0);
            let baseline = top + row.above;
            top = baseline + row.below;
            for piece in row.pieces {
                match piece {
                    Laid::Quiet { layout, is_before } => {
                        let width = layout.width;
                        set.quiet.push(Fragment {
                            layout,
                            at: (x, baseline),
                            is_before,
                        });
                        x += width;
                    }
                    Laid::Spoken => {
                        if let Some((layout, strut)) = loud.take() {
                            let inset = (chip_left, chip_top + strut.baseline);
                            set.spoken = Some(SpokenWord {
                                layout,
                                corner: (x, baseline - inset.1),
                                size: Size {
                                    width: loud_width,
                                    height: chip_top + strut.height + chip_bottom,
                                },
                                inset,
                            });
                        }
                        x += loud_width;
                    }
                }
            }
        }
        set
    }
}

/// What the box of the spoken word adds on each side: top, right, bottom, left.
fn chip_edges(block: &CaptionBlock) -> [f32; 4] {
    let frame = &block.highlight.frame;
    let padding = frame.padding;
    let border = frame.border.widths();
    let padding = [padding.top, padding.right, padding.bottom, padding.left];
    std::array::from_fn(|side| {
        trunc64(padding[side].resolve(block.size.width).max(0.0)) + border[side]
    })
}

/// Words set next to each other on one line.
enum Laid {
    Quiet { layout: TextLayout, is_before: bool },
    Spoken,
}

/// A line: its pieces from the left, and how far it reaches from its baseline.
struct Row {
    pieces: Vec<Laid>,
    above: f32,
    below: f32,
}

impl Row {
    fn new(
        pieces: Vec<Laid>,
        has_spoken: bool,
        strut: Strut,
        loud: Option<Strut>,
        (chip_top, chip_bottom): (f32, f32),
    ) -> Self {
        let (mut above, mut below) = (strut.baseline, strut.height - strut.baseline);
        if let Some(loud) = loud.filter(|_| has_spoken) {
            above = above.max(chip_top + loud.baseline);
            below = below.max(loud.height - loud.baseline + chip_bottom);
        }
        Self {
            pieces,
            above,
            below,
        }
    }

    fn width(&self, spoken: f32) -> f32 {
        let width = |piece: &Laid| match piece {
            Laid::Quiet { layout, .. } => layout.width,
            Laid::Spoken => spoken,
        };
        self.pieces.iter().map(width).sum()
    }
}

/// Breaks words (how wide each is when quiet, and when spoken) into lines that hold whichever of them
/// is spoken, so that no word jumps to another line while a caption is read.
fn wrap(widths: &[(f32, f32)], available: f32, space: f32) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut start, mut used, mut growth) = (0, 0.0, 0.0f32);
    for (index, (quiet, loud)) in widths.iter().enumerate() {
        let own_growth = (loud - quiet).max(0.0);
        let needed = if index == start {
            *quiet
        } else {
            used + space + quiet
        };
        if index > start && needed + growth.max(own_growth) > available {
            lines.push(start..index);
            (start, used, growth) = (index, *quiet, own_growth);
        } else {
            (used, growth) = (needed, growth.max(own_growth));
        }
    }
    if start < widths.len() {
        lines.push(start..widths.len());
    }
    lines
}

#[derive(Debug, PartialEq)]
enum Run {
    Spoken,
    Quiet { text: String, is_before: bool },
}

/// The words of a line from left to right, with as many quiet ones together as the direction allows.
fn visual_runs(line: Range<usize>, words: &[&str], spoken: Option<usize>) -> Vec<Run> {
    let mut text = String::new();
    let mut pieces: Vec<(Piece, usize)> = Vec::new();
    for index in line {
        if !pieces.is_empty() {
            pieces.push((Piece::Space, text.len()));
            text.push(' ');
        }
        pieces.push((Piece::Word(index), text.len()));
        // The spoken word counts as the text that it is, so that no word changes its place.
        text.push_str(words[index]);
    }
    let levels = BidiInfo::new(&text, Some(Level::ltr())).levels;
    let level_at = |at: usize| levels.get(at).copied().unwrap_or_else(Level::ltr);
    let piece_levels: Vec<Level> = pieces.iter().map(|(_, at)| level_at(*at)).collect();
    let mut runs: Vec<Run> = Vec::new();
    let mut joined: Option<Level> = None;
    for index in BidiInfo::reorder_visual(&piece_levels) {
        let level = piece_levels[index];
        let (word, before) = match pieces[index].0 {
            Piece::Word(word) if Some(word) == spoken => {
                runs.push(Run::Spoken);
                joined = None;
                continue;
            }
            Piece::Word(word) => (words[word], spoken.is_some_and(|spoken| word < spoken)),
            Piece::Space => (" ", index == 0 || is_before(&pieces, index, spoken)),
        };
        match runs.last_mut() {
            // Words that run from the right keep to themselves: they are already in order.
            Some(Run::Quiet { text, .. }) if joined == Some(level) && level.is_ltr() => {
                text.push_str(word);
            }
            _ => runs.push(Run::Quiet {
                text: word.to_owned(),
                is_before: before,
            }),
        }
        joined = Some(level);
    }
    runs
}

fn is_before(pieces: &[(Piece, usize)], index: usize, spoken: Option<usize>) -> bool {
    let spoken_at = pieces
        .iter()
        .position(|(piece, _)| spoken.is_some_and(|word| *piece == Piece::Word(word)));
    spoken_at.is_some_and(|at| index < at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_what_fits_and_at_least_one_word() {
        let widths = [30.0, 30.0, 30.0, 200.0, 10.0].map(|width| (width, width));
        assert_eq!(wrap(&widths, 100.0, 10.0), [0..2, 2..3, 3..4, 4..5]);
        assert_eq!(wrap(&[], 100.0, 10.0), Vec::<Range<usize>>::new());
    }

    #[test]
    fn lines_have_room_for_any_word_to_be_spoken() {
        let widths = [(30.0, 50.0), (30.0, 50.0), (30.0, 50.0)];
        assert_eq!(wrap(&widths, 130.0, 10.0).len(), 1);
        assert_eq!(wrap(&widths, 129.0, 10.0), [0..2, 2..3]);
    }

    #[test]
    fn quiet_words_stay_together_and_right_to_left_ones_turn_around() {
        let quiet = |text: &str, is_before| Run::Quiet {
            text: text.into(),
            is_before,
        };
        assert_eq!(
            visual_runs(0..4, &["one", "two", "three", "four"], Some(2)),
            [quiet("one two ", true), Run::Spoken, quiet(" four", false)]
        );
        assert_eq!(
            visual_runs(0..2, &["שלום", "עולם"], Some(0)).last(),
            Some(&Run::Spoken)
        );
        assert_eq!(
            visual_runs(0..2, &["שלום", "עולם"], None).first(),
            Some(&quiet("עולם", false))
        );
    }
}
