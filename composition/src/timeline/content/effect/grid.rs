//! Boxes in cells: those of `grid-stagger`, which appear, and those of `fracture`, which fly apart.

use super::super::media::MediaBox;
use super::super::parse::color;
use super::{Album, Brief, within};
use crate::css::Color;
use crate::document::StaggerDirection;
use crate::geometry::Size;
use crate::timeline::pieces::turns;

/// Colours of cells that nobody gave any.
const PALETTE: [&str; 6] = [
    "#ff5c8a", "#ffb84d", "#4cc9f0", "#7b61ff", "#2dd4a7", "#f4f1ff",
];
/// Colour of a pane that nobody gave any.
const PANE: &str = "#dce6f5";

/// A box in cells, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Cells across.
    pub columns: usize,
    /// Cells down.
    pub rows: usize,
    /// What cells show, taken in turn.
    pub fills: Vec<CellFill>,
    /// Seconds after which each cell starts to move.
    pub starts: Vec<f64>,
    /// Seconds that one cell moves.
    pub duration: f64,
}

/// What a cell shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellFill {
    /// A colour.
    Color(Color),
    /// A picture of the effect, by its index.
    Picture(usize),
}

impl Grid {
    /// Cells that appear.
    pub(super) fn staggered(brief: Brief<'_>) -> (Self, Vec<MediaBox>) {
        let (columns, rows) = sides(brief, 5.0);
        let size = Size {
            width: brief.size.width / columns as f32,
            height: brief.size.height / rows as f32,
        };
        let mut album = Album {
            brief,
            size,
            pictures: Vec::new(),
        };
        let images = brief.styles.cell_images.iter().flatten();
        let mut fills: Vec<CellFill> = images
            .filter_map(|src| album.add(src))
            .map(CellFill::Picture)
            .collect();
        if fills.is_empty() {
            fills = colors(brief, tints);
        }
        let direction = brief
            .styles
            .stagger_dir
            .unwrap_or(StaggerDirection::Forward);
        let grid = Self::new(brief, (columns, rows), fills, direction, (2.0, 18.0));
        (grid, album.pictures)
    }

    /// Shards of a pane.
    pub(super) fn of_shards(brief: Brief<'_>) -> (Self, Vec<MediaBox>) {
        let mut album = Album {
            brief,
            size: brief.size,
            pictures: Vec::new(),
        };
        let mut images = brief.styles.cell_images.iter().flatten();
        let fills = match images.find_map(|src| album.add(src)) {
            Some(picture) => vec![CellFill::Picture(picture)],
            None => colors(brief, |color| {
                vec![color.or(Color::parse(PANE)).unwrap_or(Color::WHITE)]
            }),
        };
        let direction = brief.styles.stagger_dir.unwrap_or(StaggerDirection::Center);
        let grid = Self::new(brief, sides(brief, 8.0), fills, direction, (2.0, 45.0));
        (grid, album.pictures)
    }

    fn new(
        brief: Brief<'_>,
        (columns, rows): (usize, usize),
        fills: Vec<CellFill>,
        direction: StaggerDirection,
        (delay, duration): (f64, f64),
    ) -> Self {
        const LONGEST: f64 = 100_000.0;
        let seconds = |frames: Option<f64>, usual| within(frames, usual, 0.0, LONGEST) / brief.fps;
        let delay = seconds(brief.styles.stagger_delay, delay);
        let turns: Vec<f64> = match direction {
            StaggerDirection::Center => rings(columns, rows).collect(),
            other => turns(other, columns * rows).collect(),
        };
        Self {
            columns,
            rows,
            fills,
            starts: turns.into_iter().map(|turn| turn * delay).collect(),
            duration: seconds(brief.styles.anim_duration, duration),
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// Seconds after which no cell moves any more.
    pub fn ends_after(&self) -> f64 {
        self.duration + self.starts.iter().copied().fold(0.0, f64::max)
    }

    /// How far a cell is on its way so many seconds after the start, 0 to 1.
    pub fn progress(&self, cell: usize, seconds: f64) -> f64 {
        let since = seconds - self.starts.get(cell).copied().unwrap_or(0.0);
        if self.duration > 0.0 {
            (since / self.duration).clamp(0.0, 1.0)
        } else {
            f64::from(u8::from(since >= 0.0))
        }
    }

    /// What a cell shows.
    pub fn fill(&self, cell: usize) -> CellFill {
        match self.fills.len() {
            0 => CellFill::Color(Color::TRANSPARENT),
            count => self.fills[cell % count],
        }
    }
}

/// Cells across and down: as asked for, else so that cells are nearly square, with so many along the
/// shorter side.
fn sides(brief: Brief<'_>, along: f64) -> (usize, usize) {
    const MOST: f64 = 200.0;
    let (width, height) = (f64::from(brief.size.width), f64::from(brief.size.height));
    let bounded = |count: f64| (count.round().clamp(1.0, MOST) as usize).max(1);
    let given = |count: Option<f64>| count.map(bounded);
    let styles = brief.styles;
    match (given(styles.grid_cols), given(styles.grid_rows)) {
        (Some(columns), Some(rows)) => (columns, rows),
        (Some(columns), None) => (columns, bounded(columns as f64 * height / width)),
        (None, Some(rows)) => (bounded(rows as f64 * width / height), rows),
        (None, None) => {
            let side = brief.short_side() / along;
            (bounded(width / side), bounded(height / side))
        }
    }
}

/// How many cells each cell is from the middle, counted from those that are nearest.
fn rings(columns: usize, rows: usize) -> impl Iterator<Item = f64> {
    let offset = |index: usize, count: usize| index as f64 - (count as f64 - 1.0) / 2.0;
    let distance = move |column, row| offset(column, columns).hypot(offset(row, rows));
    let nearest = distance(columns / 2, rows / 2);
    (0..rows).flat_map(move |row| (0..columns).map(move |column| distance(column, row) - nearest))
}

/// The colours of the document, or what becomes of its one colour.
fn colors(brief: Brief<'_>, instead: impl Fn(Option<Color>) -> Vec<Color>) -> Vec<CellFill> {
    let given = brief.styles.cell_colors.iter().flatten();
    let mut colors: Vec<Color> = given
        .filter_map(|text| color(Some(text), Color::BLACK))
        .collect();
    if colors.is_empty() {
        colors = instead(brief.color());
    }
    colors.into_iter().map(CellFill::Color).collect()
}

/// Shades of a colour, or a palette.
fn tints(color: Option<Color>) -> Vec<Color> {
    let Some(color) = color else {
        return PALETTE
            .iter()
            .filter_map(|text| Color::parse(text))
            .collect();
    };
    let toward = |other: Color, weight| {
        let other = Color {
            a: color.a,
            ..other
        };
        color.mixed(other, weight)
    };
    vec![
        color,
        toward(Color::WHITE, 0.22),
        toward(Color::BLACK, 0.16),
        toward(Color::WHITE, 0.42),
        toward(Color::BLACK, 0.07),
    ]
}
