//! Media of a composition that are uploads of ours: looked at before a node is sent for them.

use futures::{StreamExt, stream};
use kinora_composition::{
    document::Issue,
    media_url,
    request::{Mode, Refusal, RefusalKind, Resolution},
};
use kinora_outbound::own_object;
use object_store::{ObjectStore, ObjectStoreExt, path::Path};
use serde_json::json;
use url::Url;

use crate::{Error, Result};

/// Uploads lie below this in the object store.
pub(super) const FOLDER: &str = "uploads/";
/// How many objects are asked after at once.
const AT_ONCE: usize = 16;

/// The object that a media URL names, when it is one of our own.
pub(crate) fn object_key(source: &str, public_url: &str) -> Option<Path> {
    own_object(&Url::parse(source).ok()?, public_url)
}

/// Looks at uploads that a composition names, before a node is sent for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnFiles<'a> {
    pub(crate) objects: &'a dyn ObjectStore,
    /// How large an upload may be.
    pub(crate) max_bytes: u64,
}

impl OwnFiles<'_> {
    /// Refuses a resolved request that names an upload which is not there, or is larger than
    /// allowed. The latter is deleted: a store that signs URLs by itself can't always bound them.
    pub(crate) async fn check(self, resolution: &Resolution, public_url: &str) -> Result<()> {
        let root = match resolution.mode {
            Mode::Direct => "inputProps.",
            Mode::Template | Mode::Project => "",
        };
        let own: Vec<(String, Path)> = media_url::sources(&resolution.composition)
            .into_iter()
            .filter_map(|source| Some((source.path, object_key(&source.url, public_url)?)))
            .filter(|(_, key)| key.as_ref().starts_with(FOLDER))
            .collect();
        let problems: Vec<(RefusalKind, Issue)> = stream::iter(own)
            .map(|(path, key)| async move {
                let (kind, message) = self.problem(&key).await?;
                let path = format!("{root}{path}");
                Some((kind, Issue { path, message }))
            })
            .buffered(AT_ONCE)
            .filter_map(std::future::ready)
            .collect()
            .await;
        // What is not there at all comes first.
        for kind in [RefusalKind::Invalid, RefusalKind::Unrenderable] {
            let of_kind = problems.iter().filter(|(of, _)| *of == kind);
            let issues: Vec<&Issue> = of_kind.map(|(_, issue)| issue).collect();
            if let Some(first) = issues.first() {
                return Err(Error::Refused(Refusal {
                    kind,
                    message: format!("{} {}; no credits were charged", first.path, first.message),
                    details: json!({ "issues": issues }),
                }));
            }
        }
        Ok(())
    }

    async fn problem(self, key: &Path) -> Option<(RefusalKind, String)> {
        let max_bytes = self.max_bytes;
        match self.objects.head(key).await {
            Ok(object) if object.size <= max_bytes => None,
            Ok(object) => {
                if let Err(error) = self.objects.delete(key).await {
                    tracing::warn!(%key, %error, "an upload over the limit could not be deleted");
                }
                let size = object.size;
                let message = format!(
                    "was uploaded with {size} bytes, more than the {max_bytes} that a file may \
                     have; it was deleted"
                );
                Some((RefusalKind::Unrenderable, message))
            }
            Err(object_store::Error::NotFound { .. }) => {
                Some((RefusalKind::Invalid, "was not uploaded yet".to_owned()))
            }
            // The node will find out; a store that is away is no fault of the caller.
            Err(error) => {
                tracing::warn!(%key, %error, "an upload could not be looked at");
                None
            }
        }
    }
}
