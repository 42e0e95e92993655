//! Frames, drawn for real on whatever adapter is here, looked at pixel by pixel.

mod common;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use common::studio::{HEIGHT, Kept, Studio, WIDTH, moving, overlay, shape};
use kinora_composition::document::Composition;
use kinora_node::{Error, RenderOptions};
use serde_json::{Value, json};

#[track_caller]
fn assert_pixel(picture: &image::RgbaImage, x: u32, y: u32, expected: [u8; 3]) {
    const TOLERANCE: u8 = 2;
    let [r, g, b, a] = picture.get_pixel(x, y).0;
    let is_near = [r, g, b]
        .iter()
        .zip(expected)
        .all(|(found, wanted)| found.abs_diff(wanted) <= TOLERANCE);
    assert!(
        is_near && a == 255,
        "pixel {x}, {y} is {:?}, not {expected:?}",
        [r, g, b, a]
    );
}

const BACKGROUND: [u8; 3] = [0x20, 0x40, 0x60];

#[tokio::test]
async fn nothing_shows_the_background_and_a_shape_only_its_box() {
    let studio = Studio::open().await;
    let empty = studio.still(json!([])).await;
    assert_pixel(&empty, 0, 0, BACKGROUND);
    assert_pixel(&empty, WIDTH - 1, HEIGHT - 1, BACKGROUND);
    let picture = studio
        .still(json!([shape([10, 20, 30, 10], "#f80", &json!({}))]))
        .await;
    for (x, y) in [(10, 20), (39, 20), (10, 29), (39, 29)] {
        assert_pixel(&picture, x, y, [255, 136, 0]);
    }
    for (x, y) in [(9, 20), (40, 20), (10, 19), (10, 30)] {
        assert_pixel(&picture, x, y, BACKGROUND);
    }
}

#[tokio::test]
async fn lower_rows_are_in_front_and_opacity_mixes_in_srgb() {
    let studio = Studio::open().await;
    let picture = studio
        .still(json!([
            shape(
                [0, 0, 40, 40],
                "#ff0000",
                &json!({ "row": 0, "styles": { "opacity": 0.5 } })
            ),
            shape([0, 0, 80, 40], "#0000ff", &json!({ "row": 3 })),
        ]))
        .await;
    assert_pixel(&picture, 20, 20, [128, 0, 128]);
    assert_pixel(&picture, 60, 20, [0, 0, 255]);
}

#[tokio::test]
async fn rotation_is_clockwise_about_the_centre() {
    let studio = Studio::open().await;
    let picture = studio
        .still(json!([shape(
            [40, 31, 48, 10],
            "#fff",
            &json!({ "rotation": 90 })
        )]))
        .await;
    assert_pixel(&picture, 64, 16, [255; 3]);
    assert_pixel(&picture, 64, 56, [255; 3]);
    assert_pixel(&picture, 44, 36, BACKGROUND);
}

#[tokio::test]
async fn round_corners_leave_the_corner_free() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    let picture = studio
        .still(json!([
            shape([4, 4, 40, 40], "#fff", &json!({ "content": "circle" })),
            overlay(
                "image",
                [60, 4, 64, 64],
                &json!({ "src": "quarters.png", "styles": { "borderRadius": "50%" } })
            ),
        ]))
        .await;
    assert_pixel(&picture, 5, 5, BACKGROUND);
    assert_pixel(&picture, 24, 24, [255; 3]);
    assert_pixel(&picture, 61, 5, BACKGROUND);
    assert_pixel(&picture, 76, 20, [255, 0, 0]);
    assert_pixel(&picture, 108, 20, [0, 255, 0]);
}

#[tokio::test]
async fn object_fit_decides_what_of_a_picture_is_seen() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    let fitted = |fit: &str| {
        json!([overlay(
            "image",
            [0, 4, 128, 64],
            &json!({ "src": "quarters.png", "styles": { "objectFit": fit } })
        )])
    };
    let contained = studio.still(fitted("contain")).await;
    assert_pixel(&contained, 16, 36, BACKGROUND);
    assert_pixel(&contained, 40, 12, [255, 0, 0]);
    let covered = studio.still(fitted("cover")).await;
    assert_pixel(&covered, 8, 12, [255, 0, 0]);
    assert_pixel(&covered, 120, 60, [0, 0, 255]);
    let filled = studio.still(fitted("fill")).await;
    assert_pixel(&filled, 60, 34, [255, 0, 0]);
    assert_pixel(&filled, 68, 38, [0, 0, 255]);
    let own_size = studio.still(fitted("none")).await;
    assert_pixel(&own_size, 16, 36, BACKGROUND);
    assert_pixel(&own_size, 40, 60, [255, 255, 255]);
}

