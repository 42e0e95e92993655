//! One case: a composition, and the frames of it that are compared.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

/// A case as it is written.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// The name of its file.
    #[serde(skip)]
    pub name: String,
    /// The document.
    pub composition: Value,
    /// The frames that are compared.
    pub frames: Vec<u32>,
    /// What it is about.
    #[serde(default)]
    pub tags: Vec<String>,
    /// What is asked of the frames.
    #[serde(default)]
    pub compare: Compare,
}

/// What is asked of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compare {
    /// To look like the reference.
    #[default]
    Pixels,
    /// That text fills its boxes and stays inside; its size is ours to choose.
    Fit,
}

/// The name of a frame of a case, as in `fade.f12`.
pub fn frame_key(name: &str, frame: u32) -> String {
    format!("{name}.f{frame}")
}

/// Reads every case of a folder, in the order of their names.
pub fn read_all(folder: &Path) -> anyhow::Result<Vec<Case>> {
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
