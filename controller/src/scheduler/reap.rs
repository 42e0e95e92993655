//! Taking back what lost nodes held, and forgetting what is too old to matter.

use std::time::Duration;

use crate::{
    Error, Result,
    clock::Timestamp,
    ids::NodeId,
    jobs::IDEMPOTENCY_MEMORY,
    store::{Fence, Store, TaskRow, Tx},
};

/// How many leases one step takes back; the next step takes the rest.
const BATCH: i64 = 100;
/// Nodes not seen this long are not coming back.
const NODE_MEMORY: Duration = Duration::from_secs(24 * 3600);

/// Puts tasks whose lease has run out back into the queue; answers how many. No retry is spent.
pub(crate) async fn reap_once(store: &Store, now: Timestamp) -> Result<usize> {
    let mut tx = store.begin().await?;
    let expired = tx.lock_expired_tasks(now, BATCH).await?;
    requeue(&mut tx, &expired, now).await?;
    tx.commit().await?;
    for task in &expired {
        tracing::warn!(
            job_id = %task.job,
            task_id = %task.id,
            attempt = task.attempt,
            node_id = task.node.as_ref().map(tracing::field::display),
            "lease ran out: the task goes back to the queue"
        );
    }
    Ok(expired.len())
}

/// Takes back what a drained node still holds when its stream ends: leases that crossed its
/// farewell. Answers how many. A node that did not drain may come back and keeps its leases.
pub(crate) async fn release_drained(store: &Store, node: &NodeId, now: Timestamp) -> Result<usize> {
    let mut tx = store.begin().await?;
    if tx.lock_draining(node).await? != Some(true) {
        return Ok(0);
    }
    let held = tx.lock_tasks_of_node(node).await?;
    requeue(&mut tx, &held, now).await?;
    tx.commit().await?;
    Ok(held.len())
}

async fn requeue(tx: &mut Tx, tasks: &[TaskRow], now: Timestamp) -> Result<()> {
    for task in tasks {
        let node = task.node.clone();
        let node = node.ok_or_else(|| Error::Corrupt(format!("{} leased to nobody", task.id)))?;
        let lease = Fence {
            task: task.id.clone(),
            attempt: task.attempt,
            node,
        };
        tx.requeue_task(task, &lease, now).await?;
    }
    Ok(())
}

/// Forgets old idempotency keys and nodes.
pub(crate) async fn forget_once(store: &Store, now: Timestamp) -> Result<()> {
    let keys = store
        .forget_idempotency_keys(IDEMPOTENCY_MEMORY, now)
        .await?;
    let nodes = store.forget_nodes(NODE_MEMORY, now).await?;
    tracing::debug!(keys, nodes, "forgot what is old");
    Ok(())
}
