//! Jobs as their owners see them: with project, cost and progress, in two queries for a whole page.

use futures::TryStreamExt;
use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{
    Store,
    jobs::{COLUMNS, JobRow},
    parse,
};
use crate::{
    Result,
    clock::Timestamp,
    ids::{AccountId, JobId, ProjectId, TemplateId},
    ledger::Credits,
    paging::{Cursor, Page},
    state::{Lane, TaskKind, TaskState},
};

/// A page ends before it holds more than this of compositions.
const MAX_PAGE_BYTES: usize = 16 << 20;

/// A render job with what belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct ShownJob {
    pub(crate) job: JobRow,
    pub(crate) project: Option<ShownProject>,
    /// Refunds taken off.
    pub(crate) cost: Credits,
}

/// The project of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownProject {
    pub(crate) id: ProjectId,
    pub(crate) name: String,
    pub(crate) template: Option<TemplateId>,
}

/// How far a job's tasks of one kind are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorkDone {
    pub(crate) job: JobId,
    pub(crate) kind: TaskKind,
    /// Frames in all of them.
    pub(crate) frames: i64,
    pub(crate) frames_done: i64,
    pub(crate) updated_at: Timestamp,
}

impl ShownJob {
    fn read(row: &AnyRow) -> Result<Self> {
        let job = JobRow::read(row)?;
        let project = match &job.project {
            Some(id) => Some(ShownProject {
                id: id.clone(),
                name: row.try_get("project_name")?,
                template: row
                    .try_get::<Option<String>, _>("project_template")?
                    .map(TemplateId::from),
            }),
            None => None,
        };
        Ok(Self {
            job,
            project,
            cost: Credits::from_hundredths(row.try_get("cost")?),
        })
    }
}

fn select(condition: &str) -> String {
    format!(
        "SELECT {COLUMNS}, p.name AS project_name, p.template_id AS project_template,
                (SELECT CAST(COALESCE(-SUM(l.amount_hundredths), 0) AS BIGINT)
                 FROM ledger l WHERE l.job_id = j.id) AS cost
         FROM jobs j LEFT JOIN projects p ON p.id = j.project_id
         WHERE {condition}"
    )
}

impl Store {
    /// The render job with this id.
    pub(crate) async fn shown_job(&self, id: &JobId) -> Result<Option<ShownJob>> {
        sqlx::query(AssertSqlSafe(select("j.id = $1 AND j.lane = $2")))
            .bind(id.as_str())
            .bind(Lane::Render.as_str())
            .fetch_optional(&self.pool)
            .await?
            .as_ref()
            .map(ShownJob::read)
            .transpose()
    }

    /// A page of an account's render jobs, newest first, and where the next page begins.
    pub(crate) async fn shown_jobs(
        &self,
        account: &AccountId,
        page: &Page,
    ) -> Result<(Vec<ShownJob>, Option<Cursor>)> {
        let sql = select(
            "j.account_id = $1 AND j.lane = $2 AND (j.created_at, j.id) < ($3, $4)
             ORDER BY j.created_at DESC, j.id DESC LIMIT $5",
        );
        let mut rows = sqlx::query(AssertSqlSafe(sql))
            .bind(account.as_str())
            .bind(Lane::Render.as_str())
            .bind(page.before().0)
            .bind(page.before_id())
            .bind(i64::from(page.limit) + 1)
            .fetch(&self.pool);
        let mut jobs: Vec<ShownJob> = Vec::new();
        let mut bytes = 0;
        while let Some(row) = rows.try_next().await? {
            let shown = ShownJob::read(&row)?;
            bytes += shown.job.composition_json.len();
            if !jobs.is_empty() && bytes > MAX_PAGE_BYTES {
                let next = jobs.last().map(cursor);
                return Ok((jobs, next));
            }
            jobs.push(shown);
        }
        Ok(page.cut(jobs, cursor))
    }

    /// How far these jobs are, one row for each kind of task that a job has.
    pub(crate) async fn work_done(&self, jobs: &[&JobId]) -> Result<Vec<WorkDone>> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let places: Vec<String> = (3..jobs.len() + 3)
            .map(|place| format!("${place}"))
            .collect();
        let sql = format!(
            "SELECT job_id, kind, MAX(updated_at) AS updated_at,
                    CAST(SUM(end_frame - first_frame) AS BIGINT) AS frames,
                    CAST(SUM(CASE WHEN state = $1 THEN end_frame - first_frame
                                  WHEN state = $2 THEN frames_done ELSE 0 END) AS BIGINT)
                        AS frames_done
             FROM tasks WHERE job_id IN ({}) GROUP BY job_id, kind",
            places.join(", ")
        );
        let mut query = sqlx::query(AssertSqlSafe(sql))
            .bind(TaskState::Done.as_str())
            .bind(TaskState::Leased.as_str());
        for job in jobs {
            query = query.bind(job.as_str());
        }
        let rows = query.fetch_all(&self.pool).await?;
        rows.iter()
            .map(|row| {
                Ok(WorkDone {
                    job: row.try_get::<String, _>("job_id")?.into(),
                    kind: parse("task kind", row.try_get("kind")?, TaskKind::parse)?,
                    frames: row.try_get("frames")?,
                    frames_done: row.try_get("frames_done")?,
                    updated_at: Timestamp(row.try_get("updated_at")?),
                })
            })
            .collect()
    }
}

fn cursor(last: &ShownJob) -> Cursor {
    Cursor {
        created_at: last.job.created_at,
        id: last.job.id.to_string(),
    }
}
