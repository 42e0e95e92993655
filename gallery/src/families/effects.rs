//! Effect overlays: each by itself, some with parameters, one upright and one tiny.

use serde_json::{Value, json};

use super::{PICTURE, composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 90;
const OTHER: &str = "assets/badge.png";

pub(super) fn family() -> Family {
    let columns = json!([
        { "images": [PICTURE, OTHER], "speed": 0.5 },
        { "images": [OTHER, PICTURE], "speed": 0.8 },
        { "images": [PICTURE], "speed": 0.4 },
    ]);
    let mut clips = vec![
        clip("snow", "snow", &json!({})),
        clip("confetti", "confetti", &json!({})),
        clip("rain", "rain", &json!({})),
        clip("fireflies", "fireflies", &json!({})),
        clip("sparkles", "sparkles", &json!({})),
        clip("bubbles", "bubbles", &json!({})),
        clip("matrix", "matrix", &json!({ "matrixFontSize": 12 })),
        clip(
            "grid-stagger",
            "grid-stagger",
            &json!({ "staggerDir": "center", "staggerDelay": 5 }),
        ),
        clip("fracture", "fracture", &json!({ "color": "#ff6b4a" })),
        clip(
            "scrolling-columns",
            "scrolling-columns",
            &json!({ "columns": columns }),
        ),
        clip(
            "confetti-gold",
            "confetti",
            &json!({ "color": "#f5c542", "particleCount": 120 }),
        ),
        clip(
            "matrix-digits",
            "matrix",
            &json!({ "matrixCharset": "01", "matrixColor": "#5cf", "matrixDensity": 0.6, "matrixFontSize": 10 }),
        ),
        clip(
            "grid-pictures",
            "grid-stagger",
            &json!({ "cellImages": [PICTURE, OTHER], "gridCols": 5, "gridRows": 3, "staggerDir": "random" }),
        ),
        clip(
            "fracture-picture",
            "fracture",
            &json!({ "cellImages": [PICTURE], "gridCols": 7 }),
        ),
        clip(
            "grid-staggered",
            "grid-stagger",
            &json!({ "color": "#7b61ff", "staggerDelay": 0, "animDuration": 0, "staggeredMotion": {
                "enabled": true, "y": [30, 0], "rotate": [90, 0], "opacity": [0, 1], "stagger": 1 } }),
        ),
        clip(
            "turned",
            "snow",
            &json!({ "transform": "rotate(20deg) scale(0.7)", "opacity": 0.7 }),
        ),
    ];
    clips.push(sized("portrait", (136, 240), "bubbles"));
    clips.push(sized("tiny", (64, 36), "confetti"));
    Family {
        name: "effects",
        clips,
    }
}

fn clip(name: &str, effect: &str, styles: &Value) -> Clip {
    let fields = json!({ "content": effect, "styles": styles });
    Clip {
        name: name.into(),
        composition: composition(
            FRAMES,
            &json!([overlay("effect", [0, 0, 240, 136], FRAMES, fields)]),
        ),
        frames: vec![0, 12, 30, 75],
    }
}

/// An effect on a canvas of another size.
fn sized(name: &str, (width, height): (u32, u32), effect: &str) -> Clip {
    let mut clip = clip(name, effect, &json!({}));
    for place in ["", "/overlays/0"] {
        if let Some(place) = clip.composition.pointer_mut(place) {
            place["width"] = width.into();
            place["height"] = height.into();
        }
    }
    clip
}
