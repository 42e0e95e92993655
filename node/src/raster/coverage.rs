//! How much of each pixel an outline covers: exact areas, not samples, as browsers have them.

use tiny_skia::{Path, Point, Transform};

use super::Mask;
use super::edges::edges;
use super::flatten::flatten;

/// Which points an outline that crosses itself holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// All that the outline turns around.
    NonZero,
    /// Those it turns around an odd number of times.
    EvenOdd,
}

impl Mask {
    /// The coverage of a mapped outline on a picture of this size; `None` where it covers nothing.
    pub(crate) fn of(path: &Path, rule: Rule, map: Transform, size: (u32, u32)) -> Option<Self> {
        let mut lines = Vec::new();
        flatten(path, map, |from, to| lines.push((from, to)));
        Self::of_lines(&lines, rule, size)
    }

    /// The coverage of an outline as Chromium paints boxes and shapes: its curves are cut coarsely.
    pub(crate) fn of_shape(
        path: &Path,
        rule: Rule,
        map: Transform,
        size: (u32, u32),
    ) -> Option<Self> {
        let mut lines = Vec::new();
        edges(path, map, |from, to| lines.push((from, to)));
        Self::of_lines(&lines, rule, size)
    }

    /// The coverage of an outline of straight lines in pixels of the picture.
    fn of_lines(lines: &[(Point, Point)], rule: Rule, size: (u32, u32)) -> Option<Self> {
        let ends = || lines.iter().flat_map(|(from, to)| [from, to]);
        let low = |pick: fn(&Point) -> f32| ends().map(pick).fold(f32::MAX, f32::min);
        let high = |pick: fn(&Point) -> f32| ends().map(pick).fold(f32::MIN, f32::max);
        // Saturating casts keep whatever comes within the picture.
        let left = low(|p| p.x).floor().max(0.0) as usize;
        let top = low(|p| p.y).floor().max(0.0) as usize;
        let right = (high(|p| p.x).ceil().max(0.0) as usize).min(size.0 as usize);
        let bottom = (high(|p| p.y).ceil().max(0.0) as usize).min(size.1 as usize);
        if left >= right || top >= bottom {
            return None;
        }
        let (width, height) = (right - left, bottom - top);
        let mut areas = Areas::new(width, height);
        for (from, to) in lines {
            let local = |point: &Point| {
                (
                    f64::from(point.x) - left as f64,
                    f64::from(point.y) - top as f64,
                )
            };
            areas.add(local(from), local(to));
        }
        Some(Self {
            left,
            top,
            width,
            coverage: areas.coverage(rule),
        })
    }
}

/// Signed areas between lines and the right edge of each pixel: summed along a row, they are how
/// often and how much of each pixel the outline turns around.
struct Areas {
    width: usize,
    height: usize,
    /// Rows have one more cell than pixels, for what leaves the last pixel.
    cells: Vec<f32>,
}

impl Areas {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            cells: vec![0.0; (width + 2) * height],
        }
    }

    /// Adds a line, cut to the rectangle: what passes on its left counts for whole rows, what
    /// passes on its right for nothing.
    fn add(&mut self, from: (f64, f64), to: (f64, f64)) {
        if from.1 == to.1 {
            return;
        }
        let (sign, (x0, y0), (x1, y1)) = if from.1 < to.1 {
            (1.0, from, to)
        } else {
            (-1.0, to, from)
        };
        let (top, bottom) = (y0.max(0.0), y1.min(self.height as f64));
        if top >= bottom {
            return;
        }
        let slope = (x1 - x0) / (y1 - y0);
        let x_at = |y: f64| x0 + (y - y0) * slope;
        // Where the line crosses the left and right edge, it is cut.
        let right = self.width as f64;
        let mut cuts = [top, bottom, bottom, bottom];
        let mut count = 1;
        if slope != 0.0 {
            let crossings = [y0 - x0 / slope, y0 + (right - x0) / slope];
            let [first, second] = if slope > 0.0 {
                crossings
            } else {
                [crossings[1], crossings[0]]
            };
            for crossing in [first, second] {
                if crossing > cuts[count - 1] && crossing < bottom {
                    cuts[count] = crossing;
                    count += 1;
                }
            }
        }
        cuts[count] = bottom;
        for piece in cuts[..=count].windows(2) {
            let (top, bottom) = (piece[0], piece[1]);
            let middle = x_at((top + bottom) / 2.0);
            if middle >= right {
                continue;
            }
            if middle <= 0.0 {
                self.steep(sign, (0.0, top), (0.0, bottom));
            } else {
                let end = |y: f64| (x_at(y).clamp(0.0, right), y);
                self.steep(sign, end(top), end(bottom));
            }
        }
    }

    /// Adds a line that runs downwards inside the rectangle.
    fn steep(&mut self, sign: f64, (x0, y0): (f64, f64), (x1, y1): (f64, f64)) {
        let slope = if y1 > y0 { (x1 - x0) / (y1 - y0) } else { 0.0 };
        let (mut x, mut y) = (x0, y0);
        let mut row = (y0 as usize).min(self.height - 1);
        while y < y1 && row < self.height {
            let next_y = y1.min((row + 1) as f64);
            let next_x = if next_y >= y1 {
                x1
            } else {
                x0 + (next_y - y0) * slope
            };
            self.across(row, sign * (next_y - y), x.min(next_x), x.max(next_x));
            (x, y) = (next_x, next_y);
            row += 1;
        }
    }

    /// Adds a line of a single row that is `height` high and runs from `left` to `right`.
    fn across(&mut self, row: usize, height: f64, left: f64, right: f64) {
        let start = row * (self.width + 2);
        let cells = &mut self.cells[start..start + self.width + 2];
        let first = (left as usize).min(self.width - 1);
        let last = (right.ceil() as usize).clamp(first + 1, self.width) - 1;
        if first == last {
            // The area right of the line within its pixel, and the rest in the next one.
            let share = height * (1.0 - ((left + right) / 2.0 - first as f64));
            cells[first] += share as f32;
            cells[first + 1] += (height - share) as f32;
            return;
        }
        // Summed areas grow with the square in the first and last pixel and evenly between them.
        let per_pixel = height / (right - left);
        let mut before = 0.0;
        let mut summed = 0.0;
        for (pixel, cell) in cells.iter_mut().enumerate().take(last + 1).skip(first) {
            let (from, to) = (left.max(pixel as f64), right.min((pixel + 1) as f64));
            let inside = (to - from) * per_pixel;
            let area = summed + inside * ((pixel + 1) as f64 - (from + to) / 2.0);
            *cell += (area - before) as f32;
            before = area;
            summed += inside;
        }
        cells[last + 1] += (height - before) as f32;
    }

    fn coverage(&self, rule: Rule) -> Vec<u8> {
        let mut coverage = Vec::with_capacity(self.width * self.height);
        for cells in self.cells.chunks_exact(self.width + 2) {
            let mut sum = 0.0;
            coverage.extend(cells[..self.width].iter().map(|cell| {
                sum += cell;
                let share = match rule {
                    Rule::NonZero => sum.abs().min(1.0),
                    Rule::EvenOdd => 1.0 - (sum.abs() % 2.0 - 1.0).abs(),
                };
                (share * 255.0 + 0.5) as u8
            }));
        }
        coverage
    }
}

