//! A large object on its way into the store, in parts.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use object_store::path::Path;
use object_store::{MultipartUpload, PutPayload, PutResult, Result, UploadPart};

use super::request::failed;
use super::signed::SignedStore;

/// An object that was begun. One that is neither completed nor aborted is dropped by the controller when the lease is over.
pub(super) struct Parts {
    store: SignedStore,
    key: Path,
    upload_id: String,
    /// What each part is called once it has arrived.
    arrived: Arc<Mutex<Vec<Option<String>>>>,
}

impl Parts {
    pub(super) fn new(store: SignedStore, key: Path, upload_id: String) -> Self {
        Self {
            store,
            key,
            upload_id,
            arrived: Arc::default(),
        }
    }
}

#[tonic::async_trait]
impl MultipartUpload for Parts {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        let index = {
            let mut arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
            arrived.push(None);
            arrived.len() - 1
        };
        let (store, key) = (self.store.clone(), self.key.clone());
        let (upload_id, arrived) = (self.upload_id.clone(), Arc::clone(&self.arrived));
        Box::pin(async move {
            let number = u32::try_from(index).map_err(|_| failed("there are too many parts"))?;
            let part_id = store
                .write_part(&key, upload_id, number, Bytes::from(data))
                .await?;
            let mut arrived = arrived.lock().unwrap_or_else(PoisonError::into_inner);
            arrived[index] = Some(part_id);
            Ok(())
        })
    }

    async fn complete(&mut self) -> Result<PutResult> {
        let arrived = {
            let arrived = self.arrived.lock().unwrap_or_else(PoisonError::into_inner);
            arrived.iter().cloned().collect::<Option<Vec<String>>>()
        };
        let part_ids = arrived.ok_or_else(|| failed("a part has not arrived"))?;
        let upload_id = self.upload_id.clone();
        self.store.complete(&self.key, upload_id, part_ids).await
    }

    async fn abort(&mut self) -> Result<()> {
        self.store.abort(&self.key, self.upload_id.clone()).await
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Parts of {}", self.key)
    }
}
