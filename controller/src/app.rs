//! What every service and loop of a running controller shares.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use object_store::ObjectStore;

use crate::{
    Config, Result,
    fonts::FontShelf,
    jobs::Terms,
    metrics::Counters,
    objects::ObjectSigner,
    previews::Previews,
    scheduler::{Desk, Looks, Pulse, Sizing, Timing},
    secret_key::SecretKey,
    store::Store,
    uploads::Uploads,
    webhooks::Webhooks,
};

/// A handle on the shared parts; clones share them.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) objects: Arc<dyn ObjectStore>,
    /// Signs what nodes do with objects; without one they share a folder.
    pub(crate) signer: Option<Arc<dyn ObjectSigner>>,
    pub(crate) terms: Arc<Terms>,
    pub(crate) timing: Timing,
    pub(crate) counters: Arc<Counters>,
    pub(crate) secret_key: SecretKey,
    pub(crate) webhooks: Arc<Webhooks>,
    pub(crate) uploads: Uploads,
    pub(crate) previews: Previews,
    pub(crate) fonts: Arc<FontShelf>,
    /// Heartbeats that are to be written down.
    pub(crate) pulse: Arc<Pulse>,
    /// How nodes look for tasks.
    pub(crate) looks: Arc<Looks>,
    /// Where they queue for them.
    pub(crate) desk: Arc<Desk>,
    seeded: Arc<AtomicBool>,
}

impl App {
    /// What a configuration asks for, on an open database.
    pub(crate) fn new(config: Config, store: Store) -> Result<Self> {
        Ok(Self {
            store,
            webhooks: Arc::new(Webhooks::new(&config)?),
            uploads: Uploads::new(&config),
            previews: Previews::new(&config)?,
            objects: config.store,
            signer: config.object_signer,
            terms: Arc::new(Terms {
                limits: config.limits,
                credits_per_minute: config.credits_per_minute,
                sizing: config
                    .seconds_per_task
                    .map_or(Sizing::Measured, Sizing::Video),
                lease: config.timing.lease,
                requests_per_minute: config.requests_per_minute,
            }),
            timing: config.timing,
            counters: Arc::default(),
            secret_key: config.secret_key,
            fonts: Arc::new(FontShelf::new(config.fonts)),
            pulse: Arc::default(),
            desk: Arc::default(),
            looks: Arc::default(),
            seeded: Arc::default(),
        })
    }

    /// Whether this process has seen the built-in templates in place.
    pub(crate) fn is_seeded(&self) -> bool {
        self.seeded.load(Ordering::Relaxed)
    }

    /// The built-in templates are in place.
    pub(crate) fn set_seeded(&self) {
        self.seeded.store(true, Ordering::Relaxed);
    }
}
