//! Tests that run the real `kinora` binary, as users and operators do.

mod access;
mod apart;
mod bad_input;
mod chaos;
mod cli;
mod coverage;
mod farm;
mod hostile;
mod interface;
mod migrate;
mod modes;
mod objects;
mod openapi;
mod previews;
mod shutdown;
mod slice;
mod traces;
mod uploads;
mod webhooks;
