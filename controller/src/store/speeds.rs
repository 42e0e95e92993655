//! How fast nodes draw, by what they have done, and what the farm can do by that.

use std::time::Duration;

use sqlx::Row;

use super::{HeldJob, HeldTask, Store, Tx};
use crate::{
    Result,
    clock::Timestamp,
    ids::{JobId, NodeId},
    scheduler::Capacity,
    state::{Lane, TaskKind},
};

/// How much one task counts in a node's average, in percent.
const NODE_MEMORY: i64 = 20;
/// How much one task counts in what is known of its job, in percent: its frames are more alike.
const JOB_MEMORY: i64 = 50;
/// A change of less than one in so many parts is not worth a write.
const WORTH_WRITING: u64 = 50;
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
             FROM tasks t JOIN jobs j ON j.id = t.job_id WHERE t.state = 'leased' AND t.lane = $1",
        )
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
    /// Learns from a task that a node has done how fast the node is, and how hard the job; and that the node works.
    /// What hardly changes is not written again.
    pub(crate) async fn note_done(
        &mut self,
        job: &HeldJob,
        task: &HeldTask,
        node: &NodeId,
        busy: Duration,
    ) -> Result<()> {
        let Some(known) = task.node else {
            return Ok(());
        };
        let mut speed = known.speed;
        if task.row.kind == TaskKind::Render {
            let seen = job.pixels_a_second(&task.row, busy);
            speed = Some(
                speed
                    .map_or(seen, |known| blended(known, seen, NODE_MEMORY))
                    .max(1),
            );
            if let Some(usual) = known.speed.filter(|usual| *usual > 0) {
                let ease = seen.saturating_mul(1000) / usual;
                let ease = ease.clamp(*EASES.start(), *EASES.end());
                let ease = blended(job.ease, ease, JOB_MEMORY);
                if is_news(job.ease, ease) {
                    self.set_ease(&job.id, ease).await?;
                }
            }
        }
        let is_faster_or_slower = match (known.speed, speed) {
            (Some(known), Some(speed)) => is_news(known, speed),
            (known, speed) => known != speed,
        };
        if is_faster_or_slower || known.has_failed {
            sqlx::query("UPDATE nodes SET speed = $1, consecutive_failures = 0 WHERE id = $2")
                .bind(speed)
                .bind(node.as_str())
                .execute(self.conn())
                .await?;
        }
        Ok(())
    }

    async fn set_ease(&mut self, job: &JobId, ease: i64) -> Result<()> {
        sqlx::query("UPDATE jobs SET ease = $1 WHERE id = $2")
            .bind(ease)
            .bind(job.as_str())
            .execute(self.conn())
            .await?;
        Ok(())
    }
}

/// Whether a number has changed by more than a few percent.
fn is_news(known: i64, now: i64) -> bool {
    known.abs_diff(now) > known.unsigned_abs() / WORTH_WRITING
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
    fn small_changes_are_no_news() {
        assert!(!is_news(1000, 1015) && !is_news(1000, 985));
        assert!(is_news(1000, 1030) && is_news(1000, 900) && is_news(10, 11));
    }

    #[test]
    fn averages_move_towards_what_is_seen() {
        assert_eq!(blended(100, 200, 20), 120);
        assert_eq!(blended(100, 100, 50), 100);
        assert_eq!(blended(i64::MAX, i64::MAX, 50), i64::MAX - 1);
    }
}
