//! What the chunks of a job are encoded with, when nobody is left who could.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Row};

use super::{HeldJob, Store, Tx};
use crate::{
    Result,
    clock::Timestamp,
    ids::JobId,
    state::{JobState, TaskKind, TaskState},
    wakeups::Topic,
};

/// Conditions on a node `n` that is there: seen after `$1`, and not about to go.
const IS_THERE: &str = "n.draining = 0 AND n.seen_at > $1";

impl Store {
    /// Jobs with chunks to draw of whose encoder no node was seen for `absence`, while other nodes are there.
    pub(crate) async fn jobs_without_encoder(
        &self,
        absence: Duration,
        now: Timestamp,
        limit: i64,
    ) -> Result<Vec<JobId>> {
        let sql = format!(
            "SELECT j.id FROM jobs j
             WHERE j.state = $2 AND j.encoder IS NOT NULL
               AND EXISTS (SELECT 1 FROM tasks t
                           WHERE t.job_id = j.id AND t.kind = $3 AND t.state = $4)
               AND EXISTS (SELECT 1 FROM nodes n WHERE {IS_THERE} AND n.encoders <> '')
               AND NOT EXISTS (SELECT 1 FROM nodes n
                               WHERE {IS_THERE}
                                 AND ',' || n.encoders || ',' LIKE '%,' || j.encoder || ',%')
             LIMIT $5"
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(now.minus(absence).0)
            .bind(JobState::Processing.as_str())
            .bind(TaskKind::Render.as_str())
            .bind(TaskState::Ready.as_str())
            .bind(limit)
            .fetch_all(&self.pool)
            .await?;
        rows.iter()
            .map(|row| Ok(row.try_get::<String, _>("id")?.into()))
            .collect()
    }

    /// Notes on the tasks of a job that has begun what they are encoded with, if there are nodes, seen after a moment, that
    /// don't have it, unlike those with `encoders`. Tasks that somebody works on are passed over: it only makes claims quicker.
    pub(crate) async fn note_encoder(
        &self,
        job: &JobId,
        encoder: &str,
        encoders: &[String],
        seen_after: Timestamp,
    ) -> Result<()> {
        // Asked in this way it is answered by an index, and at once where all nodes have the same.
        let differs = |side: &str| {
            format!(
                "(SELECT n.id FROM nodes n
                  WHERE n.encoders {side} $4 AND n.seen_at > $3
                    AND ',' || n.encoders || ',' NOT LIKE '%,' || $1 || ',%'
                  ORDER BY n.encoders LIMIT 1) IS NOT NULL"
            )
        };
        let turn = self.turn_to_write().await;
        let sql = format!(
            "UPDATE tasks SET encoder = $1 WHERE id IN
                 (SELECT id FROM tasks
                  WHERE job_id = $2 AND state = 'ready' AND kind = 'render' AND encoder = ''
                    AND ({} OR {}){})",
            differs("<"),
            differs(">"),
            self.dialect.for_update_skip_locked()
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(encoder)
            .bind(job.as_str())
            .bind(seen_after.0)
            .bind(encoders.join(","))
            .execute(&self.pool)
            .await?;
        drop(turn);
        Ok(())
    }
}

#[cfg(test)]
impl Store {
    /// Undoes what [`Store::note_encoder`] has noted.
    pub(crate) async fn forget_encoders(&self) {
        let forgotten = sqlx::query("UPDATE tasks SET encoder = ''").execute(&self.pool);
        forgotten.await.expect("forgotten");
    }
}

impl Tx {
    /// What a node that is there encodes with, of all of them the one seen last.
    pub(crate) async fn encoder_at_hand(
        &mut self,
        absence: Duration,
        now: Timestamp,
    ) -> Result<Option<String>> {
        let sql = format!(
            "SELECT n.encoders FROM nodes n WHERE {IS_THERE} AND n.encoders <> ''
             ORDER BY n.seen_at DESC LIMIT 1"
        );
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(now.minus(absence).0)
            .fetch_optional(self.conn())
            .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        let encoders: String = row.try_get("encoders")?;
        Ok(encoders.split(',').next().map(str::to_owned))
    }

    /// Draws all chunks of a locked job anew, with another encoder. Leases on them are not held any more.
    pub(crate) async fn begin_anew(
        &mut self,
        job: &HeldJob,
        encoder: &str,
        now: Timestamp,
    ) -> Result<()> {
        sqlx::query("UPDATE jobs SET encoder = $1, updated_at = $2 WHERE id = $3")
            .bind(encoder)
            .bind(now.0)
            .bind(job.id.as_str())
            .execute(self.conn())
            .await?;
        sqlx::query(
            "UPDATE tasks SET state = $1, node_id = NULL, lease_until = NULL, frames_done = 0,
                              updated_at = $2
             WHERE job_id = $3 AND kind = $4 AND state IN ($5, $6)",
        )
        .bind(TaskState::Ready.as_str())
        .bind(now.0)
        .bind(job.id.as_str())
        .bind(TaskKind::Render.as_str())
        .bind(TaskState::Done.as_str())
        .bind(TaskState::Leased.as_str())
        .execute(self.conn())
        .await?;
        sqlx::query("UPDATE tasks SET encoder = $1 WHERE job_id = $2 AND kind = $3")
            .bind(encoder)
            .bind(job.id.as_str())
            .bind(TaskKind::Render.as_str())
            .execute(self.conn())
            .await?;
        self.becomes_ready(Topic::Tasks(job.lane));
        Ok(())
    }
}
