//! The clips, a file for each family.

mod animated_text;
mod code;
mod composed;
mod counter;
mod during;
mod effects;
mod gradients;
mod ramps;
mod stagger;
mod type_writer;

use serde_json::{Value, json};

use crate::Family;

/// Width and height of clips.
const SIZE: (u32, u32) = (240, 136);
/// Frames a second.
const FPS: u32 = 30;
/// A picture that shows which way is up.
const PICTURE: &str = "assets/hills.png";

/// Every family.
pub fn families() -> Vec<Family> {
    vec![
        during::family(),
        ramps::enter(),
        ramps::exit(),
        stagger::family(),
        composed::family(),
        gradients::family(),
        effects::family(),
        animated_text::family(),
        type_writer::family(),
        counter::family(),
        code::family(),
    ]
}

/// A composition of so many frames.
fn composition(frames: u32, overlays: &Value) -> Value {
    let (width, height) = SIZE;
    json!({
        "width": width, "height": height, "fps": FPS, "durationInFrames": frames,
        "backgroundColor": "#12182b", "overlays": overlays
    })
}

/// An overlay that lasts so many frames, with these fields beside the usual ones.
fn overlay(kind: &str, [left, top, width, height]: [u32; 4], frames: u32, fields: Value) -> Value {
    let mut overlay = json!({
        "id": 1, "type": kind, "from": 0, "durationInFrames": frames, "row": 1,
        "left": left, "top": top, "width": width, "height": height
    });
    if let (Some(overlay), Value::Object(fields)) = (overlay.as_object_mut(), fields) {
        overlay.extend(fields);
    }
    overlay
}
