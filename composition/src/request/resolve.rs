//! From a request and the document it names to the composition that will be rendered.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::ai::{Ai, AiKind, AiValue, MOST_OF_A_KIND, SkippedAi};
use super::parse::{self, Mode, RenderRequest};
use super::refusal::{Refusal, issue, shortened};
use super::replacements::{self, Replaced};
use crate::document::{Composition, Field, Issue, Limits, Overlay, OverlayKind};
use crate::media_url;
use crate::variables::{default_value, field_name, variable_name};

/// A request with everything in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// Where the composition came from.
    pub mode: Mode,
    /// The final composition: replacements, direct URLs and overrides in, unknown fields gone.
    pub composition: Composition,
    /// Every variable, one for each overlay, in document order.
    pub variables: Vec<ResolvedVariable>,
    /// Keys that match no variable; in direct mode all of them.
    pub unknown_replacements: Vec<String>,
    /// Paths of fields that are not in the schema: inside the composition, or `replacements.…`.
    pub unknown_fields: Vec<String>,
    /// URLs that were not taken as they were written, in document order.
    pub rewritten: Vec<RewrittenUrl>,
    /// AI values that were left out.
    pub skipped_ai: Vec<SkippedAi>,
}

/// What landed on one variable.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedVariable {
    /// The key.
    pub name: String,
    /// What will be shown or played; null where an AI value was left out.
    pub value: Value,
    /// The overlay's id.
    pub overlay_id: Value,
    /// The overlay's type.
    pub overlay_type: &'static str,
    /// The field that a replacement writes: `content` or `src`.
    pub field: &'static str,
    /// Where the value came from.
    pub origin: Origin,
}

/// Where a variable's value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A replacement.
    Replacement,
    /// The document.
    Default,
    /// Generated speech.
    Tts,
    /// Recognised speech.
    Transcribe,
    /// An AI value that was left out.
    Skipped,
}

impl Origin {
    /// The name in API answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Replacement => "replacement",
            Self::Default => "default",
            Self::Tts => "tts",
            Self::Transcribe => "transcribe",
            Self::Skipped => "skipped",
        }
    }
}

/// A media URL that was made fetchable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewrittenUrl {
    /// Index of the overlay in the document; none for the composition's own `src`.
    pub overlay: Option<usize>,
    /// Where in the document.
    pub path: String,
    /// The variable, where the overlay is one.
    pub variable: Option<String>,
    /// As it was written.
    pub from: String,
    /// As it will be fetched.
    pub to: String,
}

/// Resolves a request. `document` is the composition's JSON: `inputProps` itself, or what the template
/// or project holds.
pub fn resolve(
    request: &RenderRequest,
    document: &Value,
    ai: Ai,
    limits: &Limits,
) -> Result<Resolution, Refusal> {
    let mode = request.mode();
    let (mut composition, mut unknown_fields) = read_document(document, mode)?;
    request.overrides.apply(&mut composition);

    let mut replaced = match mode {
        Mode::Direct => Replaced {
            unknown_keys: request.replacements.keys().cloned().collect(),
            ..Replaced::default()
        },
        Mode::Template | Mode::Project => {
            replacements::apply(&request.replacements, &mut composition)
        }
    };
    unknown_fields.append(&mut replaced.unknown_fields);

    let rewritten = check_media(&mut composition, &mut replaced, mode)?;
    let mut unrenderable = match ai {
        Ai::Refuse => not_available(&replaced.ai),
        Ai::Skip => too_many(&replaced.ai),
    };
    unrenderable.extend(composition.unrenderable(limits));
    if !unrenderable.is_empty() {
        return Err(Refusal::unrenderable(&unrenderable));
    }

    let variables = resolved_variables(&composition, &replaced, &request.replacements);
    let skipped_ai = leave_out_ai(&mut composition, &replaced.ai);
    Ok(Resolution {
        mode,
        composition,
        variables,
        unknown_replacements: replaced.unknown_keys,
        unknown_fields,
        rewritten,
        skipped_ai,
    })
}

