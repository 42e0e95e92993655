//! Numbers that run.

use serde_json::{Value, json};

use super::{composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 75;

pub(super) fn family() -> Family {
    let clip = |name: &str, content: &str, mode: Value, frames: &[u32]| {
        let fields = json!({ "content": content, "styles": {
            "color": "#ffd54a", "fontWeight": "800", "counterMode": mode } });
        Clip {
            name: name.into(),
            composition: composition(
                FRAMES,
                &json!([overlay("text", [12, 28, 216, 80], FRAMES, fields)]),
            ),
            frames: frames.into(),
        }
    };
    let early = &[0, 5, 15, 30, 74];
    Family {
        name: "counter",
        clips: vec![
            clip("up", "", json!({ "enabled": true, "to": 250 }), early),
            clip(
                "down",
                "",
                json!({ "enabled": true, "from": 10, "to": 0, "duration": 60, "easing": "linear" }),
                &[0, 6, 33, 57, 60],
            ),
            clip(
                "money",
                "1,000",
                json!({ "enabled": true, "to": 12480.5, "toFixed": 2, "prefix": "$" }),
                early,
            ),
            clip(
                "overshoot",
                "",
                json!({ "enabled": true, "from": -20, "to": 99, "postfix": "%", "easing": "easeOutBack" }),
                early,
            ),
        ],
    }
}
