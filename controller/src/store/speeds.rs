//! How fast nodes draw, by what they have done, and what the farm can do by that.

use std::time::Duration;

use sqlx::Row;

use super::{JobRow, Store, TaskRow, Tx};
use crate::{
    Result,
    clock::Timestamp,
    ids::NodeId,
    scheduler::Capacity,
    state::{Lane, TaskState},
};

/// How much one task counts in a node's average, in percent.
const NODE_MEMORY: i64 = 20;
/// How much one task counts in what is known of its job, in percent: its frames are more alike.
const JOB_MEMORY: i64 = 50;
/// Beyond these a measurement says nothing of a job.
const EASES: std::ops::RangeInclusive<i64> = 10..=100_000;

impl Store {
    /// What the nodes seen after a moment can do.
    pub(crate) async fn capacity(&self, seen_after: Timestamp, now: Timestamp) -> Result<Capacity> {
        let row = sqlx::query(
            "SELECT CAST(COALESCE(SUM(slots), 0) AS BIGINT) AS slots,
                    CAST(COALESCE(SUM(CASE WHEN speed IS NULL THEN 0 ELSE slots END), 0) AS BIGINT)
                        AS measured,
                    CAST(COALESCE(SUM(speed * slots), 0) AS BIGINT) AS speed
             FROM nodes WHERE draining = 0 AND seen_at > $1 AND set_aside_until <= $2",
        )
        .bind(seen_after.0)
        .bind(now.0)
        .fetch_one(&self.pool)
        .await?;
        let (slots, measured): (i64, i64) = (row.try_get("slots")?, row.try_get("measured")?);
        let speed: i64 = row.try_get("speed")?;
        let row = sqlx::query(
            "SELECT COUNT(*) AS taken, COUNT(DISTINCT j.account_id) AS accounts
             FROM tasks t JOIN jobs j ON j.id = t.job_id WHERE t.state = $1 AND t.lane = $2",
        )
        .bind(TaskState::Leased.as_str())
        .bind(Lane::Render.as_str())
        .fetch_one(&self.pool)
        .await?;
        Ok(Capacity {
            slots,
            taken: row.try_get("taken")?,
            accounts: row.try_get("accounts")?,
            pixels_a_second: speed.checked_div(measured),
        })
    }
}

impl Tx {
    /// Learns from a task that a node has done how fast the node is, and how hard the job.
    pub(crate) async fn note_speed(
        &mut self,
        job: &JobRow,
        task: &TaskRow,
        node: &NodeId,
        busy: Duration,
    ) -> Result<()> {
        let milliseconds = i64::try_from(busy.as_millis()).unwrap_or(i64::MAX).max(1);
        let frames = i64::try_from(task.frames.len()).unwrap_or(i64::MAX);
        let pixels = frames * i64::from(job.width) * i64::from(job.height);
        let seen = pixels.saturating_mul(1000) / milliseconds;
        let row = sqlx::query("SELECT speed FROM nodes WHERE id = $1")
            .bind(node.as_str())
            .fetch_optional(self.conn())
            .await?;
        let Some(row) = row else {
            return Ok(());
        };
        let known: Option<i64> = row.try_get("speed")?;
        let speed = known.map_or(seen, |known| blended(known, seen, NODE_MEMORY));
        if let Some(known) = known.filter(|known| *known > 0) {
            let ease = seen.saturating_mul(1000) / known;
            let ease = blended(
                job.ease,
                ease.clamp(*EASES.start(), *EASES.end()),
                JOB_MEMORY,
            );
            sqlx::query("UPDATE jobs SET ease = $1 WHERE id = $2")
                .bind(ease)
                .bind(job.id.as_str())
                .execute(self.conn())
                .await?;
        }
        sqlx::query("UPDATE nodes SET speed = $1 WHERE id = $2")
            .bind(speed.max(1))
            .bind(node.as_str())
            .execute(self.conn())
            .await?;
        Ok(())
    }
}

/// A known number moved towards a seen one by some percent of the way.
fn blended(known: i64, seen: i64, percent: i64) -> i64 {
    let part = |number: i64, percent: i64| {
        i64::try_from(i128::from(number) * i128::from(percent) / 100).unwrap_or(i64::MAX)
    };
    part(known, 100 - percent).saturating_add(part(seen, percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_move_towards_what_is_seen() {
        assert_eq!(blended(100, 200, 20), 120);
        assert_eq!(blended(100, 100, 50), 100);
        assert_eq!(blended(i64::MAX, i64::MAX, 50), i64::MAX - 1);
    }
}
