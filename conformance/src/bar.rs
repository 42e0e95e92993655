//! The bar of each frame: how far another browser is from the reference, and half as much again.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::measure::Figures;

/// Of the other browser's own distance.
const FACTOR: f64 = 1.5;
/// No bar is lower: so little is not seen.
const FLOOR: [f64; 5] = [0.5, 0.006, 0.006, 0.3, 3.0];
/// No bar is higher: where the browsers are further apart, the other one is no measure.
const CEILING: [f64; 5] = [8.0, 0.15, 0.2, 4.5, 18.0];

/// The bar of one frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// The most that each figure may be.
    #[serde(rename = "bar", default = "Bar::floor")]
    pub figures: Figures,
    /// Whether the frame is only looked at: engines have their own patterns for some lines.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub advisory: bool,
}

impl Default for Bar {
    fn default() -> Self {
        Self {
            figures: Self::floor(),
            advisory: false,
        }
    }
}

impl Bar {
    fn floor() -> Figures {
        Figures::of(FLOOR)
    }

    /// The bar that follows from another browser's distance.
    pub fn after(other: &Figures, advisory: bool) -> Self {
        let mut bar = other.values();
        for (index, value) in bar.iter_mut().enumerate() {
            let raised = (*value * FACTOR).clamp(FLOOR[index], CEILING[index]);
            *value = (raised * 1e6).round() / 1e6;
        }
        Self {
            figures: Figures::of(bar),
            advisory,
        }
    }

    /// By what factor the worst figure is over its bar; at most 1 for a frame that meets it.
    pub fn multiple(&self, figures: &Figures) -> f64 {
        figures
            .values()
            .into_iter()
            .zip(self.figures.values())
            .map(|(figure, bar)| figure / bar.max(f64::MIN_POSITIVE))
            .fold(0.0, f64::max)
    }
}

/// The bars of frames, by their keys.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Bars {
    /// Sets of frames; a frame is in one of them.
    pub sets: BTreeMap<String, BTreeMap<String, Bar>>,
}

impl Bars {
    /// Reads a file of bars.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read(file).with_context(|| format!("can't read {}", file.display()))?;
        serde_json::from_slice(&text).with_context(|| file.display().to_string())
    }

    /// Writes them, a line for each frame.
    pub fn write(&self, file: &Path) -> anyhow::Result<()> {
        let mut sets = Vec::new();
        for (name, frames) in &self.sets {
            let lines: Result<Vec<_>, _> = frames
                .iter()
                .map(|(key, bar)| {
                    Ok(format!(
                        "   {}: {}",
                        serde_json::to_string(key)?,
                        serde_json::to_string(bar)?
                    ))
                })
                .collect::<Result<_, serde_json::Error>>();
            let name = serde_json::to_string(name)?;
            sets.push(format!("  {name}: {{\n{}\n  }}", lines?.join(",\n")));
        }
        let text = format!("{{\n \"sets\": {{\n{}\n }}\n}}\n", sets.join(",\n"));
        std::fs::write(file, text).with_context(|| format!("can't write {}", file.display()))
    }

    /// The bar of a frame; the lowest for one that none is known of.
    pub fn of(&self, key: &str) -> Bar {
        self.sets
            .values()
            .find_map(|frames| frames.get(key))
            .copied()
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_half_again_the_other_browsers_distance_within_limits() {
        let other = Figures::of([0.1, 0.02, 0.01, 0.4, 100.0]);
        let bar = Bar::after(&other, false);
        assert_eq!(bar.figures.values(), [0.5, 0.03, 0.015, 0.6, 18.0]);
    }

    #[test]
    fn the_worst_figure_decides() {
        let bar = Bar::default();
        let [mad, over, dssim, tolerant, tile] = FLOOR;
        let met = Figures::of([mad, over, dssim, tolerant, tile]);
        assert_eq!(bar.multiple(&met), 1.0);
        let missed = Figures::of([0.0, 0.0, 0.0, 0.0, tile * 2.5]);
        assert_eq!(bar.multiple(&missed), 2.5);
    }

    #[test]
    fn a_frame_without_a_bar_gets_the_lowest() {
        let text = r#"{"factor":1.5,"sets":{"open":{"a.f0":{"compare":"pixels","bar":
            {"madMean":1,"over16":1,"dssim":1,"tolMad":1,"tolTile":1},"advisory":true},
            "b.f0":{"compare":"fit"}}}}"#;
        let bars: Bars = serde_json::from_str(text).expect("bars");
        assert!(bars.of("a.f0").advisory);
        assert_eq!(bars.of("b.f0"), Bar::default());
        assert_eq!(bars.of("c.f0"), Bar::default());
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("bars.json");
        let mut bars = Bars::default();
        let bar = Bar::after(&Figures::of([1.0, 0.1, 0.1, 1.0, 5.0]), true);
        bars.sets
            .entry("own".into())
            .or_default()
            .insert("x.f3".into(), bar);
        bars.write(&file).expect("written");
        assert_eq!(Bars::read(&file).expect("read").of("x.f3"), bar);
    }
}
