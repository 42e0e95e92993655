//! Effect overlays, drawn for real: the same wherever drawing starts, at any rate, inside their box.

mod common;

use std::sync::Arc;

use common::studio::{HEIGHT, Kept, Studio, WIDTH, document, overlay, shape};
use kinora_composition::document::Composition;
use kinora_node::RenderOptions;
use serde_json::{Value, json};

const BACKGROUND: [u8; 3] = [0x20, 0x40, 0x60];
const EFFECTS: [&str; 10] = [
    "snow",
    "confetti",
    "rain",
    "fireflies",
    "sparkles",
    "bubbles",
    "matrix",
    "grid-stagger",
    "fracture",
    "scrolling-columns",
];

/// An effect with pictures where it shows some.
fn effect(name: &str, rect: [i32; 4], styles: &Value) -> Value {
    let column = json!({ "images": ["quarters.png"], "speed": 1 });
    let mut fields = json!({ "content": name, "styles": {
        "columns": [column, column], "imageHeight": 30, "gridCols": 4, "gridRows": 3 } });
    let own = styles.as_object().expect("an object").clone();
    (fields["styles"].as_object_mut().expect("an object")).extend(own);
    overlay("effect", rect, &fields)
}

fn full(name: &str, styles: &Value) -> Value {
    effect(name, [0, 0, WIDTH as i32, HEIGHT as i32], styles)
}

#[tokio::test]
async fn every_frame_is_the_same_alone_in_sequence_and_in_chunks() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    for name in EFFECTS {
        let overlays = json!([
            full(name, &json!({})),
            shape([0, 0, 20, 20], "#e63", &json!({}))
        ]);
        let whole = studio.frames(&overlays, 0..24).await;
        let mut chunks = studio.frames(&overlays, 0..7).await;
        chunks.extend(studio.frames(&overlays, 7..24).await);
        assert_eq!(whole, chunks, "{name}");
        let alone = studio.frames(&overlays, 17..18).await;
        assert_eq!(whole[17], alone[0], "{name}");
        assert_ne!(whole[6], whole[17], "{name} moves");
    }
}

const PARTICLES: [&str; 6] = [
    "snow",
    "confetti",
    "rain",
    "fireflies",
    "sparkles",
    "bubbles",
];

fn seen(picture: &image::RgbaImage) -> usize {
    let is_seen = |pixel: &&image::Rgba<u8>| pixel.0[..3] != BACKGROUND;
    picture.pixels().filter(is_seen).count()
}

#[tokio::test]
async fn there_may_be_no_particle_or_one_or_ten_thousand() {
    let studio = Studio::open().await;
    for name in PARTICLES {
        let crowd = |count: u32| json!([full(name, &json!({ "particleCount": count, "size": 2 }))]);
        assert_eq!(seen(&studio.still(crowd(0)).await), 0, "{name}");
        let mut ever = 0;
        for frame in [0, 10, 20, 29] {
            ever += seen(&studio.frame(&crowd(1), frame).await.expect("a frame"));
        }
        assert!(ever < 4 * 2000, "one of {name} is {ever} pixels");
        let many = seen(&studio.still(crowd(10_000)).await);
        assert!(many > 2000, "{name}: {many}");
        let whole = studio.frames(&crowd(10_000), 4..7).await;
        let alone = studio.frames(&crowd(10_000), 6..7).await;
        assert_eq!(whole[2], alone[0], "{name}");
    }
}

