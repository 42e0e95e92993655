//! Previews, and the jobs that draw them.

use sqlx::{AnyConnection, AssertSqlSafe, Row, any::AnyRow};

use super::{Store, Tx, parse, unsigned};
use crate::{
    Result,
    clock::Timestamp,
    ids::{AccountId, JobId, PreviewId},
    state::JobState,
};

const COLUMNS: &str =
    "id, account_id, name, width, height, fps, duration_in_frames, public_url, expires_at";

/// A preview as it is stored, without its composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PreviewRow {
    pub(crate) id: PreviewId,
    pub(crate) account: AccountId,
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) fps: u32,
    pub(crate) frames: u32,
    pub(crate) public_url: String,
    pub(crate) expires_at: Timestamp,
}

/// How a job that draws a preview stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PreviewJob {
    pub(crate) id: JobId,
    pub(crate) state: JobState,
    pub(crate) output_key: Option<String>,
    pub(crate) error_message: Option<String>,
}

/// A preview that has expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expired {
    pub(crate) id: PreviewId,
    /// Its objects are gone and nobody works on it any more; only its rows are left.
    pub(crate) is_swept: bool,
}

impl PreviewRow {
    fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get::<String, _>("id")?.into(),
            account: row.try_get::<String, _>("account_id")?.into(),
            name: row.try_get("name")?,
            width: unsigned("width", row.try_get("width")?)?,
            height: unsigned("height", row.try_get("height")?)?,
            fps: unsigned("fps", row.try_get("fps")?)?,
            frames: unsigned("duration_in_frames", row.try_get("duration_in_frames")?)?,
            public_url: row.try_get("public_url")?,
            expires_at: Timestamp(row.try_get("expires_at")?),
        })
    }
}

async fn preview_job(
    connection: &mut AnyConnection,
    preview: &PreviewId,
    wanted: &str,
) -> Result<Option<PreviewJob>> {
    let row = sqlx::query(
        "SELECT id, state, output_key, error_message FROM jobs
         WHERE preview_id = $1 AND wanted = $2",
    )
    .bind(preview.as_str())
    .bind(wanted)
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        Ok(PreviewJob {
            id: row.try_get::<String, _>("id")?.into(),
            state: parse("job state", row.try_get("state")?, JobState::parse)?,
            output_key: row.try_get("output_key")?,
            error_message: row.try_get("error_message")?,
        })
    })
    .transpose()
}

impl Store {
    /// Keeps a preview until it expires.
    pub(crate) async fn insert_preview(
        &self,
        preview: &PreviewRow,
        composition_json: &str,
        now: Timestamp,
    ) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query(
            "INSERT INTO previews (id, account_id, name, width, height, fps, duration_in_frames,
                                   public_url, expires_at, sweep_at, composition_json, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11)",
        )
        .bind(preview.id.as_str())
        .bind(preview.account.as_str())
        .bind(&preview.name)
        .bind(i64::from(preview.width))
        .bind(i64::from(preview.height))
        .bind(i64::from(preview.fps))
        .bind(i64::from(preview.frames))
        .bind(&preview.public_url)
        .bind(preview.expires_at.0)
        .bind(composition_json)
        .bind(now.0)
        .execute(tx.conn())
        .await?;
        tx.commit().await
    }

    /// The preview with this id, expired or not.
    pub(crate) async fn preview(&self, id: &PreviewId) -> Result<Option<PreviewRow>> {
        let sql = format!("SELECT {COLUMNS} FROM previews WHERE id = $1");
        sqlx::query(AssertSqlSafe(sql))
            .bind(id.as_str())
            .fetch_optional(&self.pool)
            .await?
            .as_ref()
            .map(PreviewRow::read)
            .transpose()
    }

    /// The job that draws what is wanted of a preview, if anybody has asked for it.
    pub(crate) async fn preview_job(
        &self,
        preview: &PreviewId,
        wanted: &str,
    ) -> Result<Option<PreviewJob>> {
        preview_job(&mut *self.pool.acquire().await?, preview, wanted).await
    }

    /// Every job that draws something of a preview.
    pub(crate) async fn jobs_of_preview(&self, preview: &PreviewId) -> Result<Vec<JobId>> {
        let rows = sqlx::query("SELECT id FROM jobs WHERE preview_id = $1")
            .bind(preview.as_str())
            .fetch_all(&self.pool)
            .await?;
        let ids = rows.iter().map(|row| row.try_get::<String, _>("id"));
        ids.map(|id| Ok(id?.into())).collect()
    }

    /// Expired previews that are due to be looked at.
    pub(crate) async fn previews_to_sweep(
        &self,
        now: Timestamp,
        limit: i64,
    ) -> Result<Vec<Expired>> {
        let rows = sqlx::query(
            "SELECT id, is_swept FROM previews WHERE sweep_at <= $1 ORDER BY sweep_at LIMIT $2",
        )
        .bind(now.0)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Expired {
                    id: row.try_get::<String, _>("id")?.into(),
                    is_swept: row.try_get::<i64, _>("is_swept")? != 0,
                })
            })
            .collect()
    }

    /// Sets when to look at an expired preview again.
    pub(crate) async fn set_sweep_at(&self, preview: &PreviewId, at: Timestamp) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query("UPDATE previews SET sweep_at = $1 WHERE id = $2")
            .bind(at.0)
            .bind(preview.as_str())
            .execute(tx.conn())
            .await?;
        tx.commit().await
    }
}

