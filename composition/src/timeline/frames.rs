//! When an animated picture shows which of its frames.

/// The frames of an animated picture, by the times at which they end.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTimes {
    /// Seconds from the start of a play, ascending.
    ends: Vec<f64>,
    /// How often all frames are shown before the last one stays; `None` for ever.
    plays: Option<u32>,
}

impl FrameTimes {
    /// From how long each frame is shown, in seconds, and how often all are. `None` for less than two
    /// frames, which do not move.
    pub fn new(delays: impl IntoIterator<Item = f64>, plays: Option<u32>) -> Option<Self> {
        let mut end = 0.0;
        let ends: Vec<f64> = delays
            .into_iter()
            .map(|delay| {
                end += delay_shown(delay);
                end
            })
            .collect();
        (ends.len() > 1).then_some(Self { ends, plays })
    }

    /// The frame that is shown so many seconds after the start.
    pub fn at(&self, seconds: f64) -> usize {
        /// Times of frames are sums of fractions: one that ends now has ended.
        const SLACK: f64 = 1e-6;
        let last = self.ends.len() - 1;
        let length = self.ends[last];
        let seconds = seconds.max(0.0) + SLACK;
        let play = (seconds / length).floor();
        if !seconds.is_finite() || self.plays.is_some_and(|plays| play >= f64::from(plays)) {
            return last;
        }
        let into_play = seconds - play * length;
        self.ends.partition_point(|end| *end <= into_play).min(last)
    }
}

/// Browsers show frames that name no time, or next to none, for a tenth of a second.
fn delay_shown(delay: f64) -> f64 {
    const SHORTEST: f64 = 0.0105;
    const INSTEAD: f64 = 0.1;
    if delay >= SHORTEST && delay.is_finite() {
        delay
    } else {
        INSTEAD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(times: &FrameTimes, frames: std::ops::Range<u32>) -> Vec<usize> {
        frames
            .map(|frame| times.at(f64::from(frame) / 10.0))
            .collect()
    }

    #[test]
    fn frames_follow_their_own_times_and_start_over() {
        let times = FrameTimes::new([0.1, 0.3, 0.2], None).expect("three frames");
        assert_eq!(shown(&times, 0..9), [0, 1, 1, 1, 2, 2, 0, 1, 1]);
        assert_eq!(times.at(6e8 + 0.05), 0);
    }

    #[test]
    fn the_last_frame_stays_after_the_last_play() {
        let times = FrameTimes::new([0.1, 0.1], Some(2)).expect("two frames");
        assert_eq!(shown(&times, 0..7), [0, 1, 0, 1, 1, 1, 1]);
    }

    #[test]
    fn frames_without_a_time_last_a_tenth_of_a_second() {
        for odd in [0.0, 0.01, -1.0, f64::NAN, f64::INFINITY] {
            let times = FrameTimes::new([odd, odd], None).expect("two frames");
            assert_eq!(shown(&times, 0..4), [0, 1, 0, 1], "{odd}");
        }
        let quick = FrameTimes::new([0.02, 0.02], None).expect("two frames");
        assert_eq!((quick.at(0.01), quick.at(0.03)), (0, 1));
    }

    #[test]
    fn less_than_two_frames_are_no_animation_and_odd_times_do_no_harm() {
        assert_eq!(FrameTimes::new([], None), None);
        assert_eq!(FrameTimes::new([0.5], None), None);
        let times = FrameTimes::new([0.1, 0.1], None).expect("two frames");
        assert_eq!(times.at(-5.0), 0);
        assert_eq!(times.at(f64::INFINITY), 1);
        assert_eq!(times.at(f64::NAN), 0);
    }
}
