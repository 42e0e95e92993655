//! Delivering what is due: lease rows, send each in a task of its own, record what came of it.

use std::time::Duration;

use tokio::{task::JoinSet, time::timeout};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::{Attempt, WebhookTerms, Webhooks, send::Letter};
use crate::{
    Result,
    app::App,
    clock::Timestamp,
    metrics::Delivered,
    secret_key::{Purpose, hmac_hex},
    store::{LeasedDelivery, Receiver, Room, Store},
};

/// How often the outbox is looked at for what nobody woke us for, or an earlier process left there.
const POLL: Duration = Duration::from_millis(250);
/// A look at the outbox, or a delivery, that takes this long waits for a database that will not answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long after an attempt the next one comes; there is none after the last of these.
const BACKOFF: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(2)];
/// How much longer than an attempt may take a lease lasts.
const LEASE_MARGIN: Duration = Duration::from_secs(5);
/// How long attempts may take to end after shutdown; then their leases run out.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);
/// How long ended deliveries are kept.
const MEMORY: Duration = Duration::from_secs(7 * 24 * 3600);

/// Attempts under way at once in this process.
const AT_ONCE: usize = 256;
/// Of these, for one receiver, and for all receivers of one account: those who answer slowly never
/// take the room of others. An account's share has room for all its registrations.
const AT_ONCE_A_RECEIVER: u32 = 8;
const AT_ONCE_AN_ACCOUNT: u32 = 64;

/// Delivers until shutdown.
pub(crate) async fn run(app: App, shutdown: CancellationToken) {
    let mut under_way = JoinSet::new();
    let mut failing = false;
    loop {
        let pause = match timeout(PATIENCE, start_due(&app, &mut under_way)).await {
            Ok(Ok(pause)) => {
                failing = false;
                pause
            }
            Err(_) => {
                tracing::warn!("the outbox can't be read in time; it will be tried again");
                POLL
            }
            Ok(Err(error)) => {
                // A database that is away fails every time; once is enough to say so.
                if !failing {
                    tracing::warn!(%error, "the outbox can't be read; it will be tried again");
                }
                failing = true;
                POLL
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => break,
            () = app.store.wakeups().webhooks() => {}
            Some(ended) = under_way.join_next(), if !under_way.is_empty() => note_panic(ended),
            () = tokio::time::sleep(pause) => {}
        }
    }
    let ended = async {
        while let Some(ended) = under_way.join_next().await {
            note_panic(ended);
        }
    };
    if timeout(SHUTDOWN_GRACE, ended).await.is_err() {
        tracing::info!("webhooks were still being sent; they will be sent again");
    }
}

fn note_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a delivery ended badly; it will be sent again");
    }
}

/// Starts what is due and fits; answers how long there is nothing more to do.
async fn start_due(app: &App, under_way: &mut JoinSet<()>) -> Result<Duration> {
    let now = Timestamp::now();
    match app.store.next_delivery_at().await? {
        None => return Ok(POLL),
        Some(next) if next > now => return Ok(POLL.min(next.since(now))),
        Some(_) => {}
    }
    let room = AT_ONCE.saturating_sub(under_way.len());
    let leased = lease_due(&app.store, &app.webhooks, room, now).await?;
    // What is due and was not leased has to wait for room, or is leased by another controller.
    let pause = if leased.is_empty() {
        POLL
    } else {
        Duration::ZERO
    };
    for delivery in leased {
        let span =
            tracing::info_span!("webhook", delivery_id = %delivery.id, job_id = %delivery.job);
        let delivery = timeout(PATIENCE, deliver(app.clone(), delivery));
        let delivery = async {
            if delivery.await.is_err() {
                tracing::warn!("the delivery can't be recorded in time; it will be sent again");
            }
        };
        under_way.spawn(delivery.instrument(span));
    }
    Ok(pause)
}

/// Takes due rows for this process.
pub(crate) async fn lease_due(
    store: &Store,
    webhooks: &Webhooks,
    room: usize,
    now: Timestamp,
) -> Result<Vec<LeasedDelivery>> {
    let room = Room {
        rows: i64::try_from(room).unwrap_or(i64::MAX),
        a_receiver: AT_ONCE_A_RECEIVER.into(),
        an_account: AT_ONCE_AN_ACCOUNT.into(),
    };
    let until = now.plus(webhooks.terms.answer_within + LEASE_MARGIN);
    store.lease_deliveries(room, until, now).await
}