impl Tx {
    /// Locks a preview, so that two who look at it don't both start to draw it.
    pub(crate) async fn lock_preview(&mut self, id: &PreviewId) -> Result<Option<PreviewRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM previews WHERE id = $1{}",
            self.dialect.for_update()
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(id.as_str())
            .fetch_optional(self.conn())
            .await?
            .as_ref()
            .map(PreviewRow::read)
            .transpose()
    }

    /// The job that draws what is wanted of a preview, as of this transaction.
    pub(crate) async fn preview_job(
        &mut self,
        preview: &PreviewId,
        wanted: &str,
    ) -> Result<Option<PreviewJob>> {
        preview_job(self.conn(), preview, wanted).await
    }

    /// How many jobs of a preview draw something whose name begins like this.
    pub(crate) async fn count_preview_jobs(
        &mut self,
        preview: &PreviewId,
        beginning: &str,
    ) -> Result<u32> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS jobs FROM jobs WHERE preview_id = $1 AND wanted LIKE $2",
        )
        .bind(preview.as_str())
        .bind(format!("{beginning}%"))
        .fetch_one(self.conn())
        .await?;
        unsigned("jobs", row.try_get("jobs")?)
    }

    /// Says what a preview's job draws.
    pub(crate) async fn set_drawing(
        &mut self,
        job: &JobId,
        wanted: &str,
        reduce: u32,
        stills: &[u32],
    ) -> Result<()> {
        let stills = match stills {
            [] => None,
            stills => Some(serde_json::json!(stills).to_string()),
        };
        sqlx::query("UPDATE jobs SET wanted = $1, reduce = $2, stills = $3 WHERE id = $4")
            .bind(wanted)
            .bind(i64::from(reduce))
            .bind(stills)
            .bind(job.as_str())
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Locks a preview with its jobs and their tasks, without waiting; its jobs, or none when somebody
    /// works on any of it.
    pub(crate) async fn lock_whole_preview(
        &mut self,
        preview: &PreviewId,
    ) -> Result<Option<Vec<JobId>>> {
        const JOBS: &str = "FROM jobs WHERE preview_id = $1";
        const TASKS: &str =
            "FROM tasks WHERE job_id IN (SELECT id FROM jobs WHERE preview_id = $1)";
        let mut jobs = Vec::new();
        for (index, rows) in ["FROM previews WHERE id = $1", JOBS, TASKS]
            .into_iter()
            .enumerate()
        {
            let skip_locked = self.dialect.for_update_skip_locked();
            let locked = sqlx::query(AssertSqlSafe(format!("SELECT id {rows}{skip_locked}")))
                .bind(preview.as_str())
                .fetch_all(self.conn())
                .await?;
            let there = sqlx::query(AssertSqlSafe(format!("SELECT COUNT(*) AS there {rows}")))
                .bind(preview.as_str())
                .fetch_one(self.conn())
                .await?;
            if i64::try_from(locked.len()).ok() != Some(there.try_get("there")?) {
                return Ok(None);
            }
            if index == 1 {
                let ids = locked.iter().map(|row| row.try_get::<String, _>("id"));
                jobs = ids.map(|id| Ok(id?.into())).collect::<Result<_>>()?;
            }
        }
        Ok(Some(jobs))
    }

    /// Nobody works on an expired preview any more; its rows go later.
    pub(crate) async fn note_swept(&mut self, preview: &PreviewId, next: Timestamp) -> Result<()> {
        sqlx::query("UPDATE previews SET is_swept = 1, sweep_at = $1 WHERE id = $2")
            .bind(next.0)
            .bind(preview.as_str())
            .execute(self.conn())
            .await?;
        Ok(())
    }

    /// Deletes a preview with its jobs and their tasks. Lock it whole first.
    pub(crate) async fn delete_preview(&mut self, preview: &PreviewId) -> Result<()> {
        for sql in [
            "DELETE FROM task_failures WHERE task_id IN
                 (SELECT t.id FROM tasks t JOIN jobs j ON j.id = t.job_id WHERE j.preview_id = $1)",
            "DELETE FROM tasks WHERE job_id IN (SELECT id FROM jobs WHERE preview_id = $1)",
            "DELETE FROM jobs WHERE preview_id = $1",
            "DELETE FROM previews WHERE id = $1",
        ] {
            sqlx::query(sql)
                .bind(preview.as_str())
                .execute(self.conn())
                .await?;
        }
        Ok(())
    }
}
