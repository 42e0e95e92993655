//! Rate windows: one row for each account, counted in SQL so that every gateway sees one count.

use std::time::Duration;

use sqlx::Row;

use super::{Store, unsigned};
use crate::{Result, clock::Timestamp, ids::AccountId};

/// The length of a window; it begins with the first request in it.
pub(crate) const WINDOW: Duration = Duration::from_secs(60);

/// An account's current window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) started_at: Timestamp,
    pub(crate) used: u32,
    /// Whether the request that asked was counted.
    pub(crate) allowed: bool,
}

impl Store {
    /// Counts a request unless the window is spent.
    pub(crate) async fn count_request(
        &self,
        account: &AccountId,
        limit: u32,
        now: Timestamp,
    ) -> Result<Window> {
        // One statement is a transaction of its own, and a count that a power cut takes back
        // harms nobody: nothing is begun, and nothing waits for the disk.
        let turn = self.turn_to_write().await;
        let counted = sqlx::query(
            "INSERT INTO rate_windows (account_id, started_at, used) VALUES ($1, $2, 1)
             ON CONFLICT (account_id) DO UPDATE SET
                 used = CASE WHEN rate_windows.started_at <= $3 THEN 1 ELSE rate_windows.used + 1 END,
                 started_at = CASE WHEN rate_windows.started_at <= $3 THEN $2
                                   ELSE rate_windows.started_at END
             WHERE rate_windows.started_at <= $3 OR rate_windows.used < $4
             RETURNING started_at, used",
        )
        .bind(account.as_str())
        .bind(now.0)
        .bind(now.minus(WINDOW).0)
        .bind(i64::from(limit))
        .fetch_optional(&self.pool)
        .await?;
        drop(turn);
        let allowed = counted.is_some();
        let row = match counted {
            Some(row) => row,
            None => {
                sqlx::query("SELECT started_at, used FROM rate_windows WHERE account_id = $1")
                    .bind(account.as_str())
                    .fetch_one(&self.pool)
                    .await?
            }
        };
        Ok(Window {
            started_at: Timestamp(row.try_get("started_at")?),
            used: unsigned("used", row.try_get("used")?)?,
            allowed,
        })
    }
}
