//! Which ways through a source are refused.

use serde_json::{Value, json};

use super::*;

fn playing(kind: &str, fields: &Value) -> Result<Resolution, Refusal> {
    let mut media = overlay(fields);
    media["type"] = kind.into();
    media["src"] = "https://media.example/a".into();
    direct(&[media])
}

#[test]
fn speeds_from_a_tenth_to_ten_are_played() {
    for kind in ["video", "sound"] {
        for speed in [0.1, 1.0, 10.0] {
            assert!(playing(kind, &json!({ "speed": speed })).is_ok());
        }
        for speed in [0.0, -1.0, 0.09, 10.1, 1e300] {
            assert_unrenderable(
                playing(kind, &json!({ "speed": speed })),
                &["overlays[0].speed"],
            );
        }
    }
}

#[test]
fn segments_that_lead_nowhere_are_named() {
    let segments = |list: Value| playing("video", &json!({ "segments": list }));
    assert!(segments(json!([])).is_ok());
    assert!(segments(json!([{ "startFrame": 0, "endFrame": 0.5, "speed": 10 }])).is_ok());
    assert_unrenderable(
        segments(json!([
            { "startFrame": 0, "endFrame": 1 },
            { "startFrame": -1, "endFrame": 1 },
            { "startFrame": 7, "endFrame": 7 },
            { "startFrame": 7, "endFrame": 9, "speed": 0 },
        ])),
        &[
            "overlays[0].segments[1].startFrame",
            "overlays[0].segments[2].endFrame",
            "overlays[0].segments[3].speed",
        ],
    );
    let one = json!({ "startFrame": 0, "endFrame": 1 });
    assert!(segments(vec![one.clone(); 1_000].into()).is_ok());
    assert_unrenderable(segments(vec![one; 1_001].into()), &["overlays[0].segments"]);
}
