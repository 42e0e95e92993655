//! Claims: which ready tasks are next for some nodes, and leasing them.

use std::collections::HashSet;

use serde_json::json;
use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{
    Dialect, Fence, Looker, Store, TaskRow, Tx,
    lookers::{is_untried, nodes_of},
    parse, tasks, unsigned,
};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{JobId, TaskId},
    scheduler::{BEGINNING, Drawing},
    state::{JobState, Lane, TaskKind, TaskState},
    wakeups::Topic,
};

/// A locked, ready task, with what a lease says of its job.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) task: TaskRow,
    pub(crate) job: JobId,
    pub(crate) job_state: JobState,
    pub(crate) job_encoder: Option<String>,
    width: u32,
    height: u32,
    fps: u32,
    pub(crate) ease: i64,
    pub(crate) turn: i64,
    pub(crate) media: String,
    pub(crate) public_url: String,
    /// The span that the job began in.
    pub(crate) trace_parent: Option<String>,
    pub(crate) composition_json: String,
    /// Each side of the picture is divided by this.
    pub(crate) reduce: u32,
    /// Frames to draw one by one, where that is the work.
    pub(crate) stills: Vec<u32>,
}

impl Candidate {
    fn read(row: &AnyRow) -> Result<Self> {
        let task = TaskRow::read(row)?;
        let stills: Option<String> = row.try_get("stills")?;
        let stills = stills.map(|stills| serde_json::from_str(&stills));
        Ok(Self {
            job: task.job.clone(),
            job_state: parse("job state", row.try_get("job_state")?, JobState::parse)?,
            job_encoder: row.try_get("job_encoder")?,
            width: unsigned("width", row.try_get("width")?)?,
            height: unsigned("height", row.try_get("height")?)?,
            fps: unsigned("fps", row.try_get("fps")?)?,
            ease: row.try_get("ease")?,
            turn: row.try_get("turn")?,
            media: row.try_get("media")?,
            public_url: row.try_get("public_url")?,
            trace_parent: row.try_get("trace_parent")?,
            composition_json: row.try_get("composition_json")?,
            reduce: unsigned("reduce", row.try_get("reduce")?)?,
            stills: stills
                .transpose()
                .map_err(|error| Error::Corrupt(format!("stills of {}: {error}", task.job)))?
                .unwrap_or_default(),
            task,
        })
    }

    /// The frames of the task.
    pub(crate) fn drawing(&self) -> Drawing {
        Drawing {
            frames: self.task.frames.end - self.task.frames.start,
            fps: self.fps,
            pixels_of_frame: i64::from(self.width) * i64::from(self.height),
        }
    }
}

/// A part of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// How many tasks are in it.
    pub(crate) tasks: usize,
    /// The turn that it begins with.
    pub(crate) from_turn: i64,
}

/// Placeholders from a number on.
fn places(first: usize, count: usize) -> Vec<String> {
    (first..first + count)
        .map(|number| format!("${number}"))
        .collect()
}

/// The next tasks of a lane that anybody encodes, and of each of some encoders: one walk for each, so that what a node can't
/// encode is not even passed by.
fn walks(lane: &str, from: &str, encoders: &[String], window: usize) -> String {
    let walk = |encoder: &str| {
        format!(
            "SELECT * FROM (SELECT id, turn, queued_at, media FROM tasks
             WHERE state = 'ready' AND lane = {lane} AND encoder = {encoder} AND turn >= {from}
             ORDER BY turn, queued_at, id LIMIT {window}) AS walk"
        )
    };
    let walks: Vec<String> = std::iter::once("''")
        .chain(encoders.iter().map(String::as_str))
        .map(walk)
        .collect();
    walks.join(" UNION ALL ")
}

