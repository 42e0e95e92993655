//! A render in pieces: everything that moves, frame by frame the same as in one piece.

mod common;

use std::sync::Arc;

use common::studio::{Studio, overlay, shape};
use kinora_composition::document::Composition;
use serde_json::{Value, json};

const FRAMES: u32 = 100;

/// Presets, living text, effects, gradients, drifting and animated things, over each other.
fn everything() -> Value {
    let lasting = |mut overlay: Value, row: u32| {
        overlay["durationInFrames"] = FRAMES.into();
        overlay["row"] = row.into();
        overlay
    };
    let text = |rect, content: &str, styles: Value| {
        let mut styles = styles;
        styles["color"] = "#fff".into();
        overlay(
            "text",
            rect,
            &json!({ "content": content, "styles": styles }),
        )
    };
    let overlays = [
        shape(
            [0, 0, 128, 72],
            "#246",
            &json!({ "styles": { "gradientTransition": { "enabled": true, "duration": 70,
                "gradients": ["linear-gradient(#036, #609)", "linear-gradient(#609, #f60)", "linear-gradient(#024, #046)"] } } }),
        ),
        overlay(
            "image",
            [4, 4, 50, 40],
            &json!({ "src": "quarters.png", "styles": { "borderRadius": "8px", "boxShadow": "0 3px 6px #000",
                "animation": { "enter": "flipY", "exit": "zoomBlur", "during": "ken-burns-in", "enterDuration": 1 } } }),
        ),
        overlay(
            "effect",
            [0, 0, 128, 72],
            &json!({ "content": "snow", "styles": { "particleCount": 60 } }),
        ),
        overlay(
            "effect",
            [70, 4, 50, 30],
            &json!({ "content": "grid-stagger", "styles": { "gridCols": 5, "gridRows": 3 } }),
        ),
        text(
            [60, 36, 64, 14],
            "words in motion",
            json!({ "animatedText": { "enabled": true, "split": "character", "blur": [6, 0] } }),
        ),
        text(
            [60, 52, 64, 12],
            "typed twice",
            json!({ "typeWriter": { "enabled": true, "loop": true, "deleteBeforeNext": true, "errorRate": 0.3 } }),
        ),
        text(
            [4, 48, 50, 16],
            "0",
            json!({ "counterMode": { "enabled": true, "from": 0, "to": 1234, "duration": 80 } }),
        ),
        text(
            [30, 20, 60, 30],
            "glass",
            json!({ "backdropFilter": "blur(3px)", "animation": { "enter": "glitch", "exit": "slideLeft" } }),
        ),
        shape(
            [90, 50, 30, 18],
            "#fd0",
            &json!({ "styles": { "staggeredMotion": { "enabled": true, "y": [40, 0], "opacity": [0, 1] } } }),
        ),
    ];
    let rows = (0..overlays.len() as u32).rev();
    overlays
        .into_iter()
        .zip(rows)
        .map(|(overlay, row)| lasting(overlay, row))
        .collect()
}

#[tokio::test]
async fn a_hundred_frames_are_the_same_whole_or_in_halves() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    let document = json!({
        "overlays": everything(), "durationInFrames": FRAMES, "fps": 30, "width": 128, "height": 72
    });
    let (composition, unknown) = Composition::from_json(&document).expect("a valid document");
    assert_eq!(unknown, Vec::<String>::new());
    let composition = Arc::new(composition);
    let whole = studio.frames_of(&composition, 0..FRAMES).await;
    let mut halves = studio.frames_of(&composition, 0..FRAMES / 2).await;
    halves.extend(studio.frames_of(&composition, FRAMES / 2..FRAMES).await);
    assert_eq!(whole.len(), halves.len());
    for (index, (whole, half)) in whole.iter().zip(&halves).enumerate() {
        assert!(whole == half, "frame {index} differs");
    }
    for frame in [37, 74] {
        let alone = studio.frames_of(&composition, frame..frame + 1).await;
        assert!(
            alone[0] == whole[frame as usize],
            "frame {frame} alone differs"
        );
    }
}
