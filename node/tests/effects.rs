//! Filters, backdrops, clips, perspective and green screens, drawn for real and looked at.

mod common;

use common::studio::{HEIGHT, Studio, WIDTH, overlay, shape};
use serde_json::{Value, json};

fn near(found: &image::Rgba<u8>, expected: [u8; 3], tolerance: u8) -> bool {
    found.0[..3]
        .iter()
        .zip(expected)
        .all(|(found, expected)| found.abs_diff(expected) <= tolerance)
}

const BACKGROUND: [u8; 3] = [0x20, 0x40, 0x60];

/// A red picture in the middle of the canvas.
fn red(styles: &Value) -> Value {
    let fields = json!({ "src": "red.png", "styles": styles });
    json!([overlay("image", [44, 16, 40, 40], &fields)])
}

fn red_file(studio: &Studio) {
    let picture = image::RgbaImage::from_pixel(8, 8, image::Rgba([255, 0, 0, 255]));
    picture
        .save(studio.folder.path().join("red.png"))
        .expect("a picture");
}

#[tokio::test]
async fn colour_functions_apply_in_order() {
    let studio = Studio::open().await;
    red_file(&studio);
    for (filter, expected) in [
        ("grayscale(1)", [54, 54, 54]),
        ("invert(1)", [0, 255, 255]),
        ("invert(1) brightness(0.5)", [0, 128, 128]),
        ("brightness(0.5) invert(1)", [128, 255, 255]),
        ("brightness(3) brightness(0.5)", [128, 0, 0]),
        ("opacity(0.5)", [144, 32, 48]),
    ] {
        let picture = studio.still(red(&json!({ "filter": filter }))).await;
        let found = picture.get_pixel(64, 36);
        assert!(near(found, expected, 2), "{filter}: {found:?}");
        assert!(near(picture.get_pixel(40, 36), BACKGROUND, 0), "{filter}");
    }
}

#[tokio::test]
async fn a_blur_fades_beyond_the_box_and_a_shadow_falls_beside_it() {
    let studio = Studio::open().await;
    red_file(&studio);
    for sigma in [2, 5, 12] {
        let filter = format!("blur({sigma}px)");
        let picture = studio.still(red(&json!({ "filter": filter }))).await;
        let red_at = |x: u32| picture.get_pixel(x, 36).0[0];
        let rises = (30..60).all(|x| red_at(x) <= red_at(x + 1).saturating_add(1));
        assert!(rises, "{filter} is not smooth");
        let edge = red_at(44);
        assert!(
            edge.abs_diff(0x20 + (255 - 0x20) / 2) < 24,
            "{filter}: {edge}"
        );
        assert!(red_at(44 - 3 * sigma.min(14)) < 0x20 + 4, "{filter}");
    }
    let styles = json!({ "filter": "drop-shadow(10px 6px 0 #00f) opacity(0.5)" });
    let picture = studio.still(red(&styles)).await;
    for (x, y, expected) in [
        (64, 36, [144, 32, 48]),
        (90, 40, [16, 32, 176]),
        (90, 18, BACKGROUND),
        (50, 60, BACKGROUND),
        (60, 60, [16, 32, 176]),
    ] {
        let found = picture.get_pixel(x, y);
        assert!(near(found, expected, 2), "{x}, {y}: {found:?}");
    }
}

#[tokio::test]
async fn a_clip_path_leaves_its_shape_of_what_was_filtered() {
    let studio = Studio::open().await;
    red_file(&studio);
    let styles = json!({ "clipPath": "circle(15px)", "filter": "invert(1)", "opacity": 0.5 });
    for extra in [json!({}), json!({ "transform": "rotate(30deg)" })] {
        let mut styles = styles.clone();
        if let (Some(styles), Some(extra)) = (styles.as_object_mut(), extra.as_object()) {
            styles.extend(extra.clone());
        }
        let picture = studio.still(red(&styles)).await;
        assert!(near(picture.get_pixel(64, 36), [16, 160, 176], 2));
        assert!(near(picture.get_pixel(76, 36), [16, 160, 176], 2));
        assert!(near(picture.get_pixel(82, 36), BACKGROUND, 0));
        assert!(near(picture.get_pixel(50, 22), BACKGROUND, 0));
    }
}

#[tokio::test]
async fn a_layer_is_see_through_as_a_whole() {
    let studio = Studio::open().await;
    red_file(&studio);
    let styles = json!({ "padding": "8px", "paddingBackgroundColor": "#0000ff", "opacity": 0.5 });
    let picture = studio.still(red(&styles)).await;
    assert!(near(picture.get_pixel(47, 36), [16, 32, 176], 2));
    assert!(
        near(picture.get_pixel(64, 36), [144, 32, 48], 2),
        "no blue under the picture"
    );
}

