//! What leases have business with in the object store, and what they bring there in parts.

use sqlx::Row;

use super::{Store, parse, unsigned};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{JobId, PartsId},
    state::{TaskKind, TaskState},
    store::Fence,
};

/// A task whose lease is held.
#[derive(Clone, Debug)]
pub(crate) struct LeasedTask {
    pub(crate) job: JobId,
    pub(crate) kind: TaskKind,
    pub(crate) output_key: String,
}

/// What a job draws.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) composition_json: String,
    pub(crate) public_url: String,
    /// Frames of a job that draws stills.
    pub(crate) stills: Vec<u32>,
}

/// An object that comes in parts.
#[derive(Clone, Debug)]
pub(crate) struct PartsRow {
    pub(crate) id: PartsId,
    /// What the object store calls it; empty until it has been begun there, and where the store has no names.
    pub(crate) store_id: String,
    pub(crate) object_key: String,
}

impl PartsRow {
    fn read(row: &sqlx::any::AnyRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get::<String, _>("id")?.into(),
            store_id: row.try_get("store_id")?,
            object_key: row.try_get("object_key")?,
        })
    }
}

impl Store {
    /// The task of a lease, if that very lease is held.
    pub(crate) async fn held_task(&self, lease: &Fence) -> Result<Option<LeasedTask>> {
        let row = sqlx::query(
            "SELECT job_id, kind, output_key FROM tasks
             WHERE id = $1 AND attempt = $2 AND node_id = $3 AND state = $4",
        )
        .bind(lease.task.as_str())
        .bind(i64::from(lease.attempt))
        .bind(lease.node.as_str())
        .bind(TaskState::Leased.as_str())
        .fetch_optional(&self.pool)
        .await?;
        row.map(|row| {
            Ok(LeasedTask {
                job: row.try_get::<String, _>("job_id")?.into(),
                kind: parse("task kind", row.try_get("kind")?, TaskKind::parse)?,
                output_key: row
                    .try_get::<Option<String>, _>("output_key")?
                    .unwrap_or_default(),
            })
        })
        .transpose()
    }

    /// Whether an object is a finished chunk of a job.
    pub(crate) async fn is_chunk_of(&self, job: &JobId, key: &str) -> Result<bool> {
        let row = sqlx::query(
            "SELECT id FROM tasks WHERE job_id = $1 AND kind = $2 AND state = $3 AND output_key = $4",
        )
        .bind(job.as_str())
        .bind(TaskKind::Render.as_str())
        .bind(TaskState::Done.as_str())
        .bind(key)
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.is_some())
    }

    /// What a job draws: its own composition, or its preview's.
    pub(crate) async fn drawn_by(&self, job: &JobId) -> Result<Option<Drawn>> {
        let row = sqlx::query(
            "SELECT COALESCE(p.composition_json, j.composition_json) AS composition_json,
                    j.public_url, j.stills
             FROM jobs j LEFT JOIN previews p ON p.id = j.preview_id WHERE j.id = $1",
        )
        .bind(job.as_str())
        .fetch_optional(&self.pool)
        .await?;
        row.map(|row| {
            let stills = row.try_get::<Option<String>, _>("stills")?;
            let stills = stills.map(|stills| serde_json::from_str(&stills));
            Ok(Drawn {
                composition_json: row.try_get("composition_json")?,
                public_url: row.try_get("public_url")?,
                stills: stills
                    .transpose()
                    .map_err(|error| Error::Corrupt(format!("stills of {job}: {error}")))?
                    .unwrap_or_default(),
            })
        })
        .transpose()
    }

    /// Remembers that a lease is about to begin an object: once, until the store has named it.
    pub(crate) async fn note_parts(
        &self,
        lease: &Fence,
        key: &str,
        now: Timestamp,
    ) -> Result<PartsId> {
        let noted = sqlx::query(
            "SELECT id FROM objects_in_parts
             WHERE task_id = $1 AND attempt = $2 AND object_key = $3 AND store_id = ''",
        )
        .bind(lease.task.as_str())
        .bind(i64::from(lease.attempt))
        .bind(key)
        .fetch_optional(&self.pool)
        .await?;
        if let Some(row) = noted {
            return Ok(row.try_get::<String, _>("id")?.into());
        }
        let id = PartsId::random();
        let mut tx = self.begin().await?;
        sqlx::query(
            "INSERT INTO objects_in_parts (id, store_id, object_key, task_id, attempt, abort_at)
             VALUES ($1, '', $2, $3, $4, $5)",
        )
        .bind(id.as_str())
        .bind(key)
        .bind(lease.task.as_str())
        .bind(i64::from(lease.attempt))
        .bind(now.0)
        .execute(tx.conn())
        .await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Remembers what the store calls an object; false if it has a name already, or its attempt is over.
    pub(crate) async fn name_parts(&self, id: &PartsId, store_id: &str) -> Result<bool> {
        let mut tx = self.begin().await?;
        let named = sqlx::query(
            "UPDATE objects_in_parts SET store_id = $1 WHERE id = $2 AND store_id = ''",
        )
        .bind(store_id)
        .bind(id.as_str())
        .execute(tx.conn())
        .await?;
        tx.commit().await?;
        Ok(named.rows_affected() > 0)
    }

    /// What a lease has begun under this id.
    pub(crate) async fn parts(&self, id: &str, lease: &Fence) -> Result<Option<PartsRow>> {
        let row = sqlx::query(
            "SELECT id, store_id, object_key FROM objects_in_parts
             WHERE id = $1 AND task_id = $2 AND attempt = $3",
        )
        .bind(id)
        .bind(lease.task.as_str())
        .bind(i64::from(lease.attempt))
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(PartsRow::read).transpose()
    }

    /// How many objects a lease has begun and neither completed nor aborted.
    pub(crate) async fn count_parts_of(&self, lease: &Fence) -> Result<u32> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS begun FROM objects_in_parts
             WHERE task_id = $1 AND attempt = $2 AND store_id <> ''",
        )
        .bind(lease.task.as_str())
        .bind(i64::from(lease.attempt))
        .fetch_one(&self.pool)
        .await?;
        unsigned("begun", row.try_get("begun")?)
    }

    /// Objects in parts that are due to be dropped: their attempts are over.
    pub(crate) async fn parts_without_lease(
        &self,
        now: Timestamp,
        limit: i64,
    ) -> Result<Vec<PartsRow>> {
        let rows = sqlx::query(
            "SELECT p.id, p.store_id, p.object_key FROM objects_in_parts p
             WHERE p.abort_at <= $1
               AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = p.task_id
                                 AND t.attempt = p.attempt AND t.state = $2)
             ORDER BY p.abort_at LIMIT $3",
        )
        .bind(now.0)
        .bind(TaskState::Leased.as_str())
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(PartsRow::read).collect()
    }

    /// When to try again to drop an object in parts.
    pub(crate) async fn abort_parts_at(&self, id: &PartsId, at: Timestamp) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query("UPDATE objects_in_parts SET abort_at = $1 WHERE id = $2")
            .bind(at.0)
            .bind(id.as_str())
            .execute(tx.conn())
            .await?;
        tx.commit().await
    }

    /// An object in parts is complete or dropped.
    pub(crate) async fn forget_parts(&self, id: &PartsId) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query("DELETE FROM objects_in_parts WHERE id = $1")
            .bind(id.as_str())
            .execute(tx.conn())
            .await?;
        tx.commit().await
    }
}
