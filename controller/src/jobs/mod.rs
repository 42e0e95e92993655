//! Render jobs: resolving requests, accepting them, and reading jobs back.

mod create;
mod progress;
mod resolve;
mod show;
mod split;

use kinora_composition::document::Limits;

pub(crate) use create::{Accepted, IDEMPOTENCY_MEMORY, Submission, create, tasks};
pub(crate) use resolve::{Resolved, resolve};
pub(crate) use show::{JobView, get, list};

/// What decides whether, and at what price, requests are accepted.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub(crate) limits: Limits,
    pub(crate) credits_per_minute: u32,
    pub(crate) seconds_per_task: u32,
    /// Without a plan, on Creator, on Business.
    pub(crate) requests_per_minute: [u32; 3],
}
