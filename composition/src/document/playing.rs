//! Which ways through a source can be played.

use std::ops::RangeInclusive;

use super::{Sound, Video};

/// Factors on the speed of a source.
const SPEEDS: RangeInclusive<f64> = 0.1..=10.0;
/// Most segments of one video.
const MOST_SEGMENTS: usize = 1_000;

fn check_speed(field: &str, speed: f64, refuse: &mut impl FnMut(&str, String)) {
    if !SPEEDS.contains(&speed) {
        let (least, most) = (SPEEDS.start(), SPEEDS.end());
        refuse(field, format!("must be from {least} to {most}"));
    }
}

impl Video {
    /// Reports what can't be played: the field, and why not.
    pub(super) fn unplayable(&self, mut refuse: impl FnMut(&str, String)) {
        check_speed("speed", self.speed, &mut refuse);
        let segments = self.segments.as_deref().unwrap_or_default();
        if segments.len() > MOST_SEGMENTS {
            let count = segments.len();
            refuse(
                "segments",
                format!("{count} are more than the {MOST_SEGMENTS} that are allowed"),
            );
            return;
        }
        for (index, segment) in segments.iter().enumerate() {
            let field = |name| format!("segments[{index}].{name}");
            if segment.start_frame < 0.0 {
                refuse(&field("startFrame"), "must not be below 0".to_owned());
            }
            if segment.end_frame <= segment.start_frame {
                refuse(&field("endFrame"), "must be after startFrame".to_owned());
            }
            if let Some(speed) = segment.speed {
                check_speed(&field("speed"), speed, &mut refuse);
            }
        }
    }
}

impl Sound {
    /// Reports what can't be played: the field, and why not.
    pub(super) fn unplayable(&self, mut refuse: impl FnMut(&str, String)) {
        check_speed("speed", self.speed, &mut refuse);
    }
}
