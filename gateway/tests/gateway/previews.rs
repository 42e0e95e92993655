//! `POST /previews`.

use crate::support::{Fixture, envelope};
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{CreatePreviewResponse, Problem};
use reqwest::Method;
use serde_json::{Value, json};

fn resolved() -> Value {
    json!({"title": {"value": "x", "overlayId": 1, "overlayType": "text", "field": "content",
                     "source": "default"}})
}

fn quote() -> Value {
    json!({"credits": 1, "creditsAvailable": 41, "sufficient": true, "creditsPerMinute": 1,
           "resolutionFactor": 0.5, "durationSeconds": 2.0, "width": 320, "height": 180, "fps": 30})
}

fn warnings() -> Value {
    json!([{"code": "TEXT_MAY_CLIP", "severity": "info", "message": "the text may not fit",
            "variable": "title", "hint": "shorten it"}])
}

fn created() -> CreatePreviewResponse {
    CreatePreviewResponse {
        preview_id: "prv_1".to_owned(),
        resolved_json: resolved().to_string(),
        quote_json: quote().to_string(),
        warnings_json: warnings().to_string(),
        ai_skipped_json: None,
        expires_at_ms: 1_769_860_800_000,
    }
}

#[tokio::test]
async fn a_preview_names_its_pages_under_the_public_address() {
    let farm = Fixture::start().await;
    farm.script().create_preview.answers(Ok(created()));
    let request = farm.api(Method::POST, "/api/v1/previews");
    // JSON is JSON, whatever it is called.
    let request = request.header("Content-Type", "text/plain");
    let sent = request.body("{\"templateId\": \"tpl_1\"}").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"previewUrl": "https://render.example.com/preview/prv_1",
               "editUrl": "https://render.example.com/edit/prv_1",
               "resolved": resolved(), "quote": quote(), "warnings": warnings(),
               "aiSkipped": null, "expiresAt": "2026-01-31T12:00:00.000Z"})
    );
    let asked = farm.script().create_preview.asked.remove(0);
    assert_eq!(asked.account_id, "acc_1");
    assert_eq!(asked.body_json, "{\"templateId\": \"tpl_1\"}");
    assert_eq!(asked.public_url, "https://render.example.com");
}

#[tokio::test]
async fn skipped_ai_replacements_are_shown() {
    let farm = Fixture::start().await;
    let skipped =
        json!({"keys": ["voice"], "message": "send confirmAiCost", "estimatedCredits": 0.5});
    farm.script()
        .create_preview
        .answers(Ok(CreatePreviewResponse {
            ai_skipped_json: Some(skipped.to_string()),
            ..created()
        }));
    let sent = farm.api(Method::POST, "/api/v1/previews").body("{}").send();
    let (_, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(body["data"]["aiSkipped"], skipped);
}

#[tokio::test]
async fn a_preview_is_refused_as_a_render_is() {
    let farm = Fixture::start().await;
    let foreign = Problem::new(Kind::Forbidden, "the project belongs to another account");
    farm.script().create_preview.answers(Err(foreign));
    let sent = farm.api(Method::POST, "/api/v1/previews").body("{}").send();
    assert_eq!(envelope(sent.await.expect("answer")).await.0, 403);
    let large = vec![b' '; kinora_gateway::Config::DEFAULT_BODY_LIMIT + 1];
    for path in ["/api/v1/previews", "/api/v1/webhooks", "/api/v1/uploads"] {
        let sent = farm.api(Method::POST, path).body(large.clone()).send();
        assert_eq!(envelope(sent.await.expect("answer")).await.0, 413, "{path}");
    }
    assert_eq!(farm.script().create_preview.asked.len(), 1);
}
