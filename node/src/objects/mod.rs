//! Where the objects of a lease are: a store that the node can open, or one that the controller signs requests for.
//!
//! A node holds no credentials. A [`SignedStore`] asks the controller for each request, which signs it if the lease needs that very
//! object, and sends it over plain HTTP.

mod body;
mod broker;
mod parts;
mod request;
mod signed;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use kinora_proto::access::ClientAccess;
use kinora_proto::v1;
use object_store::ObjectStore;

use crate::{Context, Patience, Result};
use broker::Broker;
use request::Requests;

pub use signed::SignedStore;

/// Time alone bounds it: a task whose result can't be stored fails its job, and a store that restarts may refuse many
/// times in a moment.
const OUTAGE: Patience = Patience {
    first_rest: Duration::from_millis(200),
    longest_rest: Duration::from_secs(5),
    in_all: Duration::from_secs(180),
};

/// Finds the objects of a lease.
pub trait ObjectSource: Send + Sync + 'static {
    /// The store in which a lease reads and writes.
    ///
    /// # Errors
    /// When there is none.
    fn of_lease(&self, lease: &v1::Lease) -> Result<Arc<dyn ObjectStore>>;
}

impl ObjectSource for Arc<dyn ObjectStore> {
    fn of_lease(&self, _lease: &v1::Lease) -> Result<Arc<dyn ObjectStore>> {
        Ok(Arc::clone(self))
    }
}

/// Objects that a controller signs requests for.
pub struct SignedObjects {
    broker: Broker,
    requests: Requests,
    node_id: String,
}

impl SignedObjects {
    /// For leases that this controller gives to this node. Nothing is contacted yet; must be called inside a Tokio runtime.
    ///
    /// # Errors
    /// When the controller's address can't be one.
    pub fn new(controller_url: &str, access: &ClientAccess, node_id: &str) -> Result<Self> {
        Ok(Self {
            broker: Broker::new(controller_url, access)?,
            requests: Requests::new().context("setting up the HTTP client")?,
            node_id: node_id.to_owned(),
        })
    }
}

impl ObjectSource for SignedObjects {
    fn of_lease(&self, lease: &v1::Lease) -> Result<Arc<dyn ObjectStore>> {
        let holder = v1::Holder {
            node_id: self.node_id.clone(),
            lease: lease.id.clone(),
        };
        let store = SignedStore::new(self.broker.clone(), self.requests.clone(), holder);
        Ok(Arc::new(store))
    }
}
