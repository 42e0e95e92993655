//! The outbox of webhooks: what is still to be told, and what became of it.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{JobRow, Store, Tx, unsigned};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{AccountId, DeliveryId, JobId, WebhookId},
    wakeups::Topic,
    webhooks::Event,
};

const PENDING: &str = "pending";
const DELIVERED: &str = "delivered";
const FAILED: &str = "failed";

/// Who is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// A registration.
    Registered(WebhookId),
    /// A URL that one render named.
    OneOff(String),
}

/// A delivery to insert.
pub(crate) struct NewDelivery<'a> {
    pub(crate) id: &'a DeliveryId,
    pub(crate) job: &'a JobRow,
    pub(crate) event: Event,
    pub(crate) receiver: &'a Receiver,
    /// Deliveries of one share have to make room for those of others.
    pub(crate) share: &'a str,
    pub(crate) payload: &'a str,
}

/// A delivery that this process may attempt until its lease ends.
#[derive(Clone, Debug)]
pub(crate) struct LeasedDelivery {
    pub(crate) id: DeliveryId,
    pub(crate) job: JobId,
    pub(crate) receiver: Receiver,
    pub(crate) payload: String,
    /// How often it was tried before.
    pub(crate) attempts: u32,
    /// The end of the lease, and the fence that keeps out records of earlier ones.
    pub(crate) leased_until: Timestamp,
}

/// How much may be leased.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Rows in this step.
    pub(crate) rows: i64,
    /// Rows of one receiver, with those already leased.
    pub(crate) a_receiver: i64,
    /// Rows of one account, with those already leased.
    pub(crate) an_account: i64,
}

impl LeasedDelivery {
    fn read(row: &AnyRow) -> Result<Self> {
        let id: String = row.try_get("id")?;
        let webhook: Option<String> = row.try_get("webhook_id")?;
        let url: Option<String> = row.try_get("url")?;
        let receiver = match (webhook, url) {
            (Some(webhook), _) => Receiver::Registered(webhook.into()),
            (None, Some(url)) => Receiver::OneOff(url),
            (None, None) => return Err(Error::Corrupt(format!("{id} is for nobody"))),
        };
        Ok(Self {
            id: id.into(),
            job: row.try_get::<String, _>("job_id")?.into(),
            receiver,
            payload: row.try_get("payload")?,
            attempts: unsigned("attempts", row.try_get("attempts")?)?,
            leased_until: Timestamp(row.try_get("leased_until")?),
        })
    }
}

impl Store {
    /// When the next delivery is due; it may be by now.
    pub(crate) async fn next_delivery_at(&self) -> Result<Option<Timestamp>> {
        let row = sqlx::query(
            "SELECT MIN(next_attempt_at) AS next FROM webhook_deliveries WHERE state = $1",
        )
        .bind(PENDING)
        .fetch_one(&self.pool)
        .await?;
        Ok(row.try_get::<Option<i64>, _>("next")?.map(Timestamp))
    }

    /// How many deliveries are still to be made.
    pub(crate) async fn pending_deliveries(&self) -> Result<i64> {
        let row =
            sqlx::query("SELECT COUNT(*) AS pending FROM webhook_deliveries WHERE state = $1")
                .bind(PENDING)
                .fetch_one(&self.pool)
                .await?;
        Ok(row.try_get("pending")?)
    }

