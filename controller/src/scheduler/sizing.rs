//! How large tasks are, and how long work takes, by what has been measured.

use std::ops::Range;
use std::time::Duration;

/// Seconds of work that a task should be: long enough to be worth a lease, short enough to be lost.
const SECONDS_OF_WORK: Range<f64> = 5.0..15.0;
/// What is taken for the speed of a slot before anything was measured: 1080p at 30 frames a second.
const UNMEASURED: i64 = 1920 * 1080 * 30;
/// What joining chunks and encoding sound adds to drawing them.
const ASSEMBLY_SHARE: f64 = 0.05;

/// What decides how large tasks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sizing {
    /// So many seconds of video, whatever that takes.
    Video(u32),
    /// As many frames as take the right time.
    Measured,
}

/// What the nodes of a farm can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Capacity {
    /// Tasks that can run at once.
    pub(crate) slots: i64,
    /// Tasks that do run.
    pub(crate) taken: i64,
    /// Accounts whose tasks run.
    pub(crate) accounts: i64,
    /// Of one slot, on average; none before anything was measured.
    pub(crate) pixels_a_second: Option<i64>,
}

/// Frames to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drawing {
    pub(crate) frames: u32,
    pub(crate) fps: u32,
    pub(crate) pixels_of_frame: i64,
}

impl Drawing {
    /// Seconds that one slot of a speed needs.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn seconds(self, pixels_a_second: i64) -> f64 {
        f64::from(self.frames) * self.pixels_of_frame as f64 / pixels_a_second.max(1) as f64
    }

    /// Frames that one slot of a speed draws in some seconds; never less than a second of video.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a number of frames"
    )]
    fn frames_in(self, seconds: f64, pixels_a_second: i64) -> u32 {
        let frames = seconds * pixels_a_second as f64 / self.pixels_of_frame.max(1) as f64;
        frames.clamp(f64::from(self.fps.max(1)), f64::from(u32::MAX)) as u32
    }
}

impl Sizing {
    /// About how many frames a task of a new job should have, so that free slots share it.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn frames_per_task(self, drawing: Drawing, capacity: &Capacity) -> u32 {
        match self {
            Self::Video(seconds) => drawing.fps.max(1).saturating_mul(seconds.max(1)),
            Self::Measured => {
                let speed = capacity.pixels_a_second.unwrap_or(UNMEASURED);
                let free = (capacity.slots - capacity.taken).max(1);
                let seconds = (drawing.seconds(speed) / free as f64)
                    .clamp(SECONDS_OF_WORK.start, SECONDS_OF_WORK.end);
                drawing.frames_in(seconds, speed)
            }
        }
    }

    /// How many frames of a task a node should take, if it would work too long on all of them. Both parts
    /// are at least a second of video.
    pub(crate) fn cut(
        self,
        drawing: Drawing,
        pixels_a_second: Option<i64>,
        ease: i64,
    ) -> Option<u32> {
        let speed = pixels_a_second.filter(|_| self == Self::Measured)?;
        let speed = speed.saturating_mul(ease) / 1000;
        if drawing.seconds(speed) <= SECONDS_OF_WORK.end {
            return None;
        }
        let middle = f64::midpoint(SECONDS_OF_WORK.start, SECONDS_OF_WORK.end);
        let frames = drawing.frames_in(middle, speed);
        (drawing.frames.saturating_sub(frames) >= drawing.fps.max(1)).then_some(frames)
    }
}

impl Capacity {
    /// How long drawing and joining will take if it shares the slots with the accounts that have some; none if there
    /// are no slots.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn time_for(&self, drawing: Drawing, ease: i64) -> Option<Duration> {
        if self.slots == 0 {
            return None;
        }
        let speed = self.pixels_a_second.unwrap_or(UNMEASURED);
        let speed = speed.saturating_mul(ease) / 1000;
        let alone = drawing.seconds(speed);
        // A task is the least that can be shared.
        let parts = (alone / SECONDS_OF_WORK.start).ceil().max(1.0);
        let share = (self.slots as f64 / (self.accounts + 1) as f64).max(1.0);
        let seconds = alone / parts.min(share) + alone * ASSEMBLY_SHARE;
        Some(Duration::from_secs_f64(seconds.min(1e9)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL_HD: i64 = 1920 * 1080;

    fn minutes(minutes: u32) -> Drawing {
        Drawing {
            frames: minutes * 60 * 30,
            fps: 30,
            pixels_of_frame: FULL_HD,
        }
    }

    fn farm(slots: i64, taken: i64, fps: i64) -> Capacity {
        Capacity {
            slots,
            taken,
            accounts: 0,
            pixels_a_second: Some(fps * FULL_HD),
        }
    }

    #[test]
    fn tasks_take_between_five_and_fifteen_seconds_and_use_what_is_free() {
        let frames =
            |minutes_of, farm| Sizing::Measured.frames_per_task(minutes(minutes_of), &farm);
        assert_eq!(
            frames(10, farm(1, 0, 60)),
            15 * 60,
            "one slot: as long as may be"
        );
        assert_eq!(
            frames(10, farm(100, 0, 60)),
            5 * 60,
            "many: as short as may be"
        );
        assert_eq!(frames(10, farm(30, 0, 60)), 10 * 60, "30 equal parts");
        assert_eq!(
            frames(10, farm(100, 99, 60)),
            15 * 60,
            "the others are busy"
        );
        assert_eq!(
            frames(10, farm(9, 0, 1)),
            30,
            "never less than a second of video"
        );
        assert_eq!(
            frames(10, Capacity::default()),
            15 * 30,
            "nothing is known yet"
        );
        assert_eq!(
            Sizing::Video(2).frames_per_task(minutes(1), &farm(9, 0, 99)),
            60
        );
    }

    #[test]
    fn a_slow_node_or_a_hard_job_gets_less_of_a_task() {
        let task = Drawing {
            frames: 600,
            ..minutes(1)
        };
        let cut = |fps: i64, ease| Sizing::Measured.cut(task, Some(fps * FULL_HD), ease);
        assert_eq!(cut(60, 1000), None, "ten seconds are fine");
        assert_eq!(cut(20, 1000), Some(200), "thirty are cut to ten");
        assert_eq!(cut(60, 200), Some(120));
        assert_eq!(cut(1, 1000), Some(30), "never less than a second of video");
        let short = Drawing { frames: 59, ..task };
        assert_eq!(Sizing::Measured.cut(short, Some(FULL_HD), 1000), None);
        assert_eq!(
            Sizing::Measured.cut(task, None, 1000),
            None,
            "an unknown node"
        );
        assert_eq!(Sizing::Video(1).cut(task, Some(FULL_HD), 1000), None);
    }

    #[test]
    fn estimates_know_speed_slots_and_company() {
        let seconds = |farm: Capacity| {
            let time = farm.time_for(minutes(10), 1000).expect("there are nodes");
            time.as_secs_f64()
        };
        assert!((seconds(farm(1, 0, 60)) - 315.0).abs() < 1.0);
        assert!((seconds(farm(10, 0, 60)) - 45.0).abs() < 1.0);
        let shared = Capacity {
            accounts: 4,
            ..farm(10, 10, 60)
        };
        assert!((seconds(shared) - 165.0).abs() < 1.0);
        assert_eq!(Capacity::default().time_for(minutes(10), 1000), None);
    }
}
