//! Giving a task to a node.

use std::ops::Range;

use super::{Timing, keys};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{JobId, NodeId},
    state::TaskKind,
    store::{Fence, Store},
};

/// A lease, with everything that the node needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) lease: Fence,
    pub(crate) job: JobId,
    pub(crate) until: Timestamp,
    pub(crate) composition_json: String,
    pub(crate) output_key: String,
    pub(crate) work: Work,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Draw and encode these frames.
    Render(Range<u32>),
    /// Join these chunks.
    Assemble(Vec<String>),
}

/// Leases the next task to a node that has a free slot, if there is one for it.
pub(crate) async fn claim(
    store: &Store,
    node: &NodeId,
    timing: &Timing,
    now: Timestamp,
) -> Result<Option<Claim>> {
    // Most looks find nothing, and then no transaction is needed.
    if !store.has_ready_tasks().await? {
        return Ok(None);
    }
    let mut tx = store.begin().await?;
    let Some(row) = tx.lock_node(node).await? else {
        return Ok(None);
    };
    if row.draining || row.set_aside_until > now || tx.leases_of(node).await? >= row.slots {
        return Ok(None);
    }
    let seen_after = now.minus(timing.lease);
    let Some(task) = tx.lock_next_ready_task(node, seen_after, now).await? else {
        return Ok(None);
    };
    let job = tx.job(&task.job).await?;
    let job = job.ok_or_else(|| Error::Corrupt(format!("no job {}", task.job)))?;

    let lease = Fence {
        task: task.id.clone(),
        attempt: task.attempt + 1,
        node: node.clone(),
    };
    let until = now.plus(timing.lease);
    let output_key = keys::output_key(task.kind, &job.id, &task.id, lease.attempt);
    if !tx
        .lease_task(&task, &lease, &output_key, until, now)
        .await?
    {
        return Ok(None);
    }
    tx.start_job(&job, now).await?;
    let work = match task.kind {
        TaskKind::Render => Work::Render(task.frames),
        TaskKind::Assemble => Work::Assemble(tx.chunk_keys(&job.id).await?),
    };
    tx.commit().await?;
    Ok(Some(Claim {
        lease,
        job: job.id,
        until,
        composition_json: job.composition_json,
        output_key,
        work,
    }))
}