#[tokio::test]
async fn particles_are_the_same_alone_however_their_box_stands() {
    let studio = Studio::open().await;
    let moved =
        json!({ "staggeredMotion": { "enabled": true, "blur": [4, 2], "rotate": [0, 40] } });
    let boxes = [
        (
            [30, 20, 60, 40],
            json!({ "transform": "rotate(33deg) scale(1.3)" }),
        ),
        (
            [30, 20, 60, 40],
            json!({ "transform": "perspective(200px) rotateY(50deg)" }),
        ),
        ([30, 20, 60, 40], moved),
        ([-30, -20, 60, 40], json!({})),
        ([100, 50, 600, 400], json!({})),
        ([60, 30, 1, 1], json!({ "particleCount": 50 })),
        ([60, 30, 2, 40], json!({ "particleCount": 50, "size": 3 })),
    ];
    for name in PARTICLES {
        for (rect, styles) in &boxes {
            let overlays = json!([effect(name, *rect, styles)]);
            let whole = studio.frames(&overlays, 0..9).await;
            let alone = studio.frames(&overlays, 8..9).await;
            assert_eq!(whole[8], alone[0], "{name} in {rect:?}");
        }
        let beyond = json!([effect(
            name,
            [-30, -20, 60, 40],
            &json!({ "particleCount": 200 })
        )]);
        let picture = studio.frame(&beyond, 9).await.expect("a frame");
        assert!(seen(&picture) > 20, "{name}");
        for (x, y, pixel) in picture.enumerate_pixels() {
            let is_inside = x < 30 && y < 20;
            assert!(
                is_inside || pixel.0[..3] == BACKGROUND,
                "{name} at {x}, {y}"
            );
        }
    }
}

#[tokio::test]
async fn over_a_video_every_frame_is_the_same_alone_and_in_sequence() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let canvas = [0, 0, WIDTH as i32, HEIGHT as i32];
    let overlays = json!([
        overlay("video", canvas, &json!({ "src": "clip.mp4", "row": 9 })),
        effect("snow", [10, 10, 60, 40], &json!({})),
    ]);
    let whole = studio.frames(&overlays, 0..12).await;
    for frame in [0, 5, 11] {
        let alone = studio.frames(&overlays, frame..frame + 1).await;
        assert_eq!(whole[frame as usize], alone[0], "{frame}");
    }
}

#[tokio::test]
async fn the_rate_of_frames_does_not_change_the_movement() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    for name in EFFECTS {
        let mut pictures = Vec::new();
        for fps in [1, 30, 120] {
            let frames = json!({ "staggerDelay": 0.1 * f64::from(fps),
                "animDuration": f64::from(fps) });
            let mut document = document(&json!([full(name, &frames)]));
            document["fps"] = fps.into();
            document["durationInFrames"] = (3 * fps).into();
            document["overlays"][0]["durationInFrames"] = (3 * fps).into();
            let (composition, _) = Composition::from_json(&document).expect("valid");
            let kept = Arc::default();
            let sink = Box::new(Kept(Arc::clone(&kept)));
            let second = fps..fps + 1;
            let options = RenderOptions::default();
            studio
                .engine
                .profile(&Arc::new(composition), second, &options, sink)
                .await
                .expect("a frame");
            pictures.push(kept.lock().expect("not poisoned").remove(0));
        }
        assert!(pictures[0] == pictures[1], "{name} at 30 frames a second");
        assert!(pictures[0] == pictures[2], "{name} at 120 frames a second");
    }
}

#[tokio::test]
async fn nothing_is_drawn_outside_the_box_and_something_inside() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    for name in EFFECTS {
        let overlays = json!([effect(name, [30, 20, 60, 40], &json!({}))]);
        let picture = studio.frame(&overlays, 12).await.expect("a frame");
        let mut seen = 0;
        for (x, y, pixel) in picture.enumerate_pixels() {
            let is_inside = (30..90).contains(&x) && (20..60).contains(&y);
            let is_plain = pixel.0[..3] == BACKGROUND;
            assert!(is_inside || is_plain, "{name} at {x}, {y}: {pixel:?}");
            seen += u32::from(!is_plain);
        }
        assert!(seen > 20, "{name} shows {seen} pixels");
    }
}

