//! What a node's reports change. A report from a lease that is not held any more changes nothing.

use std::time::Duration;

use super::{FAILURES_IN_A_ROW, MAX_RETRIES, Timing};
use crate::{
    Result,
    clock::Timestamp,
    ids::JobId,
    ledger,
    state::{JobState, Lane, TaskKind, TaskState},
    store::{Fence, HeldJob, HeldTask, Store, TaskRow, Tx},
    webhooks,
};

/// What became of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It counted: work of this lane and kind is done.
    Done(Lane, TaskKind),
    /// It counted, and the task is not done by it.
    Applied,
    /// It is the repetition of one that counted.
    Known,
    /// The lease is not held any more.
    Stale(Stale),
}

/// Whose report came too late; the job is unknown when the task is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stale {
    pub(crate) task: Option<(JobId, Lane, TaskKind)>,
}

/// What the caller of a failed job is told when nothing of theirs was wrong.
fn our_fault(lane: Lane) -> &'static str {
    match lane {
        Lane::Render => {
            "the render failed on our side after several attempts; the credits were refunded"
        }
        Lane::Preview => "the preview could not be drawn after several attempts",
    }
}

/// A node has written a task's object.
pub(crate) async fn finish(
    store: &Store,
    lease: &Fence,
    output_key: &str,
    output_size: i64,
    busy: Duration,
    timing: &Timing,
    now: Timestamp,
) -> Result<Outcome> {
    let mut tx = store.begin().await?;
    let (job, task) = match held(&mut tx, lease).await? {
        Ok(held) => held,
        Err(outcome) => return Ok(outcome),
    };
    if task.row.output_key.as_deref() != Some(output_key) {
        drop(tx);
        let message = "the node reported another object than the lease named";
        return fail(store, lease, message, timing, now).await;
    }
    if !tx.finish_task(&task.row, lease, now).await? {
        return Ok(stale(&task.row));
    }
    let (kind, lane) = (task.row.kind, task.row.lane);
    if lane == Lane::Render {
        tx.note_done(&job, &task, &lease.node, busy).await?;
    }
    match kind {
        TaskKind::Render => {
            tx.unblock_assembly(&job.id, lane, now).await?;
        }
        TaskKind::Assemble | TaskKind::Stills => {
            let completed = tx.complete_job(&job.id, job.state, output_key, output_size, now);
            if completed.await? {
                webhooks::announce(&mut tx, &job.id, now).await?;
            }
        }
    }
    tx.commit().await?;
    if kind == TaskKind::Assemble && lane == Lane::Render {
        tracing::info!(output_size, "render completed");
    }
    Ok(Outcome::Done(lane, kind))
}

/// A task failed by itself: again, elsewhere if possible, until its retries are spent.
pub(crate) async fn fail(
    store: &Store,
    lease: &Fence,
    message: &str,
    timing: &Timing,
    now: Timestamp,
) -> Result<Outcome> {
    let mut tx = store.begin().await?;
    let (job, task) = match locked(&mut tx, lease).await? {
        Ok(held) => held,
        Err(outcome) => return Ok(outcome),
    };
    let failures = tx.note_failure(lease, message, now).await?;
    let spent = failures.on_all_nodes > MAX_RETRIES;
    if spent {
        fail_job(&mut tx, &job, our_fault(job.lane), now).await?;
    } else if !tx.requeue_task(&task, lease, now).await? {
        return Ok(stale(&task));
    }
    // The same task failing again on one node says more of the task than of the node, and a
    // preview must not keep a node from rendering.
    let in_a_row = match (task.lane, failures.on_this_node) {
        (Lane::Render, 1) => tx.count_node_failure(&lease.node).await?,
        _ => 0,
    };
    let set_aside = in_a_row >= FAILURES_IN_A_ROW;
    if set_aside {
        tx.set_node_aside(&lease.node, now.plus(timing.set_aside))
            .await?;
    }
    tx.commit().await?;

    tracing::warn!(
        reason = message,
        failures = failures.on_all_nodes,
        spent,
        "task failed"
    );
    if set_aside {
        tracing::warn!(
            node_id = %lease.node,
            tasks_in_a_row = in_a_row,
            seconds = timing.set_aside.as_secs(),
            "node set aside: it gets no leases for a while"
        );
    }
    Ok(Outcome::Applied)
}

/// The composition or its media are at fault: another attempt would end the same way.
pub(crate) async fn reject(
    store: &Store,
    lease: &Fence,
    message: &str,
    now: Timestamp,
) -> Result<Outcome> {
    let mut tx = store.begin().await?;
    let (job, _) = match locked(&mut tx, lease).await? {
        Ok(held) => held,
        Err(outcome) => return Ok(outcome),
    };
    fail_job(&mut tx, &job, message, now).await?;
    tx.commit().await?;
    tracing::info!(
        reason = message,
        "bad input: the job failed and was refunded"
    );
    Ok(Outcome::Applied)
}

/// The node will not finish a task; no retry is spent.
pub(crate) async fn hand_back(store: &Store, lease: &Fence, now: Timestamp) -> Result<Outcome> {
    let mut tx = store.begin().await?;
    let (_, task) = match held(&mut tx, lease).await? {
        Ok(held) => held,
        Err(outcome) => return Ok(outcome),
    };
    if !tx.requeue_task(&task.row, lease, now).await? {
        return Ok(stale(&task.row));
    }
    tx.commit().await?;
    Ok(Outcome::Applied)
}

/// Locks a lease's job and reads its task, if the lease is held. It may be lost by the time that something is done
/// about it.
async fn held(tx: &mut Tx, lease: &Fence) -> Result<Result<(HeldJob, HeldTask), Outcome>> {
    let Some((job, task)) = tx.lock_job_of(&lease.task).await? else {
        return Ok(Err(Outcome::Stale(Stale { task: None })));
    };
    tracing::Span::current().record("job_id", job.id.as_str());
    Ok(match is_held(&job, &task.row, lease) {
        Ok(()) => Ok((job, task)),
        Err(outcome) => Err(outcome),
    })
}

/// Locks a lease's job and task, if the lease is held.
async fn locked(tx: &mut Tx, lease: &Fence) -> Result<Result<(HeldJob, TaskRow), Outcome>> {
    let job = match held(tx, lease).await? {
        Ok((job, _)) => job,
        Err(outcome) => return Ok(Err(outcome)),
    };
    let Some(task) = tx.lock_task(&lease.task).await? else {
        return Ok(Err(Outcome::Stale(Stale { task: None })));
    };
    Ok(match is_held(&job, &task, lease) {
        Ok(()) => Ok((job, task)),
        Err(outcome) => Err(outcome),
    })
}

fn is_held(job: &HeldJob, task: &TaskRow, lease: &Fence) -> Result<(), Outcome> {
    if task.is_held_by(lease) && job.state == JobState::Processing {
        return Ok(());
    }
    if task.state == TaskState::Done && task.attempt == lease.attempt {
        return Err(Outcome::Known);
    }
    Err(stale(task))
}

fn stale(task: &TaskRow) -> Outcome {
    Outcome::Stale(Stale {
        task: Some((task.job.clone(), task.lane, task.kind)),
    })
}

/// Fails a job: state, tasks, refund and webhooks in the caller's transaction.
async fn fail_job(tx: &mut Tx, job: &HeldJob, message: &str, now: Timestamp) -> Result<()> {
    if tx.fail_job(&job.id, job.state, message, now).await? {
        tx.cancel_tasks(&job.id, now).await?;
        ledger::refund(tx, &job.account, &job.id, now).await?;
        webhooks::announce(tx, &job.id, now).await?;
    }
    Ok(())
}
