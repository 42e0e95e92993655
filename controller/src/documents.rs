//! Compositions that are kept: how they are stored, checked before that, and read again.

use kinora_composition::{
    document::{Composition, Issue, Limits},
    media_url, variables,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Error, Result, assets};

/// A composition as it is stored, with what lists show of it.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    pub(crate) composition_json: String,
    pub(crate) variables_json: String,
    pub(crate) is_dynamic: bool,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) fps: u32,
    pub(crate) frames: u32,
}

/// A variable as lists show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) default: Value,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// Whether the default is an address.
    is_media: bool,
}

impl Saved {
    /// Makes a composition, whose own files begin with `public_url`, ready to be stored.
    pub(crate) fn new(composition: &Composition, public_url: &str) -> Result<Self> {
        let mut document = composition.to_json();
        assets::collapse(&mut document, public_url);
        let (saved, _) = Composition::from_json(&document)
            .map_err(|issues| Error::Corrupt(format!("a composition to save: {issues:?}")))?;
        let variables: Vec<Listed> = variables::listed(&saved)
            .into_iter()
            .map(|variable| Listed {
                is_media: is_media(&saved, &variable.name),
                name: variable.name,
                default: variable.default,
                kind: variable.kind.to_owned(),
            })
            .collect();
        Ok(Self {
            composition_json: document.to_string(),
            is_dynamic: !variables.is_empty(),
            variables_json: serde_json::json!(variables).to_string(),
            width: composition.width,
            height: composition.height,
            fps: composition.fps,
            frames: composition.duration_in_frames,
        })
    }
}

fn is_media(composition: &Composition, variable: &str) -> bool {
    composition.overlays.iter().any(|overlay| {
        overlay.base.is_dynamic == Some(true)
            && overlay.base.name.as_deref() == Some(variable)
            && overlay.src().is_some()
    })
}

/// The variables stored beside a composition, with addresses that can be fetched.
pub(crate) fn listed(variables_json: &str, public_url: &str) -> Result<Vec<Listed>> {
    let mut variables: Vec<Listed> = serde_json::from_str(variables_json)
        .map_err(|error| Error::Corrupt(format!("saved variables: {error}")))?;
    for variable in &mut variables {
        if variable.is_media
            && let Value::String(source) = &mut variable.default
        {
            *source = assets::url(source, public_url);
        }
    }
    Ok(variables)
}

/// A stored composition as it is used: with addresses that can be fetched.
pub(crate) fn read(composition_json: &str, public_url: &str) -> Result<Value> {
    let mut document = serde_json::from_str(composition_json)
        .map_err(|error| Error::Corrupt(format!("a saved composition: {error}")))?;
    assets::expand(&mut document, public_url);
    Ok(document)
}

/// A stored composition, typed.
pub(crate) fn composition(composition_json: &str, public_url: &str) -> Result<Composition> {
    let document = read(composition_json, public_url)?;
    let (composition, _) = Composition::from_json(&document)
        .map_err(|issues| Error::Corrupt(format!("a saved composition: {issues:?}")))?;
    Ok(composition)
}

/// Checks a composition that somebody wants to keep: every problem of it, or the composition.
///
/// Unlike in a render, a variable may lack its source: whoever renders it supplies one.
pub(crate) fn check(document: &Value) -> std::result::Result<Composition, Vec<Issue>> {
    let (composition, _) = Composition::from_json(document)?;
    let mut issues = composition.unrenderable(&Limits::default());
    for (index, overlay) in composition.overlays.iter().enumerate() {
        let is_missing = overlay.src().is_some_and(|src| src.trim().is_empty());
        if is_missing && overlay.base.is_dynamic != Some(true) {
            issues.push(Issue {
                path: format!("overlays[{index}].src"),
                message: "must not be empty".into(),
            });
        }
    }
    for media_url::MediaSource { path, url } in media_url::sources(&composition) {
        let lower = url.trim().to_ascii_lowercase();
        let fetchable = lower.starts_with("http://") || lower.starts_with("https://");
        if !lower.is_empty() && !fetchable {
            issues.push(Issue {
                path,
                message: "must be an http or https URL".into(),
            });
        }
    }
    if issues.is_empty() {
        Ok(composition)
    } else {
        Err(issues)
    }
}
