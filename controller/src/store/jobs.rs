//! Render jobs.

use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{Store, Tx, parse, unsigned};
use crate::{
    Result,
    clock::Timestamp,
    ids::{AccountId, JobId, ProjectId},
    ledger::Credits,
    scheduler::Drawing,
    state::{JobState, Lane, TaskState},
};

pub(super) const COLUMNS: &str = "j.id, j.account_id, j.state, j.mode, j.composition_json, j.width, j.height, \
    j.fps, j.duration_in_frames, j.price_hundredths, j.output_key, j.output_size, j.error_message, j.created_at, \
    j.updated_at, j.started_at, j.completed_at, j.project_id, j.public_url, j.lane, j.ease, j.estimated_minutes";

/// A job as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct JobRow {
    pub(crate) id: JobId,
    pub(crate) account: AccountId,
    pub(crate) state: JobState,
    pub(crate) mode: String,
    pub(crate) composition_json: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) fps: u32,
    pub(crate) frames: u32,
    pub(crate) price: Credits,
    pub(crate) output_key: Option<String>,
    pub(crate) output_size: Option<i64>,
    pub(crate) error_message: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) started_at: Option<Timestamp>,
    pub(crate) completed_at: Option<Timestamp>,
    pub(crate) project: Option<ProjectId>,
    /// Where clients reached the gateway when they asked for the job; no final slash.
    pub(crate) public_url: String,
    pub(crate) lane: Lane,
    /// How its pixels compare to others, in thousandths: less is harder to draw.
    pub(crate) ease: i64,
    pub(crate) estimated_minutes: i64,
}

/// A job to insert.
pub(crate) struct NewJob<'a> {
    pub(crate) id: &'a JobId,
    pub(crate) account: &'a AccountId,
    pub(crate) mode: &'a str,
    pub(crate) composition_json: &'a str,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) fps: u32,
    pub(crate) frames: u32,
    pub(crate) price: Credits,
    pub(crate) webhook_url: Option<&'a str>,
    pub(crate) project: Option<&'a ProjectId>,
    pub(crate) public_url: &'a str,
    pub(crate) lane: Lane,
    /// The preview that the job draws; none for a render.
    pub(crate) preview: Option<&'a str>,
    pub(crate) estimated_minutes: i64,
    /// Jobs with the same media have the same name here; empty for none.
    pub(crate) media: &'a str,
    /// The span that it begins in, where that is traced.
    pub(crate) trace_parent: Option<String>,
}

impl JobRow {
    pub(super) fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get::<String, _>("id")?.into(),
            account: row.try_get::<String, _>("account_id")?.into(),
            state: parse("job state", row.try_get("state")?, JobState::parse)?,
            mode: row.try_get("mode")?,
            composition_json: row.try_get("composition_json")?,
            width: unsigned("width", row.try_get("width")?)?,
            height: unsigned("height", row.try_get("height")?)?,
            fps: unsigned("fps", row.try_get("fps")?)?,
            frames: unsigned("duration_in_frames", row.try_get("duration_in_frames")?)?,
            price: Credits::from_hundredths(row.try_get("price_hundredths")?),
            output_key: row.try_get("output_key")?,
            output_size: row.try_get("output_size")?,
            error_message: row.try_get("error_message")?,
            created_at: Timestamp(row.try_get("created_at")?),
            updated_at: Timestamp(row.try_get("updated_at")?),
            started_at: row.try_get::<Option<i64>, _>("started_at")?.map(Timestamp),
            completed_at: row
                .try_get::<Option<i64>, _>("completed_at")?
                .map(Timestamp),
            project: row
                .try_get::<Option<String>, _>("project_id")?
                .map(ProjectId::from),
            public_url: row.try_get("public_url")?,
            lane: parse("lane", row.try_get("lane")?, Lane::parse)?,
            ease: row.try_get("ease")?,
            estimated_minutes: row.try_get("estimated_minutes")?,
        })
    }

    /// All of its frames.
    pub(crate) fn drawing(&self) -> Drawing {
        Drawing {
            frames: self.frames,
            fps: self.fps,
            pixels_of_frame: i64::from(self.width) * i64::from(self.height),
        }
    }
}

/// A finished job that may have left something in the object store.
#[derive(Clone, Debug)]
pub(crate) struct EndedJob {
    pub(crate) id: JobId,
    pub(crate) lane: Lane,
    /// What must stay: an object, or a folder of stills.
    pub(crate) output_key: Option<String>,
    pub(crate) ended_at: Timestamp,
    /// Whether leases were lost or cancelled, whose holders may be at work without knowing.
    pub(crate) may_have_stragglers: bool,
}

impl Store {
    /// The job with this id.
    pub(crate) async fn job(&self, id: &JobId) -> Result<Option<JobRow>> {
        sqlx::query(AssertSqlSafe(format!(
            "SELECT {COLUMNS} FROM jobs j WHERE j.id = $1"
        )))
        .bind(id.as_str())
        .fetch_optional(&self.pool)
        .await?
        .as_ref()
        .map(JobRow::read)
        .transpose()
    }

