//! The gain of a clip over its length: volume, fades, and ramps that keep cut edges from clicking.

use super::clip::AudioClip;
use super::sample_at;

/// Two milliseconds: too short to be heard as a fade, long enough not to click.
pub(super) const ANTI_CLICK_SAMPLES: i64 = 96;

/// The gain of a clip at each of its samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope {
    volume: f64,
    /// Where the fall ends.
    end: i64,
    rise: i64,
    fall: i64,
}

impl Envelope {
    /// The gain of a clip of so many samples. Fades longer than the clip are as long as it is. One
    /// that another clip takes over from plays on under the rise of that: `tail` samples.
    pub(super) fn new(clip: &AudioClip, length: i64, tail: i64) -> Self {
        let ramp = |seconds: f64| sample_at(seconds).max(ANTI_CLICK_SAMPLES).min(length);
        Self {
            volume: clip.volume,
            end: length + tail,
            rise: ramp(clip.fade_in),
            fall: if tail > 0 { tail } else { ramp(clip.fade_out) },
        }
    }

    /// The gain at a sample counted from the clip's beginning.
    pub(super) fn gain(&self, sample: i64) -> f32 {
        let up = (sample as f64 / self.rise as f64).clamp(0.0, 1.0);
        let down = ((self.end - sample) as f64 / self.fall as f64).clamp(0.0, 1.0);
        (self.volume * up * down) as f32
    }
}
