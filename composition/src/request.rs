//! Turns a request body, or a file, into the composition that will be rendered.

use serde_json::{Map, Value, json};

use crate::document::{Composition, Field, Issue, Limits, Reader};

/// Why a request is not accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Whether the request is malformed or merely can't be rendered.
    pub kind: RefusalKind,
    /// One sentence.
    pub message: String,
    /// The envelope's `details`.
    pub details: Value,
}

/// The two ways of not being accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Not JSON, wrong types, missing fields, missing media.
    Invalid,
    /// Well formed, but over a limit or naming something unknown.
    Unrenderable,
}

/// Where the composition comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Sent whole, as `inputProps`.
    Direct,
}

impl Mode {
    /// The name in API answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
        }
    }
}

/// A request that will be rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedRender {
    /// The final composition, overrides applied.
    pub composition: Composition,
    /// Where it came from.
    pub mode: Mode,
    /// One-off callback.
    pub webhook_url: Option<String>,
}

/// Resolves the body of `POST /renders`.
pub fn resolve(body: &[u8], limits: &Limits) -> Result<ResolvedRender, Refusal> {
    let body = parse(body)?;
    let Value::Object(body) = body else {
        return Err(malformed(&[issue("", "the body must be a JSON object")]));
    };
    let mode = mode(&body)?;

    let mut reader = Reader::default();
    let overrides = OVERRIDES.map(|name| reader.optional::<u32>(&body, name).flatten());
    let webhook_url = reader.optional::<String>(&body, "webhookUrl").flatten();
    let composition = reader.at_field("inputProps", |reader| {
        Composition::read(&body["inputProps"], reader)
    });
    let issues = reader.finish().issues;
    let Some(mut composition) = composition.filter(|_| issues.is_empty()) else {
        return Err(malformed(&issues));
    };

    let [width, height, fps, frames] = overrides;
    composition.width = width.unwrap_or(composition.width);
    composition.height = height.unwrap_or(composition.height);
    composition.fps = fps.unwrap_or(composition.fps);
    composition.duration_in_frames = frames.unwrap_or(composition.duration_in_frames);

    refuse_missing_media(&composition)?;
    refuse_foreign_schemes(&composition)?;
    refuse_unrenderable(&composition, limits)?;
    Ok(ResolvedRender {
        composition,
        mode,
        webhook_url,
    })
}

/// Reads a composition from a file: bare, or inside an object with `inputProps`.
pub fn read_file(contents: &[u8]) -> Result<Composition, Refusal> {
    let value = parse(contents)?;
    let composition = value.get("inputProps").unwrap_or(&value);
    let (composition, _) =
        Composition::from_json(composition).map_err(|issues| malformed(&issues))?;
    refuse_missing_media(&composition)?;
    refuse_unrenderable(&composition, &Limits::default())?;
    Ok(composition)
}

const OVERRIDES: [&str; 4] = ["width", "height", "fps", "durationInFrames"];
const MODES: [&str; 3] = ["inputProps", "templateId", "projectId"];

fn parse(text: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(text)
        .map_err(|error| malformed(&[issue("", format!("the body is not valid JSON: {error}"))]))
}

fn mode(body: &Map<String, Value>) -> Result<Mode, Refusal> {
    let named: Vec<_> = MODES
        .into_iter()
        .filter(|name| body.get(*name).is_some_and(|v| !v.is_null()))
        .collect();
    match named[..] {
        ["inputProps"] => Ok(Mode::Direct),
        [other] => Err(malformed(&[issue(
            other,
            "there are no templates or projects on this server yet; send the composition as inputProps",
        )])),
        _ => Err(malformed(&[issue(
            "",
            "exactly one of inputProps, templateId and projectId is required",
        )])),
    }
}

fn refuse_missing_media(composition: &Composition) -> Result<(), Refusal> {
    let missing: Vec<Value> = composition
        .overlays
        .iter()
        .filter(|overlay| overlay.src().is_some_and(|src| src.trim().is_empty()))
        .map(|overlay| {
            let name = overlay.base.name.clone().unwrap_or_else(|| overlay.label());
            json!({ "name": name, "id": overlay.base.id.write(), "type": overlay.kind.type_name() })
        })
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Refusal {
        kind: RefusalKind::Invalid,
        message: "a media overlay has no source; no credits were charged".into(),
        details: json!({ "reason": "MISSING_MEDIA_SOURCE", "missing": missing }),
    })
}

fn refuse_foreign_schemes(composition: &Composition) -> Result<(), Refusal> {
    let issues: Vec<Issue> = composition
        .overlays
        .iter()
        .enumerate()
        .filter(|(_, overlay)| {
            overlay.src().is_some_and(|src| {
                let src = src.trim_start().to_ascii_lowercase();
                !src.starts_with("http://") && !src.starts_with("https://")
            })
        })
        .map(|(index, _)| {
            issue(
                format!("overlays[{index}].src"),
                "must be an http or https URL",
            )
        })
        .collect();
    if issues.is_empty() {
        Ok(())
    } else {
        Err(malformed(&issues))
    }
}

fn refuse_unrenderable(composition: &Composition, limits: &Limits) -> Result<(), Refusal> {
    let issues = composition.unrenderable(limits);
    if issues.is_empty() {
        return Ok(());
    }
    Err(Refusal {
        kind: RefusalKind::Unrenderable,
        message: summary("the composition can't be rendered", &issues),
        details: json!({ "issues": issues }),
    })
}

