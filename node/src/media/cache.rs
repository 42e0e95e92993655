//! A disk cache of fetched media: content-addressed, bounded in size, one fetch for each URL.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use kinora_outbound::{any_address, is_public};
use sha2::{Digest, Sha256};
use url::Url;

use super::fetch::{Bounds, Download, Fetcher, hex};
use super::own::OwnFiles;
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
            max_redirects: 5,
        }
    }
}

/// A local file with the bytes of a source. While any clone lives, the cache keeps the file.
#[derive(Clone, Debug)]
pub struct MediaFile(Arc<Pinned>);

#[derive(Debug)]
struct Pinned {
    path: PathBuf,
}

impl MediaFile {
    fn new(path: PathBuf) -> Self {
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

struct Inner {
    objects: PathBuf,
    index: PathBuf,
    incoming: PathBuf,
    max_bytes: u64,
    local_base: Option<PathBuf>,
    fetcher: Fetcher,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    objects: HashMap<String, Object>,
    urls: HashMap<String, Known>,
    in_flight: HashMap<String, Flight>,
    clock: u64,
}

/// A file in the cache, by the SHA-256 of its content.
struct Object {
    bytes: u64,
    last_used: u64,
    pin: Weak<Pinned>,
}

/// What a URL was last seen to hold.
struct Known {
    object: String,
    fetched: SystemTime,
}

/// A fetch that any number of callers wait for.
type Flight = Shared<BoxFuture<'static, Result<MediaFile, Arc<Error>>>>;

impl MediaCache {
    /// Opens the cache folder and takes stock of what an earlier process left there.
    pub fn open(config: CacheConfig) -> Result<Self> {
        let objects = config.dir.join("objects");
        let index = config.dir.join("urls");
        let incoming = config.dir.join("incoming");
        for folder in [&objects, &index, &incoming] {
            fs::create_dir_all(folder).context("making the media cache folder")?;
        }
        let fetcher = Fetcher::new(Bounds {
            allows: if config.allow_private {
                any_address
            } else {
                is_public
            },
            max_bytes: config.max_file_bytes,
            timeout: config.timeout,
            max_redirects: config.max_redirects,
        })?;
        let state = Mutex::new(State::load(&objects, &index).context("reading the media cache")?);
        Ok(Self(Arc::new(Inner {
            objects,
            index,
            incoming,
            max_bytes: config.max_bytes,
            local_base: config.local_base,
            fetcher,
            state,
        })))
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
            if let Some(file) = state.lookup(&key, &self.0.objects) {
                return Ok(file);
            }
            let start = || {
                let inner = self.0.clone();
                let key = key.clone();
                let fetch = async move {
                    let download = inner.download(&url, own.as_ref()).await;
                    download
                        .and_then(|download| inner.keep(download, &key))
                        .map_err(Arc::new)
                };
                fetch.boxed().shared()
            };
            state
                .in_flight
                .entry(key.clone())
                .or_insert_with(start)
                .clone()
        };
        let result = flight.clone().await;
        let mut state = self.0.state();
        if state
            .in_flight
            .get(&key)
            .is_some_and(|current| current.ptr_eq(&flight))
        {
            state.in_flight.remove(&key);
        }
        drop(state);
        result.map_err(|error| match &*error {
            Error::BadInput(message) => Error::BadInput(message.clone()),
            Error::Cancelled => Error::Cancelled,
            Error::Internal { context, source } => {
                Error::internal(context.clone(), source.to_string())
            }
        })
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

    async fn download(&self, url: &Url, own: Option<&OwnFiles>) -> Result<Download> {
        match own.and_then(|own| Some((own, own.key(url)?))) {
            Some((own, key)) => {
                let object = (own.store(), &key);
                self.fetcher.read(url, object, &self.incoming).await
            }
            None => self.fetcher.download(url, &self.incoming).await,
        }
    }

    /// Puts a download into the cache, and removes what there is no room for any more.
    fn keep(&self, download: Download, key: &str) -> Result<MediaFile> {
        let Download {
            file,
            sha256,
            bytes,
        } = download;
        let path = self.objects.join(&sha256);
        let mut state = self.state();
        file.persist(&path)
            .context("storing a file in the media cache")?;
        fs::write(self.index.join(key), &sha256).context("writing the media cache index")?;
        let media = state.insert(key, sha256, bytes, path);
        for evicted in state.evict(self.max_bytes) {
            // A file that is gone already is as good as removed.
            let _ = fs::remove_file(self.objects.join(evicted));
        }
        let State { urls, objects, .. } = &mut *state;
        urls.retain(|key, known| {
            let kept = objects.contains_key(&known.object);
            if !kept {
                let _ = fs::remove_file(self.index.join(key));
            }
            kept
        });
        Ok(media)
    }
}

impl State {
    fn load(objects: &Path, index: &Path) -> std::io::Result<Self> {
        let mut found = Vec::new();
        for entry in fs::read_dir(objects)? {
            let entry = entry?;
            let metadata = entry.metadata()?;
            if let Ok(name) = entry.file_name().into_string() {
                found.push((metadata.modified()?, name, metadata.len()));
            }
        }
        found.sort();
        let mut state = Self::default();
        for (_, name, bytes) in found {
            let last_used = state.tick();
            state.objects.insert(
                name,
                Object {
                    bytes,
                    last_used,
                    pin: Weak::new(),
                },
            );
        }
        for entry in fs::read_dir(index)? {
            let entry = entry?;
            let object = fs::read_to_string(entry.path())?;
            if let Ok(key) = entry.file_name().into_string()
                && state.objects.contains_key(&object)
            {
                let fetched = entry.metadata()?.modified()?;
                state.urls.insert(key, Known { object, fetched });
            }
        }
        Ok(state)
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// A pinned file for a URL that is still fresh and still there.
    fn lookup(&mut self, key: &str, folder: &Path) -> Option<MediaFile> {
        let known = self.urls.get(key)?;
        if known.fetched.elapsed().is_ok_and(|age| age > FRESH_FOR) {
            return None;
        }
        let name = known.object.clone();
        let path = folder.join(&name);
        if !path.is_file() {
            self.objects.remove(&name);
            self.urls.remove(key);
            return None;
        }
        let now = self.tick();
        let object = self.objects.get_mut(&name)?;
        object.last_used = now;
        Some(object.pinned(path))
    }

    fn insert(&mut self, key: &str, name: String, bytes: u64, path: PathBuf) -> MediaFile {
        let last_used = self.tick();
        let known = Known {
            object: name.clone(),
            fetched: SystemTime::now(),
        };
        self.urls.insert(key.to_owned(), known);
        let object = self.objects.entry(name).or_insert(Object {
            bytes,
            last_used,
            pin: Weak::new(),
        });
        object.last_used = last_used;
        object.pinned(path)
    }

    /// Forgets least recently used objects that nobody holds until the rest fits, and names them.
    fn evict(&mut self, max_bytes: u64) -> Vec<String> {
        let mut total: u64 = self.objects.values().map(|object| object.bytes).sum();
        let mut idle: Vec<(u64, String)> = self
            .objects
            .iter()
            .filter(|(_, object)| object.pin.strong_count() == 0)
            .map(|(name, object)| (object.last_used, name.clone()))
            .collect();
        idle.sort();
        let mut evicted = Vec::new();
        for (_, name) in idle {
            if total <= max_bytes {
                break;
            }
            if let Some(object) = self.objects.remove(&name) {
                total -= object.bytes;
                evicted.push(name);
            }
        }
        evicted
    }
}

impl Object {
    fn pinned(&mut self, path: PathBuf) -> MediaFile {
        if let Some(pin) = self.pin.upgrade() {
            return MediaFile(pin);
        }
        let file = MediaFile::new(path);
        self.pin = Arc::downgrade(&file.0);
        file
    }
}

fn url_key(url: &Url) -> String {
    hex(&Sha256::digest(url.as_str().as_bytes()))
}
