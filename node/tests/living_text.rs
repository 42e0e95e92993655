//! Text that moves, is typed, counts or is code, drawn for real and looked at.

mod common;

use common::studio::{HEIGHT, Studio, WIDTH, overlay};
use serde_json::{Value, json};

const WORDS: &str = "Hi né 👩\u{200D}💻 office\nمرحبا بك";

fn text(content: &str, styles: Value) -> Value {
    let mut all = json!({ "color": "#fff", "fontSize": "16px", "fontWeight": "600" });
    if let (Some(all), Value::Object(styles)) = (all.as_object_mut(), styles) {
        all.extend(styles);
    }
    let fields = json!({ "content": content, "styles": all });
    json!([overlay("text", [4, 4, 120, 64], &fields)])
}

/// Looks that could be torn apart when letters are drawn in pieces.
fn looks() -> Vec<Value> {
    vec![
        json!({}),
        json!({ "textShadow": "2px 2px 2px #f00", "textDecoration": "underline wavy" }),
        json!({ "background": "linear-gradient(90deg, red, lime)", "WebkitBackgroundClip": "text",
            "WebkitTextFillColor": "transparent" }),
        json!({ "opacity": 0.5, "backgroundColor": "#06f", "border": "3px solid #ff0" }),
    ]
}

fn with(look: &Value, feature: &str, mode: Value) -> Value {
    let mut styles = look.clone();
    styles[feature] = mode;
    styles
}

/// The largest difference of a channel, and the mean of all.
fn apart(a: &image::RgbaImage, b: &image::RgbaImage) -> (u8, f64) {
    let differences = a.iter().zip(b.iter()).map(|(a, b)| a.abs_diff(*b));
    let sum: f64 = differences.clone().map(f64::from).sum();
    let count = a.len() as f64;
    (differences.max().unwrap_or(0), sum / count)
}

#[tokio::test]
async fn text_at_rest_is_the_plain_text_to_the_byte() {
    let studio = Studio::open().await;
    for look in looks() {
        let plain = studio.still(text(WORDS, look.clone())).await;
        for (feature, mode) in [
            (
                "animatedText",
                json!({ "enabled": true, "split": "character", "splitStagger": 1, "duration": 9 }),
            ),
            (
                "animatedText",
                json!({ "enabled": true, "split": "line", "duration": 9, "y": [30, 0] }),
            ),
            (
                "staggeredMotion",
                json!({ "enabled": true, "stagger": 1, "scale": [0, 1], "staggerDirection": "random" }),
            ),
            (
                "typeWriter",
                json!({ "enabled": true, "typeSpeed": 1, "cursor": false }),
            ),
            (
                "typeWriter",
                json!({ "enabled": true, "typeSpeed": 1, "blinkSpeed": 2 }),
            ),
        ] {
            let overlays = text(WORDS, with(&look, feature, mode.clone()));
            // A cursor is off in every second frame.
            let mut differences = Vec::new();
            for frame in [56, 57] {
                let shown = studio.frame(&overlays, frame).await.expect("a frame");
                differences.push(apart(&plain, &shown).0);
            }
            assert!(
                differences.contains(&0),
                "{feature} {mode} {look}: {differences:?}"
            );
        }
    }
}

#[tokio::test]
async fn pieces_at_rest_make_up_the_whole() {
    let studio = Studio::open().await;
    for look in looks() {
        let plain = studio.still(text(WORDS, look.clone())).await;
        for split in ["none", "word", "character", "line"] {
            // All but the last stand where they belong; it moves by less than can be seen.
            let mode =
                json!({ "enabled": true, "split": split, "x": [0.001, 0.001], "duration": 1 });
            let overlays = text(WORDS, with(&look, "animatedText", mode));
            let shown = studio.frame(&overlays, 30).await.expect("a frame");
            let (largest, mean) = apart(&plain, &shown);
            assert!(
                mean < 0.3 && largest < 160,
                "{split} {look}: {largest} {mean}"
            );
        }
    }
}

