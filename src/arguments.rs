//! Arguments that several subcommands share: the data folder, the engine, the farm's slots.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::builder::BoolishValueParser;
use clap::{ArgAction, Args, ValueEnum};
use kinora_node::EngineConfig;
use tempfile::TempDir;

const GIB: u64 = 1024 * 1024 * 1024;

/// The folder that holds everything that is not configured to lie elsewhere.
#[derive(Args, Clone)]
pub(crate) struct DataFolder {
    /// Folder for the database, the objects and the media cache
    #[arg(long, env = "KINORA_DATA", default_value = "./kinora-data")]
    pub(crate) data: PathBuf,
}

impl DataFolder {
    pub(crate) fn objects(&self) -> PathBuf {
        self.data.join("objects")
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.data.join("cache")
    }

    /// Takes the folder for this process alone, until the returned file is dropped.
    pub(crate) fn lock(&self) -> anyhow::Result<File> {
        let path = writable_folder(&self.data)?.join("serve.lock");
        let file =
            File::create(&path).with_context(|| format!("can't write {}", path.display()))?;
        file.try_lock().map_err(|_| {
            anyhow!(
                "another kinora serve uses the folder {}; stop it or choose another with --data",
                self.data.display()
            )
        })?;
        Ok(file)
    }

    /// A fresh folder for unfinished files. Those of a process that was killed are deleted first,
    /// so the folder must be locked.
    pub(crate) fn work_folder(&self) -> anyhow::Result<TempDir> {
        let work = self.data.join("work");
        match std::fs::remove_dir_all(&work) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                tracing::warn!(folder = %work.display(), %error, "old unfinished files stay");
            }
            _ => {}
        }
        let work = writable_folder(&work)?;
        tempfile::tempdir_in(&work).with_context(|| format!("can't write into {}", work.display()))
    }

    pub(crate) fn database_file(&self) -> PathBuf {
        self.data.join("kinora.db")
    }
}

/// Settings of the renderer.
#[derive(Args, Clone)]
pub(crate) struct EngineArgs {
    /// Folder with the font files; `make fonts` fills ./fonts
    #[arg(long, env = "KINORA_FONTS")]
    fonts: Option<PathBuf>,
    /// Folder for fetched media; by default one that is deleted afterwards
    #[arg(long = "cache", env = "KINORA_CACHE_DIR")]
    cache_dir: Option<PathBuf>,
    /// How many GiB of fetched media to keep
    #[arg(long, env = "KINORA_CACHE_GIB", default_value_t = 20)]
    cache_gib: u64,
    /// Encoder to use instead of the best one: nvenc, x264, openh264, or x265 for HEVC
    #[arg(long, env = "KINORA_ENCODER")]
    encoder: Option<String>,
    /// Whether a video engine decodes, where there is one
    #[arg(long, env = "KINORA_HW_DECODE", value_enum, default_value_t = HwDecode::Auto)]
    hw_decode: HwDecode,
}

/// Who decodes video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HwDecode {
    /// A video engine where there is one, else the processors.
    Auto,
    /// The processors.
    Off,
}

impl EngineArgs {
    /// The font folder, where one was named.
    pub(crate) fn fonts(&self) -> Option<&Path> {
        self.fonts.as_deref()
    }

    /// Whether a video engine may decode.
    pub(crate) fn hardware_decoding(&self) -> bool {
        self.hw_decode == HwDecode::Auto
    }

    /// The engine's configuration, and the temporary cache folder to keep alive beside it.
    pub(crate) fn config(
        &self,
        allow_private_urls: bool,
        local_media: Option<PathBuf>,
        default_cache: Option<PathBuf>,
    ) -> anyhow::Result<(EngineConfig, Option<TempDir>)> {
        let (cache_dir, temporary) = match self.cache_dir.clone().or(default_cache) {
            Some(folder) => (writable_folder(&folder)?, None),
            None => {
                let folder = temporary_folder()?;
                (folder.path().to_owned(), Some(folder))
            }
        };
        let config = EngineConfig {
            fonts: self.fonts.clone(),
            cache_dir,
            cache_bytes: self.cache_gib.saturating_mul(GIB),
            allow_private_urls,
            local_media,
            encoder: self.encoder.clone(),
            hardware_decoding: self.hardware_decoding(),
        };
        Ok((config, temporary))
    }
}

/// Whether media may be fetched from this machine and its network, and webhooks sent there.
#[derive(Args, Clone, Copy)]
pub(crate) struct PrivateUrls {
    /// Let media and webhooks be on loopback and private addresses (1 or 0)
    #[arg(long, env = "KINORA_ALLOW_PRIVATE_URLS", action = ArgAction::Set,
          value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    allow_private_urls: Option<bool>,
}

impl PrivateUrls {
    pub(crate) fn allowed_or(self, default: bool) -> bool {
        self.allow_private_urls.unwrap_or(default)
    }
}

/// A folder that is deleted with its owner.
pub(crate) fn temporary_folder() -> anyhow::Result<TempDir> {
    tempfile::Builder::new()
        .prefix("kinora-")
        .tempdir()
        .context("can't create a temporary folder; set TMPDIR to a writable one")
}

/// Creates a folder if it is missing and makes sure that files can be written there.
pub(crate) fn writable_folder(folder: &Path) -> anyhow::Result<PathBuf> {
    let explain = |error: std::io::Error| {
        let reason = match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                "it can't be written by this user; change its owner or choose another folder"
                    .to_owned()
            }
            ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
                "it, or a folder above it, is a file; choose another folder".to_owned()
            }
            ErrorKind::StorageFull => "the disk is full; free some space".to_owned(),
            _ => error.to_string(),
        };
        anyhow!("can't use the folder {}: {reason}", folder.display())
    };
    std::fs::create_dir_all(folder).map_err(explain)?;
    tempfile::tempfile_in(folder).map_err(explain)?;
    std::path::absolute(folder).map_err(explain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_created_and_files_are_not_folders() {
        let folder = tempfile::tempdir().expect("temp folder");
        let new = writable_folder(&folder.path().join("a/b")).expect("created");
        assert!(new.is_dir() && new.is_absolute());
        let file = folder.path().join("file");
        std::fs::write(&file, "x").expect("write");
        for bad in [file.clone(), file.join("below")] {
            let error = writable_folder(&bad)
                .expect_err("a file is no folder")
                .to_string();
            assert!(error.contains("is a file"), "{error}");
        }
    }
}
