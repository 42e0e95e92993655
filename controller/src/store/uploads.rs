//! Uploads: what was promised to whom, and what came of it.

use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::Store;
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{AccountId, UploadId},
};

const COLUMNS: &str =
    "id, account_id, object_key, content_type, max_bytes, exact_bytes, expires_at";

/// An upload as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UploadRow {
    pub(crate) id: UploadId,
    pub(crate) account: AccountId,
    pub(crate) object_key: String,
    /// Type and subtype in lower case, without parameters.
    pub(crate) content_type: String,
    pub(crate) max_bytes: u64,
    /// The length that the caller announced.
    pub(crate) exact_bytes: Option<u64>,
    pub(crate) expires_at: Timestamp,
}

impl UploadRow {
    fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get::<String, _>("id")?.into(),
            account: row.try_get::<String, _>("account_id")?.into(),
            object_key: row.try_get("object_key")?,
            content_type: row.try_get("content_type")?,
            max_bytes: read_bytes(row.try_get("max_bytes")?)?,
            exact_bytes: row
                .try_get::<Option<i64>, _>("exact_bytes")?
                .map(read_bytes)
                .transpose()?,
            expires_at: Timestamp(row.try_get("expires_at")?),
        })
    }
}

impl Store {
    /// Remembers what an upload URL was given out for.
    pub(crate) async fn insert_upload(&self, upload: &UploadRow, now: Timestamp) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query(
            "INSERT INTO uploads (id, account_id, object_key, content_type, max_bytes, exact_bytes,
                                  expires_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(upload.id.as_str())
        .bind(upload.account.as_str())
        .bind(&upload.object_key)
        .bind(&upload.content_type)
        .bind(written_bytes(upload.max_bytes))
        .bind(upload.exact_bytes.map(written_bytes))
        .bind(upload.expires_at.0)
        .bind(now.0)
        .execute(tx.conn())
        .await?;
        tx.commit().await
    }

    /// The upload with this id.
    pub(crate) async fn upload(&self, id: &UploadId) -> Result<Option<UploadRow>> {
        let sql = format!("SELECT {COLUMNS} FROM uploads WHERE id = $1");
        sqlx::query(AssertSqlSafe(sql))
            .bind(id.as_str())
            .fetch_optional(&self.pool)
            .await?
            .as_ref()
            .map(UploadRow::read)
            .transpose()
    }

    /// The file is there, and this large. False when there is no such upload.
    pub(crate) async fn finish_upload(&self, id: &UploadId, size: u64) -> Result<bool> {
        let mut tx = self.begin().await?;
        let result = sqlx::query("UPDATE uploads SET size = $1 WHERE id = $2")
            .bind(written_bytes(size))
            .bind(id.as_str())
            .execute(tx.conn())
            .await?;
        tx.commit().await?;
        Ok(result.rows_affected() == 1)
    }

    /// Uploads whose URL ended before a moment and whose file nobody has seen.
    pub(crate) async fn unseen_uploads(
        &self,
        ended_before: Timestamp,
        limit: i64,
    ) -> Result<Vec<UploadRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM uploads WHERE size IS NULL AND expires_at < $1
             ORDER BY expires_at LIMIT $2"
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(ended_before.0)
            .bind(limit)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(UploadRow::read).collect()
    }

    /// Nothing came of an upload.
    pub(crate) async fn forget_upload(&self, id: &UploadId) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query("DELETE FROM uploads WHERE id = $1")
            .bind(id.as_str())
            .execute(tx.conn())
            .await?;
        tx.commit().await
    }
}

fn written_bytes(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn read_bytes(bytes: i64) -> Result<u64> {
    u64::try_from(bytes).map_err(|_| Error::Corrupt(format!("{bytes} bytes")))
}
