//! Tests of everything that touches the database: each body runs on SQLite and on Postgres.

mod accounts;
mod api;
mod claims;
mod concurrency;
mod farm;
mod harness;
mod postgres;
mod renders;
mod reports;
mod schema;
