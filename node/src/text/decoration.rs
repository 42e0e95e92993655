//! Lines on text: where they lie, how thick they are, and where they make room for letters.

use kinora_composition::css::{LineStyle, TextDecoration};
use zeno::Command;

use super::glyphs::outline;
use super::{Part, TextLayout};

/// Gaps beside letters are at most this wide.
const WIDEST_GAP: f32 = 13.0;
/// Pieces of a curve that is looked at for crossings.
const PIECES: usize = 8;

/// A part of a line on text, in pixels of the layout.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// Left, top, right, bottom.
    Bar([f32; 4]),
    /// A dot: its centre and its diameter.
    Dot((f32, f32), f32),
    /// A stroke of this thickness through points.
    Wave(Vec<(f32, f32)>, f32),
}

impl Mark {
    /// What lies between two places of the line.
    fn within(&self, (from, to): (f32, f32)) -> Option<Self> {
        match self {
            Self::Bar([left, top, right, bottom]) => {
                let (left, right) = (left.max(from), right.min(to));
                (left < right).then_some(Self::Bar([left, *top, right, *bottom]))
            }
            Self::Dot((x, _), _) => (from..to).contains(x).then(|| self.clone()),
            Self::Wave(points, width) => {
                let mut inside = Vec::new();
                for ends in points.windows(2) {
                    let [(x0, y0), (x1, y1)] = [ends[0], ends[1]];
                    if x1 <= from || x0 >= to || x1 <= x0 {
                        continue;
                    }
                    let at = |x: f32| (x, y0 + (y1 - y0) * (x - x0) / (x1 - x0));
                    if inside.is_empty() {
                        inside.push(at(x0.max(from)));
                    }
                    inside.push(at(x1.min(to)));
                }
                (inside.len() > 1).then_some(Self::Wave(inside, *width))
            }
        }
    }
}

/// The lines on one line of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Marks {
    /// Drawn before the letters.
    pub(crate) behind: Vec<Mark>,
    /// Drawn over them.
    pub(crate) above: Vec<Mark>,
}

impl TextLayout {
    /// The lines that a decoration draws on a part of a line of this layout.
    pub(crate) fn marks(&self, line: usize, part: Part, decoration: &TextDecoration) -> Marks {
        let marks = self.marks_of_line(line, decoration);
        if part == Part::ALL {
            return marks;
        }
        let spans = self.spans(line, part);
        let within = |marks: Vec<Mark>| {
            let cut = |mark: &Mark| {
                let pieces = spans.iter().filter_map(|span| mark.within(*span));
                pieces.collect::<Vec<Mark>>()
            };
            marks.iter().flat_map(cut).collect()
        };
        Marks {
            behind: within(marks.behind),
            above: within(marks.above),
        }
    }

    fn marks_of_line(&self, line: usize, decoration: &TextDecoration) -> Marks {
        let mut marks = Marks::default();
        let Some(line_of_text) = self.lines.get(line) else {
            return marks;
        };
        if line_of_text.width <= 0.0 || self.font_size <= 0.0 {
            return marks;
        }
        let thickness = self.thickness(decoration);
        let whole = thickness.floor().max(1.0);
        let top = line_of_text.baseline - self.ascent;
        let stretch = |offset: f32, direction: f32| Stretch {
            left: line_of_text.x,
            right: line_of_text.x + line_of_text.width,
            top: top + offset,
            thickness: whole,
            direction,
        };
        if decoration.underline {
            let gap = (thickness / 2.0).ceil().max(1.0);
            let stretch = stretch(self.ascent + gap, 1.0);
            self.push(&mut marks.behind, &stretch, decoration.style, Some(line));
        }
        if decoration.overline {
            let stretch = stretch(-whole, -1.0);
            self.push(&mut marks.behind, &stretch, decoration.style, Some(line));
        }
        if decoration.line_through {
            let stretch = stretch(self.ascent * 2.0 / 3.0 - thickness / 2.0, 1.0);
            self.push(&mut marks.above, &stretch, decoration.style, None);
        }
        marks
    }

    fn thickness(&self, decoration: &TextDecoration) -> f32 {
        const SHARE_OF_SIZE: f32 = 0.1;
        let automatic = (self.font_size * SHARE_OF_SIZE).max(1.0);
        match decoration.thickness {
            None => automatic,
            Some(length) => length.resolve(self.font_size).round().max(1.0),
        }
    }

