//! Rules of the interface that are only believed when the real roles keep them.

mod accounts;
mod answers;
mod limits;
mod modes;

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::farm::scene::{composition, overlay};
use crate::farm::{Api, TestFarm};

const OWNER: &str = "tester@example.com";

/// A client with a new account, made with these further arguments.
fn account(farm: &TestFarm, email: &str, arguments: &[&str]) -> Api {
    let create = ["account", "create", "--email", email];
    farm.admin(&[&create, arguments].concat());
    Api::new(&farm.api.url, &key_of(farm, email))
}

fn key_of(farm: &TestFarm, email: &str) -> String {
    let created = farm.admin(&["key", "create", "--email", email]);
    created["key"].as_str().expect("a key").to_owned()
}

/// Writes a file and imports it as a public template or as the owner's project.
fn import(farm: &TestFarm, kind: &str, file: &Value) -> String {
    let path = farm.folder().join("import.json");
    std::fs::write(&path, file.to_string()).expect("write");
    let path = path.display().to_string();
    let arguments: &[&str] = match kind {
        "template" => &["template", "import", &path, "--public"],
        _ => &["project", "import", &path, "--email", OWNER],
    };
    let imported = farm.admin(arguments);
    imported["id"].as_str().expect("an id").to_owned()
}

fn keys(object: &Value) -> BTreeSet<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

fn issue_paths(envelope: &Value) -> Vec<&str> {
    let issues = envelope["details"]["issues"].as_array().expect("issues");
    let paths = issues.iter().map(|issue| issue["path"].as_str());
    paths.map(|path| path.expect("a path")).collect()
}

/// Three variables, one of each kind of description, and one overlay that never changes.
fn greeting() -> Value {
    let fixed = json!({"type": "text", "content": "Hello", "name": "title", "isDynamic": true,
                       "styles": {"fontSize": "20px", "fontSizeFixed": true}});
    let fitted = json!({"type": "text", "content": "to all", "name": "note", "isDynamic": true});
    let photo = json!({"type": "image", "src": "http://127.0.0.1:1/p.png", "name": "photo",
                       "isDynamic": true});
    let mark = json!({"type": "shape", "content": "circle", "name": "mark"});
    let overlays = [fixed, fitted, photo, mark].map(|fields| overlay(30, [0, 0, 300, 60], fields));
    composition(30, &overlays)
}

fn template_file() -> Value {
    json!({"name": "Greeting", "description": "Says hello", "category": "EVENTS",
           "creditsPerMinute": 3, "inputProps": greeting()})
}

async fn sent(request: RequestBuilder) -> Response {
    request.send().await.expect("answer")
}

/// Checks what every answer must have, whatever its status, and returns its number headers.
async fn check(response: Response, expected: u16) -> [u64; 3] {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let text = response.text().await.expect("body");
    assert_eq!(status, expected, "{text}");
    let number = |name: &str| -> u64 {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        let number = value.and_then(|value| value.parse().ok());
        number.unwrap_or_else(|| panic!("{name} is {value:?} on a {status}"))
    };
    assert_eq!(number("RateLimit-Limit"), number("X-RateLimit-Limit"));
    assert_eq!(
        number("RateLimit-Remaining"),
        number("X-RateLimit-Remaining")
    );
    let (wait, at) = (number("RateLimit-Reset"), number("X-RateLimit-Reset"));
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.expect("after 1970").as_secs();
    // The answer is a while old when it is looked at.
    let is_one_moment = at <= now + wait + 1 && now + wait <= at + 30;
    assert!(wait <= 60 && is_one_moment, "{wait} {at} {now}");
    assert_eq!(headers.contains_key("Retry-After"), status == 429);
    if status == 429 {
        assert_eq!(number("Retry-After"), wait);
    }
    for name in ["Deprecation", "Sunset"] {
        assert!(!headers.contains_key(name), "nothing is deprecated");
    }
    assert_eq!(headers["Content-Type"], "application/json");
    let body: Value = serde_json::from_str(&text).expect("JSON");
    let expected: &[&str] = match status {
        200 | 201 => &["success", "data"],
        _ => &["success", "error", "details"],
    };
    assert_eq!(keys(&body), expected.iter().copied().collect());
    assert_eq!(body["success"], status < 400, "{body}");
    [number("RateLimit-Limit"), number("RateLimit-Remaining"), at]
}
