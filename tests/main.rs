//! Tests that run the real `kinora` binary, as users and operators do.

mod apart;
mod bad_input;
mod cli;
mod coverage;
mod farm;
mod hostile;
mod interface;
mod migrate;
mod modes;
mod openapi;
mod previews;
mod shutdown;
mod slice;
mod traces;
mod uploads;
mod webhooks;
