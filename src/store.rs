//! Opens the object store: a local folder, or whatever a URL names.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use kinora_controller::{ObjectSigner, UploadSigner};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::prefix::PrefixStore;
use object_store::{BackoffConfig, ObjectStore, ObjectStoreScheme, RetryConfig};
use url::Url;

use crate::arguments::{DataFolder, writable_folder};
use crate::presign::S3Signer;
use crate::signing::{CloudSigner, Dialect};

/// Credentials and settings of a store are read from variables with these beginnings.
const SETTINGS: [&str; 3] = ["AWS_", "GOOGLE_", "AZURE_"];

const HINT: &str =
    "use file:///folder, s3://bucket/prefix, gs://bucket/prefix or az://container/prefix";

/// How long requests to a store that is away are sent again. Time alone bounds them: the ten tries that are usual
/// may be over in two seconds, and a task that fails with each of them fails its job.
const OUTAGE: Duration = Duration::from_secs(180);
const MOST_TRIES: usize = 1000;
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A store of the builder's kind at a URL, set up by the environment.
macro_rules! configured {
    ($builder:ident, $url:expr) => {
        settings()
            .fold(
                $builder::new().with_url($url.clone()),
                |builder, (name, value)| match name.to_ascii_lowercase().parse() {
                    Ok(key) => builder.with_config(key, value),
                    Err(_) => builder,
                },
            )
            .with_retry(patience())
            .build()
            .with_context(|| format!("can't use the store {}; {HINT}", $url))
    };
}

fn patience() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            max_backoff: LONGEST_PAUSE,
            ..BackoffConfig::default()
        },
        max_retries: MOST_TRIES,
        retry_timeout: OUTAGE,
    }
}

/// Where objects are kept.
#[derive(Args, Clone)]
pub(crate) struct StoreArgs {
    /// Object store: file:///folder, s3://bucket/prefix, gs://… or az://…; the default is the
    /// folder `objects` in the data folder
    #[arg(long, env = "KINORA_STORE_URL")]
    pub(crate) store_url: Option<String>,
}

impl StoreArgs {
    /// Opens the store; a local one is created where it is missing.
    pub(crate) fn open(&self, data: &DataFolder) -> anyhow::Result<Arc<dyn ObjectStore>> {
        match &self.store_url {
            Some(url) => open_url(url),
            None => open_folder(&data.objects()),
        }
    }

    /// Signs upload URLs, where the store can.
    pub(crate) fn signer(&self) -> anyhow::Result<Option<Arc<dyn UploadSigner>>> {
        let Some(text) = &self.store_url else {
            return Ok(None);
        };
        let url = parse_url(text)?;
        let Ok((ObjectStoreScheme::AmazonS3, prefix)) = ObjectStoreScheme::parse(&url) else {
            return Ok(None);
        };
        let bucket = configured!(AmazonS3Builder, url)?;
        Ok(Some(Arc::new(S3Signer::new(bucket, prefix))))
    }

    /// Signs what nodes read and write, where the store can: everywhere but in a folder.
    pub(crate) fn object_signer(&self) -> anyhow::Result<Option<Arc<dyn ObjectSigner>>> {
        let Some(text) = &self.store_url else {
            return Ok(None);
        };
        let url = parse_url(text)?;
        let Ok((scheme, prefix)) = ObjectStoreScheme::parse(&url) else {
            return Ok(None);
        };
        Ok(match scheme {
            ObjectStoreScheme::AmazonS3 => {
                let store = configured!(AmazonS3Builder, url)?;
                Some(Arc::new(CloudSigner::new(store, prefix, Dialect::S3)))
            }
            ObjectStoreScheme::GoogleCloudStorage => {
                let store = configured!(GoogleCloudStorageBuilder, url)?;
                Some(Arc::new(CloudSigner::new(store, prefix, Dialect::S3)))
            }
            ObjectStoreScheme::MicrosoftAzure => {
                let store = configured!(MicrosoftAzureBuilder, url)?;
                Some(Arc::new(CloudSigner::new(store, prefix, Dialect::Azure)))
            }
            _ => None,
        })
    }

