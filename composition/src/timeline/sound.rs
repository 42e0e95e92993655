//! What is heard, and when.

use super::playback::{Playback, Stretch};
use crate::document::{Overlay, OverlayKind};

/// One source on the timeline, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundClip {
    /// Where the file is.
    pub src: String,
    /// How messages name the overlay.
    pub label: String,
    /// Whether a source without sound is no mistake: a silent video.
    pub may_be_silent: bool,
    /// When it starts.
    pub starts_at: f64,
    /// How long it plays.
    pub length: f64,
    /// Where in the source it begins.
    pub in_point: f64,
    /// How fast it plays.
    pub speed: f64,
    /// Linear volume.
    pub volume: f64,
    /// Seconds of fading in.
    pub fade_in: f64,
    /// Seconds of fading out, ending with the clip.
    pub fade_out: f64,
}

impl SoundClip {
    /// The sound of an overlay, cut to the length of the composition: a clip for each stretch of its source,
    /// which has so many frames a second.
    pub(super) fn of(
        overlay: &Overlay,
        fps: f64,
        source_fps: f64,
        total_seconds: f64,
    ) -> Vec<Self> {
        let (playback, volume, fade_in, fade_out, may_be_silent) = match &overlay.kind {
            OverlayKind::Sound(sound) => (
                Playback::from(sound.start_from_sound, sound.speed),
                sound.styles.volume,
                sound.styles.fade_in,
                sound.styles.fade_out,
                false,
            ),
            OverlayKind::Video(video) => (
                Playback::of_video(video, source_fps),
                video.styles.volume,
                None,
                None,
                true,
            ),
            _ => return Vec::new(),
        };
        let from = overlay.base.from / fps;
        let end = (from + overlay.base.duration_in_frames / fps).min(total_seconds);
        let volume = volume.unwrap_or(1.0).clamp(0.0, 1.0);
        let clip = |stretch: &Stretch| {
            let begins = from + stretch.starts_at;
            let starts_at = begins.max(0.0);
            let until = (begins + stretch.length).min(end);
            (until > starts_at && volume > 0.0).then(|| Self {
                src: overlay.src().unwrap_or_default().to_owned(),
                label: overlay.label(),
                may_be_silent,
                starts_at,
                length: until - starts_at,
                in_point: stretch.in_point + (starts_at - begins) * stretch.speed,
                speed: stretch.speed,
                volume,
                fade_in: fade_in.unwrap_or(0.0).max(0.0),
                fade_out: fade_out.unwrap_or(0.0).max(0.0),
            })
        };
        playback.stretches().iter().filter_map(clip).collect()
    }
}
