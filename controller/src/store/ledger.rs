//! Rows of the ledger. They are added, never changed, and whoever adds one moves the account's
//! balance by it: the balance is their sum at any moment, without adding them up.

use sqlx::{AnyConnection, Row};

use super::{Store, Tx};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{AccountId, EntryId, JobId},
    ledger::Credits,
};

/// Why an amount moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// Credits were bought or given.
    Grant,
    /// A render was paid for.
    Render,
    /// A render failed and its price came back.
    Refund,
}

impl EntryKind {
    /// Every kind.
    pub(crate) const ALL: [Self; 3] = [Self::Grant, Self::Render, Self::Refund];

    /// The name in the database and in metrics.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Render => "render",
            Self::Refund => "refund",
        }
    }

    /// Reads a name back.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

async fn balance(connection: &mut AnyConnection, account: &AccountId) -> Result<Credits> {
    let row = sqlx::query("SELECT balance_hundredths FROM accounts WHERE id = $1")
        .bind(account.as_str())
        .fetch_optional(connection)
        .await?
        .ok_or_else(|| Error::NotFound("there is no such account".into()))?;
    Ok(Credits::from_hundredths(row.try_get("balance_hundredths")?))
}

impl Store {
    /// What an account has.
    pub(crate) async fn balance(&self, account: &AccountId) -> Result<Credits> {
        balance(&mut *self.pool.acquire().await?, account).await
    }
}

impl Tx {
    /// What an account has, as of this transaction.
    pub(crate) async fn balance(&mut self, account: &AccountId) -> Result<Credits> {
        balance(self.conn(), account).await
    }

    /// What a job has cost so far, refunds taken off.
    pub(crate) async fn net_cost(&mut self, job: &JobId) -> Result<Credits> {
        // Postgres sums bigints into a numeric, which is more than the common driver can carry.
        let row = sqlx::query(
            "SELECT CAST(COALESCE(-SUM(amount_hundredths), 0) AS BIGINT) AS total
             FROM ledger WHERE job_id = $1",
        )
        .bind(job.as_str())
        .fetch_one(self.conn())
        .await?;
        Ok(Credits::from_hundredths(row.try_get("total")?))
    }

    /// Adds a row: positive gives, negative takes.
    pub(crate) async fn insert_entry(
        &mut self,
        account: &AccountId,
        kind: EntryKind,
        amount: Credits,
        job: Option<&JobId>,
        now: Timestamp,
    ) -> Result<EntryId> {
        sqlx::query(
            "UPDATE accounts SET balance_hundredths = balance_hundredths + $1 WHERE id = $2",
        )
        .bind(amount.hundredths())
        .bind(account.as_str())
        .execute(self.conn())
        .await?;
        self.insert_row(account, kind, amount, job, now).await
    }

    /// Adds a row that takes `price`, unless the account has less. The balance is checked and
    /// moved in one statement, so that concurrent spenders can't both have the last credit.
    pub(crate) async fn spend(
        &mut self,
        account: &AccountId,
        kind: EntryKind,
        price: Credits,
        job: &JobId,
        now: Timestamp,
    ) -> Result<bool> {
        let paid = sqlx::query(
            "UPDATE accounts SET balance_hundredths = balance_hundredths - $1
             WHERE id = $2 AND balance_hundredths >= $1",
        )
        .bind(price.hundredths())
        .bind(account.as_str())
        .execute(self.conn())
        .await?;
        if paid.rows_affected() == 0 {
            return Ok(false);
        }
        let taken = Credits::from_hundredths(-price.hundredths());
        self.insert_row(account, kind, taken, Some(job), now)
            .await?;
        Ok(true)
    }

    async fn insert_row(
        &mut self,
        account: &AccountId,
        kind: EntryKind,
        amount: Credits,
        job: Option<&JobId>,
        now: Timestamp,
    ) -> Result<EntryId> {
        let id = EntryId::random();
        sqlx::query(
            "INSERT INTO ledger (id, account_id, kind, amount_hundredths, job_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(id.as_str())
        .bind(account.as_str())
        .bind(kind.as_str())
        .bind(amount.hundredths())
        .bind(job.map(JobId::as_str))
        .bind(now.0)
        .execute(self.conn())
        .await?;
        Ok(id)
    }
}
