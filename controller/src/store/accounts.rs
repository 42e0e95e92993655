//! Accounts.

use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{Store, Tx, parse};
use crate::{Result, clock::Timestamp, ids::AccountId, ledger::Credits, state::Plan};

/// An account as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct AccountRow {
    pub(crate) id: AccountId,
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) plan: Plan,
    pub(crate) balance: Credits,
    pub(crate) created_at: Timestamp,
}

/// An account to insert.
pub(crate) struct NewAccount<'a> {
    pub(crate) id: &'a AccountId,
    pub(crate) email: &'a str,
    pub(crate) name: &'a str,
    pub(crate) plan: Plan,
    pub(crate) password_hash: Option<&'a str>,
}

/// The columns of accounts `a`.
pub(super) const COLUMNS: &str = "a.id AS account_id, a.email, a.name, a.plan, \
    a.balance_hundredths, a.created_at AS account_created_at";

impl AccountRow {
    pub(super) fn read(row: &AnyRow) -> Result<Self> {
        Ok(Self {
            id: row.try_get::<String, _>("account_id")?.into(),
            email: row.try_get("email")?,
            name: row.try_get("name")?,
            plan: parse("plan", row.try_get("plan")?, Plan::parse)?,
            balance: Credits::from_hundredths(row.try_get("balance_hundredths")?),
            created_at: Timestamp(row.try_get("account_created_at")?),
        })
    }
}

impl Store {
    /// The account with this address, in the spelling it is stored in.
    pub(crate) async fn account_by_email(&self, email: &str) -> Result<Option<AccountRow>> {
        self.account_where("a.email = $1", email).await
    }

    /// The account with this id.
    pub(crate) async fn account(&self, id: &AccountId) -> Result<Option<AccountRow>> {
        self.account_where("a.id = $1", id.as_str()).await
    }

    async fn account_where(&self, condition: &str, value: &str) -> Result<Option<AccountRow>> {
        let sql = format!("SELECT {COLUMNS} FROM accounts a WHERE {condition}");
        sqlx::query(AssertSqlSafe(sql))
            .bind(value)
            .fetch_optional(&self.pool)
            .await?
            .as_ref()
            .map(AccountRow::read)
            .transpose()
    }

    /// Whether there is any account.
    pub(crate) async fn has_accounts(&self) -> Result<bool> {
        let row = sqlx::query("SELECT id FROM accounts LIMIT 1")
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.is_some())
    }
}

impl Tx {
    /// Inserts an account; false when the address is taken.
    pub(crate) async fn insert_account(
        &mut self,
        account: &NewAccount<'_>,
        now: Timestamp,
    ) -> Result<bool> {
        let result = sqlx::query(
            "INSERT INTO accounts (id, email, name, plan, password_hash, created_at)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email) DO NOTHING",
        )
        .bind(account.id.as_str())
        .bind(account.email)
        .bind(account.name)
        .bind(account.plan.as_str())
        .bind(account.password_hash)
        .bind(now.0)
        .execute(self.conn())
        .await?;
        Ok(result.rows_affected() == 1)
    }

    /// Locks an account against concurrent spending; false when there is none.
    pub(crate) async fn lock_account(&mut self, account: &AccountId) -> Result<bool> {
        let sql = format!(
            "SELECT id FROM accounts WHERE id = $1{}",
            self.dialect.for_update()
        );
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(account.as_str())
            .fetch_optional(self.conn())
            .await?;
        Ok(row.is_some())
    }
}
