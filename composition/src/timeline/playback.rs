//! Which moment of a source plays when.

use crate::document::{MediaSegment, Video};

/// Moments of the timeline are sums of fractions: a stretch that begins now has begun.
const SLACK_SECONDS: f64 = 1e-6;

/// The way that an overlay takes through its source: stretches, one after another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Playback(Vec<Stretch>);

/// A part of a source that plays without a jump; times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    /// When it begins, since the overlay did.
    pub(super) starts_at: f64,
    /// How long it plays.
    pub(super) length: f64,
    /// Where in the source it begins.
    pub(super) in_point: f64,
    /// How fast it plays.
    pub(super) speed: f64,
    /// The last moment of the source that is seen.
    last: f64,
}

impl Playback {
    /// A source from a moment on, to its end.
    pub(super) fn from(in_point: Option<f64>, speed: f64) -> Self {
        Self(vec![Stretch {
            starts_at: 0.0,
            length: f64::INFINITY,
            in_point: in_point.unwrap_or(0.0).max(0.0),
            speed,
            last: f64::INFINITY,
        }])
    }

    /// What a video plays, if its source has so many frames a second.
    pub(super) fn of_video(video: &Video, source_fps: f64) -> Self {
        let segments = video.segments.as_deref().unwrap_or_default();
        if segments.is_empty() {
            return Self::from(video.video_start_time, video.speed);
        }
        let mut starts_at = 0.0;
        let stretch = |segment: &MediaSegment| {
            let speed = segment.speed.unwrap_or(video.speed);
            let frames = segment.end_frame - segment.start_frame;
            let stretch = Stretch {
                starts_at,
                length: frames / source_fps / speed,
                in_point: segment.start_frame / source_fps,
                speed,
                last: (segment.end_frame - 0.5) / source_fps,
            };
            starts_at += stretch.length;
            stretch
        };
        Self(segments.iter().map(stretch).collect())
    }

    /// The moment of the source that is seen so many seconds after the overlay began. The last one stays.
    pub(super) fn time_at(&self, elapsed: f64) -> f64 {
        let begun = |stretch: &&Stretch| stretch.starts_at <= elapsed + SLACK_SECONDS;
        let stretch = self.0.iter().rev().find(begun).or(self.0.first());
        stretch.map_or(0.0, |stretch| {
            let into = (elapsed - stretch.starts_at).max(0.0);
            (stretch.in_point + into * stretch.speed).min(stretch.last)
        })
    }

    /// All stretches, in order.
    pub(super) fn stretches(&self) -> &[Stretch] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Composition, OverlayKind};
    use serde_json::{Value, json};

    fn video(fields: &Value) -> Video {
        let mut overlay = json!({ "id": 1, "type": "video", "src": "a.mp4", "from": 0, "durationInFrames": 60,
            "row": 0, "left": 0, "top": 0, "width": 64, "height": 36 });
        if let (Some(overlay), Some(fields)) = (overlay.as_object_mut(), fields.as_object()) {
            overlay.extend(fields.clone());
        }
        let document = json!({ "durationInFrames": 60, "overlays": [overlay] });
        let composition: Composition =
            crate::request::read_file(document.to_string().as_bytes()).expect("renderable");
        match composition.overlays.into_iter().next().map(|it| it.kind) {
            Some(OverlayKind::Video(video)) => video,
            other => panic!("{other:?}"),
        }
    }

    /// The frames of a source that are seen by frames of a composition.
    fn shown(
        playback: &Playback,
        source_fps: f64,
        fps: f64,
        frames: std::ops::Range<u32>,
    ) -> Vec<i64> {
        frames
            .map(|frame| {
                (playback.time_at(f64::from(frame) / fps) * source_fps + 1e-4).floor() as i64
            })
            .collect()
    }

    #[test]
    fn segments_follow_one_another_in_the_order_they_are_written() {
        let jumps = video(&json!({ "videoStartTime": 9, "segments": [
            { "startFrame": 30, "endFrame": 33 }, { "startFrame": 3, "endFrame": 5 },
            { "startFrame": 3, "endFrame": 5 }, { "startFrame": 90, "endFrame": 91 } ] }));
        let playback = Playback::of_video(&jumps, 30.0);
        assert_eq!(
            shown(&playback, 30.0, 30.0, 0..11),
            [30, 31, 32, 3, 4, 3, 4, 90, 90, 90, 90],
            "and the last one stays"
        );
    }

    #[test]
    fn frames_of_segments_are_those_of_the_source_whatever_its_rate() {
        let one = video(&json!({ "segments": [{ "startFrame": 48, "endFrame": 54 }] }));
        let playback = Playback::of_video(&one, 24.0);
        assert_eq!(
            shown(&playback, 24.0, 30.0, 0..10),
            [48, 48, 49, 50, 51, 52, 52, 53, 53, 53]
        );
        let playback = Playback::of_video(&one, 60.0);
        assert_eq!(shown(&playback, 60.0, 30.0, 0..4), [48, 50, 52, 53]);
    }

    #[test]
    fn a_segment_has_a_speed_of_its_own_or_that_of_the_overlay() {
        let two = video(&json!({ "speed": 2, "segments": [
            { "startFrame": 10, "endFrame": 16 }, { "startFrame": 0, "endFrame": 2, "speed": 0.5 } ] }));
        let playback = Playback::of_video(&two, 30.0);
        assert_eq!(
            shown(&playback, 30.0, 30.0, 0..9),
            [10, 12, 14, 0, 0, 1, 1, 1, 1]
        );
        let lengths: Vec<f64> = playback
            .stretches()
            .iter()
            .map(|it| it.length * 30.0)
            .collect();
        assert_eq!(lengths, [3.0, 4.0]);
    }

    #[test]
    fn without_segments_the_in_point_counts_and_there_is_no_end() {
        for none in [json!({}), json!({ "segments": [] })] {
            let mut fields = none;
            fields["videoStartTime"] = json!(2);
            fields["speed"] = json!(0.5);
            let playback = Playback::of_video(&video(&fields), 30.0);
            assert_eq!((playback.time_at(0.0), playback.time_at(3.0)), (2.0, 3.5));
            assert_eq!(playback.time_at(1e9), 2.0 + 5e8);
        }
    }
}