#[tokio::test]
async fn a_crop_names_the_part_of_the_source_and_a_position_where_it_sits() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    let styled = async |styles: Value| {
        let image = json!({ "src": "quarters.png", "styles": styles });
        studio
            .still(json!([overlay("image", [0, 4, 128, 64], &image)]))
            .await
    };
    let top_right = json!({
        "objectFit": "fill", "cropEnabled": true,
        "cropX": 50, "cropY": 0, "cropWidth": 50, "cropHeight": 50
    });
    let cropped = styled(top_right.clone()).await;
    let mut off = top_right;
    off["cropEnabled"] = false.into();
    let whole = styled(off).await;
    for (x, y) in [(4, 8), (64, 36), (124, 64)] {
        assert_pixel(&cropped, x, y, [0, 255, 0]);
    }
    assert_pixel(&whole, 4, 8, [255, 0, 0]);

    // 64 pixels of picture in a box of 128: against the left edge.
    for fit in ["contain", "scale-down", "none"] {
        let left = styled(json!({ "objectFit": fit, "objectPosition": "left top" })).await;
        assert_pixel(&left, 4, 8, [255, 0, 0]);
        assert_pixel(&left, 60, 8, [0, 255, 0]);
        assert_pixel(&left, 70, 8, BACKGROUND);
    }
}

#[tokio::test]
async fn text_is_drawn_inside_its_box_in_its_colour() {
    let studio = Studio::open().await;
    let text = |extra: &Value| overlay("text", [14, 11, 100, 50], extra);
    let picture = studio
        .still(json!([text(&json!({ "content": "Kinora\nrenders", "styles": { "color": "#ff0000", "fontWeight": "800" } }))]))
        .await;
    let mut ink = 0;
    for (x, y, pixel) in picture.enumerate_pixels() {
        let is_ink = pixel.0[..3] != BACKGROUND;
        ink += u32::from(is_ink);
        let is_inside = (14..114).contains(&x) && (11..61).contains(&y);
        assert!(!is_ink || is_inside, "ink outside the box at {x}, {y}");
    }
    assert!(
        ink > 600,
        "two fitted lines leave more than {ink} pixels of ink"
    );
    let empty = studio.still(json!([text(&json!({ "content": "" }))])).await;
    assert!(empty.pixels().all(|pixel| pixel.0[..3] == BACKGROUND));
}

#[tokio::test]
async fn a_font_size_is_an_upper_bound_in_pixels_unless_it_is_fixed() {
    let studio = Studio::open().await;
    let drawn = async |styles: Value| {
        let text = json!({ "content": "Kinora renders", "styles": styles });
        let picture = studio
            .still(json!([overlay("text", [14, 11, 100, 50], &text)]))
            .await;
        let (mut ink, mut rows) = (0_u32, BTreeSet::new());
        for (x, y, pixel) in picture.enumerate_pixels() {
            if pixel.0[..3] != BACKGROUND {
                let is_inside = (14..114).contains(&x) && (11..61).contains(&y);
                assert!(is_inside, "ink outside the box at {x}, {y}");
                ink += 1;
                rows.insert(y);
            }
        }
        (picture, ink, rows)
    };
    let (fitted, most, _) = drawn(json!({})).await;
    for size in ["3rem", "2em", "5vw", "50%", "12pt"] {
        assert!(
            drawn(json!({ "fontSize": size })).await.0 == fitted,
            "{size}"
        );
    }
    let (small, ink, rows) = drawn(json!({ "fontSize": "10px" })).await;
    assert!(ink < most && rows.len() <= 12, "{ink} of {most}, {rows:?}");
    for same in [
        json!({ "fontSize": "10" }),
        json!({ "fontSize": "10px", "fontSizeScale": 1.4 }),
    ] {
        assert!(drawn(same.clone()).await.0 == small, "{same}");
    }
    let (_, less, _) = drawn(json!({ "fontSizeScale": 0.6 })).await;
    assert!(less < most, "{less} of {most}");

    // Too large: set as large as fits; fixed: set as told, and what does not fit is cut off.
    let (shrunk, ink, _) = drawn(json!({ "fontSize": "90px" })).await;
    assert!(most.abs_diff(ink) < most / 10, "{ink} of {most}");
    let (cut, _, rows) = drawn(json!({ "fontSize": "90px", "fontSizeFixed": true })).await;
    assert!(cut != shrunk && rows.contains(&60), "{rows:?}");
}

