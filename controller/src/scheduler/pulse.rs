//! Heartbeats on their way to the database. Those of all nodes of a controller are written together.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use tokio::sync::mpsc;

use super::Timing;
use crate::{
    Result,
    clock::Timestamp,
    ids::NodeId,
    store::{Beat, Fence, Store},
};

/// Leases, or nodes, in one statement: few, since it takes a share of the database's time from claims while it runs.
const AT_ONCE: usize = 100;

/// What was heard of nodes since it was last written down.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    heard: Mutex<HashMap<NodeId, Heartbeat>>,
}

/// What one node said last.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    pub(crate) leases: Vec<Beat>,
    /// Whether it is time to write down that the node is there.
    pub(crate) is_sign_of_life: bool,
    /// Who is told of leases that are not held any more.
    pub(crate) lost: mpsc::Sender<Fence>,
}

impl Pulse {
    /// Keeps what a node said, until it is written down.
    pub(crate) fn hear(&self, node: &NodeId, mut heartbeat: Heartbeat) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = heard.get(node) {
            heartbeat.is_sign_of_life |= before.is_sign_of_life;
        }
        heard.insert(node.clone(), heartbeat);
    }

    /// Writes down what was heard.
    pub(crate) async fn write(&self, store: &Store, timing: &Timing, now: Timestamp) -> Result<()> {
        let heard = {
            let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *heard)
        };
        let alive: Vec<NodeId> = heard
            .iter()
            .filter(|(_, heartbeat)| heartbeat.is_sign_of_life)
            .map(|(node, _)| node.clone())
            .collect();
        for nodes in alive.chunks(AT_ONCE) {
            store.touch_nodes(nodes, now).await?;
        }
        let leases: Vec<Beat> = heard
            .values()
            .flat_map(|heartbeat| heartbeat.leases.iter().cloned())
            .collect();
        for leases in leases.chunks(AT_ONCE) {
            for lost in store
                .renew_leases(leases, now.plus(timing.lease), now)
                .await?
            {
                if let Some(heartbeat) = heard.get(&lost.node) {
                    // Who does not listen hears of it after the next heartbeat.
                    let _ = heartbeat.lost.try_send(lost);
                }
            }
        }
        Ok(())
    }
}