#[tokio::test]
async fn the_backdrop_of_a_spoken_word_is_filtered_behind_that_word_alone() {
    let studio = Studio::open().await;
    let caption = |filter: &str| {
        let word = |word: &str, from: u32, to: u32| json!({ "word": word, "startMs": from, "endMs": to, "confidence": 1 });
        let words = json!([word("i", 0, 400), word("l", 400, 500)]);
        let styles = json!({ "fontSize": "10px", "textAlign": "left",
            "highlightStyle": { "padding": "10px", "backdropFilter": filter } });
        json!([
            shape([0, 0, 128, 72], "#204060", &json!({ "row": 9 })),
            overlay(
                "caption",
                [0, 0, 128, 72],
                &json!({ "styles": styles, "captions": [
                { "text": "i l", "startMs": 0, "endMs": 500, "words": words } ] })
            ),
        ])
    };
    let plain = studio.still(caption("none")).await;
    let glass = studio.still(caption("invert(1)")).await;
    // Beside the letter, inside its box; and far from it.
    assert!(near(plain.get_pixel(4, 36), BACKGROUND, 1));
    assert!(near(glass.get_pixel(4, 36), [0xdf, 0xbf, 0x9f], 1));
    assert!(near(glass.get_pixel(100, 36), BACKGROUND, 1));
    assert!(near(glass.get_pixel(4, 4), BACKGROUND, 1));
}

#[tokio::test]
async fn a_backdrop_is_filtered_inside_its_box_and_nowhere_else() {
    let studio = Studio::open().await;
    let stripes = "repeating-linear-gradient(90deg, #000 0 2px, #fff 2px 4px)";
    let ground = shape(
        [0, 0, 128, 72],
        "#000",
        &json!({ "row": 9, "styles": { "gradient": stripes } }),
    );
    let text = |rotation: u32, filter: &str| {
        let styles = json!({ "backdropFilter": filter, "borderRadius": "6px" });
        overlay(
            "text",
            [32, 16, 64, 40],
            &json!({ "content": " ", "rotation": rotation, "styles": styles }),
        )
    };
    for rotation in [0, 30] {
        let picture = studio
            .still(json!([ground, text(rotation, "blur(6px)")]))
            .await;
        let grey = picture.get_pixel(64, 36);
        assert!(near(grey, [128; 3], 12), "{rotation}: {grey:?}");
        let sharp: Vec<u8> = (4..12).map(|x| picture.get_pixel(x, 36).0[0]).collect();
        assert!(sharp.contains(&0) && sharp.contains(&255), "{sharp:?}");
    }
    let inverted = studio.still(json!([ground, text(0, "invert(1)")])).await;
    let plain = studio.still(json!([ground])).await;
    for x in 40..80 {
        let (a, b) = (inverted.get_pixel(x, 36).0[0], plain.get_pixel(x, 36).0[0]);
        assert!((255 - a).abs_diff(b) <= 1, "{x}: {a} and {b}");
    }
    assert_eq!(
        inverted.get_pixel(32, 16),
        plain.get_pixel(32, 16),
        "round corners"
    );
}

#[tokio::test]
async fn a_tilted_picture_narrows_towards_its_far_side() {
    let studio = Studio::open().await;
    red_file(&studio);
    let styles = json!({ "transform": "perspective(60px) rotateY(50deg)" });
    let picture = studio.still(red(&styles)).await;
    let is_red = |x: u32, y: u32| picture.get_pixel(x, y).0[0] > 200;
    let height = |x: u32| (0..HEIGHT).filter(|y| is_red(x, *y)).count();
    let seen: Vec<u32> = (0..WIDTH).filter(|x| is_red(*x, 36)).collect();
    let (first, last) = (seen[0], seen[seen.len() - 1]);
    assert!(seen.len() < 38, "{} columns", seen.len());
    assert!(height(first + 1) > height(last - 1) + 8 || height(last - 1) > height(first + 1) + 8);
}

