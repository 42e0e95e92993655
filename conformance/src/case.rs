//! One case: a composition, and the frames of it that are compared.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

/// A case as it is written.
#[derive(Deserialize)]
pub(crate) struct Case {
    #[serde(skip)]
    pub(crate) name: String,
    pub(crate) composition: Value,
    pub(crate) frames: Vec<u32>,
}

/// Reads every case of a folder, in the order of their names.
pub(crate) fn read_all(folder: &Path) -> anyhow::Result<Vec<Case>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .with_context(|| format!("can't read {}", folder.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "json")
    });
    files.sort();
    files
        .iter()
        .map(|file| {
            let text = std::fs::read(file)?;
            let mut case: Case =
                serde_json::from_slice(&text).with_context(|| file.display().to_string())?;
            case.name = file
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            Ok(case)
        })
        .collect()
}
