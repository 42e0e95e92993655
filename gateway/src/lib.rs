//! The HTTP interface: authentication, envelope, rate-limit headers, files, pages.
//!
//! A request under `/api/v1` passes [`rate`](crate::rate) (headers on every response), then
//! [`auth`](crate::auth) (one `Accounts.Admit` call), then a handler in [`api`](crate::api), which
//! translates JSON to gRPC and back. The two types to know are [`Gateway`], which serves, and the
//! crate's `ApiError`, the only place where a [`Problem`](kinora_proto::v1::Problem) becomes an
//! HTTP status. Beside the interface there are files ([`files`](crate::files)), signed uploads
//! ([`uploads`](crate::uploads)) and pages ([`pages`](crate::pages)), none of which asks for a key.
//! The gateway holds no state: any number of them can run beside each other.

mod api;
mod auth;
mod body;
mod controller;
mod cors;
mod envelope;
mod files;
mod health;
mod metrics;
mod openapi;
mod pages;
mod rate;
mod server;
mod uploads;

pub use health::MetricsSource;
pub use server::{Config, Error, Gateway};
