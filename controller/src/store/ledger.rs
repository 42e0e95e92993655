//! Rows of the ledger. They are added, never changed.

use sqlx::{AnyConnection, Row};

use super::{Store, Tx};
use crate::{
    Result,
    clock::Timestamp,
    ids::{AccountId, EntryId, JobId},
    ledger::Credits,
};

/// Why an amount moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// An operator gave credits.
    Grant,
    /// A render was paid for.
    Render,
    /// A render failed and its price came back.
    Refund,
}

impl EntryKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Render => "render",
            Self::Refund => "refund",
        }
    }
}

// Postgres sums bigints into a numeric, which is more than the common driver can carry.
const BALANCE: &str = "SELECT CAST(COALESCE(SUM(amount_hundredths), 0) AS BIGINT) AS total
    FROM ledger WHERE account_id = $1";

async fn balance(connection: &mut AnyConnection, account: &AccountId) -> Result<Credits> {
    let row = sqlx::query(BALANCE)
        .bind(account.as_str())
        .fetch_one(connection)
        .await?;
    Ok(Credits::from_hundredths(row.try_get("total")?))
}

impl Store {
    /// What an account has.
    pub(crate) async fn balance(&self, account: &AccountId) -> Result<Credits> {
        balance(&mut *self.pool.acquire().await?, account).await
    }

    /// What a job has cost so far, refunds taken off.
    pub(crate) async fn net_cost(&self, job: &JobId) -> Result<Credits> {
        net_cost(&mut *self.pool.acquire().await?, job).await
    }
}

async fn net_cost(connection: &mut AnyConnection, job: &JobId) -> Result<Credits> {
    let row = sqlx::query(
        "SELECT CAST(COALESCE(-SUM(amount_hundredths), 0) AS BIGINT) AS total
         FROM ledger WHERE job_id = $1",
    )
    .bind(job.as_str())
    .fetch_one(connection)
    .await?;
    Ok(Credits::from_hundredths(row.try_get("total")?))
}

impl Tx {
    /// What an account has, as of this transaction. Lock the account before spending by it.
    pub(crate) async fn balance(&mut self, account: &AccountId) -> Result<Credits> {
        balance(self.conn(), account).await
    }

    /// What a job has cost so far, refunds taken off.
    pub(crate) async fn net_cost(&mut self, job: &JobId) -> Result<Credits> {
        net_cost(self.conn(), job).await
    }

    /// Adds a row: positive gives, negative takes.
    pub(crate) async fn insert_entry(
        &mut self,
        account: &AccountId,
        kind: EntryKind,
        amount: Credits,
        job: Option<&JobId>,
        now: Timestamp,
    ) -> Result<()> {
        sqlx::query(
            "INSERT INTO ledger (id, account_id, kind, amount_hundredths, job_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(EntryId::random().as_str())
        .bind(account.as_str())
        .bind(kind.as_str())
        .bind(amount.hundredths())
        .bind(job.map(JobId::as_str))
        .bind(now.0)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