/// The statement that finds and locks the next tasks. `$1` are the nodes that look, as a list, `$2` the lane, `$3` now, `$4`
/// after when other nodes were seen that count, `$5` the turn to begin with, `$6` media that go first, as a list; then
/// come encoders.
///
/// The tasks of the window are brought into order before anything else is looked up, and are taken up one by one until
/// there are enough: nearly always these are the first.
fn find_sql(
    lookers: &[Looker<'_>],
    lane: Lane,
    encoders: usize,
    window: usize,
    dialect: Dialect,
) -> String {
    let encoders = places(7, encoders);
    let can_encode = match encoders.is_empty() {
        true => "j.encoder IS NULL".to_owned(),
        false => format!(
            "(j.encoder IS NULL OR j.encoder IN ({}))",
            encoders.join(", ")
        ),
    };
    format!(
        "SELECT {columns}, t.turn, t.media, j.state AS job_state, j.encoder AS job_encoder, j.width, j.height, j.fps,
                j.ease, j.public_url, j.trace_parent, j.reduce, j.stills,
                COALESCE((SELECT p.composition_json FROM previews p WHERE p.id = j.preview_id), j.composition_json)
                    AS composition_json
         FROM (SELECT id, turn, queued_at, CASE WHEN {is_wanted} THEN 0 ELSE 1 END AS far
               FROM (SELECT * FROM ({walks}) AS walks ORDER BY turn, queued_at, id LIMIT {window}) AS next
               ORDER BY far, turn, queued_at, id) AS near
              JOIN tasks t ON t.id = near.id JOIN jobs j ON j.id = t.job_id
         WHERE t.state = 'ready'
           AND (t.kind <> 'render' OR {can_encode})
           AND (t.attempt = 0
                OR {count} > (SELECT COUNT(DISTINCT f.node_id) FROM task_failures f
                              WHERE f.task_id = t.id AND {is_of_lookers})
                OR NOT {is_untried})
         ORDER BY near.far, near.turn, near.queued_at, near.id
         LIMIT {count}{lock}",
        columns = tasks::COLUMNS,
        is_wanted = dialect.is_among("media", &dialect.strings("$6")),
        walks = walks("$2", "$5", &encoders, window),
        count = lookers.len(),
        is_of_lookers = dialect.is_among("f.node_id", &dialect.strings("$1")),
        is_untried = is_untried("t.id", lane),
        lock = dialect.for_update_of_skip_locked("t"),
    )
}

/// A lease to give.
#[derive(Debug)]
pub(crate) struct NewLease {
    pub(crate) fence: Fence,
    pub(crate) output_key: String,
    /// How many tasks of the lane the node runs at once.
    pub(crate) slots: i64,
}

/// Leases as records of a JSON array.
const LEASES: [(&str, &str); 5] = [
    ("task", "TEXT"),
    ("attempt", "BIGINT"),
    ("node", "TEXT"),
    ("key", "TEXT"),
    ("slots", "BIGINT"),
];

impl Store {
    /// Whether any task of a lane waits that one of these encoders might be for.
    pub(crate) async fn has_ready_tasks_for(
        &self,
        lane: Lane,
        encoders: &[String],
    ) -> Result<bool> {
        let sql = walks("$1", "$2", &places(3, encoders.len()), 1);
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(lane.as_str())
            .bind(BEGINNING);
        for encoder in encoders {
            query = query.bind(encoder);
        }
        Ok(!query.fetch_all(&self.pool).await?.is_empty())
    }
}

impl Tx {
    /// Locks the tasks whose turn it is, at most one for each of some nodes that encode with the same: among so many from a
    /// turn on, and those with some media first. Each is for one of the nodes at least: not encoded with what they don't have, and not
    /// failed on all of them while another node, seen after `seen_after`, has not tried it.
    pub(crate) async fn find_tasks(
        &mut self,
        lookers: &[Looker<'_>],
        Stretch { tasks, from_turn }: Stretch,
        media: &[&String],
        seen_after: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Candidate>> {
        let Some(Looker { lane, encoders, .. }) = lookers.first() else {
            return Ok(Vec::new());
        };
        let sql = find_sql(lookers, *lane, encoders.len(), tasks, self.dialect);
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(nodes_of(lookers))
            .bind(lane.as_str())
            .bind(now.0)
            .bind(seen_after.0)
            .bind(from_turn)
            .bind(json!(media).to_string());
        for encoder in *encoders {
            query = query.bind(encoder);
        }
        let rows = query.fetch_all(self.conn()).await?;
        rows.iter().map(Candidate::read).collect()
    }

    /// Whether more than so many tasks wait that a node could encode.
    pub(crate) async fn has_more_than(
        &mut self,
        tasks: usize,
        looker: &Looker<'_>,
    ) -> Result<bool> {
        let walks = walks("$1", "$2", &places(3, looker.encoders.len()), tasks + 1);
        let sql = format!("SELECT COUNT(*) AS ready FROM ({walks}) AS walks");
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(looker.lane.as_str())
            .bind(BEGINNING);
        for encoder in looker.encoders {
            query = query.bind(encoder);
        }
        let ready = query.fetch_one(self.conn()).await?.try_get("ready")?;
        Ok(unsigned("ready", ready)? as usize > tasks)
    }

    /// Gives locked, ready tasks of a lane to their locked nodes, one to each; answers which. Not those of nodes without
    /// room: another stream of theirs may have been quicker.
    pub(crate) async fn lease_tasks(
        &mut self,
        leases: &[&NewLease],
        lane: Lane,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<HashSet<TaskId>> {
        let sql = format!(
            "WITH l AS ({})
             UPDATE tasks SET state = 'leased', attempt = l.attempt, node_id = l.node, lease_until = $2,
                              output_key = l.key, frames_done = 0, updated_at = $3
             FROM l
             WHERE {} AND tasks.id = l.task AND tasks.state = 'ready' AND tasks.attempt = l.attempt - 1
               AND l.slots > (SELECT COUNT(*) FROM tasks h
                              WHERE h.node_id = l.node AND h.lane = $4 AND h.state = 'leased')
             RETURNING id",
            self.dialect.records("$1", &LEASES),
            self.dialect.is_among("tasks.id", "SELECT task FROM l"),
        );
        let records = leases.iter().map(|lease| {
            json!({
                "task": lease.fence.task.as_str(), "attempt": lease.fence.attempt, "node": lease.fence.node.as_str(),
                "key": lease.output_key, "slots": lease.slots,
            })
        });
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(serde_json::Value::from_iter(records).to_string())
            .bind(until.0)
            .bind(now.0)
            .bind(lane.as_str())
            .fetch_all(self.conn())
            .await?;
        rows.iter()
            .map(|row| Ok(row.try_get::<String, _>("id")?.into()))
            .collect()
    }

    /// Leaves the first frames of a leased task to it; the others become a task of their own, which is ready, and whose
    /// turn comes when that of those frames would have been over.
    pub(crate) async fn cut_task(
        &mut self,
        task: &mut TaskRow,
        frames: u32,
        pixels_of_frame: i64,
    ) -> Result<()> {
        let cut = task.frames.start + frames;
        sqlx::query(
            "INSERT INTO tasks (id, job_id, lane, kind, position, first_frame, end_frame, state, turn, attempt,
                                frames_done, queued_at, updated_at, encoder, media)
             SELECT $1, job_id, lane, kind, position, $2, end_frame, $5, turn + $3, 0, 0, queued_at, updated_at, encoder,
                    media
             FROM tasks WHERE id = $4",
        )
        .bind(TaskId::random().as_str())
        .bind(i64::from(cut))
        .bind(pixels_of_frame.saturating_mul(i64::from(frames)))
        .bind(task.id.as_str())
        .bind(TaskState::Ready.as_str())
        .execute(self.conn())
        .await?;
        sqlx::query("UPDATE tasks SET end_frame = $1 WHERE id = $2")
            .bind(i64::from(cut))
            .bind(task.id.as_str())
            .execute(self.conn())
            .await?;
        task.frames = task.frames.start..cut;
        self.becomes_ready(Topic::Tasks(task.lane));
        Ok(())
    }

    /// The objects of a job's finished chunks, in order.
    pub(crate) async fn chunk_keys(&mut self, job: &JobId) -> Result<Vec<String>> {
        let rows = sqlx::query(
            "SELECT output_key FROM tasks WHERE job_id = $1 AND kind = $2 AND state = $3
             ORDER BY first_frame",
        )
        .bind(job.as_str())
        .bind(TaskKind::Render.as_str())
        .bind(TaskState::Done.as_str())
        .fetch_all(self.conn())
        .await?;
        rows.iter()
            .map(|row| Ok(row.try_get("output_key")?))
            .collect()
    }
}
