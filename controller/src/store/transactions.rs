//! Purchases and grants of credits.

use sqlx::Row;

use super::{Store, Tx, parse};
use crate::{
    Result,
    clock::Timestamp,
    ids::{AccountId, EntryId, TransactionId},
    paging::{Cursor, Page},
    state::{TransactionStatus, TransactionType},
};

/// A transaction as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TransactionRow {
    pub(crate) id: TransactionId,
    pub(crate) kind: TransactionType,
    pub(crate) status: TransactionStatus,
    pub(crate) credits: i64,
    pub(crate) amount_in_cents: i64,
    pub(crate) currency: String,
    pub(crate) created_at: Timestamp,
}

/// A transaction that is paid, to insert.
pub(crate) struct NewTransaction<'a> {
    pub(crate) account: &'a AccountId,
    pub(crate) kind: TransactionType,
    pub(crate) credits: i64,
    pub(crate) amount_in_cents: i64,
    pub(crate) currency: &'a str,
    /// The row that gave the credits.
    pub(crate) entry: &'a EntryId,
}

impl Store {
    /// A page of an account's transactions, newest first, and where the next page begins.
    pub(crate) async fn transactions_of(
        &self,
        account: &AccountId,
        page: &Page,
    ) -> Result<(Vec<TransactionRow>, Option<Cursor>)> {
        let rows = sqlx::query(
            "SELECT id, type, status, credits, amount_in_cents, currency, created_at
             FROM transactions WHERE account_id = $1 AND (created_at, id) < ($2, $3)
             ORDER BY created_at DESC, id DESC LIMIT $4",
        )
        .bind(account.as_str())
        .bind(page.before().0)
        .bind(page.before_id())
        .bind(i64::from(page.limit) + 1)
        .fetch_all(&self.pool)
        .await?;
        let transactions = rows
            .iter()
            .map(|row| {
                Ok(TransactionRow {
                    id: row.try_get::<String, _>("id")?.into(),
                    kind: parse(
                        "transaction type",
                        row.try_get("type")?,
                        TransactionType::parse,
                    )?,
                    status: parse(
                        "transaction status",
                        row.try_get("status")?,
                        TransactionStatus::parse,
                    )?,
                    credits: row.try_get("credits")?,
                    amount_in_cents: row.try_get("amount_in_cents")?,
                    currency: row.try_get("currency")?,
                    created_at: Timestamp(row.try_get("created_at")?),
                })
            })
            .collect::<Result<_>>()?;
        Ok(page.cut(transactions, |last: &TransactionRow| Cursor {
            created_at: last.created_at,
            id: last.id.to_string(),
        }))
    }
}

impl Tx {
    /// Inserts a completed transaction.
    pub(crate) async fn insert_transaction(
        &mut self,
        transaction: &NewTransaction<'_>,
        now: Timestamp,
    ) -> Result<()> {
        sqlx::query(
            "INSERT INTO transactions (id, account_id, type, status, credits, amount_in_cents,
                                       currency, ledger_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(TransactionId::random().as_str())
        .bind(transaction.account.as_str())
        .bind(transaction.kind.as_str())
        .bind(TransactionStatus::Completed.as_str())
        .bind(transaction.credits)
        .bind(transaction.amount_in_cents)
        .bind(transaction.currency)
        .bind(transaction.entry.as_str())
        .bind(now.0)
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
