//! Which objects a lease has business with.

use kinora_composition::{document::Composition, media_url};
use object_store::path::Path;

use crate::{
    Error, Result,
    scheduler::keys,
    state::TaskKind,
    store::{Fence, LeasedTask, Store},
    uploads,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Read,
    Write,
}

/// Answers the object, if the lease is held and its task has to read or write that very object.
pub(super) async fn check(store: &Store, lease: &Fence, key: &str, need: Need) -> Result<Path> {
    let task = store.held_task(lease).await?;
    let task = task.ok_or_else(|| Error::Forbidden("the lease is not held any more".into()))?;
    let is_allowed = match need {
        Need::Read => may_read(store, &task, key).await?,
        Need::Write => may_write(store, &task, key).await?,
    };
    let path = Path::parse(key).ok().filter(|_| is_allowed);
    path.ok_or_else(|| Error::Forbidden("the lease has no business with that object".into()))
}

/// Chunks are for their assembly, and files of our own for whoever draws a composition that names them.
async fn may_read(store: &Store, task: &LeasedTask, key: &str) -> Result<bool> {
    if task.kind == TaskKind::Assemble && store.is_chunk_of(&task.job, key).await? {
        return Ok(true);
    }
    let Some(drawn) = store.drawn_by(&task.job).await? else {
        return Ok(false);
    };
    let composition = serde_json::from_str(&drawn.composition_json)
        .ok()
        .and_then(|json| Composition::from_json(&json).ok());
    let (composition, _) = composition
        .ok_or_else(|| Error::Corrupt(format!("the composition of {} can't be read", task.job)))?;
    let named = media_url::sources(&composition);
    Ok(named.iter().any(|source| {
        uploads::object_key(&source.url, &drawn.public_url).is_some_and(|own| own.as_ref() == key)
    }))
}

/// What the lease named, and nothing else.
async fn may_write(store: &Store, task: &LeasedTask, key: &str) -> Result<bool> {
    match task.kind {
        TaskKind::Render | TaskKind::Assemble => Ok(task.output_key == key),
        TaskKind::Stills => {
            let drawn = store.drawn_by(&task.job).await?;
            Ok(drawn.is_some_and(|drawn| {
                let mut frames = drawn.stills.iter();
                frames.any(|frame| keys::still_key(&task.output_key, *frame) == key)
            }))
        }
    }
}
