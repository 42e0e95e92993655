//! What the media cache holds: files by the hash of their content, and which URL they were seen at.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Weak;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::answer::Validators;
use super::cache::{MediaFile, Pinned};
use super::partial::Download;
use crate::{Context, Result};

/// What another process has used within this time is left to it.
const RECENTLY: Duration = Duration::from_secs(3600);
/// File systems and clocks round times; a file used later than this after us was used by another.
const CLOCK_ERROR: Duration = Duration::from_secs(2);

/// The files of a cache folder. Other processes may use the same folder: a file appears there
/// whole or not at all, and goes only when nobody has used it for a while.
pub(super) struct Stock {
    folder: PathBuf,
    index: PathBuf,
    max_bytes: u64,
    fresh_for: Duration,
    objects: HashMap<String, Object>,
    urls: HashMap<String, Known>,
    clock: u64,
}

/// A file in the cache, by the SHA-256 of its content.
struct Object {
    bytes: u64,
    /// When it was last used, in uses of the cache.
    last_used: u64,
    /// The same by the clock, as written on the file.
    touched: SystemTime,
    pin: Weak<Pinned>,
}

/// What a URL was last seen to hold.
struct Known {
    object: String,
    bytes: u64,
    validators: Validators,
    fetched: SystemTime,
}

/// What is there for a URL.
pub(super) enum Found {
    /// Its file.
    Fresh(MediaFile),
    /// A file that may have changed at its URL since, and how to ask.
    Stale(MediaFile, Validators),
    Nothing,
}

impl Stock {
    /// Takes stock of a folder, which is made if it is missing.
    pub(super) fn open(dir: &Path, max_bytes: u64, fresh_for: Duration) -> io::Result<Self> {
        let (folder, index) = (dir.join("objects"), dir.join("urls"));
        fs::create_dir_all(&folder)?;
        fs::create_dir_all(&index)?;
        let mut stock = Self {
            folder,
            index,
            max_bytes,
            fresh_for,
            objects: HashMap::new(),
            urls: HashMap::new(),
            clock: 0,
        };
        stock.read_objects()?;
        stock.read_index()?;
        stock.evict();
        Ok(stock)
    }

