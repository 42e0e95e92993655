//! Tasks: the queue, the leases and the fence.

use std::ops::Range;

use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{NewJob, Store, Tx, parse, unsigned};
use crate::{
    Result,
    clock::Timestamp,
    ids::{JobId, NodeId, TaskId},
    state::{Lane, TaskKind, TaskState},
    wakeups::Topic,
};

pub(super) const COLUMNS: &str = "t.id, t.job_id, t.lane, t.kind, t.first_frame, t.end_frame, t.state, \
    t.attempt, t.node_id, t.frames_done, t.output_key, t.updated_at";

/// Tasks in one statement: far below the number of parameters that either database takes.
const TASKS_IN_ONE_INSERT: usize = 100;

/// A task as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct TaskRow {
    pub(crate) id: TaskId,
    pub(crate) job: JobId,
    pub(crate) lane: Lane,
    pub(crate) kind: TaskKind,
    pub(crate) frames: Range<u32>,
    pub(crate) state: TaskState,
    pub(crate) attempt: u32,
    pub(crate) node: Option<NodeId>,
    pub(crate) frames_done: u32,
    pub(crate) output_key: Option<String>,
    /// When its state, its lease or its progress changed last: a ready task waits since then.
    pub(crate) updated_at: Timestamp,
}

/// A task to insert.
pub(crate) struct NewTask {
    pub(crate) id: TaskId,
    pub(crate) kind: TaskKind,
    pub(crate) frames: Range<u32>,
    pub(crate) state: TaskState,
}

/// What every report carries: it counts only while this very lease is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    pub(crate) task: TaskId,
    pub(crate) attempt: u32,
    pub(crate) node: NodeId,
}

impl TaskRow {
    pub(super) fn read(row: &AnyRow) -> Result<Self> {
        let first = unsigned("first_frame", row.try_get("first_frame")?)?;
        let end = unsigned("end_frame", row.try_get("end_frame")?)?;
        Ok(Self {
            id: row.try_get::<String, _>("id")?.into(),
            job: row.try_get::<String, _>("job_id")?.into(),
            lane: parse("lane", row.try_get("lane")?, Lane::parse)?,
            kind: parse("task kind", row.try_get("kind")?, TaskKind::parse)?,
            frames: first..end,
            state: parse("task state", row.try_get("state")?, TaskState::parse)?,
            attempt: unsigned("attempt", row.try_get("attempt")?)?,
            node: row
                .try_get::<Option<String>, _>("node_id")?
                .map(NodeId::from),
            frames_done: unsigned("frames_done", row.try_get("frames_done")?)?,
            output_key: row.try_get("output_key")?,
            updated_at: Timestamp(row.try_get("updated_at")?),
        })
    }

    /// Whether `fence` is the lease that is held now.
    pub(crate) fn is_held_by(&self, fence: &Fence) -> bool {
        self.state == TaskState::Leased
            && self.attempt == fence.attempt
            && self.node.as_ref() == Some(&fence.node)
    }
}

/// The values of one task in an INSERT whose first four parameters all tasks share.
fn task_placeholders(index: usize) -> String {
    let first = 5 + 7 * index;
    let own: Vec<String> = (first..first + 7)
        .map(|number| format!("${number}"))
        .collect();
    format!("($1, $2, $3, 0, 0, $4, $4, {})", own.join(", "))
}

impl Store {
    /// A job's tasks, in order.
    pub(crate) async fn tasks_of(&self, job: &JobId) -> Result<Vec<TaskRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM tasks t WHERE t.job_id = $1 ORDER BY t.position, t.first_frame"
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(job.as_str())
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(TaskRow::read).collect()
    }

    /// Whether any task of a lane waits for a node.
    pub(crate) async fn has_ready_tasks(&self, lane: Lane) -> Result<bool> {
        let row = sqlx::query(
            "SELECT id FROM tasks WHERE state = 'ready' AND lane = $1 ORDER BY encoder, turn LIMIT 1",
        )
            .bind(lane.as_str())
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.is_some())
    }
}

