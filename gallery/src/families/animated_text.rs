//! Text that moves in pieces: every way to cut it, every channel, and writing that is not simple.

use serde_json::{Value, json};

use super::{composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 60;

pub(super) fn family() -> Family {
    let mut clips = Vec::new();
    let mut clip = |name: &str, content: &str, styles: Value, animated: Value| {
        let mut all = json!({ "color": "#fff", "fontWeight": "700", "fontSize": "34px" });
        merge(&mut all, styles);
        let mut motion = json!({ "enabled": true });
        merge(&mut motion, animated);
        all["animatedText"] = motion;
        let fields = json!({ "content": content, "styles": all });
        clips.push(Clip {
            name: name.into(),
            composition: composition(
                FRAMES,
                &json!([overlay("text", [12, 18, 216, 100], FRAMES, fields)]),
            ),
            frames: vec![0, 6, 12, 20, 30, 59],
        });
    };
    let words = "Words in motion";
    let split = |split: &str| json!({ "split": split });
    clip("none", words, json!({}), split("none"));
    clip("words", words, json!({}), split("word"));
    clip("characters", words, json!({}), split("character"));
    clip(
        "lines",
        "First line\nSecond\nThird",
        json!({}),
        split("line"),
    );
    let by_letter = |channel: &str, values: Value| {
        let mut motion = json!({ "split": "character", "opacity": [0, 1] });
        motion[channel] = values;
        motion
    };
    clip("x", words, json!({}), by_letter("x", json!([-60, 0])));
    clip("blur", words, json!({}), by_letter("blur", json!([8, 0])));
    clip("scale", words, json!({}), by_letter("scale", json!([3, 1])));
    clip(
        "rotate",
        words,
        json!({}),
        by_letter("rotate", json!([-90, 10, 0])),
    );
    clip(
        "spring",
        words,
        json!({}),
        json!({ "split": "word", "y": [50, 0], "opacity": [0, 1, 1, 1], "easing": "spring", "duration": 24 }),
    );
    clip(
        "glitch",
        "GLITCH",
        json!({ "fontSize": "48px" }),
        json!({ "split": "character", "glitch": [14, 6, 10, 0], "splitStagger": 1, "duration": 40 }),
    );
    clip(
        "glitch-whole",
        "GLITCH",
        json!({ "fontSize": "48px" }),
        json!({ "split": "none", "glitch": [16, 4, 12, 0], "duration": 40 }),
    );
    clip(
        "shadow-and-underline",
        "Under the line",
        json!({ "textShadow": "4px 4px 3px #f06", "textDecoration": "underline" }),
        json!({ "split": "character", "y": [-40, 0], "opacity": [0, 1] }),
    );
    clip(
        "gradient-in-a-box",
        "Golden hour",
        json!({ "background": "linear-gradient(90deg, #ffd54a, #ff5e7a)", "WebkitBackgroundClip": "text",
            "WebkitTextFillColor": "transparent", "border": "2px solid #4a5a8a", "borderRadius": "12px" }),
        json!({ "split": "word", "y": [30, 0], "opacity": [0, 1] }),
    );
    clip(
        "see-through",
        "Half there",
        json!({ "opacity": 0.5, "backgroundColor": "#2d6cdf", "borderRadius": "12px" }),
        split("character"),
    );
    clip("arabic", "مرحبا بالعالم", json!({}), split("character"));
    clip(
        "marks-and-emoji",
        "né́ 👩\u{200D}💻 office",
        json!({}),
        split("character"),
    );
    Family {
        name: "animated-text",
        clips,
    }
}

/// Puts the fields of one object into another.
fn merge(into: &mut Value, fields: Value) {
    if let (Some(into), Value::Object(fields)) = (into.as_object_mut(), fields) {
        into.extend(fields);
    }
}
