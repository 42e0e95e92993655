//! The answers that idempotency keys stand for.

use std::time::Duration;

use sqlx::{AnyConnection, Row};

use super::{Store, Tx};
use crate::{
    Result,
    clock::Timestamp,
    ids::{AccountId, JobId},
};

/// What an idempotency key was first used for.
#[derive(Clone, Debug)]
pub(crate) struct IdempotentAnswer {
    pub(crate) body_hash: String,
    pub(crate) job: JobId,
}

async fn answer(
    connection: &mut AnyConnection,
    account: &AccountId,
    key: &str,
) -> Result<Option<IdempotentAnswer>> {
    let row = sqlx::query(
        "SELECT body_hash, job_id FROM idempotency_keys WHERE account_id = $1 AND key = $2",
    )
    .bind(account.as_str())
    .bind(key)
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        Ok(IdempotentAnswer {
            body_hash: row.try_get("body_hash")?,
            job: row.try_get::<String, _>("job_id")?.into(),
        })
    })
    .transpose()
}

impl Store {
    /// What this account first used an idempotency key for.
    pub(crate) async fn idempotent_answer(
        &self,
        account: &AccountId,
        key: &str,
    ) -> Result<Option<IdempotentAnswer>> {
        answer(&mut *self.pool.acquire().await?, account, key).await
    }

    /// Forgets idempotency keys older than `age`; answers how many.
    pub(crate) async fn forget_idempotency_keys(
        &self,
        age: Duration,
        now: Timestamp,
    ) -> Result<u64> {
        let mut tx = self.begin().await?;
        let result = sqlx::query("DELETE FROM idempotency_keys WHERE created_at < $1")
            .bind(now.minus(age).0)
            .execute(tx.conn())
            .await?;
        tx.commit().await?;
        Ok(result.rows_affected())
    }
}

impl Tx {
    /// What this account first used an idempotency key for. Lock the account before.
    pub(crate) async fn idempotent_answer(
        &mut self,
        account: &AccountId,
        key: &str,
    ) -> Result<Option<IdempotentAnswer>> {
        answer(self.conn(), account, key).await
    }

    /// Remembers what an idempotency key stands for.
    pub(crate) async fn remember_idempotent_answer(
        &mut self,
        account: &AccountId,
        key: &str,
        answer: &IdempotentAnswer,
        now: Timestamp,
    ) -> Result<()> {
        sqlx::query(
            "INSERT INTO idempotency_keys (account_id, key, body_hash, job_id, created_at)
             VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(account.as_str())
        .bind(key)
        .bind(&answer.body_hash)
        .bind(answer.job.as_str())
        .bind(now.0)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
