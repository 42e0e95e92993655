//! What an account has used.

use sqlx::Row;

use super::Store;
use crate::{
    Result,
    clock::Timestamp,
    ids::AccountId,
    ledger::Credits,
    state::{JobState, Lane},
};

/// Renders since a moment, and how they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) renders: i64,
    pub(crate) completed: i64,
    pub(crate) failed: i64,
    /// After refunds.
    pub(crate) cost: Credits,
    /// Of what completed.
    pub(crate) video_milliseconds: i64,
}

impl Store {
    /// What an account has used in renders accepted since a moment.
    pub(crate) async fn usage(&self, account: &AccountId, since: Timestamp) -> Result<Usage> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS renders,
                    CAST(COALESCE(SUM(CASE WHEN state = $3 THEN 1 ELSE 0 END), 0) AS BIGINT)
                        AS completed,
                    CAST(COALESCE(SUM(CASE WHEN state = $4 THEN 1 ELSE 0 END), 0) AS BIGINT)
                        AS failed,
                    CAST(COALESCE(-SUM((SELECT SUM(l.amount_hundredths) FROM ledger l
                                        WHERE l.job_id = j.id)), 0) AS BIGINT) AS cost,
                    CAST(COALESCE(SUM(CASE WHEN state = $3 THEN duration_in_frames * 1000 / fps
                                           ELSE 0 END), 0) AS BIGINT) AS video_milliseconds
             FROM jobs j WHERE account_id = $1 AND created_at >= $2 AND lane = $5",
        )
        .bind(account.as_str())
        .bind(since.0)
        .bind(JobState::Completed.as_str())
        .bind(JobState::Failed.as_str())
        .bind(Lane::Render.as_str())
        .fetch_one(&self.pool)
        .await?;
        Ok(Usage {
            renders: row.try_get("renders")?,
            completed: row.try_get("completed")?,
            failed: row.try_get("failed")?,
            cost: Credits::from_hundredths(row.try_get("cost")?),
            video_milliseconds: row.try_get("video_milliseconds")?,
        })
    }
}
