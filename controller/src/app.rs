//! What every service and loop of a running controller shares.

use std::sync::Arc;

use object_store::ObjectStore;
use tokio::sync::watch;

use crate::{jobs::Terms, metrics::Counters, scheduler::Timing, store::Store};

/// A handle on the shared parts; clones share them.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) objects: Arc<dyn ObjectStore>,
    pub(crate) terms: Arc<Terms>,
    pub(crate) timing: Timing,
    pub(crate) counters: Arc<Counters>,
    nudge: Arc<watch::Sender<()>>,
}

impl App {
    pub(crate) fn new(
        store: Store,
        objects: Arc<dyn ObjectStore>,
        terms: Terms,
        timing: Timing,
    ) -> Self {
        Self {
            store,
            objects,
            terms: Arc::new(terms),
            timing,
            counters: Arc::default(),
            nudge: Arc::new(watch::Sender::new(())),
        }
    }

    /// Wakes every node's stream to look at the queue.
    pub(crate) fn nudge(&self) {
        self.nudge.send_replace(());
    }

    /// Changes on every nudge, and never misses one.
    pub(crate) fn nudges(&self) -> watch::Receiver<()> {
        self.nudge.subscribe()
    }
}
