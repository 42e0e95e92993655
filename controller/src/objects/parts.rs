//! Large objects, which come in parts: begun, put together and dropped here, so that a node that dies leaves none unfinished.

use std::time::Duration;

use object_store::{ObjectStoreExt, path::Path};

use super::{
    ObjectSigner,
    rights::{self, Need},
    signer,
};
use crate::{
    Error, Result,
    app::App,
    clock::Timestamp,
    ids::PartsId,
    store::{Fence, PartsRow, Store},
};

/// How many an attempt may have begun at once: it writes one object.
const MOST_OF_AN_ATTEMPT: u32 = 4;
/// How many one step drops.
const BATCH: i64 = 20;
/// When to try again after the store refused.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// Begins an object, if the lease is to write it.
pub(crate) async fn begin(app: &App, lease: &Fence, key: &str, now: Timestamp) -> Result<PartsId> {
    let signer = signer(app)?;
    let path = rights::check(&app.store, lease, key, Need::Write).await?;
    if app.store.count_parts_of(lease).await? >= MOST_OF_AN_ATTEMPT {
        let message = "the lease has begun too many objects and completed none";
        return Err(Error::Conflict(message.into()));
    }
    // Noted before the store knows of it: whatever happens in between, somebody will look.
    let id = app.store.note_parts(lease, key, now).await?;
    let store_id = signer.begin(&path).await.map_err(|error| away(&error))?;
    let named = app.store.name_parts(&id, &store_id).await;
    if matches!(named, Ok(true)) {
        return Ok(id);
    }
    if let Err(error) = signer.abort(&path, &store_id).await {
        tracing::warn!(%error, "an object in parts stays unfinished until its attempt is over");
    }
    let meanwhile = || Error::Store("another call has begun the object meanwhile".into());
    Err(named.err().unwrap_or_else(meanwhile))
}

/// Puts an object together, if the lease is still held. Done twice, it is done once; what the store has lost is not found.
pub(crate) async fn complete(
    app: &App,
    lease: &Fence,
    key: &str,
    id: &str,
    part_ids: Vec<String>,
) -> Result<()> {
    let signer = signer(app)?;
    let path = rights::check(&app.store, lease, key, Need::Write).await?;
    let row = match find(&app.store, lease, key, id).await {
        Ok(row) => row,
        // The node may not have heard that it was done.
        Err(Error::NotFound(_)) if app.objects.head(&path).await.is_ok() => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut completed = signer.complete(&path, &row.store_id, part_ids).await;
    if let Err(error) = &completed
        && is_unknown(error)
    {
        // The store may have done it before, and we died, or lost the database, before that was noted.
        completed = match app.objects.head(&path).await {
            Ok(_) => Ok(()),
            Err(object_store::Error::NotFound { .. }) => {
                app.store.forget_parts(&row.id).await?;
                let message = "the store has lost what was sent of the object";
                return Err(Error::NotFound(message.into()));
            }
            Err(error) => Err(error),
        };
    }
    completed.map_err(|error| away(&error))?;
    app.store.forget_parts(&row.id).await
}

/// Drops what a lease has begun.
pub(crate) async fn abort(app: &App, lease: &Fence, id: &str) -> Result<()> {
    let Some(row) = app.store.parts(id, lease).await? else {
        return Ok(());
    };
    let key = Path::from(row.object_key.as_str());
    match signer(app)?.abort(&key, &row.store_id).await {
        Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
        Err(error) => return Err(away(&error)),
    }
    app.store.forget_parts(&row.id).await
}

/// What a lease has begun for an object under our name of it.
pub(super) async fn find(store: &Store, lease: &Fence, key: &str, id: &str) -> Result<PartsRow> {
    let row = store.parts(id, lease).await?;
    row.filter(|row| row.object_key == key)
        .ok_or_else(|| Error::NotFound("no such object was begun".into()))
}

/// Drops what attempts that are over have not completed; answers how many.
///
/// A store that refuses is logged and asked again later: leftovers cost space, not correctness.
pub(crate) async fn sweep_once(app: &App, now: Timestamp) -> Result<usize> {
    let Some(signer) = app.signer.as_deref() else {
        return Ok(0);
    };
    let mut dropped = 0;
    for row in app.store.parts_without_lease(now, BATCH).await? {
        let key = Path::from(row.object_key.as_str());
        match drop_unfinished(signer, &key, row.store_id).await {
            Ok(found) => {
                app.store.forget_parts(&row.id).await?;
                if found {
                    tracing::info!(key = %key, "an unfinished object was dropped");
                }
                dropped += 1;
            }
            Err(error) => {
                tracing::warn!(key = %key, %error, "an unfinished object could not be dropped");
                let later = now.plus(RETRY_AFTER);
                app.store.abort_parts_at(&row.id, later).await?;
            }
        }
    }
    Ok(dropped)
}

/// Drops what has this name, and whatever else was begun under its key: nobody may write there any more. Answers whether
/// there was anything.
async fn drop_unfinished(
    signer: &dyn ObjectSigner,
    key: &Path,
    store_id: String,
) -> object_store::Result<bool> {
    let mut names = match signer.unfinished(key).await {
        Err(error) if store_id.is_empty() => return Err(error),
        // What has a name can be dropped all the same.
        Err(error) => {
            tracing::warn!(key = %key, %error, "the store does not say what is unfinished");
            Vec::new()
        }
        Ok(names) => names,
    };
    if !store_id.is_empty() && !names.contains(&store_id) {
        names.push(store_id);
    }
    let mut found = false;
    for name in names {
        match signer.abort(key, &name).await {
            Ok(()) => found = true,
            Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// Whether a store that has no such object in parts may answer so; some hide that behind a refusal.
fn is_unknown(error: &object_store::Error) -> bool {
    use object_store::Error::{NotFound, PermissionDenied};
    matches!(error, NotFound { .. } | PermissionDenied { .. })
}

fn away(error: &object_store::Error) -> Error {
    Error::Store(error.to_string())
}
