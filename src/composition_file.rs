//! Reads the composition files of the local tools.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use kinora_composition::document::Composition;
use kinora_composition::request;

/// A composition, and the folder that its relative media paths are relative to.
pub(crate) struct CompositionFile {
    pub(crate) composition: Arc<Composition>,
    pub(crate) folder: PathBuf,
}

/// Reads a file that holds a composition, bare or as `inputProps`.
pub(crate) fn read(file: &Path) -> anyhow::Result<CompositionFile> {
    let contents = std::fs::read(file).with_context(|| format!("can't read {}", file.display()))?;
    let composition = request::read_file(&contents)
        .map_err(|refusal| anyhow!("{}: {}", file.display(), refusal.message))?;
    let absolute = std::path::absolute(file).context("the current folder is gone")?;
    let folder = absolute.parent().map(Path::to_owned).unwrap_or_default();
    Ok(CompositionFile {
        composition: Arc::new(composition),
        folder,
    })
}
