//! Pages for people: the front door, previews, and what stands where there is none.

use crate::support::Fixture;
use kinora_proto::v1::preview_view::JobState;
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::show_preview_request::Wanted;
use kinora_proto::v1::{PreviewStill, PreviewView, Problem};
use reqwest::{Method, Response};
use serde_json::{Value, json};

fn view() -> PreviewView {
    PreviewView {
        name: "Spring <sale>".to_owned(),
        width: 1920,
        height: 1080,
        fps: 30,
        duration_in_frames: 300,
        expires_at_ms: 1_769_860_800_000,
        state: JobState::Drawing.into(),
        progress_percentage: 40,
        error_message: None,
        video_key: None,
        stills: Vec::new(),
    }
}

async fn get(farm: &Fixture, path: &str) -> Response {
    let request = farm.anonymous(Method::GET, path);
    let request = request.header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    request.send().await.expect("answer")
}

/// The status and text of a page, with its headers already checked.
async fn page(farm: &Fixture, path: &str) -> (u16, String) {
    let response = get(farm, path).await;
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    assert_eq!(
        headers["Content-Type"], "text/html; charset=utf-8",
        "{path}"
    );
    assert_eq!(headers["X-Content-Type-Options"], "nosniff");
    assert_eq!(headers["Referrer-Policy"], "no-referrer");
    let policy = headers["Content-Security-Policy"].to_str().expect("text");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';"),
        "{policy}"
    );
    assert!(
        !policy.contains("unsafe") && !policy.contains('*'),
        "{policy}"
    );
    let text = response.text().await.expect("text");
    assert!(!text.contains("{{"), "{text}");
    (status, text)
}

#[tokio::test]
async fn the_front_door_speaks_html_to_browsers_and_text_to_others() {
    let farm = Fixture::start().await;
    let (status, text) = page(&farm, "/").await;
    assert_eq!(status, 200);
    assert!(text.contains("href=\"docs\"") && text.contains("https://render.example.com/api/v1"));
    let plain = farm
        .anonymous(Method::GET, "/")
        .header("Accept", "*/*")
        .send()
        .await;
    let plain = plain.expect("answer");
    assert!(
        plain.headers()["Content-Type"]
            .to_str()
            .expect("text")
            .starts_with("text/plain")
    );
    assert_eq!(plain.headers()["Vary"], "Accept");
    let text = plain.text().await.expect("text");
    assert!(
        text.contains("POST /api/v1/renders") && text.contains("/docs"),
        "{text}"
    );
}

#[tokio::test]
async fn each_address_of_a_preview_asks_for_what_it_shows() {
    let farm = Fixture::start().await;
    farm.script().show_preview.answers(Ok(view()));
    for (query, wanted, mode) in [
        ("", Wanted::Video(true), "player"),
        ("?mode=grid", Wanted::Grid(true), "grid"),
        ("?frame=45", Wanted::Frame(45), "frame"),
        ("?frame=0", Wanted::Frame(0), "frame"),
        ("?frame=99999999999", Wanted::Frame(u32::MAX), "frame"),
        ("?utm_source=mail", Wanted::Video(true), "player"),
    ] {
        let (status, text) = page(&farm, &format!("/preview/prv_1{query}")).await;
        assert_eq!(status, 200);
        assert!(
            text.contains("<title>Spring &#60;sale&#62;</title>"),
            "{text}"
        );
        assert!(text.contains(&format!("data-mode=\"{mode}\"")), "{text}");
        assert!(
            !text.contains("data-preview-ready=\""),
            "it is not ready yet"
        );
        let asked = farm.script().show_preview.asked.remove(0);
        assert_eq!(
            (asked.preview_id.as_str(), asked.wanted),
            ("prv_1", Some(wanted))
        );

        let response = get(&farm, &format!("/preview/prv_1/state{query}")).await;
        assert_eq!(response.status(), 200);
        let asked = farm.script().show_preview.asked.remove(0);
        assert_eq!(
            (asked.preview_id.as_str(), asked.wanted),
            ("prv_1", Some(wanted))
        );
    }
}

