//! Overlays that come, go and stagger, drawn for real and compared with overlays that stand still.

mod common;

use common::studio::{HEIGHT, Studio, WIDTH, overlay, shape};
use kinora_composition::timeline::preset_names;
use serde_json::{Value, json};

fn picture_file(studio: &Studio) {
    let picture = image::RgbaImage::from_fn(40, 30, |x, y| {
        image::Rgba([(x * 6) as u8, (y * 8) as u8, 90, 255])
    });
    picture
        .save(studio.folder.path().join("picture.png"))
        .expect("a picture");
}

/// One overlay of each kind, with filters, turns and places between pixels, all moved in the same way.
fn all_kinds(field: &str, motion: &Value) -> Value {
    let styled = |kind: &str, rect: [i32; 4], rotation: f64, mut fields: Value| {
        if !motion.is_null() {
            fields["styles"][field] = motion.clone();
        }
        fields["rotation"] = rotation.into();
        overlay(kind, rect, &fields)
    };
    let mut scene = json!([
        styled(
            "image",
            [2, 2, 40, 30],
            0.0,
            json!({ "src": "picture.png", "styles": {} })
        ),
        styled(
            "image",
            [44, 2, 36, 30],
            12.0,
            json!({ "src": "picture.png", "row": 4, "styles": {
            "filter": "sepia(1) drop-shadow(2px 2px 1px #000)", "border": "2px solid #fff", "opacity": 0.8 } })
        ),
        styled(
            "image",
            [84, 2, 36, 24],
            0.0,
            json!({ "src": "picture.png", "styles": {
            "clipPath": "circle(40%)", "layout3D": { "layout": "book" } } })
        ),
        styled(
            "shape",
            [4, 38, 24, 24],
            30.0,
            json!({ "content": "star", "styles": {
            "fill": "#fc3", "boxShadow": "0 2px 3px #000" } })
        ),
        styled(
            "sticker",
            [34, 38, 28, 28],
            0.0,
            json!({ "content": "discount-sale", "styles": {
            "filter": "hue-rotate(90deg) blur(1px)" } })
        ),
    ]);
    if field == "animation" {
        let words = json!({ "content": "Words", "row": 0, "styles": { "color": "#fff", "fontWeight": "700" } });
        let glass = json!({ "content": "Glass", "row": 0, "styles": {
            "backdropFilter": "blur(3px)", "backgroundColor": "#fff4", "borderRadius": "6px", "transform": "scale(0.9)" } });
        let scene = scene.as_array_mut().expect("an array");
        scene.push(styled("text", [66, 34, 58, 16], -4.0, words));
        scene.push(styled("text", [66, 52, 58, 18], 0.0, glass));
    }
    for overlay in scene.as_array_mut().expect("an array") {
        let left = overlay["left"].as_f64().expect("a number");
        overlay["left"] = json!(left + 0.25);
    }
    scene
}

#[tokio::test]
async fn at_rest_a_layer_is_drawn_as_if_nothing_ever_moved_it() {
    let studio = Studio::open().await;
    picture_file(&studio);
    let plain = studio
        .frames(&all_kinds("animation", &Value::Null), 20..21)
        .await;
    for name in preset_names() {
        let enter = all_kinds("animation", &json!({ "enter": name }));
        let frames = studio.frames(&enter, 7..17).await;
        let is_plain: Vec<bool> = frames.iter().map(|frame| *frame == plain[0]).collect();
        assert_eq!(is_plain[8..], [true, true], "{name} at its end");
        assert_eq!(!is_plain[0], name != "none", "{name} on its way");
        let exit = all_kinds("animation", &json!({ "exit": name }));
        let frames = studio.frames(&exit, 45..54).await;
        assert!(frames[0] == plain[0], "{name} before it goes");
        assert_eq!(frames[8] != plain[0], name != "none", "{name} as it goes");
    }
}

#[tokio::test]
async fn a_stagger_that_is_over_leaves_no_trace() {
    let studio = Studio::open().await;
    picture_file(&studio);
    let plain = studio
        .frames(&all_kinds("staggeredMotion", &Value::Null), 20..21)
        .await;
    let motion = json!({ "enabled": true, "x": [30, 0], "rotate": [20], "scale": [0.4, 1.2, 1],
        "blur": [4, 0], "opacity": [0, 1], "duration": 10, "delay": 3, "stagger": 99 });
    let staggered = all_kinds("staggeredMotion", &motion);
    let frames = studio.frames(&staggered, 0..15).await;
    assert!(frames[13] == plain[0] && frames[14] == plain[0]);
    assert!(frames[12] != plain[0] && frames[0] != plain[0]);
    let off = json!({ "x": [30, 0] });
    let off = studio
        .frames(&all_kinds("staggeredMotion", &off), 0..1)
        .await;
    assert!(off[0] == plain[0], "what is not enabled does nothing");
}

