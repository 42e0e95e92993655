//! The gain of a clip over its length: volume, fades, and ramps that keep cut edges from clicking.

use super::clip::AudioClip;
use super::sample_at;

/// Two milliseconds: too short to be heard as a fade, long enough not to click.
const ANTI_CLICK_SAMPLES: i64 = 96;

/// The gain of a clip at each of its samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope {
    volume: f32,
    length: i64,
    rise: i64,
    fall: i64,
}

impl Envelope {
    pub(super) fn new(clip: &AudioClip, length: i64) -> Self {
        let ramp = |seconds: f64| sample_at(seconds).max(ANTI_CLICK_SAMPLES).min(length);
        Self {
            volume: clip.volume as f32,
            length,
            rise: ramp(clip.fade_in),
            fall: ramp(clip.fade_out),
        }
    }

    /// The gain at a sample counted from the clip's beginning.
    pub(super) fn gain(&self, sample: i64) -> f32 {
        let up = (sample as f32 / self.rise as f32).clamp(0.0, 1.0);
        let down = ((self.length - sample) as f32 / self.fall as f32).clamp(0.0, 1.0);
        self.volume * up * down
    }
}
