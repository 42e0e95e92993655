//! The body of `POST /renders` and `POST /previews`, typed.

use serde_json::{Map, Value};

use super::refusal::{Refusal, issue};
use crate::document::{Composition, Field, Issue, Reader};
use crate::media_url;

/// A render or a preview as it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderRequest {
    /// Where the composition comes from.
    pub source: Source,
    /// Values by variable name: `replacements`, and every top-level key that means nothing else.
    pub replacements: Map<String, Value>,
    /// Values that win over the composition's own.
    pub overrides: Overrides,
    /// Whether to save the composition as a project, where the caller said so.
    pub create_project: Option<bool>,
    /// The name of that project.
    pub project_name: Option<String>,
    /// One-off callback, an http or https URL.
    pub webhook_url: Option<String>,
    /// Whether a preview may spend credits on AI replacements.
    pub confirm_ai_cost: bool,
}

/// Where the composition comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Sent whole, as `inputProps`.
    Direct(Value),
    /// A template's id.
    Template(String),
    /// A project's id.
    Project(String),
}

/// The kind of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Sent whole, as `inputProps`.
    Direct,
    /// From a public template.
    Template,
    /// From a project of the caller.
    Project,
}

impl Mode {
    /// The name in API answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Template => "template",
            Self::Project => "project",
        }
    }
}

/// Canvas, rate and length that win over the composition's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Canvas width in pixels.
    pub width: Option<u32>,
    /// Canvas height in pixels.
    pub height: Option<u32>,
    /// Frames a second.
    pub fps: Option<u32>,
    /// Length of the video.
    pub duration_in_frames: Option<u32>,
}

impl Overrides {
    pub(super) fn apply(self, composition: &mut Composition) {
        composition.width = self.width.unwrap_or(composition.width);
        composition.height = self.height.unwrap_or(composition.height);
        composition.fps = self.fps.unwrap_or(composition.fps);
        composition.duration_in_frames = self
            .duration_in_frames
            .unwrap_or(composition.duration_in_frames);
    }
}

const MODES: [&str; 3] = ["inputProps", "templateId", "projectId"];
const OTHER_KEYS: [&str; 9] = [
    "replacements",
    "width",
    "height",
    "fps",
    "durationInFrames",
    "createProject",
    "projectName",
    "webhookUrl",
    "confirmAiCost",
];

impl RenderRequest {
    /// Reads a body; on failure every problem in it.
    pub fn parse(body: &[u8]) -> Result<Self, Refusal> {
        let Value::Object(mut body) = json(body)? else {
            return Err(Refusal::invalid(&[issue(
                "",
                "the body must be a JSON object",
            )]));
        };
        let mut reader = Reader::default();
        let source = source(&mut body, &mut reader);
        let overrides = Overrides {
            width: reader.optional(&body, "width").flatten(),
            height: reader.optional(&body, "height").flatten(),
            fps: reader.optional(&body, "fps").flatten(),
            duration_in_frames: reader.optional(&body, "durationInFrames").flatten(),
        };
        let create_project = reader.optional(&body, "createProject").flatten();
        let project_name = reader.optional(&body, "projectName").flatten();
        let webhook_url = webhook_url(&body, &mut reader);
        let confirm_ai_cost = reader.optional(&body, "confirmAiCost").flatten();
        let replacements = replacements(body, &mut reader);

        let mut issues = reader.finish().issues;
        match source {
            Some(source) if issues.is_empty() => Ok(Self {
                source,
                replacements,
                overrides,
                create_project,
                project_name,
                webhook_url,
                confirm_ai_cost: confirm_ai_cost.unwrap_or(false),
            }),
            Some(Source::Direct(document)) => {
                issues.extend(problems_in(&document));
                Err(Refusal::invalid(&issues))
            }
            _ => Err(Refusal::invalid(&issues)),
        }
    }

    /// The kind of source.
    pub fn mode(&self) -> Mode {
        match self.source {
            Source::Direct(_) => Mode::Direct,
            Source::Template(_) => Mode::Template,
            Source::Project(_) => Mode::Project,
        }
    }

    /// Whether the composition is to be saved as a project. What is one already never is.
    pub fn creates_project(&self) -> bool {
        match self.mode() {
            Mode::Direct => self.create_project.unwrap_or(false),
            Mode::Template => self.create_project.unwrap_or(true),
            Mode::Project => false,
        }
    }
}

/// Reads JSON. Nesting deeper than serde_json's limit is refused with everything else that is not JSON.
pub(super) fn json(text: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(text).map_err(|error| {
        Refusal::invalid(&[issue("", format!("the body is not valid JSON: {error}"))])
    })
}

/// Takes the source out of the body; null counts as absent.
fn source(body: &mut Map<String, Value>, reader: &mut Reader) -> Option<Source> {
    let mut named: Vec<(&str, Value)> = MODES
        .into_iter()
        .filter_map(|name| body.remove(name).map(|value| (name, value)))
        .filter(|(_, value)| !value.is_null())
        .collect();
    if named.len() != 1 {
        reader.issue(match named.len() {
            0 => {
                "exactly one of inputProps, templateId and projectId is required, found none".into()
            }
            _ => format!(
                "exactly one of inputProps, templateId and projectId is required, found {}",
                named
                    .iter()
                    .map(|(name, _)| *name)
                    .collect::<Vec<_>>()
                    .join(" and ")
            ),
        });
        return None;
    }
    let (name, value) = named.pop()?;
    if name == "inputProps" {
        return Some(Source::Direct(value));
    }
    let id = reader.at_field(name, |reader| String::read(&value, reader))?;
    Some(if name == "templateId" {
        Source::Template(id)
    } else {
        Source::Project(id)
    })
}

fn webhook_url(body: &Map<String, Value>, reader: &mut Reader) -> Option<String> {
    let url = reader.optional::<String>(body, "webhookUrl").flatten()?;
    let url = url.trim().to_owned();
    if media_url::parse(&url).is_none() {
        reader.at_field("webhookUrl", |reader| reader.issue(media_url::EXPECTED));
    }
    Some(url)
}

/// What is left of the body belongs to the variables. A null is no value, so it never hides another.
fn replacements(mut body: Map<String, Value>, reader: &mut Reader) -> Map<String, Value> {
    let explicit = body.remove("replacements").unwrap_or_default();
    body.retain(|key, value| !OTHER_KEYS.contains(&key.as_str()) && !value.is_null());
    if explicit.is_null() {
        return body;
    }
    reader.at_field("replacements", |reader| {
        if let Some(explicit) = reader.object(&explicit) {
            let sent = explicit.iter().filter(|(_, value)| !value.is_null());
            body.extend(sent.map(|(key, value)| (key.clone(), value.clone())));
        }
    });
    body
}

/// Every problem in a composition that was sent beside other problems.
fn problems_in(document: &Value) -> Vec<Issue> {
    let mut reader = Reader::default();
    reader.at_field("inputProps", |reader| Composition::read(document, reader));
    reader.finish().issues
}
