//! Movement across a whole life: a picture that drifts in its box, and words that move as a whole.

use serde_json::json;

use super::{PICTURE, composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 90;
const NAMES: [&str; 10] = [
    "ken-burns-in",
    "ken-burns-out",
    "pan-left",
    "pan-right",
    "drift-diagonal",
    "pulse",
    "float",
    "sway",
    "breathe",
    "spin",
];

pub(super) fn family() -> Family {
    let clip = |name: &str| {
        let animation = json!({ "during": name });
        let picture =
            json!({ "src": PICTURE, "styles": { "animation": animation, "borderRadius": "12px" } });
        let words = json!({
            "id": 2, "row": 0, "content": "Kinora",
            "styles": { "animation": animation, "color": "#fff", "fontWeight": "700" }
        });
        let overlays = json!([
            overlay("image", [16, 16, 104, 104], FRAMES, picture),
            overlay("text", [132, 48, 96, 40], FRAMES, words),
        ]);
        Clip {
            name: name.into(),
            composition: composition(FRAMES, &overlays),
            frames: vec![0, 15, 30, 60, 89],
        }
    };
    Family {
        name: "during",
        clips: NAMES.map(clip).into(),
    }
}
