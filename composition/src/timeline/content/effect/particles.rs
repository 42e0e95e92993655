//! Snow, confetti, rain, fireflies, sparkles and bubbles.

use super::{Brief, within};
use crate::css::Color;

/// Many small things in the air.
#[derive(Clone, Debug, PartialEq)]
pub struct Particles {
    /// What they are.
    pub species: Species,
    /// Their colour in place of their own.
    pub color: Option<Color>,
    /// How many there are.
    pub count: usize,
    /// How large one of middling distance is, in pixels.
    pub size: f64,
    /// Factor on their speed.
    pub speed: f64,
}

/// What particles are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as the effects are")]
pub enum Species {
    Snow,
    Confetti,
    Rain,
    Fireflies,
    Sparkles,
    Bubbles,
}

impl Species {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "snow" => Self::Snow,
            "confetti" => Self::Confetti,
            "rain" => Self::Rain,
            "fireflies" => Self::Fireflies,
            "sparkles" => Self::Sparkles,
            "bubbles" => Self::Bubbles,
            _ => return None,
        })
    }

    /// How many belong in a square, their size as a share of its side, and the least size in pixels at
    /// which they can be told for what they are.
    pub(super) fn usual(self) -> (f64, f64, f64) {
        match self {
            Self::Snow => (380.0, 0.012, 2.4),
            Self::Confetti => (165.0, 0.0235, 4.0),
            Self::Rain => (330.0, 0.0025, 0.9),
            Self::Fireflies => (32.0, 0.009, 2.0),
            Self::Sparkles => (36.0, 0.085, 15.0),
            Self::Bubbles => (24.0, 0.065, 9.0),
        }
    }
}

impl Particles {
    pub(super) fn new(species: Species, brief: Brief<'_>) -> Self {
        const MOST: f64 = 20_000.0;
        const SMALLEST: f64 = 0.1;
        const LARGEST: f64 = 1000.0;
        /// More than this many layers one over another are a wall.
        const MOST_LAYERS: f64 = 40.0;
        /// So many times more than usual are as large as usual.
        const MOST_AT_USUAL_SIZE: f64 = 6.0;
        let (in_a_square, share, least) = species.usual();
        let area = f64::from(brief.size.width) * f64::from(brief.size.height);
        let short = brief.short_side();
        let squares = area / (short * short);
        let usual = (short * share).max(least);
        // In a box where they can't be as small as they should be, there are fewer.
        let fewer = short * share / usual;
        let usual_count = (in_a_square * squares * fewer).round();
        let count = within(brief.styles.particle_count, usual_count, 0.0, MOST);
        // Where there are very many they are smaller, so that something is seen between them.
        let crowding = count / (MOST_AT_USUAL_SIZE * usual_count).max(1.0);
        let among_others = (usual / crowding.max(1.0).sqrt()).max(least);
        let size = within(brief.styles.size, among_others, SMALLEST, LARGEST);
        let wall = (MOST_LAYERS * area / (size * size)).max(1.0);
        Self {
            species,
            color: brief.color(),
            count: count.min(wall) as usize,
            size,
            speed: brief.speed(),
        }
    }
}