#[tokio::test]
async fn a_stagger_that_ends_elsewhere_stays_there() {
    let studio = Studio::open().await;
    let motion = json!({ "enabled": true, "x": [0, 40], "duration": 10 });
    let moved = json!([shape(
        [10, 20, 30, 30],
        "#f00",
        &json!({ "styles": { "staggeredMotion": motion } })
    )]);
    let there = json!([shape([50, 20, 30, 30], "#f00", &json!({}))]);
    let moved = studio.frames(&moved, 9..30).await;
    let there = studio.frames(&there, 9..30).await;
    assert!(moved[0] != there[0] && moved[1] == there[1] && moved[20] == there[20]);
}

/// Presets all over the canvas, overlapping in place and in time.
fn many_presets() -> Vec<Value> {
    let names = preset_names();
    let mut overlays = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let exit = names[(index + 7) % names.len()];
        let cell = index as i32;
        let rect = [(cell % 8) * 16, (cell / 8) * 14, 22, 14];
        let styles = json!({ "animation": {
            "enter": name, "exit": exit, "enterDuration": 0.6, "exitDuration": 0.4 + 0.02 * f64::from(cell) } });
        let mut fields = json!({ "row": 30 - cell % 20, "from": cell % 5, "styles": styles,
            "durationInFrames": if cell % 3 == 0 { 30 - cell % 5 } else { 50 } });
        let kind = match index % 4 {
            0 => {
                fields["content"] = "star".into();
                fields["styles"]["fill"] = "#f60a".into();
                "shape"
            }
            1 => {
                fields["content"] = "Ab".into();
                fields["styles"]["backgroundColor"] = "#06f8".into();
                "text"
            }
            2 => {
                fields["src"] = "picture.png".into();
                fields["styles"]["opacity"] = json!(0.8);
                fields["styles"]["border"] = "2px solid #fff".into();
                "image"
            }
            _ => {
                fields["content"] = "discount-sale".into();
                "sticker"
            }
        };
        overlays.push(overlay(kind, rect, &fields));
    }
    overlays
}

async fn compare_whole_with_chunks(studio: &Studio, scene: &Value) {
    let whole = studio.frames(scene, 0..60).await;
    let mut parts = studio.frames(scene, 0..30).await;
    parts.extend(studio.frames(scene, 30..60).await);
    let differing = |parts: &[Vec<u8>], first: usize| -> Vec<usize> {
        (0..parts.len())
            .map(|at| at + first)
            .filter(|frame| whole[*frame] != parts[*frame - first])
            .collect()
    };
    assert_eq!(differing(&parts, 0), Vec::<usize>::new());
    for frame in [1, 17, 29, 30, 31, 44] {
        let alone = studio.frames(scene, frame..frame + 1).await;
        assert_eq!(differing(&alone, frame as usize), Vec::<usize>::new());
    }
}

#[tokio::test]
async fn presets_are_the_same_whole_or_in_chunks() {
    let studio = Studio::open().await;
    picture_file(&studio);
    compare_whole_with_chunks(&studio, &many_presets().into()).await;
}

#[tokio::test]
async fn presets_over_a_video_are_the_same_whole_or_in_chunks() {
    let studio = Studio::open().await;
    picture_file(&studio);
    studio.clip("clip.mp4");
    let mut scene = many_presets();
    let video = json!({ "src": "clip.mp4", "row": 99 });
    scene.push(overlay("video", [0, 0, 128, 72], &video));
    let veil = json!({ "row": 98 });
    scene.push(shape([0, 0, 128, 70], "#10203055", &veil));
    compare_whole_with_chunks(&studio, &scene.into()).await;
}

#[tokio::test]
async fn what_has_just_gone_from_over_a_video_leaves_no_trace() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let video = json!({ "src": "clip.mp4", "row": 99 });
    let gone = json!({ "row": 50, "durationInFrames": 30, "styles": { "animation": { "exit": "slideUp" } } });
    let scene = json!([
        overlay("video", [0, 0, 128, 72], &video),
        shape([0, 0, 128, 70], "#10203055", &json!({ "row": 98 })),
        shape([30, 10, 60, 40], "#ffcc0088", &gone),
        shape(
            [8, 8, 110, 60],
            "#ff880033",
            &json!({ "row": 10, "styles": { "boxShadow": "0 0 9px #000" } })
        ),
    ]);
    compare_whole_with_chunks(&studio, &scene).await;
}

