//! What a report is about: a lease with its job and its node, read and locked at once.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{TaskRow, Tx, parse, tasks, unsigned};
use crate::{
    Result,
    ids::{AccountId, JobId, TaskId},
    state::{JobState, Lane},
};

const JOB_COLUMNS: &str = "j.id AS held_job, j.account_id, j.state AS job_state, j.lane AS job_lane, j.width, j.height, \
    j.ease, j.encoder AS job_encoder";

/// What reports need to know of a locked job: not what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldJob {
    pub(crate) id: JobId,
    pub(crate) account: AccountId,
    pub(crate) state: JobState,
    pub(crate) lane: Lane,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) ease: i64,
    pub(crate) encoder: Option<String>,
}

/// A task of a locked job, and how its node has fared.
#[derive(Clone, Debug)]
pub(crate) struct HeldTask {
    pub(crate) row: TaskRow,
    pub(crate) node: Option<NodeRecord>,
}

/// What a node has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeRecord {
    /// Pixels a second of one slot.
    pub(crate) speed: Option<i64>,
    /// Whether it failed the last of its tasks.
    pub(crate) has_failed: bool,
}

impl HeldJob {
    fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get::<String, _>("held_job")?.into(),
            account: row.try_get::<String, _>("account_id")?.into(),
            state: parse("job state", row.try_get("job_state")?, JobState::parse)?,
            lane: parse("lane", row.try_get("job_lane")?, Lane::parse)?,
            width: unsigned("width", row.try_get("width")?)?,
            height: unsigned("height", row.try_get("height")?)?,
            ease: row.try_get("ease")?,
            encoder: row.try_get("job_encoder")?,
        })
    }

    /// How fast a task of it was drawn.
    pub(super) fn pixels_a_second(&self, task: &TaskRow, busy: Duration) -> i64 {
        let milliseconds = i64::try_from(busy.as_millis()).unwrap_or(i64::MAX).max(1);
        let frames = i64::try_from(task.frames.len()).unwrap_or(i64::MAX);
        let pixels = i64::from(self.width) * i64::from(self.height);
        pixels.saturating_mul(frames).saturating_mul(1000) / milliseconds
    }
}

impl Tx {
    /// Locks a job.
    pub(crate) async fn lock_job(&mut self, id: &JobId) -> Result<Option<HeldJob>> {
        let sql = format!(
            "SELECT {JOB_COLUMNS} FROM jobs j WHERE j.id = $1{}",
            self.dialect.for_update()
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(id.as_str())
            .fetch_optional(self.conn())
            .await?
            .as_ref()
            .map(HeldJob::read)
            .transpose()
    }

    /// Locks the job that a task belongs to, and reads the task, which others may still change. None when there is
    /// no such task, or no task of its job was ever leased: a claim may hold one now and wait for that very job.
    pub(crate) async fn lock_job_of(
        &mut self,
        task: &TaskId,
    ) -> Result<Option<(HeldJob, HeldTask)>> {
        let lock = match self.dialect.for_update() {
            "" => String::new(),
            lock => format!("{lock} OF j"),
        };
        let sql = format!(
            "SELECT {JOB_COLUMNS}, {}, n.id AS known_node, n.speed, n.consecutive_failures
             FROM tasks t JOIN jobs j ON j.id = t.job_id LEFT JOIN nodes n ON n.id = t.node_id
             WHERE t.id = $1 AND j.state <> 'pending'{lock}",
            tasks::COLUMNS,
        );
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(task.as_str())
            .fetch_optional(self.conn())
            .await?;
        row.map(|row| {
            let known: Option<&str> = row.try_get("known_node")?;
            let node = match known {
                Some(_) => Some(NodeRecord {
                    speed: row.try_get("speed")?,
                    has_failed: row.try_get::<i64, _>("consecutive_failures")? > 0,
                }),
                None => None,
            };
            let task = HeldTask {
                row: TaskRow::read(&row)?,
                node,
            };
            Ok((HeldJob::read(&row)?, task))
        })
        .transpose()
    }
}
