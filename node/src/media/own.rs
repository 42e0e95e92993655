//! Media that lie in our own object store: what was uploaded, and the artwork of templates.

use std::sync::Arc;

use kinora_outbound::own_object;
use object_store::ObjectStore;
use object_store::path::Path as Key;
use url::Url;

/// A store whose objects have public URLs, and where these begin.
#[derive(Clone)]
pub struct OwnFiles {
    store: Arc<dyn ObjectStore>,
    public_url: String,
}

impl OwnFiles {
    /// Objects of `store` are known as `{public_url}/files/{key}`.
    pub fn new(store: Arc<dyn ObjectStore>, public_url: impl Into<String>) -> Self {
        Self {
            store,
            public_url: public_url.into(),
        }
    }

    /// Where the objects are.
    pub(super) fn store(&self) -> &dyn ObjectStore {
        &*self.store
    }

    /// The object that a URL names, if it is one of ours.
    pub(super) fn key(&self, url: &Url) -> Option<Key> {
        own_object(url, &self.public_url)
    }
}
