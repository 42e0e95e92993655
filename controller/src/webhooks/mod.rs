//! Telling receivers that a render ended.
//!
//! [`registration`] keeps who wants to be told. [`announce`] writes one row for each receiver into
//! the outbox, in the transaction that ends the job. The [`courier`] leases due rows, sends them and
//! records what came of it. A row is sent until it is acknowledged or its attempts are spent, by
//! whichever controller holds its lease, so a receiver hears at least once.

mod courier;
mod health;
mod outbox;
mod payload;
pub(crate) mod registration;
mod send;

use std::time::Duration;

use kinora_outbound::{AddressRule, any_address, is_public};

use crate::{Result, controller::Config, secret_key::SecretKey, state::JobState};

pub(crate) use courier::{forget_once, run};
#[cfg(test)]
pub(crate) use courier::{lease_due, record};
pub(crate) use health::Health;
pub(crate) use outbox::announce;
pub(crate) use send::Attempt;

/// What is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The file is there.
    Completed,
    /// It will not be rendered.
    Failed,
}

impl Event {
    /// Every event there is.
    pub(crate) const ALL: [Self; 2] = [Self::Completed, Self::Failed];

    /// The name in payloads, registrations and the database.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "render.completed",
            Self::Failed => "render.failed",
        }
    }

    /// Reads a name back.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == name)
    }

    /// What a job in this state has to tell.
    fn of(state: JobState) -> Option<Self> {
        match state {
            JobState::Completed => Some(Self::Completed),
            JobState::Failed => Some(Self::Failed),
            JobState::Pending | JobState::Processing => None,
        }
    }
}

/// How patient deliveries are.
#[derive(Clone, Copy, Debug)]
pub struct WebhookTerms {
    /// A receiver that has not answered by then has failed.
    pub answer_within: Duration,
    /// A registration that has failed this often in a row…
    pub failures: u32,
    /// …and for this long is switched off.
    pub failing_for: Duration,
}

impl Default for WebhookTerms {
    fn default() -> Self {
        Self {
            answer_within: Duration::from_secs(10),
            failures: 20,
            failing_for: Duration::from_secs(24 * 3600),
        }
    }
}

/// What registrations and deliveries of a running controller share.
pub(crate) struct Webhooks {
    terms: WebhookTerms,
    allows: AddressRule,
    secret_key: SecretKey,
    sender: send::Sender,
}

impl Webhooks {
    pub(crate) fn new(config: &Config) -> Result<Self> {
        let allows = if config.allow_private_urls {
            any_address
        } else {
            is_public
        };
        Ok(Self {
            terms: config.webhooks,
            allows,
            secret_key: config.secret_key.clone(),
            sender: send::Sender::new(config, allows)?,
        })
    }
}
