//! Nodes that have been seen, and how they fare.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Row};

use super::{Store, Tx, unsigned};
use crate::{Result, clock::Timestamp, ids::NodeId, state::Lane};

/// The column that says how many tasks of a lane a node runs at once.
pub(super) fn slots_column(lane: Lane) -> &'static str {
    match lane {
        Lane::Render => "slots",
        Lane::Preview => "preview_slots",
    }
}

/// What a node says of itself.
#[derive(Clone, Debug)]
pub(crate) struct NodeHello {
    pub(crate) id: NodeId,
    pub(crate) name: String,
    pub(crate) slots: u32,
    pub(crate) preview_slots: u32,
    pub(crate) adapter: String,
    pub(crate) encoders: Vec<String>,
    pub(crate) version: String,
}

impl Store {
    /// A node connects, perhaps again. What is known of its failures stays.
    pub(crate) async fn register_node(&self, node: &NodeHello, now: Timestamp) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query(
            "INSERT INTO nodes (id, name, slots, adapter, encoders, version, draining, seen_at,
                                consecutive_failures, set_aside_until, preview_slots)
             VALUES ($1, $2, $3, $4, $5, $6, 0, $7, 0, 0, $8)
             ON CONFLICT (id) DO UPDATE SET name = $2, slots = $3, adapter = $4, encoders = $5,
                                            version = $6, draining = 0, seen_at = $7,
                                            preview_slots = $8",
        )
        .bind(node.id.as_str())
        .bind(&node.name)
        .bind(i64::from(node.slots))
        .bind(&node.adapter)
        .bind(node.encoders.join(","))
        .bind(&node.version)
        .bind(now.0)
        .bind(i64::from(node.preview_slots))
        .execute(tx.conn())
        .await?;
        tx.commit().await
    }

    /// A node takes no more leases until it connects again.
    pub(crate) async fn drain_node(&self, node: &NodeId) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query("UPDATE nodes SET draining = 1 WHERE id = $1")
            .bind(node.as_str())
            .execute(tx.conn())
            .await?;
        tx.commit().await
    }

    /// Forgets nodes not seen for `age`; answers how many.
    pub(crate) async fn forget_nodes(&self, age: Duration, now: Timestamp) -> Result<u64> {
        let mut tx = self.begin().await?;
        let result = sqlx::query("DELETE FROM nodes WHERE seen_at < $1")
            .bind(now.minus(age).0)
            .execute(tx.conn())
            .await?;
        tx.commit().await?;
        Ok(result.rows_affected())
    }
}

impl Tx {
    /// Locks a node; whether it drains, or none when it is not known.
    pub(crate) async fn lock_draining(&mut self, node: &NodeId) -> Result<Option<bool>> {
        let sql = format!(
            "SELECT draining FROM nodes WHERE id = $1{}",
            self.dialect.for_update()
        );
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(node.as_str())
            .fetch_optional(self.conn())
            .await?;
        row.map(|row| Ok(row.try_get::<i64, _>("draining")? != 0))
            .transpose()
    }

    /// Counts a task that a node failed; answers how many it has now failed in a row.
    pub(crate) async fn count_node_failure(&mut self, node: &NodeId) -> Result<u32> {
        let row = sqlx::query(
            "UPDATE nodes SET consecutive_failures = consecutive_failures + 1 WHERE id = $1
             RETURNING consecutive_failures",
        )
        .bind(node.as_str())
        .fetch_optional(self.conn())
        .await?;
        row.map_or(Ok(0), |row| {
            unsigned("failures", row.try_get("consecutive_failures")?)
        })
    }

    /// A node gets no leases until then.
    pub(crate) async fn set_node_aside(&mut self, node: &NodeId, until: Timestamp) -> Result<()> {
        sqlx::query("UPDATE nodes SET set_aside_until = $1 WHERE id = $2")
            .bind(until.0)
            .bind(node.as_str())
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