#[cfg(test)]
mod tests {
    use tiny_skia::{PathBuilder, Rect};

    use super::*;

    fn rect(x: f32, y: f32, width: f32, height: f32) -> Path {
        PathBuilder::from_rect(Rect::from_xywh(x, y, width, height).expect("valid"))
    }

    fn mask(path: &Path, rule: Rule) -> Option<Mask> {
        Mask::of(path, rule, Transform::identity(), (20, 10))
    }

    #[test]
    fn edges_between_pixels_cover_their_share() {
        let mask = mask(&rect(1.25, 2.5, 2.0, 1.0), Rule::NonZero).expect("covers");
        assert_eq!((mask.left, mask.top, mask.width), (1, 2, 3));
        assert_eq!(mask.coverage, [96, 128, 32, 96, 128, 32]);
    }

    #[test]
    fn slanted_edges_cover_exact_areas() {
        let mut path = PathBuilder::new();
        path.move_to(0.0, 0.0);
        path.line_to(8.0, 0.0);
        path.line_to(0.0, 4.0);
        path.close();
        let mask = mask(&path.finish().expect("valid"), Rule::NonZero).expect("covers");
        // The edge falls by half a pixel for each pixel it moves.
        assert_eq!(mask.coverage[..8], [255, 255, 255, 255, 255, 255, 191, 64]);
        let total: f64 = mask.coverage.iter().map(|c| f64::from(*c) / 255.0).sum();
        assert!((total - 16.0).abs() < 0.05, "{total}");
    }

    #[test]
    fn what_is_outside_is_cut() {
        let whole = mask(&rect(-1e6, -1e6, 2e6, 2e6), Rule::NonZero).expect("covers");
        assert_eq!((whole.width, whole.coverage.len()), (20, 200));
        assert!(whole.coverage.iter().all(|coverage| *coverage == 255));
        assert_eq!(mask(&rect(30.0, 0.0, 5.0, 5.0), Rule::NonZero), None);
        assert_eq!(mask(&rect(-9.0, 0.0, 5.0, 5.0), Rule::NonZero), None);
        let mut slanted = PathBuilder::new();
        slanted.move_to(-10.0, 0.0);
        slanted.line_to(30.0, 0.0);
        slanted.line_to(30.0, 10.0);
        slanted.close();
        let mask = mask(&slanted.finish().expect("valid"), Rule::NonZero).expect("covers");
        let total: f64 = mask.coverage.iter().map(|c| f64::from(*c) / 255.0).sum();
        assert!((total - 100.0).abs() < 0.2, "{total}");
    }

    #[test]
    fn rules_differ_where_outlines_overlap() {
        let mut path = PathBuilder::new();
        path.push_rect(Rect::from_xywh(0.0, 0.0, 6.0, 6.0).expect("valid"));
        path.push_rect(Rect::from_xywh(2.0, 2.0, 2.0, 2.0).expect("valid"));
        let path = path.finish().expect("valid");
        let at = |mask: Option<Mask>| mask.expect("covers").coverage[3 * 6 + 3];
        assert_eq!(at(mask(&path, Rule::NonZero)), 255);
        assert_eq!(at(mask(&path, Rule::EvenOdd)), 0);
    }

    #[test]
    fn bad_numbers_cover_nothing() {
        let path = rect(0.0, 0.0, 5.0, 5.0);
        let nowhere = Transform::from_row(f32::NAN, 0.0, 0.0, 1.0, 0.0, 0.0);
        assert_eq!(Mask::of(&path, Rule::NonZero, nowhere, (20, 10)), None);
    }
}
