//! Effect overlays: their parameters, within bounds.

mod columns;
mod grid;
mod matrix;
mod particles;

pub use columns::{Columns, ScrollingColumn};
pub use grid::{CellFill, Grid};
pub use matrix::Matrix;
pub use particles::{Particles, Species};

use super::media::MediaBox;
use super::parse::color;
use crate::css::Color;
use crate::document::{Effect, EffectStyles, Image, ImageStyles, ObjectFit};
use crate::geometry::Size;
use crate::timeline::pieces::{PieceState, Stagger};

/// An effect overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectBox {
    /// What it shows.
    pub kind: EffectKind,
    /// The pictures in it, all of one size.
    pub pictures: Vec<MediaBox>,
    /// Size of the box, which clips it.
    pub size: Size,
    /// How its parts move one after another, and frames in a second.
    motion: Option<(Stagger, f64)>,
}

/// The effects.
#[derive(Clone, Debug, PartialEq)]
pub enum EffectKind {
    /// Many small things in the air.
    Particles(Particles),
    /// Characters that fall in columns.
    Matrix(Matrix),
    /// Cells that appear one after another.
    GridStagger(Grid),
    /// A pane that breaks.
    Fracture(Grid),
    /// Columns of pictures that move without end.
    Columns(Columns),
}

/// What an effect is made from.
#[derive(Clone, Copy)]
struct Brief<'a> {
    styles: &'a EffectStyles,
    label: &'a str,
    size: Size,
    fps: f64,
}

impl EffectBox {
    /// `None` for a name that stands for nothing.
    pub(crate) fn new(effect: &Effect, label: &str, size: Size, fps: f64) -> Option<Self> {
        let brief = Brief {
            styles: &effect.styles,
            label,
            size,
            fps,
        };
        if let Some(species) = Species::named(&effect.content) {
            let kind = EffectKind::Particles(Particles::new(species, brief));
            return Some(brief.with(kind, Vec::new()));
        }
        Some(match effect.content.as_str() {
            "matrix" => brief.with(EffectKind::Matrix(Matrix::new(brief)), Vec::new()),
            "grid-stagger" => {
                let (grid, pictures) = Grid::staggered(brief);
                brief.with(EffectKind::GridStagger(grid), pictures)
            }
            "fracture" => {
                let (grid, pictures) = Grid::of_shards(brief);
                brief.with(EffectKind::Fracture(grid), pictures)
            }
            "scrolling-columns" => {
                let (columns, pictures) = Columns::new(brief);
                brief.with(EffectKind::Columns(columns), pictures)
            }
            _ => return None,
        })
    }

    /// The time to show so many seconds after the start: what has come to rest stays there.
    pub(crate) fn time_at(&self, seconds: f64) -> f64 {
        match &self.kind {
            EffectKind::GridStagger(grid) | EffectKind::Fracture(grid) => {
                let motion = self.motion.as_ref();
                let moved = motion.map(|(stagger, fps)| stagger.ends_after(grid.cells()) / fps);
                seconds.min(grid.ends_after().max(moved.unwrap_or(0.0)))
            }
            _ => seconds,
        }
    }

    /// Where the parts are at a time: the cells, the shards or the columns, or else the whole effect.
    /// None where nothing moves them.
    pub fn pieces(&self, time: f64) -> Vec<PieceState> {
        let count = match &self.kind {
            EffectKind::GridStagger(grid) | EffectKind::Fracture(grid) => grid.cells(),
            EffectKind::Columns(columns) => columns.columns.len(),
            EffectKind::Particles(_) | EffectKind::Matrix(_) => 1,
        };
        let motion = self.motion.as_ref();
        motion.map_or(Vec::new(), |(stagger, fps)| {
            stagger.pieces(count, time * fps)
        })
    }
}

impl Brief<'_> {
    fn with(self, kind: EffectKind, pictures: Vec<MediaBox>) -> EffectBox {
        EffectBox {
            kind,
            pictures,
            size: self.size,
            motion: (self.styles.staggered_motion.as_ref())
                .and_then(|motion| Stagger::of(motion, self.fps))
                .map(|stagger| (stagger, self.fps)),
        }
    }

    fn color(self) -> Option<Color> {
        color(self.styles.color.as_ref(), Color::BLACK)
    }

    fn speed(self) -> f64 {
        const FASTEST: f64 = 20.0;
        within(self.styles.speed, 1.0, 0.0, FASTEST)
    }

    /// The shorter side of the box: what sizes that nobody gave are shares of.
    fn short_side(self) -> f64 {
        f64::from(self.size.width.min(self.size.height))
    }

    /// A picture that covers a part of the effect.
    fn picture(self, src: &str, size: Size) -> MediaBox {
        let image = Image {
            src: src.to_owned(),
            content: None,
            greenscreen: None,
            styles: ImageStyles {
                object_fit: Some(ObjectFit::Cover),
                ..ImageStyles::default()
            },
        };
        MediaBox::image(&image, self.label.to_owned(), size)
    }
}

/// Pictures of one size without doubles.
struct Album<'a> {
    brief: Brief<'a>,
    size: Size,
    pictures: Vec<MediaBox>,
}

impl Album<'_> {
    /// The index of a source; `None` for one that names nothing.
    fn add(&mut self, src: &str) -> Option<usize> {
        if src.trim().is_empty() {
            return None;
        }
        let known = self.pictures.iter().position(|known| known.src == src);
        Some(known.unwrap_or_else(|| {
            self.pictures.push(self.brief.picture(src, self.size));
            self.pictures.len() - 1
        }))
    }
}

/// A number of the document, or what stands for none, within bounds.
fn within(number: Option<f64>, default: f64, low: f64, high: f64) -> f64 {
    number.unwrap_or(default).clamp(low, high)
}

#[cfg(test)]
mod tests;