    /// Leases due deliveries, those that waited longest first, as far as there is room. What is
    /// leased already takes room too, and what finds no room at its receiver takes none of its
    /// account's.
    pub(crate) async fn lease_deliveries(
        &self,
        room: Room,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<LeasedDelivery>> {
        let sql = format!(
            "UPDATE webhook_deliveries SET leased_until = $1, next_attempt_at = $1, updated_at = $2
             WHERE id IN (
                 SELECT d.id FROM webhook_deliveries d
                 WHERE d.state = $3 AND d.next_attempt_at <= $2 AND d.id IN (
                     SELECT id FROM (
                         SELECT id, ROW_NUMBER() OVER (
                             PARTITION BY account_id ORDER BY waiting, next_attempt_at, id
                         ) AS place
                         FROM (
                             SELECT id, account_id, next_attempt_at, waiting, ROW_NUMBER() OVER (
                                 PARTITION BY account_id, receiver
                                 ORDER BY waiting, next_attempt_at, id
                             ) AS place
                             FROM (
                                 SELECT id, account_id, receiver, next_attempt_at,
                                        CASE WHEN leased_until > $2 THEN 0 ELSE 1 END AS waiting
                                 FROM webhook_deliveries
                                 WHERE state = $3
                                   AND (next_attempt_at <= $2 OR leased_until > $2)
                             ) present
                         ) of_receivers
                         WHERE place <= $4
                     ) of_accounts
                     WHERE place <= $5
                 )
                 ORDER BY d.next_attempt_at, d.id LIMIT $6{}
             )
             RETURNING id, job_id, webhook_id, url, payload, attempts, leased_until",
            self.dialect.for_update_skip_locked()
        );
        let mut tx = self.begin().await?;
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(until.0)
            .bind(now.0)
            .bind(PENDING)
            .bind(room.a_receiver)
            .bind(room.an_account)
            .bind(room.rows)
            .fetch_all(tx.conn())
            .await?;
        tx.commit().await?;
        rows.iter().map(LeasedDelivery::read).collect()
    }

    /// An attempt failed and another will follow; false when the lease is not held any more.
    pub(crate) async fn retry_delivery(
        &self,
        delivery: &LeasedDelivery,
        reason: &str,
        next: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let result = sqlx::query(
            "UPDATE webhook_deliveries SET attempts = attempts + 1, next_attempt_at = $1,
                    leased_until = NULL, last_error = $2, updated_at = $3
             WHERE id = $4 AND leased_until = $5 AND state = $6",
        )
        .bind(next.0)
        .bind(reason)
        .bind(now.0)
        .bind(delivery.id.as_str())
        .bind(delivery.leased_until.0)
        .bind(PENDING)
        .execute(tx.conn())
        .await?;
        tx.commit().await?;
        Ok(result.rows_affected() == 1)
    }

    /// Forgets a delivery whose receiver is gone.
    pub(crate) async fn drop_delivery(&self, delivery: &LeasedDelivery) -> Result<()> {
        let mut tx = self.begin().await?;
        sqlx::query("DELETE FROM webhook_deliveries WHERE id = $1 AND state = $2")
            .bind(delivery.id.as_str())
            .bind(PENDING)
            .execute(tx.conn())
            .await?;
        tx.commit().await
    }

    /// Forgets deliveries that ended longer than `age` ago; answers how many.
    pub(crate) async fn forget_deliveries(&self, age: Duration, now: Timestamp) -> Result<u64> {
        let mut tx = self.begin().await?;
        let result =
            sqlx::query("DELETE FROM webhook_deliveries WHERE state <> $1 AND updated_at < $2")
                .bind(PENDING)
                .bind(now.minus(age).0)
                .execute(tx.conn())
                .await?;
        tx.commit().await?;
        Ok(result.rows_affected())
    }
}

impl Tx {
    /// The URL that a render asked to be called when it ends.
    pub(crate) async fn one_off_url(&mut self, job: &JobId) -> Result<Option<String>> {
        let row = sqlx::query("SELECT webhook_url FROM jobs WHERE id = $1")
            .bind(job.as_str())
            .fetch_one(self.conn())
            .await?;
        Ok(row.try_get("webhook_url")?)
    }

    /// Inserts a delivery that is due at once.
    pub(crate) async fn insert_delivery(
        &mut self,
        delivery: &NewDelivery<'_>,
        now: Timestamp,
    ) -> Result<()> {
        let (webhook, url) = match delivery.receiver {
            Receiver::Registered(webhook) => (Some(webhook.as_str()), None),
            Receiver::OneOff(url) => (None, Some(url.as_str())),
        };
        sqlx::query(
            "INSERT INTO webhook_deliveries (id, account_id, job_id, event, webhook_id, url,
                                             receiver, payload, state, attempts, next_attempt_at,
                                             created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $10, $10)",
        )
        .bind(delivery.id.as_str())
        .bind(AccountId::as_str(&delivery.job.account))
        .bind(delivery.job.id.as_str())
        .bind(delivery.event.as_str())
        .bind(webhook)
        .bind(url)
        .bind(delivery.share)
        .bind(delivery.payload)
        .bind(PENDING)
        .bind(now.0)
        .execute(self.conn())
        .await?;
        self.becomes_ready(Topic::Webhooks);
        Ok(())
    }

    /// Ends a delivery, by its last failure if there is one; false when the lease is not held any
    /// more.
    pub(crate) async fn end_delivery(
        &mut self,
        delivery: &LeasedDelivery,
        failure: Option<&str>,
        now: Timestamp,
    ) -> Result<bool> {
        let state = if failure.is_none() { DELIVERED } else { FAILED };
        let result = sqlx::query(
            "UPDATE webhook_deliveries SET state = $1, attempts = attempts + 1, last_error = $2,
                    leased_until = NULL, updated_at = $3
             WHERE id = $4 AND leased_until = $5 AND state = $6",
        )
        .bind(state)
        .bind(failure)
        .bind(now.0)
        .bind(delivery.id.as_str())
        .bind(delivery.leased_until.0)
        .bind(PENDING)
        .execute(self.conn())
        .await?;
        Ok(result.rows_affected() == 1)
    }

    /// Forgets what a registration was still to be told.
    pub(crate) async fn drop_pending_deliveries(&mut self, webhook: &WebhookId) -> Result<()> {
        sqlx::query("DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND state = $2")
            .bind(webhook.as_str())
            .bind(PENDING)
            .execute(self.conn())
            .await?;
        Ok(())
    }
}
