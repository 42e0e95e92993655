//! Text that is typed, with and without mistakes, once and over again.

use serde_json::{Value, json};

use super::{composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 150;

pub(super) fn family() -> Family {
    let clip = |name: &str, content: &str, mode: Value, frames: &[u32]| {
        let mut styles = json!({ "color": "#fff", "fontSize": "30px", "fontWeight": "600",
            "backgroundColor": "#1d2743", "borderRadius": "12px", "padding": "10px" });
        styles["typeWriter"] = mode;
        let fields = json!({ "content": content, "styles": styles });
        Clip {
            name: name.into(),
            composition: composition(
                FRAMES,
                &json!([overlay("text", [12, 18, 216, 100], FRAMES, fields)]),
            ),
            frames: frames.into(),
        }
    };
    let two_lines = "Typed text\nstays put";
    Family {
        name: "type-writer",
        clips: vec![
            clip(
                "once",
                two_lines,
                json!({ "enabled": true, "typeSpeed": 2 }),
                &[0, 9, 20, 22, 30, 43, 60],
            ),
            clip(
                "without-cursor",
                two_lines,
                json!({ "enabled": true, "typeSpeed": 2, "cursor": false }),
                &[9, 30, 60],
            ),
            clip(
                "deleted-and-again",
                "Over and over",
                json!({ "enabled": true, "typeSpeed": 2, "loop": true, "deleteBeforeNext": true,
                    "pauseAfterType": 20, "pauseAfterDelete": 10, "blinkSpeed": 10 }),
                &[10, 30, 33, 50, 60, 75, 100],
            ),
            clip(
                "mistakes",
                "Mistakes happen",
                json!({ "enabled": true, "typeSpeed": 2, "errorRate": 0.4 }),
                &[2, 8, 18, 28, 40, 58, 120],
            ),
            clip(
                "right-to-left",
                "שלום עולם",
                json!({ "enabled": true, "typeSpeed": 4 }),
                &[0, 10, 22, 36],
            ),
            clip(
                "emoji",
                "né 👩\u{200D}💻 ok",
                json!({ "enabled": true, "typeSpeed": 4 }),
                &[8, 13, 17, 32],
            ),
        ],
    }
}
