//! Registrations of receivers, and how they fare.

use sqlx::{AnyConnection, AssertSqlSafe, Row, any::AnyRow};

use super::{Receiver, Store, Tx, parse, unsigned};
use crate::{
    Result,
    clock::Timestamp,
    ids::{AccountId, WebhookId},
    webhooks::{Event, Health},
};

/// A registration as its owner sees it.
#[derive(Clone, Debug)]
pub(crate) struct WebhookRow {
    pub(crate) id: WebhookId,
    pub(crate) url: String,
    pub(crate) events: Vec<Event>,
    pub(crate) is_active: bool,
    pub(crate) created_at: Timestamp,
}

/// A registration to insert.
pub(crate) struct NewWebhook<'a> {
    pub(crate) webhook: &'a WebhookRow,
    pub(crate) account: &'a AccountId,
    pub(crate) sealed_secret: &'a str,
}

impl WebhookRow {
    fn read(row: &AnyRow) -> Result<Self> {
        let events: String = row.try_get("events")?;
        let events = events.split(',');
        Ok(Self {
            id: row.try_get::<String, _>("id")?.into(),
            url: row.try_get("url")?,
            events: events
                .map(|name| parse("event", name, Event::parse))
                .collect::<Result<_>>()?,
            is_active: row.try_get::<i64, _>("is_active")? != 0,
            created_at: Timestamp(row.try_get("created_at")?),
        })
    }
}

async fn webhooks_of(
    connection: &mut AnyConnection,
    account: &AccountId,
) -> Result<Vec<WebhookRow>> {
    let rows = sqlx::query(
        "SELECT id, url, events, is_active, created_at FROM webhooks WHERE account_id = $1
         ORDER BY created_at DESC, id",
    )
    .bind(account.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(WebhookRow::read).collect()
}

impl Store {
    /// An account's registrations, newest first.
    pub(crate) async fn webhooks_of(&self, account: &AccountId) -> Result<Vec<WebhookRow>> {
        webhooks_of(&mut *self.pool.acquire().await?, account).await
    }

    /// Where a registration wants to be told, and its encrypted secret; none when it is switched
    /// off or gone.
    pub(crate) async fn active_webhook_target(
        &self,
        id: &WebhookId,
    ) -> Result<Option<(String, String)>> {
        let row =
            sqlx::query("SELECT url, sealed_secret FROM webhooks WHERE id = $1 AND is_active <> 0")
                .bind(id.as_str())
                .fetch_optional(&self.pool)
                .await?;
        row.map(|row| Ok((row.try_get("url")?, row.try_get("sealed_secret")?)))
            .transpose()
    }

    /// Deletes an account's registration and what it was still to be told; false when the account
    /// has none of this id.
    pub(crate) async fn delete_webhook(&self, account: &AccountId, id: &WebhookId) -> Result<bool> {
        let mut tx = self.begin().await?;
        let result = sqlx::query("DELETE FROM webhooks WHERE id = $1 AND account_id = $2")
            .bind(id.as_str())
            .bind(account.as_str())
            .execute(tx.conn())
            .await?;
        if result.rows_affected() == 0 {
            return Ok(false);
        }
        tx.drop_pending_deliveries(id).await?;
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// An account's registrations, newest first, as of this transaction.
    pub(crate) async fn webhooks_of(&mut self, account: &AccountId) -> Result<Vec<WebhookRow>> {
        webhooks_of(self.conn(), account).await
    }

    /// Inserts a registration.
    pub(crate) async fn insert_webhook(&mut self, new: &NewWebhook<'_>) -> Result<()> {
        let webhook = new.webhook;
        let events: Vec<_> = webhook.events.iter().map(|event| event.as_str()).collect();
        sqlx::query(
            "INSERT INTO webhooks (id, account_id, url, events, sealed_secret, is_active,
                                   failures_in_a_row, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, 0, $7)",
        )
        .bind(webhook.id.as_str())
        .bind(new.account.as_str())
        .bind(&webhook.url)
        .bind(events.join(","))
        .bind(new.sealed_secret)
        .bind(i64::from(webhook.is_active))
        .bind(webhook.created_at.0)
        .execute(self.conn())
        .await?;
        Ok(())
    }

    /// Locks a registered receiver and reads how it fares; none when it is gone or was one-off.
    pub(crate) async fn lock_webhook_health(
        &mut self,
        receiver: &Receiver,
    ) -> Result<Option<(WebhookId, Health)>> {
        let Receiver::Registered(id) = receiver else {
            return Ok(None);
        };
        let sql = format!(
            "SELECT is_active, failures_in_a_row, failing_since FROM webhooks WHERE id = $1{}",
            self.dialect.for_update()
        );
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(id.as_str())
            .fetch_optional(self.conn())
            .await?;
        row.map(|row| {
            let health = Health {
                is_active: row.try_get::<i64, _>("is_active")? != 0,
                failures_in_a_row: unsigned("failures", row.try_get("failures_in_a_row")?)?,
                failing_since: row
                    .try_get::<Option<i64>, _>("failing_since")?
                    .map(Timestamp),
            };
            Ok((id.clone(), health))
        })
        .transpose()
    }

    /// Writes how a registration fares.
    pub(crate) async fn set_webhook_health(
        &mut self,
        id: &WebhookId,
        health: Health,
    ) -> Result<()> {
        sqlx::query(
            "UPDATE webhooks SET is_active = $1, failures_in_a_row = $2, failing_since = $3
             WHERE id = $4",
        )
        .bind(i64::from(health.is_active))
        .bind(i64::from(health.failures_in_a_row))
        .bind(health.failing_since.map(|since| since.0))
        .bind(id.as_str())
        .execute(self.conn())
        .await?;
        Ok(())
    }
}
