//! What a node's reports change. A report from a lease that is not held any more changes nothing.

use std::time::Duration;

use super::{FAILURES_IN_A_ROW, MAX_RETRIES, Timing};
use crate::{
    Result,
    clock::Timestamp,
    ids::JobId,
    ledger,
    state::{JobState, Lane, TaskKind, TaskState},
    store::{Fence, JobRow, Store, TaskRow, Tx},
    webhooks,
};

/// What became of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It counted.
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

/// Renews a lease; false when it is not held any more.
pub(crate) async fn heartbeat(
    store: &Store,
    lease: &Fence,
    frames_done: u32,
    timing: &Timing,
    now: Timestamp,
) -> Result<bool> {
    store
        .renew_lease(lease, frames_done, now.plus(timing.lease), now)
        .await
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
    if task.output_key.as_deref() != Some(output_key) {
        drop(tx);
        let message = "the node reported another object than the lease named";
        return fail(store, lease, message, timing, now).await;
    }
    if !tx.finish_task(&task, lease, now).await? {
        return Ok(stale(&task));
    }
    if task.lane == Lane::Render {
        tx.clear_node_failures(&lease.node).await?;
        if task.kind == TaskKind::Render {
            tx.note_speed(&job, &task, &lease.node, busy).await?;
        }
    }
    match task.kind {
        TaskKind::Render => {
            tx.unblock_assembly(&job.id, now).await?;
        }
        TaskKind::Assemble | TaskKind::Stills => {
            if tx.complete_job(&job, output_key, output_size, now).await? {
                webhooks::announce(&mut tx, &job.id, now).await?;
            }
        }
    }
    tx.commit().await?;
    if task.kind == TaskKind::Assemble && task.lane == Lane::Render {
        tracing::info!(output_size, "render completed");
    }
    Ok(Outcome::Applied)
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
    let (job, task) = match held(&mut tx, lease).await? {
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
    let (job, _) = match held(&mut tx, lease).await? {
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
    if !tx.requeue_task(&task, lease, now).await? {
        return Ok(stale(&task));
    }
    tx.commit().await?;
    Ok(Outcome::Applied)
}

/// Locks a lease's job and task, if the lease is held.
async fn held(tx: &mut Tx, lease: &Fence) -> Result<Result<(JobRow, TaskRow), Outcome>> {
    let Some(job) = tx.lock_job_of(&lease.task).await? else {
        return Ok(Err(Outcome::Stale(Stale { task: None })));
    };
    tracing::Span::current().record("job_id", job.id.as_str());
    if job.state == JobState::Pending {
        // No task of it was ever leased. A claim may hold one now and wait for this very job.
        return Ok(Err(Outcome::Stale(Stale { task: None })));
    }
    let Some(task) = tx.lock_task(&lease.task).await? else {
        return Ok(Err(Outcome::Stale(Stale { task: None })));
    };
    if task.is_held_by(lease) && job.state == JobState::Processing {
        return Ok(Ok((job, task)));
    }
    if task.state == TaskState::Done && task.attempt == lease.attempt {
        return Ok(Err(Outcome::Known));
    }
    Ok(Err(stale(&task)))
}

fn stale(task: &TaskRow) -> Outcome {
    Outcome::Stale(Stale {
        task: Some((task.job.clone(), task.lane, task.kind)),
    })
}

/// Fails a job: state, tasks, refund and webhooks in the caller's transaction.
async fn fail_job(tx: &mut Tx, job: &JobRow, message: &str, now: Timestamp) -> Result<()> {
    if tx.fail_job(job, message, now).await? {
        tx.cancel_tasks(&job.id, now).await?;
        ledger::refund(tx, &job.account, &job.id, now).await?;
        webhooks::announce(tx, &job.id, now).await?;
    }
    Ok(())
}
