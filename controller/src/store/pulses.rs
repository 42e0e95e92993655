//! Signs of life: nodes that are there, and leases that they renew, many in one statement.
//!
//! What somebody else has locked is passed over: it is renewed with the next heartbeat, and so these statements never wait
//! for a report and can't be part of a deadlock.

use std::collections::HashSet;

use serde_json::json;
use sqlx::{AssertSqlSafe, Row};

use super::{Fence, Store};
use crate::{Result, clock::Timestamp, ids::NodeId};

/// A lease that its node still works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Beat {
    pub(crate) lease: Fence,
    pub(crate) frames_done: u32,
}

/// Leases as records of a JSON array.
const BEATS: [(&str, &str); 4] = [
    ("task", "TEXT"),
    ("attempt", "BIGINT"),
    ("node", "TEXT"),
    ("frames", "BIGINT"),
];

const IS_HELD: &str =
    "t.id = b.task AND t.attempt = b.attempt AND t.node_id = b.node AND t.state = 'leased'";

impl Store {
    /// Nodes are alive.
    pub(crate) async fn touch_nodes(&self, nodes: &[NodeId], now: Timestamp) -> Result<()> {
        let nodes: Vec<&str> = nodes.iter().map(NodeId::as_str).collect();
        let unlocked = format!(
            "SELECT id FROM nodes WHERE {}{}",
            self.dialect.is_among("id", &self.dialect.strings("$1")),
            self.dialect.for_update_skip_locked()
        );
        let sql = format!(
            "UPDATE nodes SET seen_at = $2 WHERE {}",
            self.dialect.is_among("id", &unlocked)
        );
        let turn = self.turn_to_write().await;
        sqlx::query(AssertSqlSafe(sql))
            .bind(json!(nodes).to_string())
            .bind(now.0)
            .execute(&self.pool)
            .await?;
        drop(turn);
        Ok(())
    }

    /// Renews leases and notes their progress; answers those that are not held any more.
    pub(crate) async fn renew_leases(
        &self,
        beats: &[Beat],
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Fence>> {
        let sql = format!(
            "WITH b AS ({}),
                  held AS (SELECT t.id AS task, b.frames FROM b JOIN tasks t ON {IS_HELD}{})
             UPDATE tasks SET lease_until = $2, updated_at = $3,
                 frames_done = CASE WHEN held.frames > end_frame - first_frame
                                    THEN end_frame - first_frame ELSE held.frames END
             FROM held WHERE tasks.id = held.task
             RETURNING id",
            self.dialect.records("$1", &BEATS),
            self.dialect.for_update_of_skip_locked("t"),
        );
        let turn = self.turn_to_write().await;
        let renewed = sqlx::query(AssertSqlSafe(sql))
            .bind(as_json(beats))
            .bind(until.0)
            .bind(now.0)
            .fetch_all(&self.pool)
            .await?;
        drop(turn);
        let renewed = ids(&renewed)?;
        let missed: Vec<Beat> = beats
            .iter()
            .filter(|beat| !renewed.contains(beat.lease.task.as_str()))
            .cloned()
            .collect();
        if missed.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "WITH b AS ({}) SELECT t.id FROM b JOIN tasks t ON {IS_HELD}",
            self.dialect.records("$1", &BEATS)
        );
        let busy = sqlx::query(AssertSqlSafe(sql))
            .bind(as_json(&missed))
            .fetch_all(&self.pool)
            .await?;
        let busy = ids(&busy)?;
        let leases = missed.into_iter().map(|beat| beat.lease);
        Ok(leases
            .filter(|lease| !busy.contains(lease.task.as_str()))
            .collect())
    }
}

fn as_json(beats: &[Beat]) -> String {
    let rows = beats.iter().map(|beat| {
        json!({
            "task": beat.lease.task.as_str(), "attempt": beat.lease.attempt,
            "node": beat.lease.node.as_str(), "frames": beat.frames_done,
        })
    });
    serde_json::Value::from_iter(rows).to_string()
}

fn ids(rows: &[sqlx::any::AnyRow]) -> Result<HashSet<String>> {
    rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
}