    /// Adds one line, with gaps where it would cross letters of `skipping`.
    fn push(
        &self,
        marks: &mut Vec<Mark>,
        stretch: &Stretch,
        style: LineStyle,
        skipping: Option<usize>,
    ) {
        let mut bands = vec![stretch.clone()];
        if style == LineStyle::Double {
            // The second line leaves as much free as one is thick, and a pixel.
            let away = (stretch.thickness + 1.0) * stretch.direction;
            bands.push(Stretch {
                top: stretch.top + away,
                ..stretch.clone()
            });
        }
        let (from, to) = bands.iter().fold((f32::MAX, f32::MIN), |(from, to), band| {
            (from.min(band.top), to.max(band.top + band.thickness))
        });
        let gaps = skipping.map_or(Vec::new(), |line| {
            self.gaps(line, (from, to), stretch.thickness)
        });
        for band in bands {
            for (left, right) in between(&gaps, (band.left, band.right)) {
                band.draw(marks, style, (left, right));
            }
        }
    }

    /// What lies between these heights of the letters of a line, with room beside it.
    fn gaps(&self, line: usize, (from, to): (f32, f32), thickness: f32) -> Vec<(f32, f32)> {
        let line = &self.lines[line];
        let room = thickness.min(WIDEST_GAP);
        let mut gaps = Vec::new();
        for glyph in &line.glyphs {
            let Some(face) = self.faces.get(glyph.face) else {
                continue;
            };
            let Some(outline) = outline(face, glyph.id, self.font_size) else {
                continue;
            };
            let baseline = line.baseline - glyph.y;
            if let Some((left, right)) = crossing(&outline, (from - baseline, to - baseline)) {
                let x = line.x + glyph.x;
                // Gaps end on whole pixels.
                gaps.push(((x + left - room).round(), (x + right + room).round()));
            }
        }
        gaps.sort_by(|a, b| a.0.total_cmp(&b.0));
        gaps
    }
}

/// One straight line under, over or through text.
#[derive(Clone, Debug, PartialEq)]
struct Stretch {
    left: f32,
    right: f32,
    top: f32,
    thickness: f32,
    /// 1 where more lines go downwards.
    direction: f32,
}

impl Stretch {
    fn draw(&self, marks: &mut Vec<Mark>, style: LineStyle, (left, right): (f32, f32)) {
        /// More dots or dashes than this are not drawn.
        const MOST: usize = 10_000;
        let thick = self.thickness;
        let (top, bottom) = (self.top, self.top + thick);
        let middle = self.top + thick / 2.0;
        // As many periods as fit, so that a pattern ends as it begins.
        let periods = |length: f32, gap: f32| {
            let count = ((right - left + gap) / (length + gap)).round().max(1.0);
            let spare = right - left - count * length;
            let gap = if count > 1.0 {
                spare / (count - 1.0)
            } else {
                0.0
            };
            let starts = move |index: usize| left + index as f32 * (length + gap);
            (0..(count as usize).min(MOST)).map(starts)
        };
        match style {
            LineStyle::Solid | LineStyle::Double => {
                marks.push(Mark::Bar([left, top, right, bottom]));
            }
            LineStyle::Dotted if thick < 3.0 => {
                let dots = periods(thick, thick);
                marks.extend(dots.map(|x| Mark::Bar([x, top, (x + thick).min(right), bottom])));
            }
            LineStyle::Dotted => {
                let dots = periods(thick, thick);
                marks.extend(dots.map(|x| Mark::Dot((x + thick / 2.0, middle), thick)));
            }
            LineStyle::Dashed => {
                let (dash, gap) = if thick >= 3.0 { (2.0, 1.0) } else { (3.0, 2.0) };
                let dash = dash * thick;
                let dashes = periods(dash, gap * thick);
                marks.extend(dashes.map(|x| Mark::Bar([x, top, (x + dash).min(right), bottom])));
            }
            LineStyle::Wavy => {
                let (height, step) = (1.5 * thick + 0.5, 2.0 * thick + 0.5);
                let middle = middle + height * self.direction.max(0.0);
                let count = (((right - left) / step * 8.0).ceil() as usize).min(MOST * 8);
                let points = (0..=count).map(|index| {
                    let x = (left + index as f32 * step / 8.0).min(right);
                    let turn = (x - self.left) / step * std::f32::consts::PI;
                    (x, middle + height * turn.sin())
                });
                marks.push(Mark::Wave(points.collect(), thick));
            }
        }
    }
}

