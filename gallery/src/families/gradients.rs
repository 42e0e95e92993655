//! Shapes whose gradients fade one into the next.

use serde_json::{Value, json};

use super::{composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 60;

pub(super) fn family() -> Family {
    let clip = |name: &str, overlays: Value| Clip {
        name: name.into(),
        composition: composition(FRAMES, &overlays),
        frames: vec![0, 15, 30, 45, 59],
    };
    let shape = |place: [u32; 4], content: &str, styles: Value| {
        overlay(
            "shape",
            place,
            FRAMES,
            json!({ "content": content, "styles": styles }),
        )
    };
    let through = |gradients: &[&str], duration: u32, easing: &str| json!({ "enabled": true, "gradients": gradients, "duration": duration, "easing": easing });
    let ground = through(
        &[
            "linear-gradient(120deg, #ff7a59, #ffd166)",
            "linear-gradient(120deg, #2ec4b6, #3a86ff)",
            "linear-gradient(120deg, #8338ec, #ff006e)",
        ],
        56,
        "ease-in-out",
    );
    let words = json!({
        "id": 2, "row": 0, "content": "Kinora", "styles": { "color": "#fff", "fontWeight": "800" }
    });
    let full = json!([
        shape(
            [0, 0, 240, 136],
            "rectangle",
            json!({ "gradientTransition": ground })
        ),
        overlay("text", [60, 44, 120, 48], FRAMES, words),
    ]);
    let kinds = through(
        &[
            "linear-gradient(90deg, #ffbe0b, #fb5607)",
            "radial-gradient(circle, #fff, #3a86ff)",
            "conic-gradient(#06d6a0, #118ab2, #06d6a0)",
        ],
        40,
        "linear",
    );
    let edged = json!({ "gradientTransition": kinds, "stroke": "#fff", "strokeWidth": 3, "boxShadow": "0 6px 12px #000a" });
    let shapes = json!([
        shape([12, 32, 64, 64], "circle", edged.clone()),
        shape([88, 32, 64, 64], "star", edged.clone()),
        shape([164, 32, 64, 64], "rounded-rectangle", edged),
    ]);
    let veil = through(
        &[
            "linear-gradient(90deg, #ff006e, #ff006e00)",
            "linear-gradient(90deg, #3a86ff00, #3a86ff)",
        ],
        56,
        "easeInOutCubic",
    );
    let bar = json!({ "id": 2, "row": 2, "content": "rectangle", "styles": { "fill": "#fff" } });
    let see_through = json!([
        overlay("shape", [0, 58, 240, 20], FRAMES, bar),
        shape(
            [24, 16, 192, 104],
            "rectangle",
            json!({
                "gradientTransition": veil, "borderRadius": "16px", "animation": { "during": "pulse" }
            })
        ),
    ]);
    Family {
        name: "gradients",
        clips: vec![
            clip("full-canvas", full),
            clip("kinds-on-shapes", shapes),
            clip("see-through", see_through),
        ],
    }
}
