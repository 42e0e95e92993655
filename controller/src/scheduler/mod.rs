//! Leases: who works on what, until when, and what their reports change.
//!
//! Every function here is one step from the state of the database to one transaction. Nothing that counts is
//! remembered between steps, so several controllers can take them at once.

mod claim;
mod clean;
mod desk;
pub(crate) mod keys;
mod looks;
mod pairing;
mod pulse;
mod reap;
mod report;
mod rescue;
mod sizing;

use std::time::Duration;

pub(crate) use claim::{Claim, Looked, Work, claim_for_all};
pub(crate) use clean::{clean_once, delete_leftovers, delete_stale_object};
pub(crate) use desk::{Desk, Search};
pub(crate) use looks::{BEGINNING, Look, Looks};
pub(crate) use pulse::{Heartbeat, Pulse};
pub(crate) use reap::{forget_once, reap_once, release_drained};
pub(crate) use report::{Outcome, Stale, fail, finish, hand_back, reject};
pub(crate) use rescue::rescue_once;
pub(crate) use sizing::{Capacity, Drawing, Sizing};

/// A task that fails by itself is tried this often again.
pub(crate) const MAX_RETRIES: u32 = 3;
/// A node that fails this many tasks in a row is set aside.
pub(crate) const FAILURES_IN_A_ROW: u32 = 3;

/// How long things last.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// A lease that is not renewed this long is lost.
    pub lease: Duration,
    /// How often nodes renew.
    pub heartbeat: Duration,
    /// How often the queue is looked at though nobody was told of work, lest a lost wake-up is a lost task.
    pub poll: Duration,
    /// How long a failing node gets no leases.
    pub set_aside: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(10),
            heartbeat: Duration::from_secs(2),
            poll: Duration::from_secs(2),
            set_aside: Duration::from_secs(60),
        }
    }
}
