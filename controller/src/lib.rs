//! The controller: all state of the farm, in one SQL database.
//!
//! Requests flow in through three gRPC services (`api`): the gateway asks who is calling and sends
//! renders, nodes open a stream and take leases. Every call becomes one transaction in `store`, by
//! way of `jobs` (accepting and showing renders), `ledger` (credits) and `scheduler` (leases and
//! what reports change). Nothing important lives in memory, so several controllers can run on one
//! Postgres. The two types to know are [`Controller`], which serves, and [`admin::Admin`], which
//! operators' commands use beside it.

pub mod admin;
mod api;
mod app;
mod clock;
mod controller;
mod credential;
mod error;
mod ids;
mod jobs;
mod ledger;
mod loops;
mod metrics;
mod scheduler;
mod state;
mod store;
#[cfg(test)]
mod tests;

pub use controller::{Config, Controller};
pub use error::{Error, Result};
pub use ids::{AccountId, KeyId};
pub use kinora_composition::document::Limits;
pub use ledger::Credits;
pub use scheduler::Timing;
pub use state::Plan;