#[tokio::test]
async fn air_is_full_from_the_first_frame_on() {
    let studio = Studio::open().await;
    for name in ["snow", "confetti", "rain", "bubbles"] {
        let styles = json!({ "particleCount": 400, "size": 4 });
        let picture = studio.still(json!([full(name, &styles)])).await;
        for quarter in 0..4 {
            let (left, top) = (quarter % 2 * WIDTH / 2, quarter / 2 * HEIGHT / 2);
            let seen = (0..WIDTH / 2 * (HEIGHT / 2))
                .map(|at| (left + at % (WIDTH / 2), top + at / (WIDTH / 2)))
                .filter(|(x, y)| picture.get_pixel(*x, *y).0[..3] != BACKGROUND)
                .count();
            assert!(seen > 50, "{name}: {seen} in {left}, {top}");
        }
    }
}

#[tokio::test]
async fn opacity_is_on_the_whole_effect() {
    let studio = Studio::open().await;
    let styles = |opacity| {
        json!({ "cellColors": ["#ffffff"], "animDuration": 0, "staggerDelay": 0,
            "opacity": opacity })
    };
    for name in ["grid-stagger", "fracture"] {
        let mut styles = styles(0.5);
        styles["animDuration"] = if name == "fracture" { 30 } else { 0 }.into();
        let picture = studio.still(json!([full(name, &styles)])).await;
        for pixel in picture.pixels() {
            let half = BACKGROUND.map(|channel| (u16::from(channel) + 255) / 2);
            let near = |index: usize| u16::from(pixel.0[index]).abs_diff(half[index]) <= 1;
            assert!((0..3).all(near), "{name}: {pixel:?}");
        }
    }
    let nothing = studio
        .still(json!([full("snow", &json!({ "opacity": 0 }))]))
        .await;
    assert!(nothing.pixels().all(|pixel| pixel.0[..3] == BACKGROUND));
}

#[tokio::test]
async fn a_pane_is_whole_at_first_even_where_it_lets_light_through() {
    let studio = Studio::open().await;
    let styles = json!({ "color": "rgba(255, 255, 255, 0.5)", "gridCols": 9, "gridRows": 7 });
    let overlays = json!([full("fracture", &styles)]);
    let picture = studio.frame(&overlays, 0).await.expect("a frame");
    let first = picture.get_pixel(5, 5);
    assert_ne!(first.0[..3], BACKGROUND);
    assert!(picture.pixels().all(|pixel| pixel == first), "seams");
    let broken = studio.frame(&overlays, 20).await.expect("a frame");
    assert!(broken.pixels().any(|pixel| pixel.0[..3] == BACKGROUND));
}

#[tokio::test]
async fn cells_and_columns_show_pictures_that_cover_their_place() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    let at_rest = json!({ "cellImages": ["quarters.png"], "gridCols": 2, "gridRows": 1,
        "animDuration": 0, "staggerDelay": 0 });
    let picture = studio.still(json!([full("grid-stagger", &at_rest)])).await;
    for cell in [0, 64] {
        let at = |x: u32, y: u32| picture.get_pixel(cell + x, y).0;
        assert_eq!(at(10, 10), [255, 0, 0, 255]);
        assert_eq!(at(54, 10), [0, 255, 0, 255]);
        assert_eq!(at(54, 62), [0, 0, 255, 255]);
        assert_eq!(at(10, 62), [255, 255, 255, 255]);
    }
    let column =
        |direction: &str| json!({ "images": ["quarters.png"], "speed": 2, "direction": direction });
    let columns = json!({ "columns": [column("up"), column("down")], "columnGap": 8,
        "imageHeight": 60 });
    let overlays = json!([full("scrolling-columns", &columns)]);
    let at = async |frame: u32| studio.frame(&overlays, frame).await.expect("a frame");
    let (first, later) = (at(0).await, at(5).await);
    assert_eq!(first.get_pixel(64, 20).0[..3], BACKGROUND, "the gap");
    assert_eq!(first.get_pixel(10, 64).0[..3], BACKGROUND, "the gap");
    for (x, moved) in [(10, -10), (80, 10)] {
        for y in 20..50 {
            let to = (y + moved) as u32;
            assert_eq!(
                first.get_pixel(x, y as u32),
                later.get_pixel(x, to),
                "{x}, {y}"
            );
        }
    }
}

