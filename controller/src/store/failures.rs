//! Attempts that failed by themselves: what retries are counted by.

use sqlx::Row;

use super::{Fence, Tx, unsigned};
use crate::{Result, clock::Timestamp};

/// How often a task has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failures {
    pub(crate) on_all_nodes: u32,
    pub(crate) on_this_node: u32,
}

impl Tx {
    /// Notes that an attempt failed, and counts, this one included.
    pub(crate) async fn note_failure(
        &mut self,
        fence: &Fence,
        message: &str,
        now: Timestamp,
    ) -> Result<Failures> {
        sqlx::query(
            "INSERT INTO task_failures (task_id, attempt, node_id, message, created_at)
             VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(fence.task.as_str())
        .bind(i64::from(fence.attempt))
        .bind(fence.node.as_str())
        .bind(message)
        .bind(now.0)
        .execute(self.conn())
        .await?;
        let row = sqlx::query(
            "SELECT COUNT(*) AS everywhere, COUNT(CASE WHEN node_id = $2 THEN 1 END) AS here
             FROM task_failures WHERE task_id = $1",
        )
        .bind(fence.task.as_str())
        .bind(fence.node.as_str())
        .fetch_one(self.conn())
        .await?;
        Ok(Failures {
            on_all_nodes: unsigned("failures", row.try_get("everywhere")?)?,
            on_this_node: unsigned("failures", row.try_get("here")?)?,
        })
    }
}
