//! A real gateway on loopback, in front of a controller whose answers the tests decide.

mod account;
mod api;
mod browser;
mod files;
mod latency;
mod openapi;
mod pages;
mod previews;
mod projects;
mod renders;
mod schema;
mod support;
mod templates;
mod uploads;
mod webhooks;
