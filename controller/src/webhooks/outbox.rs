//! Writing down who has to be told that a job ended.

use url::Url;

use super::{Event, payload};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{DeliveryId, JobId, WebhookId},
    state::Lane,
    store::{NewDelivery, Receiver, Tx},
};

/// Writes a row for every receiver of a job's end, in the transaction that ended it.
pub(crate) async fn announce(tx: &mut Tx, job: &JobId, now: Timestamp) -> Result<()> {
    let ended = tx.job(job).await?;
    let job = ended.ok_or_else(|| Error::Corrupt(format!("no job {job}")))?;
    let Some(event) = Event::of(job.state).filter(|_| job.lane == Lane::Render) else {
        return Ok(());
    };
    let mut receivers = Vec::new();
    for webhook in tx.webhooks_of(&job.account).await? {
        if webhook.is_active && webhook.events.contains(&event) {
            receivers.push(Receiver::Registered(webhook.id));
        }
    }
    receivers.extend(tx.one_off_url(&job.id).await?.map(Receiver::OneOff));
    if receivers.is_empty() {
        return Ok(());
    }
    let cost = tx.net_cost(&job.id).await?;
    for receiver in &receivers {
        let id = DeliveryId::random();
        let shown_id = match receiver {
            Receiver::Registered(_) => Some(&id),
            Receiver::OneOff(_) => None,
        };
        let payload = payload::body(event, shown_id, &job, cost, now)
            .map_err(|error| Error::Corrupt(format!("{} has no payload: {error}", job.id)))?;
        let delivery = NewDelivery {
            id: &id,
            job: &job,
            event,
            receiver,
            share: &share(receiver),
            payload: &payload,
        };
        tx.insert_delivery(&delivery, now).await?;
    }
    Ok(())
}

/// What counts as one receiver when room is shared. The query of a URL often names an order, not
/// another place.
fn share(receiver: &Receiver) -> String {
    match receiver {
        Receiver::Registered(id) => WebhookId::as_str(id).to_owned(),
        Receiver::OneOff(text) => match Url::parse(text) {
            Ok(mut url) => {
                url.set_query(None);
                url.set_fragment(None);
                url.into()
            }
            Err(_) => text.clone(),
        },
    }
}
