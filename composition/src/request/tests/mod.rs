//! Tests of requests: one file for each part of the way to a resolution.

mod ai;
mod hostile;
mod media;
mod parse;
mod playing;
mod replacements;

use serde_json::{Value, json};

use super::*;
use crate::document::Limits;

/// An overlay with the required fields and these.
pub(super) fn overlay(extra: &Value) -> Value {
    let mut overlay = json!({
        "id": 1, "from": 0, "durationInFrames": 30, "row": 0,
        "left": 0, "top": 0, "width": 100, "height": 50
    });
    let fields = overlay.as_object_mut().expect("an object");
    fields.extend(extra.as_object().expect("an object").clone());
    overlay
}

/// A variable of this name.
pub(super) fn variable(name: &str, extra: &Value) -> Value {
    let mut overlay = overlay(extra);
    overlay["name"] = name.into();
    overlay["isDynamic"] = true.into();
    overlay
}

pub(super) fn document(overlays: &[Value]) -> Value {
    json!({ "overlays": overlays, "durationInFrames": 30 })
}

/// Parses and resolves a body as a server would; `stored` is the template or project that it names.
pub(super) fn resolve_with(body: &Value, stored: &Value, ai: Ai) -> Result<Resolution, Refusal> {
    let request = RenderRequest::parse(body.to_string().as_bytes())?;
    let document = match &request.source {
        Source::Direct(document) => document,
        Source::Template(_) | Source::Project(_) => stored,
    };
    resolve(&request, document, ai, &Limits::default())
}

pub(super) fn direct(overlays: &[Value]) -> Result<Resolution, Refusal> {
    let body = json!({ "inputProps": document(overlays) });
    resolve_with(&body, &Value::Null, Ai::Refuse)
}

pub(super) fn template(overlays: &[Value], replacements: &Value) -> Result<Resolution, Refusal> {
    let body = json!({ "templateId": "t", "replacements": replacements });
    resolve_with(&body, &document(overlays), Ai::Refuse)
}

pub(super) fn refused<T: std::fmt::Debug>(outcome: Result<T, Refusal>) -> Refusal {
    outcome.expect_err("should be refused")
}

/// Kind and issue paths of a refusal.
pub(super) fn paths(refusal: &Refusal) -> Vec<&str> {
    let issues = refusal.details["issues"].as_array().expect("issues");
    let paths = issues.iter().map(|issue| issue["path"].as_str());
    paths.map(|path| path.expect("a path")).collect()
}

pub(super) fn assert_invalid(outcome: Result<Resolution, Refusal>, expected: &[&str]) {
    let refusal = refused(outcome);
    assert_eq!(refusal.kind, RefusalKind::Invalid, "{refusal:?}");
    assert_eq!(paths(&refusal), expected, "{refusal:?}");
}

pub(super) fn assert_unrenderable(outcome: Result<Resolution, Refusal>, expected: &[&str]) {
    let refusal = refused(outcome);
    assert_eq!(refusal.kind, RefusalKind::Unrenderable, "{refusal:?}");
    assert_eq!(paths(&refusal), expected, "{refusal:?}");
}
