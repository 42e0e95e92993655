//! A disk cache of fetched media: content-addressed, bounded in size, one fetch for each URL.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared, WeakShared};
use kinora_outbound::{any_address, is_public};
use sha2::{Digest, Sha256};
use url::Url;

use super::answer::Validators;
use super::fetch::{Bounds, Fetcher, Outcome};
use super::own::OwnFiles;
use super::partial::hex;
use super::stock::{Found, Stock};
use crate::{Context, Error, Result};

/// How long a fetched URL is taken for unchanged. Long enough that all parts of a render see one
/// version, short enough that a file replaced at its URL is soon seen.
const FRESH_FOR: Duration = Duration::from_secs(600);

/// Where the cache lives and what bounds hold.
#[derive(Clone, Debug)]
pub struct CacheConfig {
    /// Folder of the cache; made if missing.
    pub dir: PathBuf,
    /// Size at which the least recently used files go. Files in use never go.
    pub max_bytes: u64,
    /// Whether addresses outside the public internet may be fetched from.
    pub allow_private: bool,
    /// Folder that relative paths are taken from; without it local files are refused.
    pub local_base: Option<PathBuf>,
    /// Largest single file.
    pub max_file_bytes: u64,
    /// Longest single fetch.
    pub timeout: Duration,
    /// Longest time in which a server may say nothing, or next to nothing.
    pub silence: Duration,
    /// How long a fetched URL is taken for unchanged; after that its server is asked.
    pub fresh_for: Duration,
    /// Most redirects followed.
    pub max_redirects: usize,
}

impl CacheConfig {
    /// The usual bounds: 20 GiB in all, 2 GiB a file, 5 minutes, 5 redirects, public URLs only.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            max_bytes: 20 << 30,
            allow_private: false,
            local_base: None,
            max_file_bytes: 2 << 30,
            timeout: Duration::from_secs(300),
            silence: Duration::from_secs(20),
            fresh_for: FRESH_FOR,
            max_redirects: 5,
        }
    }
}

/// A local file with the bytes of a source. While any clone lives, the cache keeps the file.
#[derive(Clone, Debug)]
pub struct MediaFile(pub(super) Arc<Pinned>);

#[derive(Debug)]
pub(super) struct Pinned {
    path: PathBuf,
}

impl MediaFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self(Arc::new(Pinned { path }))
    }

    /// Where the bytes are.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

/// Fetches sources once and keeps them. Cheap to clone.
#[derive(Clone)]
pub struct MediaCache(Arc<Inner>);

/// What was asked of a cache since it was opened, and what it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheUse {
    /// Sources whose file was there.
    pub hits: u64,
    /// Sources that had to be fetched.
    pub misses: u64,
    /// Sources whose server was asked, and that had not changed.
    pub revalidated: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

struct Inner {
    incoming: PathBuf,
    local_base: Option<PathBuf>,
    fetcher: Fetcher,
    state: Mutex<State>,
}

struct State {
    stock: Stock,
    /// What was asked; bytes are counted by the stock.
    asked: CacheUse,
    /// By URL. A fetch that nobody waits for any more ends.
    in_flight: HashMap<String, WeakFlight>,
}

/// A fetch that any number of callers wait for.
type Flight = Shared<BoxFuture<'static, Result<MediaFile, Arc<Error>>>>;
type WeakFlight = WeakShared<BoxFuture<'static, Result<MediaFile, Arc<Error>>>>;

impl MediaCache {
    /// Opens the cache folder, takes stock of what an earlier process left there and removes what
    /// it did not finish.
    pub fn open(config: CacheConfig) -> Result<Self> {
        let incoming = config.dir.join("incoming");
        fs::create_dir_all(&incoming).context("making the media cache folder")?;
        remove_unfinished(&incoming).context("reading the media cache")?;
        let stock = Stock::open(&config.dir, config.max_bytes, config.fresh_for)
            .context("reading the media cache")?;
        let fetcher = Fetcher::new(Bounds {
            allows: if config.allow_private {
                any_address
            } else {
                is_public
            },
            max_bytes: config.max_file_bytes,
            timeout: config.timeout,
            silence: config.silence,
            max_redirects: config.max_redirects,
        })?;
        Ok(Self(Arc::new(Inner {
            incoming,
            local_base: config.local_base,
            fetcher,
            state: Mutex::new(State {
                stock,
                asked: CacheUse::default(),
                in_flight: HashMap::new(),
            }),
        })))
    }

