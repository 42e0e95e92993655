//! Bad input: the right status, one clear message that says what to do, nothing charged, no panic.

use serde_json::{Value, json};

use crate::farm::media::MediaServer;
use crate::farm::scene::{composition, overlay, plain, with_image};
use crate::farm::{Finished, TestFarm};

fn no_internals(text: &str) {
    for leak in ["/tmp/", "sqlite", "SELECT", "panicked", ".rs:", "kinora.db"] {
        assert!(!text.contains(leak), "{leak:?} is in {text}");
    }
}

fn issue_paths(envelope: &Value) -> Vec<&str> {
    let issues = envelope["details"]["issues"].as_array();
    let issues = issues.map(Vec::as_slice).unwrap_or_default();
    issues
        .iter()
        .filter_map(|issue| issue["path"].as_str())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_bodies_are_refused_with_every_problem_named_and_cost_nothing() {
    let farm = TestFarm::serve();
    let before = farm.api.credits().await;
    let body = |overlays: &[Value]| json!({"inputProps": composition(30, overlays)}).to_string();
    let no_content = overlay(30, [0, 0, 10, 10], json!({"type": "text"}));
    let mut no_place = overlay(30, [0, 0, 10, 10], json!({"type": "text", "content": "x"}));
    no_place.as_object_mut().expect("object").remove("left");
    let both = body(&[no_content.clone(), no_place]);
    let unknown_type = body(&[overlay(30, [0, 0, 10, 10], json!({"type": "hologram"}))]);
    let unknown_shape = json!({"type": "shape", "content": "blob"});
    let empty_source = json!({"type": "image", "src": "", "name": "logo"});

    let cases: [(&str, String, u16, &[&str]); 9] = [
        ("no JSON", "{\"inputProps\": ".to_owned(), 400, &[""]),
        ("nothing", String::new(), 400, &[""]),
        ("no mode", "{}".to_owned(), 400, &[""]),
        (
            "unknown type",
            unknown_type,
            400,
            &["inputProps.overlays[0].type"],
        ),
        (
            "missing fields",
            both,
            400,
            &[
                "inputProps.overlays[0].content",
                "inputProps.overlays[1].left",
            ],
        ),
        (
            "unknown shape",
            body(&[overlay(30, [0, 0, 10, 10], unknown_shape)]),
            422,
            &["overlays[0].content"],
        ),
        (
            "local file",
            body(&[overlay(
                30,
                [0, 0, 10, 10],
                json!({"type": "image", "src": "/etc/passwd"}),
            )]),
            400,
            &["inputProps.overlays[0].src"],
        ),
        (
            "too wide",
            json!({"inputProps": plain(30), "width": 100_000}).to_string(),
            422,
            &["width"],
        ),
        (
            "no source",
            body(&[overlay(30, [0, 0, 10, 10], empty_source)]),
            400,
            &["inputProps.overlays[0].src"],
        ),
    ];
    for (what, sent, expected, paths) in cases {
        let (status, envelope) = farm.api.post_render(sent).await;
        assert_eq!(status, expected, "{what}: {envelope}");
        assert_eq!(envelope["success"], false, "{what}");
        assert!(
            envelope["error"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{what}"
        );
        assert_eq!(issue_paths(&envelope), paths, "{what}: {envelope}");
        no_internals(&envelope.to_string());
    }
    let (_, envelope) = farm
        .api
        .post_render(body(&[overlay(
            30,
            [0, 0, 9, 9],
            json!({"type": "image", "src": "", "name": "logo"}),
        )]))
        .await;
    assert_eq!(envelope["details"]["reason"], "MISSING_MEDIA_SOURCE");
    assert_eq!(farm.api.credits().await, before);
}

async fn failed(farm: &TestFarm, scene: &Value) -> Finished {
    let before = farm.api.credits().await;
    let job_id = farm.api.start(scene).await;
    let finished = farm.api.follow(&job_id).await;
    assert_eq!(finished.job["status"], "FAILED", "{}", finished.job);
    assert_eq!(finished.job["outputUrl"], Value::Null);
    assert_eq!(farm.api.credits().await, before, "a failed job is refunded");
    farm.audit_refunded(&job_id).await;
    finished
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_media_fails_the_job_with_a_message_and_gives_the_credits_back() {
    let media = MediaServer::start().await;
    let farm = TestFarm::serve();
    for (name, reason) in [("missing.png", "404"), ("text.png", "image")] {
        let url = media.url(name);
        let finished = failed(&farm, &with_image(30, &url)).await;
        let message = finished.job["errorMessage"].as_str().expect("a message");
        assert!(message.contains(&url), "{message}");
        assert!(message.contains(reason), "{message}");
        no_internals(message);
    }
    let clip = json!({"type": "video", "src": media.url("text.png")});
    let finished = failed(
        &farm,
        &composition(30, &[overlay(30, [0, 0, 320, 180], clip)]),
    )
    .await;
    no_internals(finished.job["errorMessage"].as_str().expect("a message"));
    // The farm goes on as if nothing had been.
    let job_id = farm.api.start(&plain(30)).await;
    farm.api.follow(&job_id).await.completed();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_problems_are_a_refusal_and_not_a_failure() {
    let farm = TestFarm::serve();
    let broken: Vec<Value> = (0..1000)
        .map(|id| json!({"id": id, "type": "text"}))
        .collect();
    let body = json!({"inputProps": composition(30, &broken)}).to_string();
    let (status, envelope) = farm.api.post_render(body).await;
    assert_eq!(status, 400, "{envelope}");
    assert!(issue_paths(&envelope).len() >= 100, "{envelope}");
    let many: Vec<Value> = (0..1001)
        .map(|_| overlay(30, [0, 0, 10, 10], json!({"type": "text", "content": "x"})))
        .collect();
    let body = json!({"inputProps": composition(30, &many)}).to_string();
    let (status, envelope) = farm.api.post_render(body).await;
    assert_eq!((status, issue_paths(&envelope)), (422, vec!["overlays"]));
    let deep = format!(
        "{{\"inputProps\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(farm.api.post_render(deep).await.0, 400);
    let large = format!("{{\"inputProps\":\"{}\"}}", "x".repeat(5 * 1024 * 1024));
    assert_eq!(farm.api.post_render(large).await.0, 413);
    let job = farm.api.start(&plain(5)).await;
    farm.api.follow(&job).await.completed();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_account_sees_nothing() {
    let farm = TestFarm::serve();
    let job_id = farm.api.start(&plain(30)).await;
    let stranger = farm.another_account();
    let request = stranger.request(reqwest::Method::GET, &format!("/renders/{job_id}"));
    assert_eq!(request.send().await.expect("answer").status(), 403);
    let request = stranger.request(reqwest::Method::GET, "/renders/no-such-job");
    assert_eq!(request.send().await.expect("answer").status(), 404);
    let (status, envelope) = stranger
        .post_render(json!({"inputProps": plain(30)}).to_string())
        .await;
    assert_eq!(status, 402, "{envelope}");
    assert_eq!(
        envelope["details"],
        json!({"creditsNeeded": 1, "creditsAvailable": 0, "creditsShort": 1})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_requests_are_told_when_to_come_back() {
    let farm = TestFarm::serve();
    let caller = farm.another_account();
    let mut refused = None;
    // 60 a minute without a plan; a window may end in the middle of the test, but not twice.
    for _ in 0..130 {
        let request = caller.request(reqwest::Method::POST, "/auth/verify");
        let response = request.send().await.expect("answer");
        if response.status() == 429 {
            refused = Some(response);
            break;
        }
        assert_eq!(response.status(), 200);
    }
    let refused = refused.expect("a refusal");
    assert_eq!(refused.headers()["RateLimit-Limit"], "60");
    assert_eq!(refused.headers()["RateLimit-Remaining"], "0");
    assert_eq!(
        refused.headers()["Retry-After"],
        refused.headers()["RateLimit-Reset"]
    );
}