/// Sends one row and records what came of it. When that can't be recorded, the lease runs out and
/// the row is sent again.
async fn deliver(app: App, delivery: LeasedDelivery) {
    let outcome = match attempt(&app, &delivery).await {
        Ok(Some(attempt)) => {
            let (store, terms) = (&app.store, &app.webhooks.terms);
            record(store, terms, &delivery, attempt, Timestamp::now()).await
        }
        Ok(None) => match app.store.drop_delivery(&delivery).await {
            Ok(()) => Ok(Some(Delivered::Dropped)),
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };
    match outcome {
        Ok(Some(outcome)) => app.counters.count_delivery(outcome),
        Ok(None) => tracing::info!("the lease had run out before the attempt ended"),
        Err(error) => tracing::error!(%error, "the delivery can't be recorded"),
    }
}

/// Sends a row once; `None` when there is nobody to send it to any more.
async fn attempt(app: &App, delivery: &LeasedDelivery) -> Result<Option<Attempt>> {
    let webhooks = &app.webhooks;
    let (url, signature, shown_id) = match &delivery.receiver {
        Receiver::Registered(id) => {
            let Some((url, sealed)) = app.store.active_webhook_target(id).await? else {
                return Ok(None);
            };
            let key = &webhooks.secret_key;
            let secret = match key.decrypt(Purpose::WebhookSecrets, id.as_str(), &sealed) {
                Ok(secret) => secret,
                Err(error) => {
                    tracing::error!(%error, webhook_id = %id, "the webhook can't be signed");
                    return Ok(Some(Attempt::Unsigned));
                }
            };
            let signature = hmac_hex(secret.as_bytes(), delivery.payload.as_bytes());
            (url, signature, Some(&delivery.id))
        }
        Receiver::OneOff(url) => {
            // Of the same form, and worth nothing: nobody else has the key.
            let key = &webhooks.secret_key;
            let nobodys = key.sign(Purpose::OneOffCallbacks, delivery.job.as_str().as_bytes());
            let signature = hmac_hex(nobodys.as_bytes(), delivery.payload.as_bytes());
            (url.clone(), signature, None)
        }
    };
    let letter = Letter {
        url: &url,
        body: &delivery.payload,
        signature,
        delivery: shown_id,
    };
    Ok(Some(webhooks.sender.send(&letter, Timestamp::now()).await))
}

/// Records an attempt; `None` when the lease is not held any more.
pub(crate) async fn record(
    store: &Store,
    terms: &WebhookTerms,
    delivery: &LeasedDelivery,
    attempt: Attempt,
    now: Timestamp,
) -> Result<Option<Delivered>> {
    let backoff = usize::try_from(delivery.attempts)
        .ok()
        .and_then(|earlier| BACKOFF.get(earlier));
    match (attempt, backoff) {
        (Attempt::Acknowledged, _) => acknowledged(store, delivery, now).await,
        (Attempt::Failed(reason), Some(backoff)) => {
            let next = now.plus(*backoff);
            let held = store.retry_delivery(delivery, &reason, next, now).await?;
            tracing::debug!(reason, "the receiver failed; it will be tried again");
            Ok(held.then_some(Delivered::Retried))
        }
        (Attempt::Failed(reason), None) => lost(store, terms, delivery, &reason, now).await,
        (Attempt::Unsigned, _) => unsigned(store, delivery, now).await,
    }
}

async fn acknowledged(
    store: &Store,
    delivery: &LeasedDelivery,
    now: Timestamp,
) -> Result<Option<Delivered>> {
    let mut tx = store.begin().await?;
    // The registration first, as whoever deletes it does.
    let health = tx.lock_webhook_health(&delivery.receiver).await?;
    let held = tx.end_delivery(delivery, None, now).await?;
    if let Some((id, health)) = health
        && held
        && health.failures_in_a_row > 0
    {
        tx.set_webhook_health(&id, health.after_success()).await?;
    }
    tx.commit().await?;
    tracing::info!("webhook delivered");
    Ok(held.then_some(Delivered::Acknowledged))
}

async fn lost(
    store: &Store,
    terms: &WebhookTerms,
    delivery: &LeasedDelivery,
    reason: &str,
    now: Timestamp,
) -> Result<Option<Delivered>> {
    let mut tx = store.begin().await?;
    let health = tx.lock_webhook_health(&delivery.receiver).await?;
    if !tx.end_delivery(delivery, Some(reason), now).await? {
        return Ok(None);
    }
    let mut switched_off = None;
    if let Some((id, health)) = health {
        let after = health.after_failure(terms, now);
        tx.set_webhook_health(&id, after).await?;
        if health.is_active && !after.is_active {
            tx.drop_pending_deliveries(&id).await?;
            switched_off = Some((id, after.failures_in_a_row));
        }
    }
    tx.commit().await?;
    tracing::info!(reason, "the webhook could not be delivered");
    if let Some((webhook, failures)) = switched_off {
        tracing::warn!(webhook_id = %webhook, failures, "webhook switched off: it never answers");
    }
    Ok(Some(Delivered::Lost))
}

/// Nothing that the receiver could have answered, so it is not held against them.
async fn unsigned(
    store: &Store,
    delivery: &LeasedDelivery,
    now: Timestamp,
) -> Result<Option<Delivered>> {
    let mut tx = store.begin().await?;
    let reason = "the farm's secret key does not open the webhook's secret";
    let held = tx.end_delivery(delivery, Some(reason), now).await?;
    tx.commit().await?;
    Ok(held.then_some(Delivered::Lost))
}

/// Forgets deliveries that ended long ago.
pub(crate) async fn forget_once(store: &Store, now: Timestamp) -> Result<()> {
    let deliveries = store.forget_deliveries(MEMORY, now).await?;
    tracing::debug!(deliveries, "forgot old webhook deliveries");
    Ok(())
}
