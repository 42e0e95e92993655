//! Frames of which only a part is drawn anew.

mod common;

use common::studio::{Studio, overlay, shape};
use serde_json::{Value, json};

/// Small things that move, appear and go over a ground of stills that lie on no block's edge.
fn small_changes() -> Value {
    let words = json!({ "content": "still words", "row": 6, "styles": { "color": "#fff", "textShadow": "1px 2px 3px #000" } });
    json!([
        shape([0, 0, 128, 72], "#246", &json!({ "row": 9 })),
        shape(
            [3, 5, 57, 41],
            "#e63a",
            &json!({ "row": 8, "styles": { "borderRadius": "9px", "boxShadow": "0 3px 7px #000" } })
        ),
        overlay("text", [5, 9, 101, 23], &words),
        overlay(
            "image",
            [13, 30, 31, 29],
            &json!({ "src": "quarters.png", "row": 5, "styles": { "animation": { "during": "ken-burns-in" } } })
        ),
        shape(
            [70, 40, 21, 19],
            "#fd0",
            &json!({ "row": 4, "styles": { "animation": { "during": "spin" } } })
        ),
        shape(
            [75, 5, 30, 13],
            "#0f8",
            &json!({ "row": 3, "from": 4, "durationInFrames": 5 })
        ),
        shape([9, 50, 111, 9], "#fff8", &json!({ "row": 2 })),
    ])
}

#[tokio::test]
async fn a_frame_after_another_is_the_frame_alone() {
    let studio = Studio::open().await;
    studio.quarters("quarters.png");
    let frames = studio.frames(&small_changes(), 0..12).await;
    for (index, frame) in (0..).zip(&frames) {
        let alone = studio.frames(&small_changes(), index..index + 1).await;
        assert!(alone[0] == *frame, "frame {index} differs");
    }
    assert!(frames[2] != frames[3], "something moves");
}

#[tokio::test]
async fn what_looks_through_glass_is_drawn_again_with_it() {
    let studio = Studio::open().await;
    let glass = json!({ "content": "", "row": 1, "styles": { "backdropFilter": "blur(4px)" } });
    let scene = json!([
        shape([0, 0, 128, 72], "#246", &json!({ "row": 9 })),
        shape(
            [40, 20, 21, 19],
            "#fd0",
            &json!({ "row": 4, "styles": { "animation": { "during": "spin" } } })
        ),
        overlay("text", [10, 10, 90, 50], &glass),
    ]);
    let frames = studio.frames(&scene, 0..6).await;
    for (index, frame) in (0..).zip(&frames) {
        let alone = studio.frames(&scene, index..index + 1).await;
        assert!(alone[0] == *frame, "frame {index} differs");
    }
}
