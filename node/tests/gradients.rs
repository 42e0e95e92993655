//! Shapes whose gradients fade one into the next, drawn for real and looked at.

mod common;

use common::studio::{HEIGHT, Studio, WIDTH, overlay, shape};
use serde_json::{Value, json};

const WHOLE: [i32; 4] = [0, 0, WIDTH as i32, HEIGHT as i32];

fn flat(color: &str) -> String {
    format!("linear-gradient({color}, {color})")
}

/// A shape that fades through flat colours in 40 frames.
fn fading(rect: [i32; 4], colors: &[&str], styles: &Value) -> Value {
    let gradients: Vec<String> = colors.iter().map(|color| flat(color)).collect();
    let mut shape = shape(rect, "#0f0", &json!({ "styles": styles }));
    shape["styles"]["gradientTransition"] =
        json!({ "enabled": true, "gradients": gradients, "duration": 40, "easing": "linear" });
    shape
}

fn near(found: &image::Rgba<u8>, expected: [u8; 3]) -> bool {
    let pairs = found.0[..3].iter().zip(expected);
    pairs
        .into_iter()
        .all(|(found, expected)| found.abs_diff(expected) <= 2)
}

#[tokio::test]
async fn opaque_gradients_stay_opaque_on_their_way() {
    let studio = Studio::open().await;
    for rect in [WHOLE, [20, 10, 80, 50]] {
        let overlays = json!([fading(rect, &["#f00", "#00f", "#fff"], &json!({}))]);
        for (frame, expected) in [
            (0, [255, 0, 0]),
            (10, [128, 0, 128]),
            (20, [0, 0, 255]),
            (30, [128, 128, 255]),
            (40, [255, 255, 255]),
            (59, [255, 255, 255]),
        ] {
            let picture = studio.frame(&overlays, frame).await.expect("a frame");
            let found = picture.get_pixel(60, 36);
            assert!(
                near(found, expected),
                "frame {frame} of {rect:?}: {found:?}"
            );
        }
    }
}

#[tokio::test]
async fn see_through_gradients_let_as_much_through_as_they_say() {
    let studio = Studio::open().await;
    // Nothing at first, then half white: a quarter of white in between.
    let overlays = json!([fading(
        [20, 10, 80, 50],
        &["#fff0", "#ffffff80"],
        &json!({})
    )]);
    for (frame, light) in [(0, 0.0), (20, 0.25), (40, 0.5)] {
        let picture = studio.frame(&overlays, frame).await.expect("a frame");
        let expected =
            [0x20, 0x40, 0x60].map(|c| (f64::from(c) + (255.0 - f64::from(c)) * light) as u8);
        let found = picture.get_pixel(60, 36);
        assert!(near(found, expected), "frame {frame}: {found:?}");
    }
    // The same colour at both ends never dips.
    let same = json!([fading(WHOLE, &["#c84080a0", "#c84080a0"], &json!({}))]);
    let first = studio.frame(&same, 0).await.expect("a frame");
    for frame in [7, 20, 33] {
        let later = studio.frame(&same, frame).await.expect("a frame");
        assert_eq!(first, later, "frame {frame}");
    }
}

#[tokio::test]
async fn a_frame_drawn_alone_is_the_one_drawn_in_sequence() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let colors = ["#f00c", "#0f0", "#00f8", "#ff0"];
    let moving =
        json!({ "animation": { "during": "sway", "enter": "fade" }, "borderRadius": "9px" });
    let clip = overlay("video", WHOLE, &json!({ "src": "clip.mp4", "row": 9 }));
    for overlays in [
        json!([fading(WHOLE, &colors, &json!({}))]),
        json!([fading([20, 10, 80, 50], &colors, &moving)]),
        json!([clip, fading(WHOLE, &colors, &json!({ "opacity": 0.6 }))]),
    ] {
        let all = studio.frames(&overlays, 0..60).await;
        for frame in [0, 13, 14, 27, 40, 41, 59] {
            let alone = studio.frames(&overlays, frame..frame + 1).await;
            assert_eq!(alone[0], all[frame as usize], "frame {frame}");
        }
        let later = studio.frames(&overlays, 31..60).await;
        assert_eq!(later[..], all[31..], "a chunk");
    }
}

#[tokio::test]
async fn every_shape_fades_and_a_shape_out_of_view_does_no_harm() {
    let studio = Studio::open().await;
    for content in ["circle", "star", "line", "triangle", "heart"] {
        let mut shape = fading([20, 10, 80, 50], &["#f00", "#00f"], &json!({}));
        shape["content"] = content.into();
        let picture = studio.frame(&json!([shape]), 20).await.expect("a frame");
        let found = picture.get_pixel(60, 35);
        assert!(near(found, [127, 0, 128]), "{content}: {found:?}");
    }
    let away = json!([fading([900, 10, 80, 50], &["#f00", "#00f"], &json!({}))]);
    let picture = studio.frame(&away, 20).await.expect("a frame");
    assert!(near(picture.get_pixel(60, 35), [0x20, 0x40, 0x60]));
}
