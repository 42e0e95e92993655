//! The OpenAPI document: what is served is described, and what is described is served.

use std::collections::BTreeSet;
use std::path::PathBuf;

use reqwest::{Method, Url};
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::schema::Document;
use crate::support::{Fixture, envelope};

const PREFIX: &str = "/api/v1";

/// The document, fetched once for all tests.
static DESCRIBED: OnceCell<Document> = OnceCell::const_new();

/// The copy that is kept in the repository.
fn kept_at() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json")
}

async fn served(farm: &Fixture) -> Value {
    let path = format!("{PREFIX}/openapi.json");
    let answer = farm.anonymous(Method::GET, &path).send().await;
    let answer = answer.expect("answer").error_for_status().expect("200");
    assert_eq!(answer.headers()["Content-Type"], "application/json");
    for name in ["RateLimit-Limit", "X-RateLimit-Reset"] {
        assert!(answer.headers().contains_key(name), "{name} is missing");
    }
    answer.json().await.expect("JSON")
}

async fn described(service: &Url) -> &'static Document {
    let url = service.join(&format!("{PREFIX}/openapi.json"));
    let fetched = async {
        let client = reqwest::Client::builder().no_proxy().build();
        let answer = client.expect("client").get(url.expect("URL")).send();
        Document(answer.await.expect("answer").json().await.expect("JSON"))
    };
    DESCRIBED.get_or_init(|| fetched).await
}

/// Panics unless an answer is one that the document describes for its path and status.
pub(crate) async fn check_answer(url: &Url, status: u16, body: &Value) {
    let Some(path) = url.path().strip_prefix(PREFIX) else {
        return;
    };
    let document = described(url).await;
    let operations = document.0["paths"].as_object().expect("paths");
    let at_path = operations
        .iter()
        .find(|(template, _)| is_at(path, template))
        .filter(|_| status != 405);
    let Some((template, operations)) = at_path else {
        let error = &document.0["components"]["schemas"]["Error"];
        let problems = document.problems(error, body, "");
        assert!(problems.is_empty(), "{status} of {path}: {problems:?}");
        return;
    };
    let operations = operations.as_object().expect("operations").values();
    let answers: Vec<_> = operations
        .filter_map(|operation| operation["responses"].get(status.to_string()))
        .map(|response| &document.target(response)["content"]["application/json"]["schema"])
        .collect();
    assert!(!answers.is_empty(), "{template} does not list {status}");
    let problems: Vec<_> = answers
        .iter()
        .map(|schema| document.problems(schema, body, ""))
        .collect();
    assert!(
        problems.iter().any(Vec::is_empty),
        "{status} of {template} is not as described: {problems:?}"
    );
}

fn is_at(path: &str, template: &str) -> bool {
    let (path, template): (Vec<_>, Vec<_>) =
        (path.split('/').collect(), template.split('/').collect());
    path.len() == template.len()
        && path
            .iter()
            .zip(template)
            .all(|(part, wanted)| *part == wanted || wanted.starts_with('{'))
}

#[tokio::test]
async fn the_copy_in_the_repository_is_what_is_served() {
    let farm = Fixture::start().await;
    let served = serde_json::to_string_pretty(&served(&farm).await).expect("JSON") + "\n";
    if std::env::var_os("KINORA_UPDATE_OPENAPI").is_some() {
        std::fs::write(kept_at(), &served).expect("docs/openapi.json can be written");
    }
    let kept = std::fs::read_to_string(kept_at()).unwrap_or_default();
    assert!(
        kept == served,
        "docs/openapi.json is not what the gateway serves; \
         KINORA_UPDATE_OPENAPI=1 cargo test -p kinora-gateway openapi writes it anew"
    );
}

#[tokio::test]
async fn every_reference_leads_somewhere() {
    let farm = Fixture::start().await;
    let document = Document(served(&farm).await);
    assert_eq!(document.0["openapi"].as_str().map(|v| &v[..3]), Some("3.1"));
    let references = document.references();
    assert!(references.len() > 100, "only {}", references.len());
    for reference in references {
        let path = reference.strip_prefix('#').expect("a local reference");
        assert!(document.0.pointer(path).is_some(), "{reference}");
    }
}

#[tokio::test]
async fn each_path_has_the_methods_that_are_described() {
    let farm = Fixture::start().await;
    let document = served(&farm).await;
    for (template, operations) in document["paths"].as_object().expect("paths") {
        let path = format!("{PREFIX}{}", template.replace(['{', '}'], "x"));
        let answer = farm.api(Method::PATCH, &path).send().await.expect("answer");
        let allowed = answer.headers().get("Allow").cloned();
        assert_eq!(envelope(answer).await.0, 405, "{template}");
        let allowed = allowed.expect("Allow");
        let allowed = allowed.to_str().expect("text").split(',');
        let allowed: BTreeSet<_> = allowed
            .map(|method| method.trim().to_lowercase())
            .filter(|method| method != "head")
            .collect();
        let described = operations.as_object().expect("operations").keys();
        assert_eq!(allowed, described.cloned().collect(), "{template}");
    }
}

#[tokio::test]
async fn the_document_needs_no_key_and_no_controller() {
    let farm = Fixture::without_controller().await;
    let document = served(&farm).await;
    assert_eq!(document["info"]["title"], "Kinora API");
}

#[tokio::test]
async fn the_page_for_people_and_its_parts_are_there() {
    let farm = Fixture::without_controller().await;
    let page = farm.anonymous(Method::GET, "/docs").send().await;
    let page = page.expect("answer").error_for_status().expect("200");
    assert_eq!(page.headers()["Content-Type"], "text/html; charset=utf-8");
    let page = page.text().await.expect("text");
    for asset in ["/assets/docs.css", "/assets/docs.js"] {
        assert!(page.contains(asset), "the page does not load {asset}");
        let answer = farm.anonymous(Method::GET, asset).send().await;
        assert_eq!(answer.expect("answer").status(), 200, "{asset}");
    }
}