#[tokio::test]
async fn parts_move_one_after_another_and_others_as_a_whole() {
    let studio = Studio::open().await;
    let motion = json!({ "enabled": true, "x": [0, 0], "opacity": [0, 1], "stagger": 20,
        "duration": 2, "easing": "linear" });
    let cells = json!({ "cellColors": ["#ffffff"], "gridCols": 2, "gridRows": 1,
        "animDuration": 0, "staggerDelay": 0, "staggeredMotion": motion });
    let overlays = json!([full("grid-stagger", &cells)]);
    let picture = studio.frame(&overlays, 10).await.expect("a frame");
    assert_eq!(picture.get_pixel(20, 36).0, [255; 4]);
    assert_eq!(picture.get_pixel(100, 36).0[..3], BACKGROUND);
    let later = studio.frame(&overlays, 30).await.expect("a frame");
    assert_eq!(later.get_pixel(100, 36).0, [255; 4]);
    let away = json!({ "enabled": true, "x": [500, 500], "duration": 1 });
    let snow = json!([full("snow", &json!({ "staggeredMotion": away }))]);
    let picture = studio.frame(&snow, 5).await.expect("a frame");
    assert!(picture.pixels().all(|pixel| pixel.0[..3] == BACKGROUND));
    let blurred = json!({ "enabled": true, "blur": [6, 6] });
    let snow = json!([full("snow", &json!({ "staggeredMotion": blurred }))]);
    let picture = studio.frame(&snow, 5).await.expect("a frame");
    assert!(
        picture.pixels().all(|pixel| pixel.0[0] < 200),
        "no flake is crisp"
    );
}

#[tokio::test]
async fn effects_turn_with_their_box_and_stand_in_perspective() {
    let studio = Studio::open().await;
    for transform in ["rotate(90deg)", "perspective(200px) rotateY(50deg)"] {
        let styles = json!({ "cellColors": ["#ffffff"], "animDuration": 0, "staggerDelay": 0,
            "transform": transform });
        let overlays = json!([effect("grid-stagger", [44, 16, 40, 40], &styles)]);
        let picture = studio.still(overlays).await;
        assert_eq!(picture.get_pixel(64, 36).0, [255; 4], "{transform}");
        assert_eq!(picture.get_pixel(20, 36).0[..3], BACKGROUND, "{transform}");
    }
}

#[tokio::test]
async fn extremes_are_drawn_and_never_panic() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    let column = json!({ "images": ["quarters.png", ""], "speed": 1e300 });
    for styles in [
        json!({ "particleCount": 1e300, "size": -1e300, "speed": 1e300, "gridCols": 1e300,
            "gridRows": 200, "matrixFontSize": 1e300, "imageHeight": 1e300, "columnGap": 1e300,
            "staggerDelay": 1e300, "animDuration": 1e300 }),
        json!({ "particleCount": -1, "size": 1e300, "speed": -1e300, "gridCols": -1, "gridRows": 0,
            "matrixFontSize": -1, "matrixDensity": -1, "imageHeight": -1, "columnGap": -1,
            "staggerDelay": -1, "animDuration": -1 }),
        json!({ "cellImages": [], "cellColors": [], "columns": [], "matrixCharset": "" }),
        json!({ "cellImages": ["", "quarters.png"], "cellColors": ["nonsense"], "color": "nonsense",
            "columns": vec![column; 80], "matrixCharset": "é 雨\u{1f600}\u{301}",
            "transform": "scale(0)" }),
    ] {
        for name in EFFECTS {
            for rect in [[0, 0, 128, 72], [5, 5, 1, 1], [-4000, -9, 9000, 3]] {
                let overlays = json!([effect(name, rect, &styles)]);
                let drawn = studio.frame(&overlays, 9).await;
                assert!(drawn.is_ok(), "{name} {rect:?} {styles}: {drawn:?}");
            }
        }
    }
}