    /// What was asked of it, and what it holds.
    pub fn usage(&self) -> CacheUse {
        let state = self.0.state();
        CacheUse {
            bytes: state.stock.bytes(),
            ..state.asked
        }
    }

    /// The local file of a source: an http or https URL, or, where local files are allowed, a path.
    /// A URL of our own files is read from their store, and never over HTTP.
    pub async fn fetch(&self, src: &str, own: Option<&OwnFiles>) -> Result<MediaFile> {
        match Url::parse(src) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => {
                self.fetch_url(url, own.cloned()).await
            }
            parsed => self.0.local_file(src, parsed.ok()),
        }
    }

    async fn fetch_url(&self, url: Url, own: Option<OwnFiles>) -> Result<MediaFile> {
        let key = url_key(&url);
        let flight = {
            let mut state = self.0.state();
            let found = state.stock.lookup(&key);
            if let Found::Fresh(file) = found {
                state.asked.hits += 1;
                return Ok(file);
            }
            let current = state.in_flight.get(&key).and_then(WeakShared::upgrade);
            // Who waits for the fetch of another finds the file as if it had come a moment later.
            state.asked.hits += u64::from(current.is_some());
            current.unwrap_or_else(|| {
                let flight = self.take_off(key.clone(), url, own, found);
                if let Some(weak) = flight.downgrade() {
                    state.in_flight.insert(key, weak);
                }
                flight
            })
        };
        let result = flight.clone().await;
        self.0
            .state()
            .in_flight
            .retain(|_, other| other.upgrade().is_some_and(|other| !other.ptr_eq(&flight)));
        result.map_err(|error| match &*error {
            Error::BadInput(message) => Error::BadInput(message.clone()),
            Error::Cancelled => Error::Cancelled,
            Error::DeviceLost(reason) => Error::DeviceLost(reason.clone()),
            Error::Internal { context, source } => {
                Error::internal(context.clone(), source.to_string())
            }
        })
    }

    /// A fetch of what is not there, or of news about what is.
    fn take_off(&self, key: String, url: Url, own: Option<OwnFiles>, found: Found) -> Flight {
        let inner = self.0.clone();
        let fetch = async move {
            let (there, known) = match found {
                Found::Stale(file, known) => (Some(file), known),
                _ => (None, Validators::default()),
            };
            let outcome = inner.download(&url, own.as_ref(), &known).await;
            match &outcome {
                Ok(Outcome::Unchanged) => inner.state().asked.revalidated += 1,
                _ => inner.state().asked.misses += 1,
            }
            outcome.and_then(|outcome| match (outcome, there) {
                (Outcome::New(download), _) => inner.state().stock.keep(download, &key),
                (Outcome::Unchanged, Some(there)) => {
                    inner.state().stock.refresh(&key)?;
                    Ok(there)
                }
                (Outcome::Unchanged, None) => Err(Error::internal(
                    "fetching media",
                    "the server named nothing unchanged",
                )),
            })
        };
        fetch
            .map(|result: Result<MediaFile>| result.map_err(Arc::new))
            .boxed()
            .shared()
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        // The state is consistent after every statement; a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn local_file(&self, src: &str, url: Option<Url>) -> Result<MediaFile> {
        let Some(base) = &self.local_base else {
            return Err(Error::BadInput(format!(
                "{src} is not an http or https URL"
            )));
        };
        let path = match url {
            Some(url) if url.scheme() == "file" => url
                .to_file_path()
                .map_err(|()| Error::BadInput(format!("{src} does not name a local file")))?,
            _ => base.join(src),
        };
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => Ok(MediaFile::new(path)),
            Ok(_) => Err(Error::BadInput(format!("{src} is not a file"))),
            Err(error) => Err(Error::BadInput(format!(
                "{src} can't be read: {}",
                error.kind()
            ))),
        }
    }

    async fn download(
        &self,
        url: &Url,
        own: Option<&OwnFiles>,
        known: &Validators,
    ) -> Result<Outcome> {
        match own.and_then(|own| Some((own, own.key(url)?))) {
            Some((own, key)) => {
                let object = (own.store(), &key);
                self.fetcher.read(url, object, known, &self.incoming).await
            }
            None => self.fetcher.download(url, known, &self.incoming).await,
        }
    }
}

/// Removes files that nobody writes: a process that does holds a lock on them.
fn remove_unfinished(incoming: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(incoming)? {
        let path = entry?.path();
        let is_abandoned = fs::File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if is_abandoned {
            // A file that is gone already is as good as removed.
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}

fn url_key(url: &Url) -> String {
    hex(&Sha256::digest(url.as_str().as_bytes()))
}
