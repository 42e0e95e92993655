//! The controller: all state of the farm, in one SQL database.
//!
//! Requests flow in through gRPC services (`api`): the gateway asks who is calling and sends what
//! they ask for, nodes open a stream and take leases. Every call becomes one transaction in `store`,
//! by way of `jobs` (accepting and showing renders), `templates` and `projects` (what they are made
//! from), `previews` and `uploads`, `ledger` (credits), `scheduler` (leases and what reports change),
//! `objects` (what nodes may read and write in the store) and `webhooks` (who is told in the end). Nothing important lives in memory, so several controllers
//! can run on one Postgres. The two types to know are [`Controller`], which serves, and
//! [`admin::Admin`], which operators' commands use beside it.

mod accounts;
pub mod admin;
mod api;
mod app;
mod assets;
mod clock;
mod controller;
mod credential;
mod documents;
mod error;
mod fonts;
mod ids;
mod jobs;
mod ledger;
mod loops;
mod metrics;
mod objects;
mod paging;
mod previews;
mod projects;
mod scheduler;
mod secret_key;
pub mod simulation;
mod state;
mod store;
mod templates;
#[cfg(test)]
mod tests;
mod times;
mod uploads;
mod wakeups;
mod webhooks;

pub use controller::{Config, Controller};
pub use error::{Error, Result};
pub use ids::{AccountId, KeyId, ProjectId, TemplateId};
pub use kinora_composition::document::Limits;
pub use ledger::Credits;
pub use objects::{ObjectSigner, Signed, Wish};
pub use scheduler::Timing;
pub use secret_key::SecretKey;
pub use state::Plan;
pub use uploads::{SignedPut, UploadSigner};
pub use webhooks::WebhookTerms;