/// What gaps leave of a stretch from left to right.
fn between(gaps: &[(f32, f32)], (left, right): (f32, f32)) -> Vec<(f32, f32)> {
    let mut pieces = Vec::new();
    let mut from = left;
    for (start, end) in gaps {
        if *start > from {
            pieces.push((from, start.min(right)));
        }
        from = from.max(*end);
    }
    if from < right {
        pieces.push((from, right));
    }
    pieces.retain(|(from, to)| to > from);
    pieces
}

/// Left and right of what an outline has between two heights.
fn crossing(outline: &[Command], (from, to): (f32, f32)) -> Option<(f32, f32)> {
    let mut found: Option<(f32, f32)> = None;
    let mut piece = |a: (f32, f32), b: (f32, f32)| {
        let (low, high) = (a.1.min(b.1), a.1.max(b.1));
        if high < from || low > to {
            return;
        }
        let x_at = |y: f32| {
            let share = if b.1 == a.1 {
                0.0
            } else {
                (y - a.1) / (b.1 - a.1)
            };
            a.0 + (b.0 - a.0) * share.clamp(0.0, 1.0)
        };
        let ends = if high == low {
            [a.0, b.0]
        } else {
            [x_at(low.max(from)), x_at(high.min(to))]
        };
        for x in ends {
            let (left, right) = found.unwrap_or((x, x));
            found = Some((left.min(x), right.max(x)));
        }
    };
    let (mut start, mut at) = ((0.0, 0.0), (0.0, 0.0));
    for command in outline {
        let a = at;
        let mut curve = |to: (f32, f32), point: &dyn Fn(f32) -> (f32, f32)| {
            let mut before = at;
            for index in 1..=PIECES {
                let next = point(index as f32 / PIECES as f32);
                piece(before, next);
                before = next;
            }
            at = to;
        };
        match *command {
            Command::MoveTo(p) => {
                at = (p.x, p.y);
                start = at;
            }
            Command::LineTo(p) => {
                piece(at, (p.x, p.y));
                at = (p.x, p.y);
            }
            Command::QuadTo(p, q) => {
                curve((q.x, q.y), &|t| {
                    let mix = |a: f32, b: f32, c: f32| {
                        a * (1.0 - t) * (1.0 - t) + 2.0 * b * t * (1.0 - t) + c * t * t
                    };
                    (mix(a.0, p.x, q.x), mix(a.1, p.y, q.y))
                });
            }
            Command::CurveTo(p, q, r) => {
                curve((r.x, r.y), &|t| {
                    let s = 1.0 - t;
                    let mix = |a: f32, b: f32, c: f32, d: f32| {
                        a * s * s * s + 3.0 * b * t * s * s + 3.0 * c * t * t * s + d * t * t * t
                    };
                    (mix(a.0, p.x, q.x, r.x), mix(a.1, p.y, q.y, r.y))
                });
            }
            Command::Close => {
                piece(at, start);
                at = start;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_leave_pieces() {
        let gaps = [(10.0, 20.0), (15.0, 25.0), (40.0, 90.0)];
        assert_eq!(between(&gaps, (0.0, 50.0)), [(0.0, 10.0), (25.0, 40.0)]);
        assert_eq!(between(&[], (0.0, 5.0)), [(0.0, 5.0)]);
        assert_eq!(between(&[(-5.0, 60.0)], (0.0, 50.0)), []);
    }

    #[test]
    fn an_outline_is_cut_between_two_heights() {
        use zeno::PathBuilder;
        let mut triangle: Vec<Command> = Vec::new();
        triangle
            .move_to((0.0, 0.0))
            .line_to((10.0, 0.0))
            .line_to((5.0, 10.0))
            .close();
        let (left, right) = crossing(&triangle, (5.0, 6.0)).expect("crossed");
        assert!((left - 2.5).abs() < 0.01 && (right - 7.5).abs() < 0.01);
        assert_eq!(crossing(&triangle, (11.0, 12.0)), None);
    }
}
