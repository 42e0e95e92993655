//! Resolving a payload: what will be shown, what it would cost, and what is wrong with it.

use kinora_composition::{
    media_url, price,
    request::{Ai, RenderRequest, Resolution, SkippedAi},
    warnings,
};
use serde_json::{Map, Value, json};

use super::reach;
use crate::{
    Result,
    app::App,
    clock::Timestamp,
    ids::{AccountId, PreviewId},
    jobs::{self, Resolved},
    ledger::Credits,
    store::PreviewRow,
};

/// The name of a preview that nobody named.
const UNNAMED: &str = "Preview";

/// What the caller of `POST /previews` gets; the values are JSON as the interface shows them.
#[derive(Clone, Debug)]
pub(crate) struct Created {
    pub(crate) id: PreviewId,
    pub(crate) resolved: Value,
    pub(crate) quote: Value,
    pub(crate) warnings: Value,
    pub(crate) ai_skipped: Option<Value>,
    pub(crate) expires_at: Timestamp,
}

/// Resolves a request as a render would, and keeps the result to be looked at.
pub(crate) async fn create(
    app: &App,
    account: &AccountId,
    body: &[u8],
    public_url: &str,
    now: Timestamp,
) -> Result<Created> {
    let request = RenderRequest::parse(body)?;
    let ai = if request.confirm_ai_cost {
        Ai::Refuse
    } else {
        Ai::Skip
    };
    let (store, terms) = (&app.store, &app.terms);
    let resolved = jobs::resolve(store, terms, account, public_url, &request, ai).await?;
    let resolution = &resolved.resolution;
    let composition = &resolution.composition;

    let sources = media_url::sources(composition);
    let unreachable = reach::unreachable(app, public_url, sources).await;
    let fonts = app.fonts.get().await?;
    let warnings = warnings::warnings(resolution, fonts, &unreachable);
    let quote = quote(&resolved, store.balance(account).await?);

    let preview = PreviewRow {
        id: PreviewId::random(),
        account: account.clone(),
        name: name(&request, &resolved),
        width: composition.width,
        height: composition.height,
        fps: composition.fps,
        frames: composition.duration_in_frames,
        public_url: public_url.to_owned(),
        expires_at: now.plus(app.previews.lifetime),
    };
    let composition_json = composition.to_json().to_string();
    store
        .insert_preview(&preview, &composition_json, now)
        .await?;
    tracing::info!(preview_id = %preview.id, warnings = warnings.len(), "preview resolved");
    Ok(Created {
        id: preview.id,
        resolved: landed(resolution),
        quote,
        warnings: json!(warnings),
        ai_skipped: ai_skipped(&resolution.skipped_ai),
        expires_at: preview.expires_at,
    })
}

fn name(request: &RenderRequest, resolved: &Resolved) -> String {
    let project = resolved.project.as_ref().map(|project| &project.name);
    let template = resolved.template.as_ref().map(|template| &template.name);
    let named = request.project_name.as_ref().or(project).or(template);
    named.cloned().unwrap_or_else(|| UNNAMED.to_owned())
}

/// What a render of this would cost.
fn quote(resolved: &Resolved, available: Credits) -> Value {
    let composition = &resolved.resolution.composition;
    let (width, height) = (composition.width, composition.height);
    let (fps, frames) = (composition.fps, composition.duration_in_frames);
    let per_minute = resolved.credits_per_minute;
    let cost = price::credits_hundredths(per_minute, width, height, fps, frames);
    let cost = Credits::from_hundredths(cost);
    json!({
        "credits": cost.rounded_up(),
        "creditsAvailable": available.rounded_down(),
        "sufficient": available >= cost,
        "creditsPerMinute": per_minute,
        "resolutionFactor": price::resolution_factor(width, height),
        "durationSeconds": composition.seconds(),
        "width": width,
        "height": height,
        "fps": fps,
    })
}

/// What landed on each variable; of several overlays with one name, on the first.
fn landed(resolution: &Resolution) -> Value {
    let mut landed = Map::new();
    for variable in &resolution.variables {
        landed.entry(variable.name.clone()).or_insert_with(|| {
            json!({
                "value": variable.value,
                "overlayId": variable.overlay_id,
                "overlayType": variable.overlay_type,
                "field": variable.field,
                "source": variable.origin.as_str(),
            })
        });
    }
    Value::Object(landed)
}

/// What is told of AI values that were left out.
fn ai_skipped(skipped: &[SkippedAi]) -> Option<Value> {
    if skipped.is_empty() {
        return None;
    }
    let keys: Vec<&str> = skipped.iter().map(|value| value.key.as_str()).collect();
    let estimated: f64 = skipped.iter().filter_map(|value| value.credits).sum();
    let is_complete = skipped.iter().all(|value| value.credits.is_some());
    let cost = match is_complete {
        true => format!("{estimated} credits"),
        false => {
            format!("{estimated} credits and 0.25 for each started minute of transcribed audio")
        }
    };
    Some(json!({
        "keys": keys,
        "message": format!(
            "AI replacements are left out of previews: narration is silent and captions are empty \
             here. To generate them costs about {cost}, which the quote does not include. This server \
             can't generate them yet."
        ),
        "estimatedCredits": estimated,
    }))
}

#[cfg(test)]
mod tests {
    use kinora_composition::request::AiKind;

    use super::*;

    #[test]
    fn skipped_ai_values_are_named_and_priced() {
        assert_eq!(ai_skipped(&[]), None);
        let narration = SkippedAi {
            key: "voice".into(),
            kind: AiKind::Tts,
            characters: Some(1500),
            credits: Some(1.0),
        };
        let told = ai_skipped(std::slice::from_ref(&narration)).expect("told");
        assert_eq!(told["keys"], json!(["voice"]));
        assert_eq!(told["estimatedCredits"], 1.0);
        let captions = SkippedAi {
            key: "words".into(),
            kind: AiKind::Transcribe,
            characters: None,
            credits: None,
        };
        let told = ai_skipped(&[narration, captions]).expect("told");
        assert_eq!(told["keys"], json!(["voice", "words"]));
        let message = told["message"].as_str().expect("a message");
        assert!(message.contains("for each started minute"), "{message}");
    }
}