#[tokio::test]
async fn the_spoken_word_of_a_caption_carries_the_highlight() {
    let studio = Studio::open().await;
    let word = |text: &str, from: u32| json!({ "word": text, "startMs": from, "endMs": from + 500, "confidence": 1 });
    let captions = json!([{
        "text": "on off", "startMs": 0, "endMs": 1000, "words": [word("on", 0), word("off", 500)]
    }]);
    let styles = json!({
        "fontSize": "20px", "color": "#fff",
        "highlightStyle": { "color": "#000", "backgroundColor": "#ff0000", "padding": "0 4px" }
    });
    let track = json!({ "captions": captions, "styles": styles });
    let scene = json!([overlay("caption", [0, 0, 128, 72], &track)]);
    let mut middles = Vec::new();
    for frame in [3, 20] {
        let picture = studio.frame(&scene, frame).await.expect("a frame");
        let red: Vec<u32> = picture
            .enumerate_pixels()
            .filter(|(_, _, pixel)| pixel.0 == [255, 0, 0, 255])
            .map(|(x, _, _)| x)
            .collect();
        assert!(
            red.len() > 100,
            "frame {frame} has {} highlighted pixels",
            red.len()
        );
        middles.push(red.iter().sum::<u32>() / red.len() as u32);
    }
    assert!(
        middles[0] + 15 < middles[1],
        "the highlight moves to the right: {middles:?}"
    );
    let after = studio.frame(&scene, 31).await.expect("a frame");
    assert!(
        after.pixels().all(|pixel| pixel.0[..3] == BACKGROUND),
        "nothing after the caption"
    );
}

#[tokio::test]
async fn every_script_has_glyphs() {
    let studio = Studio::open().await;
    let mut seen = std::collections::HashSet::new();
    // A character that no font has draws the same box whatever it is.
    for text in [
        "\u{10FFFD}",
        "Ж",
        "שלום",
        "مرحبا",
        "नमस्ते",
        "ไทย",
        "日本",
        "한국",
        "😀",
    ] {
        let styles = json!({ "fontSize": "40px", "fontSizeFixed": true, "color": "#fff" });
        let picture = studio
            .still(json!([overlay(
                "text",
                [0, 0, 128, 72],
                &json!({ "content": text, "styles": styles })
            )]))
            .await;
        assert!(
            picture.pixels().any(|pixel| pixel.0[..3] != BACKGROUND),
            "{text} left no ink"
        );
        assert!(
            seen.insert(picture.into_raw()),
            "{text} looks like another text"
        );
    }
}

#[tokio::test]
async fn a_shadow_falls_outside_and_fades() {
    let studio = Studio::open().await;
    let styles = json!({ "boxShadow": "0 0 10px #000" });
    let picture = studio
        .still(json!([shape(
            [40, 20, 40, 30],
            "#fff",
            &json!({ "styles": styles })
        )]))
        .await;
    let darkness = |x: u32| i32::from(BACKGROUND[2]) - i32::from(picture.get_pixel(x, 35).0[2]);
    assert!(darkness(39) > 30 && darkness(36) > darkness(33) && darkness(33) > darkness(30));
    assert_eq!(darkness(20), 0);
    assert_pixel(&picture, 60, 35, [255; 3]);
}

