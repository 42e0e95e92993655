//! How far a job is, and how long it still takes.

use std::time::Duration;

use crate::{
    clock::Timestamp,
    state::{JobState, TaskKind, TaskState},
    store::{JobRow, TaskRow},
};

/// The share of the whole that the assembly counts for.
const ASSEMBLY_SHARE: f64 = 0.05;

/// A job's progress as a caller sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// 0 to 100; 100 only when the file is there.
    pub(crate) percentage: u32,
    /// From the job's own speed so far; none before its first frame and after its end.
    pub(crate) remaining: Option<Duration>,
}

/// Works out a job's progress from what its tasks have reported.
pub(crate) fn progress(job: &JobRow, tasks: &[TaskRow], now: Timestamp) -> Progress {
    if job.state == JobState::Completed {
        return Progress {
            percentage: 100,
            remaining: None,
        };
    }
    let done = share(tasks, TaskKind::Render) * (1.0 - ASSEMBLY_SHARE)
        + share(tasks, TaskKind::Assemble) * ASSEMBLY_SHARE;
    let percentage = percentage(done);
    let started = job.started_at.filter(|_| job.state == JobState::Processing);
    let remaining = started.filter(|_| done > 0.0).map(|started| {
        let elapsed = seconds_between(started, now);
        Duration::from_secs_f64((elapsed * (1.0 - done) / done).clamp(0.0, MAX_REMAINING_SECONDS))
    });
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

fn share(tasks: &[TaskRow], kind: TaskKind) -> f64 {
    let of_kind = || tasks.iter().filter(move |task| task.kind == kind);
    let total: f64 = of_kind().map(|task| f64::from(length(task))).sum();
    let done: f64 = of_kind()
        .map(|task| match task.state {
            TaskState::Done => f64::from(length(task)),
            TaskState::Leased => f64::from(task.frames_done.min(length(task))),
            TaskState::Blocked | TaskState::Ready | TaskState::Cancelled => 0.0,
        })
        .sum();
    if total > 0.0 { done / total } else { 0.0 }
}

fn length(task: &TaskRow) -> u32 {
    task.frames.end.saturating_sub(task.frames.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ids::{JobId, TaskId},
        ledger::Credits,
    };

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
        }
    }

    fn task(kind: TaskKind, state: TaskState, frames_done: u32) -> TaskRow {
        TaskRow {
            id: TaskId::random(),
            job: JobId::random(),
            kind,
            frames: 0..100,
            state,
            attempt: 1,
            node: None,
            frames_done,
            output_key: None,
            updated_at: Timestamp(0),
        }
    }

    #[test]
    fn chunks_fill_most_of_it_and_the_assembly_the_rest() {
        use {TaskKind::*, TaskState::*};
        let now = Timestamp(20_000);
        let mut tasks = [
            task(Render, Done, 0),
            task(Render, Leased, 50),
            task(Assemble, Blocked, 0),
        ];
        let seen = progress(&job(JobState::Processing), &tasks, now);
        assert_eq!(seen.percentage, 71);
        let remaining = seen.remaining.expect("frames were seen").as_secs_f64();
        assert!(
            (remaining - 10.0 * (1.0 - 0.7125) / 0.7125).abs() < 0.01,
            "{remaining}"
        );

        tasks[1].state = Done;
        tasks[2].state = Leased;
        assert_eq!(
            progress(&job(JobState::Processing), &tasks, now).percentage,
            95
        );
        tasks[2].state = Done;
        assert_eq!(
            progress(&job(JobState::Processing), &tasks, now).percentage,
            99
        );
        assert_eq!(
            progress(&job(JobState::Completed), &tasks, now).percentage,
            100
        );
    }

    #[test]
    fn nothing_seen_is_nothing_known() {
        let tasks = [task(TaskKind::Render, TaskState::Ready, 0)];
        let seen = progress(&job(JobState::Pending), &tasks, Timestamp(20_000));
        assert_eq!(
            seen,
            Progress {
                percentage: 0,
                remaining: None
            }
        );
    }
}
