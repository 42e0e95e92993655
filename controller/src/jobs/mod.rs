//! Render jobs: resolving requests, accepting them, and reading jobs back.

mod create;
mod progress;
mod resolve;
mod show;
mod split;

use std::time::Duration;

use kinora_composition::document::Limits;

use crate::{
    Result,
    clock::Timestamp,
    scheduler::{Capacity, Sizing},
    store::Store,
};

pub(crate) use create::{Accepted, IDEMPOTENCY_MEMORY, Submission, create, tasks};
pub(crate) use resolve::{Resolved, resolve};
pub(crate) use show::{JobView, get, list};

/// What decides whether, and at what price, requests are accepted.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub(crate) limits: Limits,
    pub(crate) credits_per_minute: u32,
    pub(crate) sizing: Sizing,
    /// Nodes that were not heard of this long are not there.
    pub(crate) lease: Duration,
    /// Without a plan, on Creator, on Business.
    pub(crate) requests_per_minute: [u32; 3],
}

impl Terms {
    /// What the nodes that are there can do.
    pub(crate) async fn capacity(&self, store: &Store, now: Timestamp) -> Result<Capacity> {
        store.capacity(now.minus(self.lease), now).await
    }
}
