//! One piece of sound on the timeline.

use std::path::PathBuf;

use crate::{Error, Result};

/// Slowest and fastest playing that is accepted.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.05..=100.0;

/// One piece of sound on the timeline. All times are seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct AudioClip {
    /// The file.
    pub path: PathBuf,
    /// What messages call it: the overlay, the source.
    pub label: String,
    /// When it begins on the timeline.
    pub starts_at: f64,
    /// How long it lasts on the timeline.
    pub length: f64,
    /// Where in the file it begins.
    pub in_point: f64,
    /// How fast the file is played, at unchanged pitch.
    pub speed: f64,
    /// Linear gain.
    pub volume: f64,
    /// Length of the rise from silence at its beginning.
    pub fade_in: f64,
    /// Length of the fall to silence at its end.
    pub fade_out: f64,
    /// Whether a file without sound is silence (a video's sound) rather than a mistake.
    pub optional: bool,
}

impl AudioClip {
    /// Whether the clip would add nothing at all to the mix.
    pub(super) fn is_inaudible(&self) -> bool {
        self.volume == 0.0 || self.length <= 0.0
    }

    /// Refuses numbers that have no meaning.
    pub(super) fn check(&self) -> Result<()> {
        let times = [
            self.starts_at,
            self.length,
            self.in_point,
            self.volume,
            self.fade_in,
            self.fade_out,
        ];
        if times.iter().any(|number| !number.is_finite()) {
            return Err(self.refusal("has a time or a volume that is not a number"));
        }
        if !SPEEDS.contains(&self.speed) {
            return Err(self.refusal(&format!(
                "has a speed of {}; it must be from {} to {}",
                self.speed,
                SPEEDS.start(),
                SPEEDS.end()
            )));
        }
        Ok(())
    }

    /// An error for the caller's eyes that names the clip.
    pub(super) fn refusal(&self, what: &str) -> Error {
        Error::BadInput(format!("{} {what}", self.label))
    }
}
