//! Forgetting uploads of which nothing came.

use std::time::Duration;

use object_store::{ObjectStore, ObjectStoreExt, path::Path};

use crate::{Result, clock::Timestamp, store::Store};

/// How long after the end of its URL an upload may still be on its way.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);
/// How many uploads one step looks at.
const BATCH: i64 = 100;

/// Looks at uploads whose URL ended long ago: notes the size of those that are there, forgets the
/// others. Answers how many were forgotten.
///
/// Files that a client sends straight to the store are noticed here first; one over the limit is
/// deleted.
pub(crate) async fn tidy_once(
    store: &Store,
    objects: &dyn ObjectStore,
    now: Timestamp,
) -> Result<usize> {
    let mut forgotten = 0;
    for upload in store.unseen_uploads(now.minus(PATIENCE), BATCH).await? {
        let key = Path::from(upload.object_key.as_str());
        let is_there = match objects.head(&key).await {
            Ok(object) if object.size <= upload.max_bytes => {
                store.finish_upload(&upload.id, object.size).await?;
                continue;
            }
            Ok(_) => objects.delete(&key).await,
            Err(error) => Err(error),
        };
        match is_there {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {
                store.forget_upload(&upload.id).await?;
                forgotten += 1;
            }
            Err(error) => {
                tracing::warn!(upload_id = %upload.id, %error, "an upload could not be looked at");
                break;
            }
        }
    }
    Ok(forgotten)
}
