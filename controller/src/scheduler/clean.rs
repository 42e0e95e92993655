//! Deleting what finished jobs leave in the object store.

use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use object_store::{ObjectStore, ObjectStoreExt, path::Path};

use super::{Stale, keys};
use crate::{
    Result,
    clock::Timestamp,
    ids::JobId,
    state::{Lane, TaskKind},
    store::{Fence, Store},
};

/// How many jobs one step looks at.
const BATCH: i64 = 20;
/// When to try again after the store refused.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// Who lost a lease may go on for a while without knowing, and die before it can say what it wrote. So long
/// after the end of such a job its leftovers are looked for once more.
const STRAGGLING: Duration = Duration::from_secs(600);

/// Deletes chunks and forgotten attempts of finished jobs; answers how many jobs are clean now.
///
/// A store that refuses is logged and asked again later: leftovers cost space, not correctness.
pub(crate) async fn clean_once(
    store: &Store,
    objects: &dyn ObjectStore,
    now: Timestamp,
) -> Result<usize> {
    let mut cleaned = 0;
    for job in store.jobs_to_clean(now, BATCH).await? {
        let (id, keep) = (&job.id, job.output_key.as_deref());
        match delete_leftovers(objects, job.lane, id, keep).await {
            Ok(deleted) => {
                tracing::debug!(job_id = %id, deleted, "leftovers deleted");
                let last_look = job.ended_at.plus(STRAGGLING);
                let again = (job.may_have_stragglers && now < last_look).then_some(last_look);
                store.set_clean_at(id, again).await?;
                cleaned += 1;
            }
            Err(error) => {
                tracing::warn!(job_id = %id, %error, "leftovers could not be deleted");
                store.set_clean_at(id, Some(now.plus(RETRY_AFTER))).await?;
            }
        }
    }
    Ok(cleaned)
}

/// Deletes everything that a job has in the store, but for the object or the folder to keep.
pub(crate) async fn delete_leftovers(
    objects: &dyn ObjectStore,
    lane: Lane,
    job: &JobId,
    keep: Option<&str>,
) -> object_store::Result<usize> {
    let keep = keep.map(Path::from);
    let mut deleted = 0;
    for folder in [keys::working_folder(job), keys::final_folder(lane, job)] {
        deleted += delete_below(objects, &Path::from(folder), keep.as_ref()).await?;
    }
    Ok(deleted)
}

async fn delete_below(
    objects: &dyn ObjectStore,
    folder: &Path,
    keep: Option<&Path>,
) -> object_store::Result<usize> {
    let mut leftovers: Vec<Path> = objects
        .list(Some(folder))
        .map_ok(|object| object.location)
        .try_collect()
        .await?;
    leftovers.retain(|path| !keep.is_some_and(|keep| path.prefix_matches(keep)));
    let leftovers = futures::stream::iter(leftovers.into_iter().map(Ok)).boxed();
    let mut deletions = objects.delete_stream(leftovers);
    let mut deleted = 0;
    while let Some(deletion) = deletions.next().await {
        match deletion {
            Ok(_) => deleted += 1,
            // Another replica was faster.
            Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(deleted)
}

/// Deletes the object of a report that came too late, if the key is that very attempt's.
pub(crate) async fn delete_stale_object(
    objects: &dyn ObjectStore,
    lease: &Fence,
    stale: &Stale,
    output_key: &str,
) {
    let Some((job, lane, kind)) = &stale.task else {
        return;
    };
    if !keys::is_of_attempt(output_key, *kind, *lane, job, &lease.task, lease.attempt) {
        return;
    }
    let key = Path::from(output_key);
    let deleted = match kind {
        TaskKind::Render | TaskKind::Assemble => objects.delete(&key).await,
        TaskKind::Stills => delete_below(objects, &key, None).await.map(|_| ()),
    };
    match deleted {
        Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
        Err(error) => tracing::warn!(%error, "a stale object could not be deleted"),
    }
}