    /// Finished jobs whose leftovers are due for deletion.
    pub(crate) async fn jobs_to_clean(&self, now: Timestamp, limit: i64) -> Result<Vec<EndedJob>> {
        let rows = sqlx::query(
            "SELECT id, lane, output_key, completed_at, (SELECT COUNT(*) FROM tasks
                 WHERE tasks.job_id = jobs.id AND (attempt > 1 OR tasks.state = $1)) AS stragglers
             FROM jobs WHERE clean_at <= $2 ORDER BY clean_at LIMIT $3",
        )
        .bind(TaskState::Cancelled.as_str())
        .bind(now.0)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(EndedJob {
                    id: row.try_get::<String, _>("id")?.into(),
                    lane: parse("lane", row.try_get("lane")?, Lane::parse)?,
                    output_key: row.try_get("output_key")?,
                    ended_at: Timestamp(row.try_get("completed_at")?),
                    may_have_stragglers: row.try_get::<i64, _>("stragglers")? > 0,
                })
            })
            .collect()
    }

    /// Sets when to look at a job's leftovers again; `None` when they are gone.
    pub(crate) async fn set_clean_at(&self, id: &JobId, at: Option<Timestamp>) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query("UPDATE jobs SET clean_at = $1 WHERE id = $2")
            .bind(at.map(|at| at.0))
            .bind(id.as_str())
            .execute(tx.conn())
            .await?;
        tx.commit().await
    }
}

impl Tx {
    /// Inserts a pending job.
    pub(crate) async fn insert_job(&mut self, job: &NewJob<'_>, now: Timestamp) -> Result<()> {
        sqlx::query(
            "INSERT INTO jobs (id, account_id, state, mode, composition_json, width, height, fps,
                               duration_in_frames, price_hundredths, webhook_url, project_id,
                               public_url, lane, preview_id, created_at, updated_at,
                               estimated_minutes, trace_parent)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17,
                     $18)",
        )
        .bind(job.id.as_str())
        .bind(job.account.as_str())
        .bind(JobState::Pending.as_str())
        .bind(job.mode)
        .bind(job.composition_json)
        .bind(i64::from(job.width))
        .bind(i64::from(job.height))
        .bind(i64::from(job.fps))
        .bind(i64::from(job.frames))
        .bind(job.price.hundredths())
        .bind(job.webhook_url)
        .bind(job.project.map(ProjectId::as_str))
        .bind(job.public_url)
        .bind(job.lane.as_str())
        .bind(job.preview)
        .bind(now.0)
        .bind(job.estimated_minutes)
        .bind(&job.trace_parent)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// The job with this id, as of this transaction.
    pub(crate) async fn job(&mut self, id: &JobId) -> Result<Option<JobRow>> {
        sqlx::query(AssertSqlSafe(format!(
            "SELECT {COLUMNS} FROM jobs j WHERE j.id = $1"
        )))
        .bind(id.as_str())
        .fetch_optional(self.conn())
        .await?
        .as_ref()
        .map(JobRow::read)
        .transpose()
    }

    /// The first lease: pending becomes processing, once, and what encodes the first chunk encodes all of them.
    /// False when another node was first.
    pub(crate) async fn start_job(
        &mut self,
        job: &JobId,
        state: JobState,
        encoder: Option<&str>,
        now: Timestamp,
    ) -> Result<bool> {
        let Some(next) = state.start() else {
            return Ok(false);
        };
        let result = sqlx::query(
            "UPDATE jobs SET state = $1, started_at = $2, updated_at = $2, encoder = $5
             WHERE id = $3 AND state = $4",
        )
        .bind(next.as_str())
        .bind(now.0)
        .bind(job.as_str())
        .bind(state.as_str())
        .bind(encoder)
        .execute(self.conn())
        .await?;
        Ok(result.rows_affected() == 1)
    }

    /// What a job is encoded with, once it has begun.
    pub(crate) async fn encoder_of(&mut self, job: &JobId) -> Result<Option<String>> {
        let row = sqlx::query("SELECT encoder FROM jobs WHERE id = $1")
            .bind(job.as_str())
            .fetch_one(self.conn())
            .await?;
        Ok(row.try_get("encoder")?)
    }

    /// The file is there. False when the job can't complete from where it stands.
    pub(crate) async fn complete_job(
        &mut self,
        job: &JobId,
        state: JobState,
        output_key: &str,
        output_size: i64,
        now: Timestamp,
    ) -> Result<bool> {
        let Some(next) = state.complete() else {
            return Ok(false);
        };
        let result = sqlx::query(
            "UPDATE jobs SET state = $1, output_key = $2, output_size = $3, updated_at = $4,
                             completed_at = $4, clean_at = $4
             WHERE id = $5 AND state = $6",
        )
        .bind(next.as_str())
        .bind(output_key)
        .bind(output_size)
        .bind(now.0)
        .bind(job.as_str())
        .bind(state.as_str())
        .execute(self.conn())
        .await?;
        Ok(result.rows_affected() == 1)
    }

    /// The job will not be rendered. False when it can't fail from where it stands.
    pub(crate) async fn fail_job(
        &mut self,
        job: &JobId,
        state: JobState,
        message: &str,
        now: Timestamp,
    ) -> Result<bool> {
        let Some(next) = state.fail() else {
            return Ok(false);
        };
        let result = sqlx::query(
            "UPDATE jobs SET state = $1, error_message = $2, updated_at = $3, completed_at = $3,
                             clean_at = $3
             WHERE id = $4 AND state = $5",
        )
        .bind(next.as_str())
        .bind(message)
        .bind(now.0)
        .bind(job.as_str())
        .bind(state.as_str())
        .execute(self.conn())
        .await?;
        Ok(result.rows_affected() == 1)
    }
}