#[tokio::test]
async fn the_state_shows_everything_that_the_page_needs() {
    let farm = Fixture::start().await;
    farm.script().show_preview.answers(Ok(view()));
    let response = get(&farm, "/preview/prv_1/state").await;
    assert_eq!(response.headers()["Cache-Control"], "no-store");
    let drawing: Value = response.json().await.expect("JSON");
    assert_eq!(
        drawing,
        json!({"state": "drawing", "progress": 40, "error": null, "videoUrl": null, "stills": [],
               "name": "Spring <sale>", "width": 1920, "height": 1080, "fps": 30,
               "durationInFrames": 300, "durationSeconds": 10.0,
               "expiresAt": "2026-01-31T12:00:00.000Z"})
    );
    farm.script().show_preview.answers(Ok(PreviewView {
        state: JobState::Ready.into(),
        video_key: Some("previews/prv_1/v.mp4".to_owned()),
        stills: vec![PreviewStill {
            frame: 45,
            key: "previews/prv_1/s/45.png".to_owned(),
        }],
        ..view()
    }));
    let ready: Value = get(&farm, "/preview/prv_1/state")
        .await
        .json()
        .await
        .expect("JSON");
    assert_eq!(ready["state"], "ready");
    assert_eq!(ready["videoUrl"], "../files/previews/prv_1/v.mp4");
    assert_eq!(
        ready["stills"],
        json!([{"frame": 45, "seconds": 1.5, "url": "../files/previews/prv_1/s/45.png"}])
    );
    farm.script().show_preview.answers(Ok(PreviewView {
        state: JobState::Failed.into(),
        error_message: Some("the image does not exist".to_owned()),
        ..view()
    }));
    let failed: Value = get(&farm, "/preview/prv_1/state")
        .await
        .json()
        .await
        .expect("JSON");
    assert_eq!(
        (&failed["state"], &failed["error"]),
        (&json!("failed"), &json!("the image does not exist"))
    );
}

#[tokio::test]
async fn a_preview_that_is_gone_says_so_kindly() {
    let farm = Fixture::start().await;
    let gone = Problem::new(Kind::NotFound, "there is no such preview");
    farm.script().show_preview.answers(Err(gone));
    for path in ["/preview/prv_2", "/preview/x%2Fy", "/preview/%ff"] {
        let (status, text) = page(&farm, path).await;
        assert_eq!(status, 404, "{path}");
        let sentence = "This preview has expired or never existed. Previews live for a day or so; ask for a new one.";
        assert!(text.contains(sentence), "{text}");
    }
    let state = get(&farm, "/preview/prv_2/state").await;
    assert_eq!(state.status(), 404);
    let state: Value = state.json().await.expect("JSON");
    assert_eq!(state["success"], false);
}

#[tokio::test]
async fn addresses_that_make_no_sense_are_400() {
    let farm = Fixture::start().await;
    farm.script().show_preview.answers(Ok(view()));
    for (query, named) in [
        ("?frame=x", "frame"),
        ("?frame=-1", "frame"),
        ("?frame=", "frame"),
        ("?frame=1.5", "frame"),
        ("?mode=tiles", "mode"),
    ] {
        let (status, text) = page(&farm, &format!("/preview/prv_1{query}")).await;
        assert_eq!(status, 400, "{query}");
        assert!(text.contains(&format!("{named} must be")), "{text}");
        let state = get(&farm, &format!("/preview/prv_1/state{query}")).await;
        assert_eq!(state.status(), 400, "{query}");
    }
    assert!(farm.script().show_preview.asked.is_empty());
}

#[tokio::test]
async fn a_page_without_its_controller_is_503_and_shows_no_internals() {
    let away = Fixture::without_controller().await;
    assert_eq!(page(&away, "/preview/prv_1").await.0, 503);
    let broken = Fixture::start().await;
    let (status, text) = page(&broken, "/preview/prv_1").await;
    assert_eq!(status, 500);
    assert!(!text.contains("SELECT"), "{text}");
}

#[tokio::test]
async fn the_editor_asks_for_sign_in_and_tells_nothing() {
    let farm = Fixture::start().await;
    let (status, known) = page(&farm, "/edit/prv_1").await;
    assert_eq!(status, 401);
    assert!(known.contains("the account that made it"), "{known}");
    assert!(known.contains("not part of this version yet"), "{known}");
    assert_eq!(page(&farm, "/edit/nothing").await, (401, known));
    assert!(
        get(&farm, "/edit/prv_1")
            .await
            .headers()
            .contains_key("WWW-Authenticate")
    );
    assert!(farm.script().show_preview.asked.is_empty());
}

#[tokio::test]
async fn pages_bring_their_assets_along() {
    let farm = Fixture::start().await;
    for (name, kind) in [
        ("preview.css", "text/css; charset=utf-8"),
        ("preview.js", "text/javascript; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
    ] {
        let response = get(&farm, &format!("/assets/{name}")).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["Content-Type"], kind);
        assert!(!response.text().await.expect("text").is_empty());
    }
    for name in ["other.js", "..%2fpreview.js", "%ff"] {
        assert_eq!(
            get(&farm, &format!("/assets/{name}")).await.status(),
            404,
            "{name}"
        );
    }
}
