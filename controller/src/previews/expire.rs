//! The end of a preview: first its objects, then, when no straggler can write any more, its rows.

use std::time::Duration;

use object_store::ObjectStore;

use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{JobId, PreviewId},
    scheduler,
    state::Lane,
    store::{Expired, Store},
};

/// How many previews one step looks at.
const BATCH: i64 = 20;
/// How long a node may go on with a task that was taken from it.
const STRAGGLERS: Duration = Duration::from_secs(600);
/// When to try again after the object store refused.
const RETRY_AFTER: Duration = Duration::from_secs(60);
/// What nobody reads: the page is gone.
const EXPIRED: &str = "the preview has expired";

/// Takes expired previews one step further; answers how many are gone altogether.
pub(crate) async fn expire_once(
    store: &Store,
    objects: &dyn ObjectStore,
    now: Timestamp,
) -> Result<usize> {
    let mut gone = 0;
    for Expired { id, is_swept } in store.previews_to_sweep(now, BATCH).await? {
        // The rows are there to the end: they say what objects there may be.
        let stopped = if is_swept {
            Some(store.jobs_of_preview(&id).await?)
        } else {
            stop(store, &id, now).await?
        };
        let Some(jobs) = stopped else { continue };
        if let Err(error) = delete_objects(objects, &jobs).await {
            tracing::warn!(preview_id = %id, %error, "objects of a preview could not be deleted");
            // The first step needs no repetition: the second does the same again.
            if is_swept {
                store.set_sweep_at(&id, now.plus(RETRY_AFTER)).await?;
            }
            continue;
        }
        if is_swept && delete_rows(store, &id).await? {
            tracing::debug!(preview_id = %id, "preview deleted");
            gone += 1;
        }
    }
    Ok(gone)
}

/// Ends whatever draws the preview. None when somebody works on it right now.
async fn stop(store: &Store, id: &PreviewId, now: Timestamp) -> Result<Option<Vec<JobId>>> {
    let mut tx = store.begin().await?;
    let Some(jobs) = tx.lock_whole_preview(id).await? else {
        return Ok(None);
    };
    for job in &jobs {
        let row = tx.job(job).await?;
        let row = row.ok_or_else(|| Error::Corrupt(format!("no job {job}")))?;
        if tx.fail_job(job, row.state, EXPIRED, now).await? {
            tx.cancel_tasks(job, now).await?;
        }
    }
    tx.note_swept(id, now.plus(STRAGGLERS)).await?;
    tx.commit().await?;
    Ok(Some(jobs))
}

async fn delete_objects(objects: &dyn ObjectStore, jobs: &[JobId]) -> object_store::Result<()> {
    for job in jobs {
        scheduler::delete_leftovers(objects, Lane::Preview, job, None).await?;
    }
    Ok(())
}

/// False when somebody works on it right now.
async fn delete_rows(store: &Store, id: &PreviewId) -> Result<bool> {
    let mut tx = store.begin().await?;
    if tx.lock_whole_preview(id).await?.is_none() {
        return Ok(false);
    }
    tx.delete_preview(id).await?;
    tx.commit().await?;
    Ok(true)
}
