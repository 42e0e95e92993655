//! HTTP to addresses that callers name: media that a node fetches, webhooks that a controller
//! delivers.
//!
//! Such an address is user input. A [`Client`] resolves it, refuses what its [`AddressRule`] does
//! not allow at the moment of connecting, and does so again for every redirect. Files of our own
//! are excepted: [`own_object`] tells which they are, and they are read from the store. The two names
//! to know are [`Client`] and [`is_public`], the rule for anything that faces the internet.

mod address;
mod client;
mod own;

pub use address::{AddressRule, any_address, is_public};
pub use client::{Client, Failure};
pub use own::{file_url, own_object};