#[tokio::test]
async fn a_video_comes_and_goes_as_other_layers_do() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let video = |styles: Value| {
        let fields = json!({ "src": "clip.mp4", "styles": styles });
        json!([overlay("video", [0, 0, 128, 72], &fields)])
    };
    let plain = studio.frames(&video(json!({})), 0..60).await;
    for name in ["slideLeft", "zoomBlur", "swipeReveal", "fold"] {
        let styles = json!({ "animation": { "enter": name, "exit": name } });
        let frames = studio.frames(&video(styles), 0..60).await;
        assert!(frames[15..=45] == plain[15..=45], "{name} at rest");
        assert!(
            (0..15).all(|frame| frames[frame] != plain[frame]),
            "{name} as it comes"
        );
        assert!(
            (46..60).all(|frame| frames[frame] != plain[frame]),
            "{name} as it goes"
        );
    }
}

#[tokio::test]
async fn a_filtered_video_that_stands_still_is_filtered_once() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let styles = json!({ "filter": "invert(1)", "animation": { "enter": "blur", "exit": "blur" } });
    let fields = json!({ "src": "clip.mp4", "speed": 0.01, "styles": styles });
    let scene = json!([overlay("video", [11, 7, 90, 51], &fields)]);
    compare_whole_with_chunks(&studio, &scene).await;
}

#[tokio::test]
async fn a_reveal_cuts_the_layer_with_its_shadow_and_turns_with_it() {
    let studio = Studio::open().await;
    let wiped = |rotation: f64| {
        let styles = json!({ "boxShadow": "0 8px 0 #00f", "animation": { "enter": "typing" } });
        json!([shape(
            [24, 16, 80, 32],
            "#f00",
            &json!({ "rotation": rotation, "styles": styles })
        )])
    };
    // Five of eight letters.
    let half = studio.frame(&wiped(0.0), 9).await.expect("a frame");
    let at = |x: u32, y: u32| half.get_pixel(x, y).0;
    assert_eq!(at(30, 30), [255, 0, 0, 255]);
    assert_eq!(at(30, 52), [0, 0, 255, 255]);
    assert_eq!(at(96, 30), [0x20, 0x40, 0x60, 255]);
    assert_eq!(at(96, 52), [0x20, 0x40, 0x60, 255]);
    let turned = studio.frame(&wiped(180.0), 9).await.expect("a frame");
    for (x, y, pixel) in half
        .enumerate_pixels()
        .filter(|(_, y, _)| (10..54).contains(y))
    {
        let opposite = turned.get_pixel(WIDTH - 1 - x, 63 - y);
        assert_eq!(pixel, opposite, "{x}, {y} of {HEIGHT}");
    }
}

#[tokio::test]
async fn a_reveal_cuts_the_backdrop_too() {
    let studio = Studio::open().await;
    let glass = json!({ "content": "", "row": 0, "styles": {
        "backdropFilter": "invert(1)", "borderRadius": "8px", "animation": { "enter": "typing" } } });
    let scene = json!([overlay("text", [24, 16, 80, 32], &glass)]);
    let half = studio.frame(&scene, 9).await.expect("a frame");
    let at = |x: u32, y: u32| half.get_pixel(x, y).0;
    assert_eq!(at(40, 30), [0xdf, 0xbf, 0x9f, 255]);
    assert_eq!(at(25, 17), [0x20, 0x40, 0x60, 255], "its corner is round");
    assert_eq!(at(96, 30), [0x20, 0x40, 0x60, 255]);
}

#[tokio::test]
async fn movement_beyond_all_measure_is_drawn_or_out_of_sight() {
    let studio = Studio::open().await;
    picture_file(&studio);
    for value in [0.0, -1.0, 1e-9, 3000.0, 1e9, 1e308, -1e308] {
        for channel in ["x", "y", "scale", "rotate", "blur", "opacity"] {
            let motion = json!({ "enabled": true, channel: [value, value], "duration": 10 });
            let frames = studio
                .frames(&all_kinds("staggeredMotion", &motion), 4..5)
                .await;
            assert_eq!(frames.len(), 1, "{channel} {value}");
        }
    }
    let huge = json!({ "animation": { "enter": "vortex" } });
    let huge = shape(
        [-40_000, -40_000, 90_000, 90_000],
        "#f00",
        &json!({ "styles": huge }),
    );
    assert_eq!(studio.frames(&json!([huge]), 5..6).await.len(), 1);
}