/// Reads a composition from a file: bare, or inside an object with `inputProps`. Its media may be
/// local files.
pub fn read_file(contents: &[u8]) -> Result<Composition, Refusal> {
    let value = parse::json(contents)?;
    let composition = value.get("inputProps").unwrap_or(&value);
    let (composition, _) =
        Composition::from_json(composition).map_err(|issues| Refusal::invalid(&issues))?;
    let missing: Vec<(usize, &Overlay)> = without_source(&composition).collect();
    if !missing.is_empty() {
        let issues: Vec<Issue> = missing
            .iter()
            .map(|(index, _)| issue(format!("overlays[{index}].src"), NO_SOURCE))
            .collect();
        let missing: Vec<Value> = missing
            .iter()
            .map(|(_, overlay)| describe(overlay))
            .collect();
        return Err(Refusal::missing_media(&missing, &issues));
    }
    let issues = composition.unrenderable(&Limits::default());
    if issues.is_empty() {
        Ok(composition)
    } else {
        Err(Refusal::unrenderable(&issues))
    }
}

const NO_SOURCE: &str = "is empty: the overlay has no source";

fn read_document(document: &Value, mode: Mode) -> Result<(Composition, Vec<String>), Refusal> {
    Composition::from_json(document).map_err(|issues| {
        let issues: Vec<Issue> = issues
            .into_iter()
            .map(|found| issue(prefixed(mode, &found.path), found.message))
            .collect();
        Refusal::invalid(&issues)
    })
}

/// The path of a place of the document within the request.
fn prefixed(mode: Mode, path: &str) -> String {
    match (mode, path) {
        (Mode::Direct, "") => "inputProps".into(),
        (Mode::Direct, path) => format!("inputProps.{path}"),
        (Mode::Template | Mode::Project, path) => path.into(),
    }
}

/// Makes every media URL fetchable, and refuses what is none, together with replacements that did
/// not suit their variables.
fn check_media(
    composition: &mut Composition,
    replaced: &mut Replaced,
    mode: Mode,
) -> Result<Vec<RewrittenUrl>, Refusal> {
    let variables: Vec<Option<String>> = composition
        .overlays
        .iter()
        .map(|overlay| variable_name(overlay).map(Into::into))
        .collect();
    // Generated speech takes the place of whatever source stands there.
    let generated = |index: Option<usize>| {
        let name = index.and_then(|index| variables[index].as_ref());
        name.is_some_and(|name| replaced.ai.contains_key(name))
    };
    let missing: Vec<usize> = without_source(composition)
        .map(|(index, _)| index)
        .filter(|index| !generated(Some(*index)))
        .collect();

    let mut rewritten = Vec::new();
    let mut issues = std::mem::take(&mut replaced.issues);
    media_url::visit_urls(composition, |index, path, url| {
        if generated(index) {
            return;
        }
        let place = match index.and_then(|index| replaced.overlays.get(&index)) {
            Some(key) => format!("replacements.{key}"),
            None => prefixed(mode, path),
        };
        if url.trim().is_empty() {
            if index.is_some_and(|index| missing.binary_search(&index).is_ok()) {
                issues.push(issue(place, NO_SOURCE));
            }
            return;
        }
        match media_url::normalise(url) {
            None => issues.push(issue(place, media_url::EXPECTED)),
            Some(direct) if direct == *url => {}
            Some(direct) => rewritten.push(RewrittenUrl {
                overlay: index,
                path: path.into(),
                variable: index.and_then(|index| variables[index].clone()),
                to: direct.clone(),
                from: std::mem::replace(url, direct),
            }),
        }
    });
    if !missing.is_empty() {
        let missing: Vec<Value> = missing
            .iter()
            .map(|index| describe(&composition.overlays[*index]))
            .collect();
        return Err(Refusal::missing_media(&missing, &issues));
    }
    if !issues.is_empty() {
        return Err(Refusal::invalid(&issues));
    }
    Ok(rewritten)
}

