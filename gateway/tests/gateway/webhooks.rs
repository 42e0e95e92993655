//! `POST`, `GET` and `DELETE /webhooks`.

use crate::support::{Fixture, envelope};
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{DeleteWebhookResponse, ListWebhooksResponse, Problem, Webhook};
use reqwest::Method;
use serde_json::json;

fn webhook() -> Webhook {
    Webhook {
        id: "whk_1".to_owned(),
        url: "https://example.com/hook".to_owned(),
        secret: None,
        events: vec!["render.completed".to_owned()],
        is_active: true,
        created_at_ms: 1_769_860_800_000,
    }
}

#[tokio::test]
async fn a_registration_is_201_and_shows_its_secret() {
    let farm = Fixture::start().await;
    farm.script().create_webhook.answers(Ok(Webhook {
        secret: Some("whsec_x".to_owned()),
        ..webhook()
    }));
    let request = farm.api(Method::POST, "/api/v1/webhooks");
    let sent = request
        .body("{\"url\": \"https://example.com/hook\"}")
        .send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 201);
    assert_eq!(
        body["data"],
        json!({"id": "whk_1", "url": "https://example.com/hook", "secret": "whsec_x",
               "events": ["render.completed"], "isActive": true,
               "createdAt": "2026-01-31T12:00:00.000Z"})
    );
    let asked = farm.script().create_webhook.asked.remove(0);
    assert_eq!(asked.account_id, "acc_1");
    assert_eq!(asked.body_json, "{\"url\": \"https://example.com/hook\"}");
}

#[tokio::test]
async fn a_sixth_registration_is_400_with_its_reason() {
    let farm = Fixture::start().await;
    let limit = Problem::new(Kind::Invalid, "five webhooks are active already")
        .with_details(r#"{"reason":"WEBHOOK_LIMIT"}"#);
    farm.script().create_webhook.answers(Err(limit));
    let sent = farm.api(Method::POST, "/api/v1/webhooks").body("{}").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(
        (status, &body["details"]["reason"]),
        (400, &json!("WEBHOOK_LIMIT"))
    );
}

#[tokio::test]
async fn a_list_has_no_secrets() {
    let farm = Fixture::start().await;
    farm.script()
        .list_webhooks
        .answers(Ok(ListWebhooksResponse {
            webhooks: vec![Webhook {
                is_active: false,
                ..webhook()
            }],
        }));
    let sent = farm.api(Method::GET, "/api/v1/webhooks").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"webhooks": [{"id": "whk_1", "url": "https://example.com/hook",
               "events": ["render.completed"], "isActive": false,
               "createdAt": "2026-01-31T12:00:00.000Z"}]})
    );
    assert_eq!(farm.script().list_webhooks.asked[0].account_id, "acc_1");
}

#[tokio::test]
async fn a_removal_names_the_registration() {
    let farm = Fixture::start().await;
    farm.script()
        .delete_webhook
        .answers(Ok(DeleteWebhookResponse {}));
    let sent = farm.api(Method::DELETE, "/api/v1/webhooks?id=whk_1").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!((status, &body["data"]), (200, &json!({"id": "whk_1"})));
    let asked = farm.script().delete_webhook.asked.remove(0);
    assert_eq!(
        (asked.account_id.as_str(), asked.webhook_id.as_str()),
        ("acc_1", "whk_1")
    );

    for query in ["", "?id=", "?identity=whk_1"] {
        let path = format!("/api/v1/webhooks{query}");
        let sent = farm.api(Method::DELETE, &path).send();
        let (status, _, body) = envelope(sent.await.expect("answer")).await;
        assert_eq!(status, 400, "{query:?}");
        assert_eq!(body["details"]["issues"][0]["path"], "id");
    }
    assert!(farm.script().delete_webhook.asked.is_empty());

    let missing = Problem::new(Kind::NotFound, "there is no such webhook");
    farm.script().delete_webhook.answers(Err(missing));
    let sent = farm.api(Method::DELETE, "/api/v1/webhooks?id=whk_2").send();
    assert_eq!(envelope(sent.await.expect("answer")).await.0, 404);
}
