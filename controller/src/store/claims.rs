//! Claims: which ready task is next for a node, and leasing it.

use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{Fence, Store, TaskRow, Tx, nodes, parse, tasks, unsigned};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{JobId, NodeId, TaskId},
    scheduler::{BEGINNING, Drawing},
    state::{JobState, Lane, TaskKind, TaskState},
    wakeups::Topic,
};

/// Among so many of the next tasks, one whose media the node holds goes first.
const NEAR: usize = 12;
/// How many of the next tasks are looked at. Further ones only if all of these are locked, or none is for this node.
const WINDOWS: [usize; 4] = [NEAR, 96, 1024, 1 << 20];
/// How many names of media a claim compares with; what a node was given last.
pub(crate) const MEDIA_HELD: usize = 8;

/// Who looks for a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looker<'a> {
    pub(crate) node: &'a NodeId,
    pub(crate) lane: Lane,
    /// What it can encode with, best first.
    pub(crate) encoders: &'a [String],
    /// Media that it holds, and that it may take a task out of turn for.
    pub(crate) media: &'a [String],
    /// Where it begins. What is before that it takes only if nothing is after it.
    pub(crate) from_turn: i64,
}

/// What there is for a node.
#[derive(Debug)]
pub(crate) enum Found {
    /// This task, locked.
    Task(Box<Candidate>),
    /// None that it may take.
    Nothing,
    /// It has no room, is about to go, or is not known.
    NoRoom,
    /// It gets none for a while.
    SetAside,
}

/// A locked, ready task, with what a lease says of its job and its node.
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
    /// How many tasks of the lane the node runs at once.
    slots: i64,
    /// Pixels a second of one slot, as far as measured.
    pub(crate) speed: Option<i64>,
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
            slots: row.try_get("slots")?,
            speed: row.try_get("speed")?,
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

/// The statement that finds and locks the next task. `$1` is the node, `$2` the lane, `$3` now, `$4` after when other nodes
/// were seen that count, `$5` the turn to begin with; then come media and encoders.
///
/// The tasks of the window are brought into order before anything else is looked up, and are taken up one by one until
/// one is free: nearly always it is the first.
fn find_sql(looker: &Looker<'_>, window: usize, locks: &Locks) -> String {
    let slots = nodes::slots_column(looker.lane);
    let media = places(6, MEDIA_HELD).join(", ");
    let encoders = places(6 + MEDIA_HELD, looker.encoders.len());
    let can_encode = match encoders.is_empty() {
        true => "j.encoder IS NULL".to_owned(),
        false => format!(
            "(j.encoder IS NULL OR j.encoder IN ({}))",
            encoders.join(", ")
        ),
    };
    format!(
        "WITH me AS (SELECT {slots} AS slots, speed, draining, set_aside_until FROM nodes WHERE id = $1{lock_node}),
              held AS (SELECT COUNT(*) AS held FROM tasks WHERE node_id = $1 AND lane = $2 AND state = 'leased'),
              pick AS (
                  SELECT {columns}, t.turn, t.media, j.state AS job_state, j.encoder AS job_encoder, j.width, j.height, j.fps,
                         j.ease, j.public_url, j.trace_parent, j.composition_json AS own_json, j.preview_id, j.reduce, j.stills
                  FROM (SELECT id, turn, queued_at, CASE WHEN media IN ({media}) THEN 0 ELSE 1 END AS far
                        FROM (SELECT * FROM ({walks}) AS walks ORDER BY turn, queued_at, id LIMIT {window}) AS next
                        ORDER BY far, turn, queued_at, id) AS near
                       JOIN tasks t ON t.id = near.id JOIN jobs j ON j.id = t.job_id
                  WHERE t.state = 'ready'
                    AND EXISTS (SELECT 1 FROM me, held
                                WHERE me.draining = 0 AND me.set_aside_until <= $3 AND held.held < me.slots)
                    AND (t.kind <> 'render' OR {can_encode})
                    AND (t.attempt = 0
                         OR NOT EXISTS (SELECT 1 FROM task_failures f
                                        WHERE f.task_id = t.id AND f.node_id = $1)
                         OR NOT EXISTS (SELECT 1 FROM nodes n
                                        WHERE n.id <> $1 AND n.draining = 0 AND n.seen_at > $4
                                          AND n.set_aside_until <= $3 AND n.{slots} > 0
                                          AND NOT EXISTS (SELECT 1 FROM task_failures g
                                                          WHERE g.task_id = t.id AND g.node_id = n.id)))
                  ORDER BY near.far, near.turn, near.queued_at, near.id
                  LIMIT 1{lock_task})
         SELECT me.slots, me.speed, me.draining, me.set_aside_until, held.held, pick.*,
                COALESCE(p.composition_json, pick.own_json) AS composition_json
         FROM me CROSS JOIN held LEFT JOIN pick ON 1 = 1 LEFT JOIN previews p ON p.id = pick.preview_id",
        walks = walks("$2", "$5", &encoders, window),
        lock_node = locks.node,
        lock_task = locks.task,
        columns = tasks::COLUMNS,
    )
}

