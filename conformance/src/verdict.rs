//! What is found of each frame.

use std::path::Path;

use crate::bar::{Bar, Bars};
use crate::case::{Case, Compare, frame_key};
use crate::fit;
use crate::measure::{Figures, compare};
use crate::picture::Picture;

/// A frame, and what was found of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// As in `fade.f12`.
    pub key: String,
    /// The case it is of.
    pub case: String,
    /// What the case is about.
    pub tags: Vec<String>,
    /// What was found.
    pub verdict: Verdict,
}

/// What was found of a frame.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It was measured.
    Measured {
        /// Its distance from the reference.
        figures: Figures,
        /// The most that may be.
        bar: Bar,
    },
    /// Its text was looked at, and this is wrong with it.
    Fitted(Vec<String>),
    /// It could not be compared.
    Broken(String),
}

impl Judged {
    /// How many times over its bar: 1 or less is met.
    pub fn multiple(&self) -> f64 {
        match &self.verdict {
            Verdict::Measured { figures, bar } => bar.multiple(figures),
            Verdict::Fitted(complaints) if complaints.is_empty() => 0.0,
            Verdict::Fitted(_) | Verdict::Broken(_) => f64::INFINITY,
        }
    }

    /// Whether the frame counts.
    pub fn is_advisory(&self) -> bool {
        matches!(&self.verdict, Verdict::Measured { bar, .. } if bar.advisory)
    }

    /// Whether it meets its bar.
    pub fn is_met(&self) -> bool {
        const ROUNDING: f64 = 1e-6;
        self.multiple() <= 1.0 + ROUNDING
    }

    /// The figures against their bars, or what is wrong.
    pub fn details(&self) -> String {
        match &self.verdict {
            Verdict::Measured { figures, bar } => Figures::NAMES
                .iter()
                .zip(figures.values().into_iter().zip(bar.figures.values()))
                .map(|(name, (figure, bar))| {
                    let mark = if figure > bar { "!" } else { "" };
                    format!("{name} {figure:.4}/{bar:.4}{mark}")
                })
                .collect::<Vec<_>>()
                .join("  "),
            Verdict::Fitted(complaints) if complaints.is_empty() => "text fits".into(),
            Verdict::Fitted(complaints) => complaints.join("; "),
            Verdict::Broken(why) => why.clone(),
        }
    }
}

/// Compares every frame of the cases: `got/KEY.png` with `references/KEY.png`.
pub fn judge(cases: &[Case], references: &Path, got: &Path, bars: &Bars) -> Vec<Judged> {
    let frames = cases
        .iter()
        .flat_map(|case| case.frames.iter().map(move |frame| (case, *frame)));
    frames
        .map(|(case, frame)| {
            let key = frame_key(&case.name, frame);
            let file = format!("{key}.png");
            let pictures = Picture::open(&references.join(&file))
                .and_then(|reference| Ok((reference, Picture::open(&got.join(&file))?)));
            let verdict = match pictures {
                Err(error) => Verdict::Broken(format!("{error:#}")),
                Ok((reference, got)) if case.compare == Compare::Fit => {
                    Verdict::Fitted(fit::complaints(&case.composition, &reference, &got))
                }
                Ok((reference, got)) => compare(&reference, &got).map_or_else(
                    || Verdict::Broken(sizes(&reference, &got)),
                    |figures| Verdict::Measured {
                        figures,
                        bar: bars.of(&key),
                    },
                ),
            };
            Judged {
                key,
                case: case.name.clone(),
                tags: case.tags.clone(),
                verdict,
            }
        })
        .collect()
}

fn sizes(reference: &Picture, got: &Picture) -> String {
    let ((wanted_w, wanted_h), (w, h)) = (reference.size(), got.size());
    format!("{w} × {h}, wanted {wanted_w} × {wanted_h}")
}
