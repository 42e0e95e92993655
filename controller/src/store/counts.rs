//! Numbers for the metrics page.

use sqlx::Row;

use super::{EntryKind, Store, parse};
use crate::{
    Result,
    clock::Timestamp,
    ledger::Credits,
    state::{JobState, Lane, TaskKind, TaskState},
};

/// What is in the database, counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// Renders; previews are nobody's jobs.
    pub(crate) jobs: Vec<(JobState, i64)>,
    pub(crate) tasks: Vec<(Lane, TaskKind, TaskState, i64)>,
    pub(crate) connected_nodes: i64,
    pub(crate) pending_deliveries: i64,
    /// All that ever moved, by why.
    pub(crate) credits: Vec<(EntryKind, Credits)>,
}

impl Store {
    /// Counts renders, tasks, and the nodes seen after a moment.
    pub(crate) async fn counts(&self, seen_after: Timestamp) -> Result<Counts> {
        let mut counts = Counts::default();
        let rows =
            sqlx::query("SELECT state, COUNT(*) AS jobs FROM jobs WHERE lane = $1 GROUP BY state")
                .bind(Lane::Render.as_str())
                .fetch_all(&self.pool)
                .await?;
        for row in rows {
            let state = parse("job state", row.try_get("state")?, JobState::parse)?;
            counts.jobs.push((state, row.try_get("jobs")?));
        }
        let rows = sqlx::query(
            "SELECT lane, kind, state, COUNT(*) AS tasks FROM tasks GROUP BY lane, kind, state",
        )
        .fetch_all(&self.pool)
        .await?;
        for row in rows {
            let lane = parse("lane", row.try_get("lane")?, Lane::parse)?;
            let kind = parse("task kind", row.try_get("kind")?, TaskKind::parse)?;
            let state = parse("task state", row.try_get("state")?, TaskState::parse)?;
            let tasks = row.try_get("tasks")?;
            counts.tasks.push((lane, kind, state, tasks));
        }
        let row = sqlx::query("SELECT COUNT(*) AS connected FROM nodes WHERE seen_at > $1")
            .bind(seen_after.0)
            .fetch_one(&self.pool)
            .await?;
        counts.connected_nodes = row.try_get("connected")?;
        counts.pending_deliveries = self.pending_deliveries().await?;
        let rows = sqlx::query(
            "SELECT kind, CAST(SUM(amount_hundredths) AS BIGINT) AS moved FROM ledger GROUP BY kind",
        )
        .fetch_all(&self.pool)
        .await?;
        for row in rows {
            let kind = parse("kind of entry", row.try_get("kind")?, EntryKind::parse)?;
            let moved = Credits::from_hundredths(row.try_get("moved")?);
            counts.credits.push((kind, moved));
        }
        Ok(counts)
    }
}
