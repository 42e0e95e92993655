//! What is heard, and when.

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
    /// The sound of an overlay, cut to the length of the composition.
    pub(super) fn of(overlay: &Overlay, fps: f64, total_seconds: f64) -> Option<Self> {
        let (in_point, speed, volume, fade_in, fade_out, may_be_silent) = match &overlay.kind {
            OverlayKind::Sound(sound) => (
                sound.start_from_sound,
                sound.speed,
                sound.styles.volume,
                sound.styles.fade_in,
                sound.styles.fade_out,
                false,
            ),
            OverlayKind::Video(video) => (
                video.video_start_time,
                video.speed,
                video.styles.volume,
                None,
                None,
                true,
            ),
            _ => return None,
        };
        let from = overlay.base.from / fps;
        let until = (from + overlay.base.duration_in_frames / fps).min(total_seconds);
        let starts_at = from.max(0.0);
        let volume = volume.unwrap_or(1.0).clamp(0.0, 1.0);
        let speed = if speed > 0.0 { speed } else { 1.0 };
        (until > starts_at && volume > 0.0).then(|| Self {
            src: overlay.src().unwrap_or_default().to_owned(),
            label: overlay.label(),
            may_be_silent,
            starts_at,
            length: until - starts_at,
            in_point: in_point.unwrap_or(0.0).max(0.0) + (starts_at - from) * speed,
            speed,
            volume,
            fade_in: fade_in.unwrap_or(0.0).max(0.0),
            fade_out: fade_out.unwrap_or(0.0).max(0.0),
        })
    }
}