#[tokio::test]
async fn a_green_screen_shows_what_is_behind_it() {
    let studio = Studio::open().await;
    let picture = image::RgbaImage::from_fn(64, 64, |x, _| {
        if x < 32 {
            image::Rgba([40, 190, 70, 255])
        } else {
            image::Rgba([210, 160, 130, 255])
        }
    });
    picture
        .save(studio.folder.path().join("screen.png"))
        .expect("a picture");
    let path = studio.folder.path().join("screen.mp4");
    let path = path.to_str().expect("utf-8");
    let still = studio.folder.path().join("screen.png");
    common::ffmpeg(&[
        "-loop",
        "1",
        "-t",
        "1",
        "-r",
        "30",
        "-i",
        still.to_str().expect("utf-8"),
        "-c:v",
        "libx264",
        "-pix_fmt",
        "yuv420p",
        "-qp",
        "4",
        path,
    ]);
    for (kind, src) in [("image", "screen.png"), ("video", "screen.mp4")] {
        let fields = json!({ "src": src, "greenscreen": { "enabled": true, "spill": 0 } });
        let shown = studio
            .still(json!([overlay(kind, [32, 4, 64, 64], &fields)]))
            .await;
        assert!(near(shown.get_pixel(44, 36), BACKGROUND, 2), "{kind}");
        let subject = shown.get_pixel(80, 36);
        assert!(near(subject, [210, 160, 130], 8), "{kind}: {subject:?}");
        let off = json!({ "src": src, "greenscreen": { "enabled": false } });
        let shown = studio
            .still(json!([overlay(kind, [32, 4, 64, 64], &off)]))
            .await;
        let screen = shown.get_pixel(44, 36);
        assert!(near(screen, [40, 190, 70], 12), "{kind}: {screen:?}");
    }
}

#[tokio::test]
async fn effects_over_moving_pictures_are_the_same_whole_or_in_chunks() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    studio.quarters("quarters.png");
    let video = |styles: Value| {
        overlay(
            "video",
            [0, 0, 128, 72],
            &json!({ "src": "clip.mp4", "row": 9, "styles": styles }),
        )
    };
    let glass = overlay(
        "text",
        [20, 20, 60, 30],
        &json!({ "content": "x", "row": 3, "styles": { "backdropFilter": "blur(9px)", "borderRadius": "9px" } }),
    );
    let drifting = |styles: Value| {
        let mut styles = styles;
        styles["animation"] = json!({ "during": "ken-burns-in", "enter": "fade" });
        overlay(
            "image",
            [60, 10, 60, 50],
            &json!({ "src": "quarters.png", "row": 5, "styles": styles }),
        )
    };
    let veil = shape([0, 0, 128, 60], "#10203055", &json!({ "row": 8 }));
    for scene in [
        json!([
            video(json!({ "filter": "saturate(1.4) contrast(1.2)" })),
            veil,
            glass
        ]),
        json!([video(json!({ "filter": "blur(9px)" })), glass]),
        json!([
            video(json!({})),
            drifting(json!({ "filter": "blur(3px) drop-shadow(4px 4px 3px #000)" }))
        ]),
        json!([
            video(json!({})),
            veil,
            drifting(json!({ "transform": "perspective(200px) rotateX(30deg)" }))
        ]),
        json!([
            veil,
            drifting(json!({ "clipPath": "circle(40%)", "border": "3px solid #fff" })),
            glass
        ]),
    ] {
        let whole = studio.frames(&scene, 0..24).await;
        let mut parts = studio.frames(&scene, 0..9).await;
        parts.extend(studio.frames(&scene, 9..10).await);
        parts.extend(studio.frames(&scene, 10..24).await);
        let differing: Vec<usize> = (0..24)
            .filter(|frame| whole[*frame] != parts[*frame])
            .collect();
        assert_eq!(differing, Vec::<usize>::new(), "{scene}");
        assert!(whole[3] != whole[20], "something moves");
    }
}

#[tokio::test]
async fn extreme_effects_do_not_panic() {
    let studio = Studio::open().await;
    red_file(&studio);
    for styles in [
        json!({ "filter": "blur(100000px)" }),
        json!({ "filter": "drop-shadow(100000px -100000px 5000px #000)" }),
        json!({ "filter": "blur(30px)", "transform": "scale(0)" }),
        json!({ "filter": "blur(30px)", "transform": "scale(50000)" }),
        json!({ "transform": "perspective(1px) rotateY(89deg)" }),
        json!({ "transform": "perspective(10px) rotateX(170deg) translateZ(500px)" }),
        json!({ "clipPath": "circle(0)" }),
        json!({ "clipPath": "polygon(0 0, 1e9px 0, 0 1e9px)", "filter": "blur(200px)" }),
    ] {
        studio
            .frame(&red(&styles), 0)
            .await
            .unwrap_or_else(|error| panic!("{styles}: {error}"));
    }
}
