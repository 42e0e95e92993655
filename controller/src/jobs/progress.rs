//! How far a job is, and how long it still takes.

use std::time::Duration;

use crate::{
    clock::Timestamp,
    scheduler::Capacity,
    state::{JobState, TaskKind},
    store::{JobRow, WorkDone},
};

/// What drawing counts for beside the assembly: 95 percent of a video's whole.
const DRAWING_WEIGHT: f64 = 19.0;
const ASSEMBLY_WEIGHT: f64 = 1.0;

/// A job's progress as a caller sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// 0 to 100; 100 only when the file is there.
    pub(crate) percentage: u32,
    /// From the job's own speed so far, and before its first frame from that of the farm; none without nodes and
    /// after its end.
    pub(crate) remaining: Option<Duration>,
}

/// Works out a job's progress from how far its tasks are.
pub(crate) fn progress<'a>(
    job: &JobRow,
    work: impl IntoIterator<Item = &'a WorkDone>,
    capacity: &Capacity,
    now: Timestamp,
) -> Progress {
    if job.state == JobState::Completed {
        return Progress {
            percentage: 100,
            remaining: None,
        };
    }
    let done = share(work);
    let percentage = percentage(done);
    let started = job.started_at.filter(|_| job.state == JobState::Processing);
    let remaining = match started {
        _ if job.state.is_final() => None,
        Some(started) if done > 0.0 => {
            let elapsed = seconds_between(started, now);
            let seconds = (elapsed * (1.0 - done) / done).clamp(0.0, MAX_REMAINING_SECONDS);
            Some(Duration::from_secs_f64(seconds))
        }
        _ => capacity.time_for(job.drawing(), job.ease),
    };
    Progress {
        percentage,
        remaining,
    }
}

/// Longer estimates say nothing.
const MAX_REMAINING_SECONDS: f64 = 7.0 * 24.0 * 3600.0;

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 0..=99"
)]
fn percentage(done: f64) -> u32 {
    (done * 100.0).floor().clamp(0.0, 99.0) as u32
}

#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds of a render are far below 2^52"
)]
fn seconds_between(from: Timestamp, to: Timestamp) -> f64 {
    to.0.saturating_sub(from.0).max(0) as f64 / 1000.0
}

/// The share of the work that is done; each kind of task counts by its weight.
#[expect(
    clippy::cast_precision_loss,
    reason = "frames of a job are far below 2^52"
)]
fn share<'a>(work: impl IntoIterator<Item = &'a WorkDone>) -> f64 {
    let (mut done, mut total) = (0.0, 0.0);
    for work in work {
        let weight = match work.kind {
            TaskKind::Assemble => ASSEMBLY_WEIGHT,
            TaskKind::Render | TaskKind::Stills => DRAWING_WEIGHT,
        };
        total += weight;
        done += weight * work.frames_done.min(work.frames) as f64 / work.frames.max(1) as f64;
    }
    if total > 0.0 { done / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ids::JobId, ledger::Credits, state::Lane};

    fn job(state: JobState) -> JobRow {
        JobRow {
            id: JobId::random(),
            account: "acc".into(),
            state,
            mode: "direct".into(),
            composition_json: "{}".into(),
            width: 1920,
            height: 1080,
            fps: 30,
            frames: 200,
            price: Credits::from_hundredths(100),
            output_key: None,
            output_size: None,
            error_message: None,
            created_at: Timestamp(0),
            updated_at: Timestamp(0),
            started_at: Some(Timestamp(10_000)),
            completed_at: None,
            project: None,
            public_url: String::new(),
            lane: Lane::Render,
            ease: 1000,
            estimated_minutes: 1,
            encoder: None,
            trace_parent: None,
        }
    }

    fn work(kind: TaskKind, frames_done: i64, frames: i64) -> WorkDone {
        WorkDone {
            job: JobId::random(),
            kind,
            frames,
            frames_done,
            updated_at: Timestamp(0),
        }
    }

    #[test]
    fn chunks_fill_most_of_it_and_the_assembly_the_rest() {
        use TaskKind::{Assemble, Render};
        let now = Timestamp(20_000);
        let at = |state, chunks, assembly| {
            let work = [work(Render, chunks, 200), work(Assemble, assembly, 200)];
            progress(&job(state), &work, &Capacity::default(), now)
        };
        let seen = at(JobState::Processing, 150, 0);
        assert_eq!(seen.percentage, 71);
        let remaining = seen.remaining.expect("frames were seen").as_secs_f64();
        assert!(
            (remaining - 10.0 * (1.0 - 0.7125) / 0.7125).abs() < 0.01,
            "{remaining}"
        );
        assert_eq!(at(JobState::Processing, 200, 0).percentage, 95);
        assert_eq!(at(JobState::Processing, 200, 200).percentage, 99);
        assert_eq!(at(JobState::Completed, 200, 200).percentage, 100);
    }

    #[test]
    fn stills_alone_are_all_of_it() {
        let stills = [work(TaskKind::Stills, 3, 12)];
        let job = job(JobState::Processing);
        let seen = progress(&job, &stills, &Capacity::default(), Timestamp(20_000));
        assert_eq!(seen.percentage, 25);
    }

    #[test]
    fn before_the_first_frame_the_speed_of_the_farm_is_what_is_known() {
        let waiting = [work(TaskKind::Render, 0, 100)];
        let job = job(JobState::Pending);
        let seen = |capacity| progress(&job, &waiting, &capacity, Timestamp(20_000));
        let farm = Capacity {
            slots: 1,
            pixels_a_second: Some(1920 * 1080 * 20),
            ..Capacity::default()
        };
        assert_eq!(
            seen(farm).remaining,
            Some(Duration::from_secs_f64(10.5)),
            "200 frames at 20 a second, and the assembly"
        );
        let seen = seen(Capacity::default());
        assert_eq!(
            seen,
            Progress {
                percentage: 0,
                remaining: None
            }
        );
    }
}