/// How rows are locked.
struct Locks {
    node: &'static str,
    task: String,
}

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
    /// Locks a node, and of the tasks that it may take the one whose turn it is: not one that failed on it while another
    /// node, seen after `seen_after`, has not tried it, and not one whose job is encoded with what it does not have.
    pub(crate) async fn find_task(
        &mut self,
        looker: &Looker<'_>,
        seen_after: Timestamp,
        now: Timestamp,
    ) -> Result<Found> {
        let begin_later = (looker.from_turn > BEGINNING).then_some((NEAR, looker.from_turn));
        let from_beginning = WINDOWS.map(|window| (window, BEGINNING));
        for (window, from_turn) in begin_later.into_iter().chain(from_beginning) {
            let look = self.look(looker, window, from_turn, seen_after, now);
            let Some(row) = look.await? else {
                return Ok(Found::NoRoom);
            };
            if row.try_get::<Option<&str>, _>("id")?.is_some() {
                return Ok(Found::Task(Box::new(Candidate::read(&row)?)));
            }
            if row.try_get::<i64, _>("set_aside_until")? > now.0 {
                return Ok(Found::SetAside);
            }
            if row.try_get::<i64, _>("draining")? != 0
                || row.try_get::<i64, _>("held")? >= row.try_get::<i64, _>("slots")?
            {
                return Ok(Found::NoRoom);
            }
            if from_turn == BEGINNING && !self.has_more_than(window, looker).await? {
                break;
            }
        }
        Ok(Found::Nothing)
    }

    async fn look(
        &mut self,
        looker: &Looker<'_>,
        window: usize,
        from_turn: i64,
        seen_after: Timestamp,
        now: Timestamp,
    ) -> Result<Option<AnyRow>> {
        let locks = Locks {
            node: self.dialect.for_update(),
            task: self.dialect.for_update_of_skip_locked("t"),
        };
        let mut query = sqlx::query(AssertSqlSafe(find_sql(looker, window, &locks)))
            .bind(looker.node.as_str())
            .bind(looker.lane.as_str())
            .bind(now.0)
            .bind(seen_after.0)
            .bind(from_turn);
        // Past those, everything is equally far.
        let media = match window {
            NEAR => looker.media,
            _ => &[],
        };
        for index in 0..MEDIA_HELD {
            // No task's media have this name.
            query = query.bind(media.get(index).map_or("-", String::as_str));
        }
        for encoder in looker.encoders {
            query = query.bind(encoder);
        }
        Ok(query.fetch_optional(self.conn()).await?)
    }

    /// Whether more than so many tasks wait that a node could encode.
    async fn has_more_than(&mut self, window: usize, looker: &Looker<'_>) -> Result<bool> {
        let walks = walks("$1", "$2", &places(3, looker.encoders.len()), window + 1);
        let sql = format!("SELECT COUNT(*) AS ready FROM ({walks}) AS walks");
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(looker.lane.as_str())
            .bind(BEGINNING);
        for encoder in looker.encoders {
            query = query.bind(encoder);
        }
        let ready = query.fetch_one(self.conn()).await?.try_get("ready")?;
        Ok(unsigned("ready", ready)? as usize > window)
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

    /// Gives a locked, ready task to its locked node. False when it is not ready after all, or the node has no room:
    /// another stream of the node may have been quicker.
    pub(crate) async fn lease_task(
        &mut self,
        found: &mut Candidate,
        lease: &Fence,
        output_key: &str,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        let task = &mut found.task;
        let Some(next) = task.state.lease() else {
            return Ok(false);
        };
        let result = sqlx::query(
            "UPDATE tasks SET state = $1, attempt = $2, node_id = $3, lease_until = $4,
                              output_key = $5, frames_done = 0, updated_at = $6
             WHERE id = $7 AND state = $8 AND attempt = $9
               AND $10 > (SELECT COUNT(*) FROM tasks h
                          WHERE h.node_id = $3 AND h.lane = $11 AND h.state = 'leased')",
        )
        .bind(next.as_str())
        .bind(i64::from(lease.attempt))
        .bind(lease.node.as_str())
        .bind(until.0)
        .bind(output_key)
        .bind(now.0)
        .bind(task.id.as_str())
        .bind(task.state.as_str())
        .bind(i64::from(task.attempt))
        .bind(found.slots)
        .bind(task.lane.as_str())
        .execute(self.conn())
        .await?;
        let is_leased = result.rows_affected() == 1;
        if is_leased {
            task.state = next;
        }
        Ok(is_leased)
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
