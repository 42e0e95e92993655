//! API keys: only their hashes are here.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Row};

use super::{AccountRow, Store, Tx, accounts::COLUMNS};
use crate::{
    Result,
    clock::Timestamp,
    ids::{AccountId, KeyId},
};

/// How stale `last_used_at` may be: a busy key must not cost a write for each request.
const LAST_USED_RESOLUTION: Duration = Duration::from_secs(60);

/// A key that is in force.
#[derive(Clone, Debug)]
pub(crate) struct KeyRow {
    pub(crate) id: KeyId,
    pub(crate) prefix: String,
    pub(crate) created_at: Timestamp,
    pub(crate) last_used_at: Option<Timestamp>,
}

/// A key to insert.
pub(crate) struct NewKeyRow<'a> {
    pub(crate) id: &'a KeyId,
    pub(crate) account: &'a AccountId,
    pub(crate) hash: &'a str,
    pub(crate) prefix: &'a str,
}

impl Store {
    /// The key with this hash and its account, unless it was revoked.
    pub(crate) async fn key_by_hash(&self, hash: &str) -> Result<Option<(KeyRow, AccountRow)>> {
        let sql = format!(
            "SELECT k.id, k.prefix, k.created_at, k.last_used_at, {COLUMNS}
             FROM api_keys k JOIN accounts a ON a.id = k.account_id
             WHERE k.hash = $1 AND k.revoked_at IS NULL"
        );
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(hash)
            .fetch_optional(&self.pool)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let key = KeyRow {
            id: row.try_get::<String, _>("id")?.into(),
            prefix: row.try_get("prefix")?,
            created_at: Timestamp(row.try_get("created_at")?),
            last_used_at: row
                .try_get::<Option<i64>, _>("last_used_at")?
                .map(Timestamp),
        };
        Ok(Some((key, AccountRow::read(&row)?)))
    }

    /// Notes that a key was used, once a minute at most.
    pub(crate) async fn note_key_use(&self, key: &KeyRow, now: Timestamp) -> Result<()> {
        let stale_before = now.minus(LAST_USED_RESOLUTION);
        if key.last_used_at.is_some_and(|used| used > stale_before) {
            return Ok(());
        }
        let mut tx = self.begin().await?;
        sqlx::query(
            "UPDATE api_keys SET last_used_at = $1
             WHERE id = $2 AND (last_used_at IS NULL OR last_used_at <= $3)",
        )
        .bind(now.0)
        .bind(key.id.as_str())
        .bind(stale_before.0)
        .execute(tx.conn())
        .await?;
        tx.commit().await
    }
}

impl Tx {
    /// Inserts a key.
    pub(crate) async fn insert_key(&mut self, key: &NewKeyRow<'_>, now: Timestamp) -> Result<()> {
        sqlx::query(
            "INSERT INTO api_keys (id, account_id, hash, prefix, created_at)
             VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(key.id.as_str())
        .bind(key.account.as_str())
        .bind(key.hash)
        .bind(key.prefix)
        .bind(now.0)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Revokes the account's key with this id or hash; false when it has none such in force.
    pub(crate) async fn revoke_key(
        &mut self,
        account: &AccountId,
        id: &str,
        hash: &str,
        now: Timestamp,
    ) -> Result<bool> {
        let result = sqlx::query(
            "UPDATE api_keys SET revoked_at = $1
             WHERE account_id = $2 AND (id = $3 OR hash = $4) AND revoked_at IS NULL",
        )
        .bind(now.0)
        .bind(account.as_str())
        .bind(id)
        .bind(hash)
        .execute(self.conn())
        .await?;
        Ok(result.rows_affected() > 0)
    }
}