    fn read_objects(&mut self) -> io::Result<()> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            // Another process may have removed it since.
            let (Ok(metadata), Ok(name)) = (entry.metadata(), entry.file_name().into_string())
            else {
                continue;
            };
            found.push((metadata.modified()?, name, metadata.len()));
        }
        found.sort();
        for (touched, name, bytes) in found {
            let object = Object {
                bytes,
                last_used: self.tick(),
                touched,
                pin: Weak::new(),
            };
            self.objects.insert(name, object);
        }
        Ok(())
    }

    /// Reads which URLs are known. What does not fit its file is removed: a crash may leave a file
    /// shorter than it was.
    fn read_index(&mut self) -> io::Result<()> {
        for entry in fs::read_dir(&self.index)? {
            let entry = entry?;
            let fetched = entry.metadata().and_then(|metadata| metadata.modified());
            let (Ok(fetched), Ok(key)) = (fetched, entry.file_name().into_string()) else {
                continue;
            };
            let known = fs::read(entry.path())
                .ok()
                .and_then(|text| Known::parse(&text, fetched));
            match known {
                Some(known) if self.is_whole(&known) => {
                    self.urls.insert(key, known);
                }
                damaged => {
                    if let Some(known) = damaged {
                        self.drop_object(&known.object);
                    }
                    // A file that is gone already is as good as removed.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
        Ok(())
    }

    fn is_whole(&self, known: &Known) -> bool {
        let object = self.objects.get(&known.object);
        object.is_some_and(|object| object.bytes == known.bytes)
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn path(&self, object: &str) -> PathBuf {
        self.folder.join(object)
    }

    /// What is there for a URL, held in the cache until it is dropped.
    pub(super) fn lookup(&mut self, key: &str) -> Found {
        let Some(known) = self.urls.get(key) else {
            return Found::Nothing;
        };
        let name = known.object.clone();
        let path = self.path(&name);
        if !fs::metadata(&path).is_ok_and(|there| there.is_file() && there.len() == known.bytes) {
            self.urls.remove(key);
            self.drop_object(&name);
            return Found::Nothing;
        }
        let is_old = known
            .fetched
            .elapsed()
            .is_ok_and(|age| age > self.fresh_for);
        let validators = known.validators.clone();
        let file = self.used(&name, known.bytes);
        match is_old {
            false => Found::Fresh(file),
            true => Found::Stale(file, validators),
        }
    }

    /// Takes note that a file is used now, for other processes too, and holds it.
    fn used(&mut self, name: &str, bytes: u64) -> MediaFile {
        let (path, last_used, now) = (self.path(name), self.tick(), SystemTime::now());
        let touched = File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_modified(now));
        let object = self.objects.entry(name.to_owned()).or_insert(Object {
            bytes,
            last_used,
            touched: now,
            pin: Weak::new(),
        });
        object.last_used = last_used;
        if touched.is_ok() {
            object.touched = now;
        }
        if let Some(pin) = object.pin.upgrade() {
            return MediaFile(pin);
        }
        let file = MediaFile::new(path);
        object.pin = std::sync::Arc::downgrade(&file.0);
        file
    }

    /// Puts a download into the cache, and removes what there is no room for any more.
    pub(super) fn keep(&mut self, download: Download, key: &str) -> Result<MediaFile> {
        let known = Known {
            object: download.sha256,
            bytes: download.bytes,
            validators: download.validators,
            fetched: SystemTime::now(),
        };
        download
            .file
            .persist(self.path(&known.object))
            .context("storing a file in the media cache")?;
        let media = self.used(&known.object, known.bytes);
        self.write_down(key, &known)?;
        self.urls.insert(key.to_owned(), known);
        self.evict();
        Ok(media)
    }

    /// Takes note that a URL still holds what it held.
    pub(super) fn refresh(&mut self, key: &str) -> Result<()> {
        let Some(mut known) = self.urls.remove(key) else {
            return Ok(());
        };
        known.fetched = SystemTime::now();
        let written = self.write_down(key, &known);
        self.urls.insert(key.to_owned(), known);
        written
    }

    /// Writes what is known of a URL in one step, whoever else does so at the same time.
    fn write_down(&self, key: &str, known: &Known) -> Result<()> {
        let write = || {
            let mut file = NamedTempFile::new_in(&self.index)?;
            file.write_all(known.to_text().as_bytes())?;
            file.persist(self.index.join(key))?;
            io::Result::Ok(())
        };
        write().context("writing the media cache index")
    }

    /// Removes a file that is not what it should be.
    fn drop_object(&mut self, name: &str) {
        self.objects.remove(name);
        // A file that is gone already is as good as removed.
        let _ = fs::remove_file(self.path(name));
    }

    /// Bytes of all files.
    pub(super) fn bytes(&self) -> u64 {
        self.objects.values().map(|object| object.bytes).sum()
    }

    /// Removes least recently used files that nobody holds until the rest fits.
    fn evict(&mut self) {
        let mut total = self.bytes();
        if total <= self.max_bytes {
            return;
        }
        let mut idle: Vec<(u64, String)> = self
            .objects
            .iter()
            .filter(|(_, object)| object.pin.strong_count() == 0)
            .map(|(name, object)| (object.last_used, name.clone()))
            .collect();
        idle.sort();
        for (_, name) in idle {
            if total <= self.max_bytes {
                break;
            }
            if self.is_used_by_another(&name) {
                continue;
            }
            if let Some(object) = self.objects.get(&name) {
                total -= object.bytes;
            }
            self.drop_object(&name);
        }
        let Self {
            urls,
            objects,
            index,
            ..
        } = self;
        urls.retain(|key, known| {
            let kept = objects.contains_key(&known.object);
            if !kept {
                let _ = fs::remove_file(index.join(key));
            }
            kept
        });
    }

    fn is_used_by_another(&self, name: &str) -> bool {
        let Some(object) = self.objects.get(name) else {
            return false;
        };
        fs::metadata(self.path(name))
            .and_then(|metadata| metadata.modified())
            .is_ok_and(|touched| {
                touched > object.touched + CLOCK_ERROR
                    && touched.elapsed().is_ok_and(|age| age < RECENTLY)
            })
    }
}

impl Known {
    fn to_text(&self) -> String {
        json!({
            "object": self.object,
            "bytes": self.bytes,
            "etag": self.validators.etag,
            "lastModified": self.validators.last_modified,
        })
        .to_string()
    }

    fn parse(text: &[u8], fetched: SystemTime) -> Option<Self> {
        let value: Value = serde_json::from_slice(text).ok()?;
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let object = text("object")?;
        // It becomes the name of a file.
        if !object.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        Some(Self {
            object,
            bytes: value["bytes"].as_u64()?,
            validators: Validators {
                etag: text("etag"),
                last_modified: text("lastModified"),
            },
            fetched,
        })
    }
}
