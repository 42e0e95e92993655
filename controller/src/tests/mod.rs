//! Tests of everything that touches the database: each body runs on SQLite and on Postgres.

mod accounts;
mod api;
mod claims;
mod concurrency;
mod documents;
mod farm;
mod harness;
mod lanes;
mod library;
mod lists;
mod modes;
mod objects;
mod postgres;
mod previews;
mod renders;
mod reports;
mod schema;
mod templates;
mod turns;
mod uploads;
mod webhook_deliveries;
mod webhook_outbox;
mod webhook_support;
mod webhooks;