fn without_source(composition: &Composition) -> impl Iterator<Item = (usize, &Overlay)> {
    let overlays = composition.overlays.iter().enumerate();
    overlays.filter(|(_, overlay)| overlay.src().is_some_and(|src| src.trim().is_empty()))
}

fn describe(overlay: &Overlay) -> Value {
    const LONGEST_NAME: usize = 200;
    let name = overlay.base.name.clone().filter(|name| !name.is_empty());
    json!({
        "name": shortened(&name.unwrap_or_else(|| overlay.label()), LONGEST_NAME),
        "id": overlay.base.id.write(),
        "type": overlay.kind.type_name(),
    })
}

fn not_available(values: &BTreeMap<String, AiValue>) -> Vec<Issue> {
    let mut issues = too_many(values);
    issues.extend(values.iter().map(|(key, value)| {
        issue(
            format!("replacements.{key}"),
            format!(
                "{} is not available on this server yet",
                value.kind().as_str()
            ),
        )
    }));
    issues
}

fn too_many(values: &BTreeMap<String, AiValue>) -> Vec<Issue> {
    [AiKind::Tts, AiKind::Transcribe]
        .into_iter()
        .flat_map(|kind| {
            let of_kind = values.iter().filter(move |(_, value)| value.kind() == kind);
            of_kind.skip(MOST_OF_A_KIND).map(move |(key, _)| {
                issue(
                    format!("replacements.{key}"),
                    format!(
                        "at most {MOST_OF_A_KIND} {} values are allowed in one request",
                        kind.as_str()
                    ),
                )
            })
        })
        .collect()
}

fn resolved_variables(
    composition: &Composition,
    replaced: &Replaced,
    values: &serde_json::Map<String, Value>,
) -> Vec<ResolvedVariable> {
    let overlays = composition.overlays.iter().enumerate();
    overlays
        .filter_map(|(index, overlay)| {
            let name = variable_name(overlay)?;
            let (origin, value) = if replaced.ai.contains_key(name) {
                (Origin::Skipped, Value::Null)
            } else if replaced.overlays.contains_key(&index) {
                (Origin::Replacement, landed(overlay, &values[name]))
            } else {
                (Origin::Default, default_value(overlay).into())
            };
            Some(ResolvedVariable {
                name: name.into(),
                value,
                overlay_id: overlay.base.id.write(),
                overlay_type: overlay.kind.type_name(),
                field: field_name(&overlay.kind),
                origin,
            })
        })
        .collect()
}

/// What a replacement became: the text or URL, or the captions where captions were sent.
fn landed(overlay: &Overlay, sent: &Value) -> Value {
    match &overlay.kind {
        OverlayKind::Caption(track) if sent.is_array() => track.captions.write(),
        _ => default_value(overlay).into(),
    }
}

/// Takes narration that was not generated out of the composition, and empties captions.
fn leave_out_ai(
    composition: &mut Composition,
    values: &BTreeMap<String, AiValue>,
) -> Vec<SkippedAi> {
    let value_of = |overlay: &Overlay| variable_name(overlay).and_then(|name| values.get(name));
    composition
        .overlays
        .retain(|overlay| value_of(overlay).is_none_or(|value| value.kind() != AiKind::Tts));
    for overlay in &mut composition.overlays {
        if value_of(overlay).is_some()
            && let OverlayKind::Caption(track) = &mut overlay.kind
        {
            track.captions.clear();
        }
    }
    let narrations: Vec<&str> = values
        .iter()
        .filter(|(_, value)| value.kind() == AiKind::Tts)
        .map(|(key, _)| key.as_str())
        .collect();
    values
        .iter()
        .map(|(key, value)| value.skipped(key, &narrations))
        .collect()
}