#[tokio::test]
async fn chunks_are_drawn_as_the_whole_is() {
    let studio = Studio::open().await;
    let look = &looks()[1];
    let scenes = [
        with(
            look,
            "animatedText",
            json!({ "enabled": true, "split": "character", "splitStagger": 2,
            "blur": [4, 0], "glitch": [8, 0], "scale": [2, 1], "rotate": [40, 0], "opacity": [0, 1] }),
        ),
        with(
            look,
            "typeWriter",
            json!({ "enabled": true, "typeSpeed": 1, "errorRate": 0.5, "loop": true,
            "deleteBeforeNext": true, "pauseAfterType": 5, "pauseAfterDelete": 5, "blinkSpeed": 4 }),
        ),
        with(
            &json!({}),
            "counterMode",
            json!({ "enabled": true, "to": 1234.5, "duration": 40 }),
        ),
        with(
            &json!({ "opacity": 0.6 }),
            "codeBlock",
            json!({ "enabled": true, "language": "rust", "lineStagger": 8, "showLineNumbers": true }),
        ),
    ];
    for styles in scenes {
        let overlays = text("let x = 1;\nfn y() {}", styles.clone());
        let whole = studio.frames(&overlays, 0..60).await;
        let distinct: std::collections::HashSet<&Vec<u8>> = whole.iter().collect();
        assert!(distinct.len() > 10, "{styles} moves");
        let mut cut = Vec::new();
        for range in [0..7, 7..31, 31..60] {
            cut.extend(studio.frames(&overlays, range).await);
        }
        assert!(whole == cut, "{styles}");
    }
}

#[tokio::test]
async fn living_text_goes_with_presets_and_over_videos() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let video = json!({ "src": "clip.mp4", "row": 5, "id": 9 });
    let animations = [
        json!({ "enter": "slideUp", "exit": "zoomBlur", "enterDuration": 0.5 }),
        json!({ "enter": "swipeReveal", "during": "sway" }),
        json!({ "enter": "fade", "exit": "fade" }),
    ];
    let modes = [
        (
            "animatedText",
            json!({ "enabled": true, "split": "character", "splitStagger": 1 }),
        ),
        (
            "typeWriter",
            json!({ "enabled": true, "typeSpeed": 2, "blinkSpeed": 6 }),
        ),
        (
            "counterMode",
            json!({ "enabled": true, "to": 999, "duration": 50 }),
        ),
    ];
    for animation in animations {
        for (feature, mode) in &modes {
            let look =
                json!({ "animation": animation, "backgroundColor": "rgba(0, 60, 120, 0.6)" });
            let mut overlays = text(WORDS, with(&look, feature, mode.clone()));
            let behind = overlay("video", [0, 0, 128, 72], &video);
            overlays.as_array_mut().expect("a list").push(behind);
            let whole = studio.frames(&overlays, 0..60).await;
            let mut cut = Vec::new();
            for range in [0..11, 11..24, 24..60] {
                cut.extend(studio.frames(&overlays, range).await);
            }
            let first = whole.iter().zip(&cut).position(|(whole, cut)| whole != cut);
            assert_eq!(first, None, "{animation} {feature}");
        }
    }
}