#[tokio::test]
async fn video_frames_are_exact_and_keep_their_colours() {
    let studio = Studio::open().await;
    common::ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "color=c=0xcc2211:s=128x72:r=30:d=1",
        "-vf",
        "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
        "-colorspace",
        "bt709",
        "-color_range",
        "tv",
        "-c:v",
        "libx264",
        "-qp",
        "1",
        studio
            .folder
            .path()
            .join("red.mp4")
            .to_str()
            .expect("utf-8"),
    ]);
    let video = |rect| overlay("video", rect, &json!({ "src": "red.mp4" }));
    // On whole pixels, and resampled: both paths give the same colour.
    let whole = studio.still(json!([video([0, 0, 128, 72])])).await;
    let scaled = studio.still(json!([video([3, 3, 101, 57])])).await;
    for picture in [whole, scaled] {
        let [r, g, b, _] = picture.get_pixel(60, 30).0;
        let is_near = [r, g, b]
            .iter()
            .zip([0xcc, 0x22, 0x11])
            .all(|(a, b): (&u8, u8)| a.abs_diff(b) <= 4);
        assert!(is_near, "{:?}", [r, g, b]);
    }
}

#[tokio::test]
async fn the_encoder_gets_bt709_limited_range() {
    let studio = Studio::open().await;
    for (fill, expected) in [
        ("#ffffff", [235, 128, 128]),
        ("#000000", [16, 128, 128]),
        ("#ff0000", [63, 102, 240]),
        ("#336699", twin(0x33, 0x66, 0x99)),
    ] {
        let frames = studio
            .frames(&json!([shape([0, 0, 128, 72], fill, &json!({}))]), 0..1)
            .await;
        let luma = (WIDTH * HEIGHT) as usize;
        let found = [frames[0][0], frames[0][luma], frames[0][luma + luma / 4]];
        let is_near = found
            .iter()
            .zip(expected)
            .all(|(a, b): (&u8, u8)| a.abs_diff(b) <= 1);
        assert!(is_near, "{fill} became {found:?}, not {expected:?}");
    }
}

/// BT.709 by its definition, in whole numbers of 255.
fn twin(r: u8, g: u8, b: u8) -> [u8; 3] {
    let [r, g, b] = [r, g, b].map(|c| f64::from(c) / 255.0);
    let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let (cb, cr) = ((b - luma) / 1.8556, (r - luma) / 1.5748);
    [16.0 + 219.0 * luma, 128.0 + 224.0 * cb, 128.0 + 224.0 * cr].map(|v| v.round() as u8)
}

#[tokio::test]
async fn frames_are_the_same_whole_or_in_chunks() {
    let studio = Studio::open().await;
    let scene = moving();
    let whole = studio.frames(&scene, 0..24).await;
    let mut parts = studio.frames(&scene, 0..11).await;
    parts.extend(studio.frames(&scene, 11..24).await);
    assert_eq!(whole.len(), 24);
    assert!(whole == parts, "a frame differs between whole and chunks");
    assert_ne!(whole[3], whole[4]);
}

#[tokio::test]
async fn a_video_under_still_layers_is_the_same_whole_or_in_chunks() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let fade = json!({ "animation": { "enter": "fade" }, "opacity": 0.7 });
    let scene = json!([
        overlay(
            "video",
            [0, 0, 128, 72],
            &json!({ "src": "clip.mp4", "row": 9 })
        ),
        shape(
            [0, 0, 128, 60],
            "#10203055",
            &json!({ "row": 8, "styles": fade })
        ),
        shape(
            [8, 8, 100, 50],
            "#ff880033",
            &json!({ "row": 7, "styles": { "boxShadow": "0 0 9px #000" } })
        ),
    ]);
    let whole = studio.frames(&scene, 0..30).await;
    let mut parts = studio.frames(&scene, 0..17).await;
    parts.extend(studio.frames(&scene, 17..18).await);
    parts.extend(studio.frames(&scene, 18..30).await);
    let differing: Vec<usize> = (0..30)
        .filter(|frame| whole[*frame] != parts[*frame])
        .collect();
    assert_eq!(differing, Vec::<usize>::new());
    // What went to the encoder past the canvas is what the canvas shows.
    let canvas = studio.frame(&scene, 20).await.expect("a frame");
    for (x, y, pixel) in canvas.enumerate_pixels() {
        let [r, g, b, _] = pixel.0;
        let found = whole[20][(y * WIDTH + x) as usize];
        assert!(
            found.abs_diff(twin(r, g, b)[0]) <= 1,
            "luma of pixel {x}, {y} is {found}"
        );
    }
}

