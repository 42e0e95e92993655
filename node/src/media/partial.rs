//! A file on its way into the cache.

use std::path::Path;

use reqwest::Response;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::fs::File;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use url::Url;

use super::answer::{ResumePoint, Validators, takes_ranges};
use crate::{Context, Error, Result};

/// A finished download, not yet in the cache.
pub(super) struct Download {
    pub(super) file: NamedTempFile,
    pub(super) sha256: String,
    pub(super) bytes: u64,
    pub(super) validators: Validators,
}

/// More bytes than are accepted.
pub(super) struct TooLarge;

/// The part of a file that has come.
pub(super) struct Partial {
    file: NamedTempFile,
    writer: File,
    hasher: Sha256,
    bytes: u64,
    max_bytes: u64,
    /// Length of the whole, if the server said it.
    total: Option<u64>,
    takes_ranges: bool,
    pub(super) validators: Validators,
}

impl Partial {
    /// Nothing yet, in a file that is locked: what is not locked there was left by a crash.
    pub(super) fn create(folder: &Path, max_bytes: u64) -> Result<Self> {
        let file = NamedTempFile::new_in(folder).context("making a file in the media cache")?;
        // Where files can't be locked, no other process is told of this one.
        let _ = file.as_file().try_lock();
        let handle = file.reopen().context("opening a file in the media cache")?;
        Ok(Self {
            file,
            writer: File::from_std(handle),
            hasher: Sha256::new(),
            bytes: 0,
            max_bytes,
            total: None,
            takes_ranges: false,
            validators: Validators::default(),
        })
    }

    /// Bytes that have come.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Where to go on, if that can be.
    pub(super) fn resume_point(&self) -> Option<ResumePoint> {
        ResumePoint::new(self.bytes, self.total, &self.validators, self.takes_ranges)
    }

    /// Forgets all that has come.
    pub(super) async fn start_over(&mut self) -> Result<()> {
        if self.bytes > 0 {
            self.writer.flush().await.context(WRITING)?;
            self.writer.rewind().await.context(WRITING)?;
            self.writer.set_len(0).await.context(WRITING)?;
        }
        self.hasher = Sha256::new();
        self.bytes = 0;
        self.total = None;
        Ok(())
    }

    /// Takes note of what an answer says of the bytes that follow.
    pub(super) fn expect(&mut self, response: &Response) -> Result<(), TooLarge> {
        let following = response.content_length();
        let total = following.and_then(|length| length.checked_add(self.bytes));
        if total.is_some_and(|total| total > self.max_bytes) {
            return Err(TooLarge);
        }
        self.total = total.or(self.total);
        if self.bytes == 0 {
            self.validators = Validators::of(response.headers());
            self.takes_ranges = takes_ranges(response.headers());
        }
        Ok(())
    }

    /// Adds the bytes that came next.
    pub(super) async fn push(&mut self, piece: &[u8]) -> Result<Result<(), TooLarge>> {
        if self.bytes + piece.len() as u64 > self.max_bytes {
            return Ok(Err(TooLarge));
        }
        self.writer.write_all(piece).await.context(WRITING)?;
        self.hasher.update(piece);
        self.bytes += piece.len() as u64;
        Ok(Ok(()))
    }

    /// Whether less came than was announced.
    pub(super) fn is_short(&self) -> bool {
        self.total.is_some_and(|total| self.bytes < total)
    }

    /// The whole file.
    pub(super) async fn finish(mut self, source: &Url) -> Result<Download> {
        self.writer.flush().await.context(WRITING)?;
        if self.bytes == 0 {
            return Err(Error::BadInput(format!("{source} is empty")));
        }
        Ok(Download {
            file: self.file,
            sha256: hex(&self.hasher.finalize()),
            bytes: self.bytes,
            validators: self.validators,
        })
    }
}

const WRITING: &str = "writing to the media cache";

/// Lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