fn malformed(issues: &[Issue]) -> Refusal {
    Refusal {
        kind: RefusalKind::Invalid,
        message: summary("invalid request", issues),
        details: json!({ "issues": issues }),
    }
}

fn issue(path: impl Into<String>, message: impl Into<String>) -> Issue {
    Issue {
        path: path.into(),
        message: message.into(),
    }
}

fn summary(what: &str, issues: &[Issue]) -> String {
    let Some(first) = issues.first() else {
        return what.into();
    };
    let place = if first.path.is_empty() {
        String::new()
    } else {
        format!("{} ", first.path)
    };
    let more = match issues.len() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    format!("{what}: {place}{}{more}", first.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlay(extra: &Value) -> Value {
        let mut overlay = json!({
            "id": 1, "from": 0, "durationInFrames": 30, "row": 0,
            "left": 0, "top": 0, "width": 100, "height": 50
        });
        let (Some(fields), Some(extra)) = (overlay.as_object_mut(), extra.as_object()) else {
            return overlay;
        };
        fields.extend(extra.clone());
        overlay
    }

    fn body(overlays: &[Value]) -> Vec<u8> {
        json!({ "inputProps": { "overlays": overlays, "durationInFrames": 30 } })
            .to_string()
            .into_bytes()
    }

    fn refused(body: &[u8]) -> Refusal {
        resolve(body, &Limits::default()).expect_err("should be refused")
    }

    fn paths(refusal: &Refusal) -> Vec<&str> {
        refusal.details["issues"]
            .as_array()
            .map(|issues| {
                issues
                    .iter()
                    .filter_map(|issue| issue["path"].as_str())
                    .collect()
            })
            .unwrap_or_default()
    }

    #[test]
    fn overrides_win_over_the_composition() {
        let body = json!({
            "inputProps": { "overlays": [], "durationInFrames": 30, "width": 640, "fps": 25 },
            "width": 320, "durationInFrames": 10
        });
        let resolved = resolve(body.to_string().as_bytes(), &Limits::default()).expect("valid");
        let composition = resolved.composition;
        assert_eq!(
            (
                composition.width,
                composition.height,
                composition.fps,
                composition.duration_in_frames
            ),
            (320, 1080, 25, 10)
        );
    }

    #[test]
    fn every_problem_is_named_by_its_path() {
        let refusal = refused(&body(&[
            overlay(&json!({ "type": "text", "content": "x", "styles": { "opacity": "half" } })),
            overlay(&json!({ "type": "hologram" })),
            json!({ "type": "image", "id": 3 }),
        ]));
        assert_eq!(refusal.kind, RefusalKind::Invalid);
        let paths = paths(&refusal);
        for path in [
            "inputProps.overlays[0].styles.opacity",
            "inputProps.overlays[1].type",
            "inputProps.overlays[2].from",
            "inputProps.overlays[2].src",
        ] {
            assert!(paths.contains(&path), "{path} is missing in {paths:?}");
        }
    }

    #[test]
    fn what_is_not_json_or_not_one_mode_is_invalid() {
        for body in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"inputProps":{},"templateId":"t"}"#,
            "nul",
        ] {
            assert_eq!(
                refused(body.as_bytes()).kind,
                RefusalKind::Invalid,
                "{body}"
            );
        }
    }

    #[test]
    fn limits_and_unknown_shapes_are_unrenderable() {
        let refusal = refused(&body(&[overlay(
            &json!({ "type": "shape", "content": "blob" }),
        )]));
        assert_eq!(refusal.kind, RefusalKind::Unrenderable);
        assert_eq!(paths(&refusal), ["overlays[0].content"]);

        for (field, value) in [
            ("width", 15),
            ("width", 101),
            ("height", 7682),
            ("fps", 121),
            ("durationInFrames", 0),
        ] {
            let body =
                json!({ "inputProps": { "overlays": [], "durationInFrames": 30 }, field: value });
            let refusal = refused(body.to_string().as_bytes());
            assert_eq!(refusal.kind, RefusalKind::Unrenderable, "{field}");
            assert_eq!(paths(&refusal), [field]);
        }
    }

    #[test]
    fn an_empty_source_is_named_and_a_local_path_is_refused() {
        let refusal = refused(&body(&[overlay(
            &json!({ "type": "image", "src": "", "name": "logo" }),
        )]));
        assert_eq!(refusal.details["reason"], "MISSING_MEDIA_SOURCE");
        assert_eq!(refusal.details["missing"][0]["name"], "logo");
        let refusal = refused(&body(&[overlay(
            &json!({ "type": "image", "src": "/etc/passwd" }),
        )]));
        assert_eq!(paths(&refusal), ["overlays[0].src"]);
    }

    #[test]
    fn a_document_is_written_as_it_was_read_without_unknown_fields() {
        let overlay = overlay(&json!({
            "type": "text", "content": "x", "rotation": 0, "styles": { "color": "red" }
        }));
        let mut sent = overlay.clone();
        sent["colour"] = "typo".into();
        let (composition, unknown) =
            Composition::from_json(&json!({ "overlays": [sent], "durationInFrames": 5 }))
                .expect("valid");
        assert_eq!(unknown, ["overlays[0].colour"]);
        assert_eq!(composition.to_json()["overlays"][0], overlay);
    }
}
