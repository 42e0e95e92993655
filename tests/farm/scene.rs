//! Small compositions for tests.

use serde_json::{Value, json};

/// The size of every test composition.
pub(crate) const WIDTH: usize = 320;
/// See [`WIDTH`].
pub(crate) const HEIGHT: usize = 180;

/// A composition of this many frames.
pub(crate) fn composition(frames: u32, overlays: &[Value]) -> Value {
    json!({
        "width": WIDTH, "height": HEIGHT, "fps": 30, "durationInFrames": frames,
        "backgroundColor": "#102030", "overlays": overlays,
    })
}

/// An overlay that is visible from the first frame to frame `frames`, with these further fields.
pub(crate) fn overlay(frames: u32, place: [u32; 4], fields: Value) -> Value {
    let [left, top, width, height] = place;
    let mut overlay = json!({
        "id": left * 1_000 + top, "from": 0, "durationInFrames": frames, "row": 1,
        "left": left, "top": top, "width": width, "height": height,
    });
    let (Value::Object(all), Value::Object(more)) = (&mut overlay, fields) else {
        panic!("fields are an object");
    };
    all.extend(more);
    overlay
}

/// A composition that needs nothing from anywhere: a red square on a dark background.
pub(crate) fn plain(frames: u32) -> Value {
    let square = json!({"type": "shape", "content": "rectangle", "styles": {"fill": "#ff0000"}});
    composition(frames, &[overlay(frames, [40, 40, 80, 80], square)])
}

/// A composition that shows one image from `src` over the whole canvas.
pub(crate) fn with_image(frames: u32, src: &str) -> Value {
    let image =
        json!({"type": "image", "src": src, "name": "photo", "styles": {"objectFit": "fill"}});
    composition(frames, &[overlay(frames, [0, 0, 320, 180], image)])
}

/// A composition with a sound from `src`, which is fetched when all frames are done.
pub(crate) fn with_sound(frames: u32, src: &str) -> Value {
    let mut scene = plain(frames);
    let sound = json!({"id": 99, "type": "sound", "src": src});
    let overlays = scene["overlays"].as_array_mut().expect("overlays");
    overlays.push(overlay(frames, [0, 0, 0, 0], sound));
    scene
}
