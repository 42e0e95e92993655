//! Payloads resolved without rendering, and what their pages show.
//!
//! [`create`] resolves a request as a render would and keeps the composition for a day. Nothing is
//! drawn until somebody looks: [`show`] then puts the one job that draws it into the preview lane.

mod create;
mod expire;
mod reach;
mod show;
mod wanted;

use std::time::Duration;

use kinora_outbound::{Client, any_address, is_public};

use crate::{Error, Result, controller::Config};

pub(crate) use create::{Created, create};
pub(crate) use expire::expire_once;
pub(crate) use show::{View, show};
pub(crate) use wanted::Wanted;

/// How long one media URL may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What previews need.
#[derive(Clone)]
pub(crate) struct Previews {
    /// How long a preview can be looked at.
    lifetime: Duration,
    /// Asks whether media answer.
    client: Client,
}

impl Previews {
    pub(crate) fn new(config: &Config) -> Result<Self> {
        let allowed = match config.allow_private_urls {
            true => any_address,
            false => is_public,
        };
        let client = Client::new(allowed, PATIENCE)
            .map_err(|error| Error::Setup(format!("HTTP can't be set up: {error}")))?;
        Ok(Self {
            lifetime: config.preview_lifetime,
            client,
        })
    }
}