impl Tx {
    /// Inserts the tasks of a new job, in order, into its lane, each with its turn.
    pub(super) async fn insert_tasks(
        &mut self,
        job: &NewJob<'_>,
        tasks: &[NewTask],
        turns: &[i64],
        now: Timestamp,
    ) -> Result<()> {
        let mut position = 0_i64;
        let batches = tasks.chunks(TASKS_IN_ONE_INSERT);
        for (batch, turns) in batches.zip(turns.chunks(TASKS_IN_ONE_INSERT)) {
            let rows: Vec<String> = (0..batch.len()).map(task_placeholders).collect();
            let sql = format!(
                "INSERT INTO tasks (job_id, lane, media, attempt, frames_done, queued_at, updated_at,
                                    id, kind, position, first_frame, end_frame, state, turn)
                 VALUES {}",
                rows.join(", ")
            );
            let mut insert = sqlx::query(AssertSqlSafe(sql))
                .bind(job.id.as_str())
                .bind(job.lane.as_str())
                .bind(job.media)
                .bind(now.0);
            for (task, turn) in batch.iter().zip(turns) {
                insert = insert
                    .bind(task.id.as_str())
                    .bind(task.kind.as_str())
                    .bind(position)
                    .bind(i64::from(task.frames.start))
                    .bind(i64::from(task.frames.end))
                    .bind(task.state.as_str())
                    .bind(*turn);
                position += 1;
            }
            insert.execute(self.conn()).await?;
        }
        self.becomes_ready(Topic::Tasks(job.lane));
        Ok(())
    }

    /// Locks a task. Lock its job first.
    pub(crate) async fn lock_task(&mut self, id: &TaskId) -> Result<Option<TaskRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM tasks t WHERE t.id = $1{}",
            self.dialect.for_update()
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(id.as_str())
            .fetch_optional(self.conn())
            .await?
            .as_ref()
            .map(TaskRow::read)
            .transpose()
    }

    /// The lease's object is written. False when the lease is not held any more.
    pub(crate) async fn finish_task(
        &mut self,
        task: &TaskRow,
        fence: &Fence,
        now: Timestamp,
    ) -> Result<bool> {
        let Some(next) = task.state.finish() else {
            return Ok(false);
        };
        let result = sqlx::query(
            "UPDATE tasks SET state = $1, lease_until = NULL, updated_at = $2,
                              frames_done = end_frame - first_frame
             WHERE id = $3 AND attempt = $4 AND node_id = $5 AND state = $6",
        )
        .bind(next.as_str())
        .bind(now.0)
        .bind(fence.task.as_str())
        .bind(i64::from(fence.attempt))
        .bind(fence.node.as_str())
        .bind(task.state.as_str())
        .execute(self.conn())
        .await?;
        Ok(result.rows_affected() == 1)
    }

    /// The lease ends without a result. False when it is not held any more.
    pub(crate) async fn requeue_task(
        &mut self,
        task: &TaskRow,
        fence: &Fence,
        now: Timestamp,
    ) -> Result<bool> {
        let Some(next) = task.state.requeue() else {
            return Ok(false);
        };
        let result = sqlx::query(
            "UPDATE tasks SET state = $1, node_id = NULL, lease_until = NULL, frames_done = 0,
                              updated_at = $2
             WHERE id = $3 AND attempt = $4 AND node_id = $5 AND state = $6",
        )
        .bind(next.as_str())
        .bind(now.0)
        .bind(fence.task.as_str())
        .bind(i64::from(fence.attempt))
        .bind(fence.node.as_str())
        .bind(task.state.as_str())
        .execute(self.conn())
        .await?;
        self.becomes_ready(Topic::Tasks(task.lane));
        Ok(result.rows_affected() == 1)
    }

    /// Locks tasks whose lease has run out, passing over those that somebody works on.
    pub(crate) async fn lock_expired_tasks(
        &mut self,
        now: Timestamp,
        limit: i64,
    ) -> Result<Vec<TaskRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM tasks t WHERE t.state = 'leased' AND t.lease_until < $1
             ORDER BY t.lease_until LIMIT $2{}",
            self.dialect.for_update_skip_locked()
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(now.0)
            .bind(limit)
            .fetch_all(self.conn())
            .await?;
        rows.iter().map(TaskRow::read).collect()
    }

    /// Locks what a node holds, passing over what somebody works on.
    pub(crate) async fn lock_tasks_of_node(&mut self, node: &NodeId) -> Result<Vec<TaskRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM tasks t WHERE t.node_id = $1 AND t.state = 'leased'{}",
            self.dialect.for_update_skip_locked()
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(node.as_str())
            .fetch_all(self.conn())
            .await?;
        rows.iter().map(TaskRow::read).collect()
    }

    /// Makes the assembly ready once every chunk is done. True when it just became so.
    pub(crate) async fn unblock_assembly(
        &mut self,
        job: &JobId,
        lane: Lane,
        now: Timestamp,
    ) -> Result<bool> {
        let Some(next) = TaskState::Blocked.unblock() else {
            return Ok(false);
        };
        let result = sqlx::query(
            "UPDATE tasks SET state = $1, updated_at = $2
             WHERE job_id = $3 AND kind = $4 AND state = $5
               AND NOT EXISTS (SELECT 1 FROM tasks r
                               WHERE r.job_id = $3 AND r.kind = $6
                                 AND r.state IN ('ready', 'leased', 'cancelled'))",
        )
        .bind(next.as_str())
        .bind(now.0)
        .bind(job.as_str())
        .bind(TaskKind::Assemble.as_str())
        .bind(TaskState::Blocked.as_str())
        .bind(TaskKind::Render.as_str())
        .execute(self.conn())
        .await?;
        let is_ready = result.rows_affected() == 1;
        if is_ready {
            self.becomes_ready(Topic::Tasks(lane));
        }
        Ok(is_ready)
    }

    /// Cancels whatever a failed job has left to do.
    pub(crate) async fn cancel_tasks(&mut self, job: &JobId, now: Timestamp) -> Result<()> {
        sqlx::query(
            "UPDATE tasks SET state = $1, lease_until = NULL, updated_at = $2
             WHERE job_id = $3 AND state <> $4",
        )
        .bind(TaskState::Cancelled.as_str())
        .bind(now.0)
        .bind(job.as_str())
        .bind(TaskState::Done.as_str())
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