#[tokio::test]
async fn typed_letters_stay_where_they_will_be() {
    let studio = Studio::open().await;
    let plain = studio.still(text(WORDS, json!({}))).await;
    let mode = json!({ "enabled": true, "typeSpeed": 2, "cursor": false });
    let overlays = text(WORDS, json!({ "typeWriter": mode }));
    let nothing = studio.frame(&overlays, 0).await.expect("a frame");
    let background = *nothing.get_pixel(0, 0);
    assert!(nothing.pixels().all(|pixel| *pixel == background));
    let ink = |picture: &image::RgbaImage| {
        picture
            .pixels()
            .filter(|pixel| **pixel != background)
            .count()
    };
    let mut before = 0;
    for frame in (0..56).step_by(6) {
        let shown = studio.frame(&overlays, frame).await.expect("a frame");
        let covered = ink(&shown);
        assert!(covered >= before, "{frame}: {covered} < {before}");
        before = covered;
        for (shown, whole) in shown.pixels().zip(plain.pixels()) {
            // Letters that join cover more together than one of them does.
            let is_between = (0..3).all(|channel| {
                let (ground, whole) = (background.0[channel], whole.0[channel]);
                let (low, high) = (ground.min(whole), ground.max(whole));
                (low.saturating_sub(2)..=high.saturating_add(2)).contains(&shown.0[channel])
            });
            assert!(is_between, "{frame}: {shown:?} {whole:?}");
        }
    }
}

#[tokio::test]
async fn a_number_keeps_its_size_while_it_grows() {
    let studio = Studio::open().await;
    let mode =
        json!({ "enabled": true, "from": 1, "to": 1000, "duration": 40, "easing": "linear" });
    let overlays = text("", json!({ "counterMode": mode, "fontSize": "400px" }));
    let height = |picture: &image::RgbaImage| {
        let background = *picture.get_pixel(0, 0);
        let is_inked = |y: &u32| (0..WIDTH).any(|x| *picture.get_pixel(x, *y) != background);
        (0..HEIGHT).filter(is_inked).count()
    };
    let mut heights = Vec::new();
    for frame in [0, 10, 20, 40, 59] {
        let shown = studio.frame(&overlays, frame).await.expect("a frame");
        heights.push(height(&shown));
    }
    let (low, high) = (heights.iter().min(), heights.iter().max());
    assert!(
        high.zip(low).is_some_and(|(high, low)| high - low <= 2),
        "{heights:?}"
    );
}

#[tokio::test]
async fn code_is_shown_in_several_colours_and_never_wraps() {
    let studio = Studio::open().await;
    let code = "// one long line that would wrap if it were any other text\nlet a = \"x\"; // 1";
    let mode = json!({ "enabled": true, "language": "rs" });
    let shown = studio.still(text(code, json!({ "codeBlock": mode }))).await;
    let mut colors: Vec<[u8; 3]> = shown
        .pixels()
        .map(|p| [p[0] >> 5, p[1] >> 5, p[2] >> 5])
        .collect();
    colors.sort_unstable();
    colors.dedup();
    let plain = json!({ "enabled": true, "language": "no such language" });
    let plain = studio
        .still(text(code, json!({ "codeBlock": plain })))
        .await;
    assert_ne!(shown, plain);
    assert!(colors.len() > 8, "{}", colors.len());
}

#[tokio::test]
async fn odd_movements_are_drawn_without_harm() {
    let studio = Studio::open().await;
    for mode in [
        json!({ "split": "character", "scale": [0, -3, 1e9], "rotate": [1e9, 0], "blur": [1e9, 0] }),
        json!({ "split": "word", "x": [1e300, -1e300], "y": [], "glitch": [1e9, -5, 0] }),
        json!({ "split": "line", "duration": 0, "splitStagger": -4, "delay": 1e300 }),
        json!({ "split": "none", "opacity": [-4, 9], "scale": [4, 4], "duration": 1e300 }),
    ] {
        let mut mode = mode;
        mode["enabled"] = json!(true);
        for content in [WORDS, "", " ", "\n\n"] {
            let overlays = text(content, json!({ "animatedText": mode }));
            for frame in [0, 7, 59] {
                studio.frame(&overlays, frame).await.expect("a frame");
            }
        }
    }
    for content in ["", "\n", " \u{200D} "] {
        let overlays = text(
            content,
            json!({ "typeWriter": { "enabled": true },
            "codeBlock": { "enabled": true, "showLineNumbers": true, "fontSize": -3 } }),
        );
        studio.frame(&overlays, 3).await.expect("a frame");
    }
}
