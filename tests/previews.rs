//! Previews through the real roles: what they answer, and their pages in a real Chromium.

use reqwest::Method;
use serde_json::{Value, json};

use crate::farm::scene::{composition, overlay};
use crate::farm::{TestFarm, browser};

/// A red square that fills the canvas from frame 30 on; before, the dark background.
fn scene() -> Value {
    let square = json!({"type": "shape", "content": "rectangle", "from": 30,
                        "styles": {"fill": "#ff0000"}});
    composition(60, &[overlay(30, [0, 0, 320, 180], square)])
}

async fn preview(farm: &TestFarm, body: Value) -> Value {
    farm.api.data(Method::POST, "/previews", body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_plays_shows_a_grid_and_single_frames_in_a_browser() {
    let farm = TestFarm::serve();
    let before = farm.api.credits().await;
    let preview = preview(&farm, json!({"inputProps": scene()})).await;
    let url = preview["previewUrl"].as_str().expect("previewUrl");
    let found = browser::run("preview.mjs", &[url, "45"]);

    assert_eq!(found["status"], 200);
    assert_eq!(found["readyAtOnce"], false, "it says ready when it is");
    let video = &found["video"];
    assert_eq!(
        (&video["width"], &video["height"]),
        (&json!(320), &json!(180))
    );
    let duration = video["duration"].as_f64().expect("duration");
    assert!((1.9..2.1).contains(&duration), "{video}");
    assert!(
        video["played"]
            .as_f64()
            .is_some_and(|seconds| seconds >= 0.2),
        "{video}"
    );

    let cells = found["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 12);
    for cell in cells {
        assert_eq!(cell["width"], 320, "{cell}");
        assert!(
            cell["label"]
                .as_str()
                .is_some_and(|label| !label.is_empty()),
            "{cell}"
        );
    }
    let still = &found["still"];
    assert_eq!(
        (&still["width"], &still["height"]),
        (&json!(320), &json!(180))
    );
    assert_eq!(still["middle"], json!([255, 0, 0]));
    assert!(
        still["text"]
            .as_str()
            .is_some_and(|text| text.contains("45")),
        "{still}"
    );
    assert_eq!(found["complaints"], json!([]));
    assert_eq!(
        found["foreign"],
        json!([]),
        "nothing is fetched from elsewhere"
    );

    // Nobody paid, and nothing of it is among the renders.
    assert_eq!(farm.api.credits().await, before);
    let renders = farm.api.data(Method::GET, "/renders", Value::Null).await;
    assert_eq!(renders["renders"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_canvas_is_shown_small_and_unknown_previews_are_not_found() {
    let farm = TestFarm::serve();
    let mut large = scene();
    large["width"] = 1920.into();
    large["height"] = 1080.into();
    large["durationInFrames"] = 15.into();
    let preview = preview(&farm, json!({ "inputProps": large })).await;
    let url = preview["previewUrl"].as_str().expect("previewUrl");
    let found = browser::run("preview.mjs", &[url, "3"]);
    assert_eq!(found["video"]["width"], 640, "{found}");
    assert_eq!(found["still"]["width"], 1920, "{found}");
    assert_eq!(found["still"]["corner"], json!([16, 32, 48]));

    for path in [
        "/preview/prv_nothing",
        "/preview/prv_nothing/state",
        "/preview/x%2Fy",
    ] {
        let url = format!("{}{path}", farm.api.url);
        let answer = farm.api.anonymous(Method::GET, &url).send().await;
        assert_eq!(answer.expect("answer").status(), 404, "{path}");
    }
    let edit = preview["editUrl"].as_str().expect("editUrl");
    let answer = farm.api.anonymous(Method::GET, edit).send().await;
    assert_eq!(
        answer.expect("answer").status(),
        401,
        "the editor asks who you are"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_quotes_resolves_and_warns_about_everything_that_is_wrong() {
    let farm = TestFarm::serve();
    let place = [0, 0, 300, 60];
    let overlays = [
        json!({"type": "text", "content": "x", "name": "title", "isDynamic": true,
               "styles": {"fontFamily": "Comic Sans MS", "fontSize": "2rem"}}),
        json!({"type": "text", "content": "far too many words for so small a box ".repeat(9),
               "styles": {"fontFamily": "Montserrat", "fontSize": "40px", "fontSizeFixed": true}}),
        json!({"type": "text", "content": "x",
               "styles": {"fontFamily": "Noto Color Emoji", "fontWeight": "900"}}),
        json!({"type": "image", "src": "http://127.0.0.1:1/gone.png", "colour": "red"}),
        json!({"type": "image", "src": "https://github.com/a/b/blob/main/c.png"}),
    ]
    .map(|fields| overlay(30, place, fields));
    let body = json!({"inputProps": composition(30, &overlays), "titel": "unknown"});
    let preview = preview(&farm, body).await;

    let warnings = preview["warnings"].as_array().expect("warnings");
    let codes: Vec<&str> = warnings
        .iter()
        .filter_map(|warning| warning["code"].as_str())
        .collect();
    for code in [
        "UNKNOWN_REPLACEMENT",
        "UNKNOWN_FIELD",
        "FONT_NOT_RESOLVED",
        "FONT_WEIGHT_UNAVAILABLE",
        "MEDIA_URL_REWRITTEN",
        "TEXT_MAY_CLIP",
        "FONT_SIZE_UNIT_IGNORED",
        "MEDIA_UNREACHABLE",
    ] {
        assert!(codes.contains(&code), "{code} is not in {codes:?}");
    }
    let severity = |warning: &Value| match warning["severity"].as_str() {
        Some("error") => 0,
        Some("warning") => 1,
        Some("info") => 2,
        other => panic!("{other:?}"),
    };
    assert!(warnings.is_sorted_by_key(severity), "{warnings:#?}");
    for warning in warnings {
        assert!(
            warning["message"].is_string() && warning["hint"].is_string(),
            "{warning}"
        );
    }
    assert_eq!(
        preview["resolved"]["title"]["value"], "x",
        "{}",
        preview["resolved"]
    );
    assert_eq!(preview["resolved"]["title"]["source"], "default");
    assert_eq!(preview["quote"]["credits"], 1);
    assert_eq!(preview["quote"]["sufficient"], true);
    assert_eq!(preview["aiSkipped"], Value::Null);
}