#[tokio::test]
async fn a_slow_video_is_the_same_whole_or_frame_by_frame() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let scene = json!([
        overlay(
            "video",
            [0, 0, 128, 72],
            &json!({ "src": "clip.mp4", "row": 9, "speed": 0.25 })
        ),
        shape(
            [0, 0, 128, 70],
            "#10203055",
            &json!({ "row": 8, "from": 6 })
        ),
        shape([8, 8, 110, 60], "#ff880033", &json!({ "row": 7 })),
    ]);
    let whole = studio.frames(&scene, 0..20).await;
    for frame in 0..20 {
        let alone = studio.frames(&scene, frame..frame + 1).await;
        assert!(whole[frame as usize] == alone[0], "frame {frame} differs");
    }
    let repeated = whole.windows(2).filter(|pair| pair[0] == pair[1]).count();
    assert!((12..19).contains(&repeated), "{repeated} frames repeat");
}

#[tokio::test]
async fn still_stretches_are_delivered_frame_by_frame() {
    let studio = Studio::open().await;
    let scene = json!([shape(
        [0, 0, 64, 36],
        "#fff",
        &json!({ "from": 5, "durationInFrames": 10 })
    )]);
    let frames = studio.frames(&scene, 0..20).await;
    assert_eq!(frames.len(), 20);
    for (index, frame) in frames.iter().enumerate() {
        let expected = if (5..15).contains(&index) {
            &frames[5]
        } else {
            &frames[0]
        };
        assert!(frame == expected, "frame {index}");
    }
    assert_ne!(frames[0], frames[5]);
}

#[tokio::test]
async fn odd_sizes_are_packed_without_padding() {
    let studio = Studio::open().await;
    let document = json!({ "overlays": [], "durationInFrames": 1, "width": 18, "height": 16, "backgroundColor": "#fff" });
    let (composition, _) = Composition::from_json(&document).expect("valid");
    let frames = Arc::new(Mutex::new(Vec::new()));
    let sink = Box::new(Kept(Arc::clone(&frames)));
    studio
        .engine
        .profile(
            &Arc::new(composition),
            0..1,
            &RenderOptions::default(),
            sink,
        )
        .await
        .expect("frames");
    let frames = frames.lock().expect("not poisoned");
    assert_eq!(frames[0].len(), 18 * 16 * 3 / 2);
    assert!(frames[0][..18 * 16].iter().all(|luma| *luma == 235));
    assert!(frames[0][18 * 16..].iter().all(|chroma| *chroma == 128));
}

#[tokio::test]
async fn bad_media_name_the_overlay_and_the_source() {
    let studio = Studio::open().await;
    std::fs::write(studio.folder.path().join("lie.png"), "not a picture").expect("a file");
    for (kind, src) in [
        ("image", "lie.png"),
        ("video", "lie.png"),
        ("image", "missing.png"),
    ] {
        let scene = json!([overlay(
            kind,
            [0, 0, 64, 64],
            &json!({ "src": src, "name": "hero" })
        )]);
        let error = studio.frame(&scene, 0).await.expect_err("bad media");
        let message = error.to_string();
        assert!(matches!(error, Error::BadInput(_)), "{message}");
        assert!(
            message.contains("hero") && message.contains(src),
            "{message}"
        );
        assert!(!message.contains("cache"), "{message}");
    }
}

#[tokio::test]
async fn extremes_are_drawn_or_refused_but_never_panic() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    for rect in [
        [-5000, -5000, 20, 20],
        [0, 0, 1, 1],
        [-4000, -4000, 8200, 8200],
        [2_000_000_000, 0, 10, 10],
    ] {
        for kind in ["shape", "text", "image"] {
            let extra = match kind {
                "shape" => json!({ "content": "star" }),
                "text" => json!({ "content": "x" }),
                _ => json!({ "src": "quarters.png" }),
            };
            let drawn = studio.frame(&json!([overlay(kind, rect, &extra)]), 0).await;
            if let Err(error) = drawn {
                assert!(
                    matches!(error, Error::BadInput(_)),
                    "{kind} {rect:?}: {error}"
                );
            }
        }
    }
}
