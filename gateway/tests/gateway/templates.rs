//! `GET /templates` and `GET /templates/{templateId}/variables`.

use crate::support::{Fixture, envelope};
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{
    ListTemplatesResponse, ListedVariable, Problem, Template, VariablesResponse,
};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn a_list_shows_templates_under_the_public_address() {
    let farm = Fixture::start().await;
    farm.script().list_templates.decides(|asked| {
        Ok(ListTemplatesResponse {
            templates: vec![Template {
                id: "tpl_sale".to_owned(),
                name: "Sale".to_owned(),
                description: "A sale.".to_owned(),
                category: "ECOMMERCE".to_owned(),
                thumbnail_url: Some(format!("{}/files/templates/sale.png", asked.public_url)),
                preview_video_url: None,
                credits_per_minute: 2,
                created_at_ms: 1_769_860_800_000,
                variables: vec![ListedVariable {
                    name: "price".to_owned(),
                    default_json: "9.5".to_owned(),
                    r#type: "string".to_owned(),
                }],
            }],
        })
    });
    let sent = farm.api(Method::GET, "/api/v1/templates").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"total": 1, "templates": [{
            "id": "tpl_sale", "name": "Sale", "description": "A sale.", "category": "ECOMMERCE",
            "thumbnailUrl": "https://render.example.com/files/templates/sale.png",
            "previewVideoUrl": null, "creditsPerMinute": 2,
            "createdAt": "2026-01-31T12:00:00.000Z",
            "variables": [{"name": "price", "defaultValue": 9.5, "type": "string"}],
        }]})
    );
}

#[tokio::test]
async fn variables_of_a_template_are_asked_for_by_id() {
    let farm = Fixture::start().await;
    farm.script()
        .template_variables
        .answers(Ok(VariablesResponse::default()));
    let sent = farm
        .api(Method::GET, "/api/v1/templates/tpl_sale/variables")
        .send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!((status, &body["data"]), (200, &json!({"variables": []})));
    let asked = farm.script().template_variables.asked.remove(0);
    assert_eq!(asked.template_id, "tpl_sale");
    assert_eq!(asked.public_url, "https://render.example.com");

    let missing = Problem::new(Kind::NotFound, "there is no such template");
    farm.script().template_variables.answers(Err(missing));
    let sent = farm
        .api(Method::GET, "/api/v1/templates/tpl_x/variables")
        .send();
    assert_eq!(envelope(sent.await.expect("answer")).await.0, 404);
}
