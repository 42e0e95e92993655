//! `GET /api/v1/openapi.json`: the interface as an OpenAPI 3.1 document.
//!
//! Handlers carry their own description (`#[utoipa::path]`) and are routed by it, so the document
//! lists what is served. [`finish`] adds what all operations share; [`bodies`] and [`names`] describe
//! JSON that passes through the gateway without being read.

use std::sync::{Arc, LazyLock};

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api;
use crate::server::App;

pub(crate) mod bodies;
mod finish;
pub(crate) mod names;

static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| {
    let described = api::routes().merge(routes()).into_openapi();
    finish::document(described).to_string().into()
});

/// What needs no key, without the interface's prefix.
pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default().routes(routes!(serve))
}

/// Read this document.
///
/// Returns the description of the interface as OpenAPI 3.1. No key is needed.
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "getOpenApi",
    tag = "Interface",
    responses((status = 200, description = "The document.", body = serde_json::Value))
)]
async fn serve() -> Response {
    let json = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, json)], DOCUMENT.clone()).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use axum::Router;
    use serde_json::Value;

    use super::*;

    fn document() -> Value {
        serde_json::from_slice(&DOCUMENT).expect("the document is JSON")
    }

    /// The paths that a router knows. Only its debug form tells them.
    fn paths_of(router: &Router<Arc<App>>) -> BTreeSet<String> {
        let text = format!("{router:?}");
        let quoted = text.split('"').skip(1).step_by(2);
        quoted
            .filter(|text| text.starts_with('/') && *text != "/" && !text.contains("axum_fallback"))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn the_document_lists_exactly_the_paths_that_are_served() {
        let served = paths_of(&api::routes().merge(routes()).into());
        let document = document();
        let listed = document["paths"].as_object().expect("paths");
        assert_eq!(served, listed.keys().cloned().collect());
        assert!(served.contains("/renders/{jobId}") && served.contains("/openapi.json"));
    }

    #[test]
    fn nothing_in_the_document_is_null() {
        fn nulls(value: &Value, at: &str, found: &mut Vec<String>) {
            match value {
                Value::Null => found.push(at.to_owned()),
                Value::Array(items) => {
                    items.iter().for_each(|item| nulls(item, at, found));
                }
                Value::Object(fields) => fields
                    .iter()
                    .for_each(|(name, value)| nulls(value, &format!("{at}/{name}"), found)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        nulls(&document(), "", &mut found);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn every_operation_says_what_it_is_and_how_it_fails() {
        let document = document();
        let mut ids = BTreeSet::new();
        for (path, operations) in document["paths"].as_object().expect("paths") {
            for (method, operation) in operations.as_object().expect("operations") {
                let at = format!("{method} {path}");
                let id = operation["operationId"].as_str().expect("an id");
                assert!(ids.insert(id.to_owned()), "{at}: {id} is taken");
                let summary = operation["summary"].as_str().unwrap_or_default();
                assert!(
                    summary.len() > 5 && !summary.ends_with('.'),
                    "{at}: {summary}"
                );
                let description = operation["description"].as_str().unwrap_or_default();
                assert!(description.ends_with('.'), "{at}: {description}");
                let tag = &operation["tags"][0];
                let tags = document["tags"].as_array().expect("tags");
                assert!(
                    tags.iter().any(|known| known["name"] == *tag),
                    "{at}: {tag}"
                );
                if path == "/openapi.json" {
                    continue;
                }
                let mut expected = vec!["401", "429", "500", "503"];
                if operation.get("requestBody").is_some() {
                    expected.extend(["400", "413"]);
                }
                for status in expected {
                    let listed = operation["responses"].get(status).is_some();
                    assert!(listed, "{at} does not list {status}");
                }
            }
        }
        assert!(ids.contains("createRender") && ids.contains("deleteWebhook"));
    }

    #[test]
    fn the_examples_are_accepted_as_requests() {
        let document = document();
        let content = &document["paths"]["/renders"]["post"]["requestBody"]["content"];
        let examples = content["application/json"]["examples"].as_object();
        let mut modes = BTreeSet::new();
        for (name, example) in examples.expect("examples") {
            let body = example["value"].to_string();
            let request = kinora_composition::request::RenderRequest::parse(body.as_bytes());
            let request = request.unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
            if let kinora_composition::request::Source::Direct(composition) = &request.source {
                let composition = kinora_composition::document::Composition::from_json(composition);
                let (_, unknown) =
                    composition.unwrap_or_else(|issues| panic!("{name}: {issues:?}"));
                assert_eq!(unknown, [""; 0], "{name}");
            }
            modes.insert(request.mode().as_str());
        }
        assert_eq!(modes, BTreeSet::from(["direct", "project", "template"]));
    }
}
