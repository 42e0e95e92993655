//! Overlays that go through arrays of values as a whole.

use serde_json::{Value, json};

use super::{PICTURE, composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 45;

pub(super) fn family() -> Family {
    let clips = [
        ("rise", json!({ "y": [60, 0], "opacity": [0, 1] })),
        (
            "through",
            json!({ "x": [-80, 20, -8, 0], "rotate": [-30, 8, 0], "duration": 30 }),
        ),
        (
            "focus",
            json!({ "blur": [12, 0], "scale": [1.4, 1], "opacity": [0, 1], "duration": 24 }),
        ),
        (
            "spring",
            json!({ "scale": [0, 1], "easing": "spring", "duration": 30 }),
        ),
        (
            "late",
            json!({ "y": [-90, 0], "delay": 12, "duration": 15, "easing": "easeOutBounce" }),
        ),
        (
            "away",
            json!({ "x": [0, 24], "rotate": [0, 12], "scale": [1, 0.8] }),
        ),
    ];
    let clip = |(name, motion): (&str, Value)| {
        let mut motion = motion;
        motion["enabled"] = json!(true);
        let picture = json!({
            "src": PICTURE, "styles": { "staggeredMotion": motion, "borderRadius": "12px" }
        });
        let star = json!({
            "id": 2, "row": 0, "content": "star",
            "styles": { "staggeredMotion": motion, "fill": "#ffd166" }
        });
        let overlays = json!([
            overlay("image", [24, 24, 88, 88], FRAMES, picture),
            overlay("shape", [140, 34, 68, 68], FRAMES, star),
        ]);
        Clip {
            name: name.into(),
            composition: composition(FRAMES, &overlays),
            frames: vec![2, 7, 13, 20, 40],
        }
    };
    Family {
        name: "stagger",
        clips: clips.map(clip).into(),
    }
}