    /// The folder that this URL or its absence names; none where it names a cloud's store.
    pub(crate) fn folder(&self, data: &DataFolder) -> anyhow::Result<Option<PathBuf>> {
        let Some(text) = &self.store_url else {
            return Ok(Some(data.objects()));
        };
        let url = parse_url(text)?;
        match url.scheme() {
            "file" => folder_of(&url).map(Some),
            _ => Ok(None),
        }
    }

    /// How to name the store to a person.
    pub(crate) fn describe(&self, data: &DataFolder) -> String {
        match &self.store_url {
            Some(url) => url.clone(),
            None => data.objects().display().to_string(),
        }
    }
}

fn parse_url(text: &str) -> anyhow::Result<Url> {
    Url::parse(text).with_context(|| format!("{text:?} is not a store URL; {HINT}"))
}

/// What the environment says of stores: names and values.
fn settings() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        let relevant = SETTINGS.iter().any(|prefix| name.starts_with(prefix));
        relevant.then_some((name, value))
    })
}

fn open_url(text: &str) -> anyhow::Result<Arc<dyn ObjectStore>> {
    let url = parse_url(text)?;
    if url.scheme() == "file" {
        return open_folder(&folder_of(&url)?);
    }
    let unusable = || format!("can't use the store {text}; {HINT}");
    let (scheme, prefix) = ObjectStoreScheme::parse(&url).with_context(unusable)?;
    let store: Arc<dyn ObjectStore> = match scheme {
        ObjectStoreScheme::AmazonS3 => Arc::new(configured!(AmazonS3Builder, url)?),
        ObjectStoreScheme::GoogleCloudStorage => {
            Arc::new(configured!(GoogleCloudStorageBuilder, url)?)
        }
        ObjectStoreScheme::MicrosoftAzure => Arc::new(configured!(MicrosoftAzureBuilder, url)?),
        _ => return Err(anyhow!(unusable())),
    };
    if prefix.as_ref().is_empty() {
        return Ok(store);
    }
    Ok(Arc::new(PrefixStore::new(store, prefix)))
}

fn folder_of(url: &Url) -> anyhow::Result<PathBuf> {
    url.to_file_path()
        .map_err(|()| anyhow!("{:?} does not name a folder; {HINT}", url.as_str()))
}

pub(crate) fn open_folder(folder: &Path) -> anyhow::Result<Arc<dyn ObjectStore>> {
    let folder: PathBuf = writable_folder(folder)?;
    let store = LocalFileSystem::new_with_prefix(&folder)
        .with_context(|| format!("can't use {} as object store", folder.display()))?;
    Ok(Arc::new(store))
}

#[cfg(test)]
mod tests {
    use object_store::ObjectStoreExt;
    use object_store::path::Path as Key;

    use super::*;

    #[tokio::test]
    async fn a_file_url_is_a_folder_of_objects() {
        let folder = tempfile::tempdir().expect("temp folder");
        let url = Url::from_directory_path(folder.path().join("new")).expect("URL");
        let store = open_url(url.as_str()).expect("store");
        let key = Key::from("renders/a.mp4");
        store.put(&key, b"abc".to_vec().into()).await.expect("put");
        assert!(folder.path().join("new/renders/a.mp4").is_file());
    }

    #[test]
    fn only_s3_signs_uploads() {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let signs = |url: Option<&str>| {
            let store_url = url.map(str::to_owned);
            StoreArgs { store_url }.signer().expect("opened").is_some()
        };
        assert!(signs(Some("s3://bucket/prefix")));
        for other in [None, Some("file:///folder"), Some("gs://bucket/prefix")] {
            assert!(!signs(other), "{other:?}");
        }
    }

    #[test]
    fn what_is_no_store_is_refused_with_examples() {
        for text in ["nonsense", "ftp://host/x", "file://host-only"] {
            let error = open_url(text).err().map(|error| format!("{error:#}"));
            assert!(
                error
                    .as_ref()
                    .is_some_and(|error| error.contains("s3://bucket")),
                "{text}: {error:?}"
            );
        }
    }
}
