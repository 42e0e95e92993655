//! Presets together with everything else that shapes an overlay.

use serde_json::{Value, json};

use super::{PICTURE, composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 45;

pub(super) fn family() -> Family {
    let picture = |styles: Value, rotation: u32| {
        let fields = json!({ "src": PICTURE, "rotation": rotation, "styles": styles });
        overlay("image", [70, 28, 100, 80], FRAMES, fields)
    };
    let both = |name: &str| json!({ "enter": name, "exit": name, "enterDuration": 0.8, "exitDuration": 0.4 });
    let behind = json!({ "src": PICTURE, "row": 9 });
    let glass = json!({
        "content": "Glass", "row": 0,
        "styles": {
            "animation": both("swipeReveal"), "color": "#fff", "fontWeight": "700",
            "backdropFilter": "blur(6px) brightness(0.7)", "borderRadius": "14px"
        }
    });
    let clips = [
        (
            "turned-and-filtered",
            json!([picture(
                json!({ "animation": both("slideLeft"), "filter": "sepia(1)", "border": "4px solid #fff" }),
                12
            )]),
        ),
        (
            "glass-wiped",
            json!([
                overlay("image", [0, 0, 240, 136], FRAMES, behind),
                overlay("text", [50, 38, 140, 60], FRAMES, glass),
            ]),
        ),
        (
            "standing-and-folded",
            json!([picture(
                json!({ "animation": both("fold"), "layout3D": { "layout": "card-left" } }),
                0
            )]),
        ),
        (
            "settling-and-floating",
            json!([picture(
                json!({ "animation": both("floatIn"), "layout3D": { "layout": "floating", "settle": true } }),
                0
            )]),
        ),
        (
            "swaying-in-a-spiral",
            json!([picture(
                json!({ "animation": {
                "enter": "spiral", "enterDuration": 0.8, "during": "sway", "duringIntensity": 3 } }),
                0
            )]),
        ),
        (
            "clipped-and-curtained",
            json!([picture(
                json!({ "animation": both("curtain"), "clipPath": "circle(45%)", "opacity": 0.8 }),
                20
            )]),
        ),
        (
            "coming-while-going",
            json!([picture(
                json!({ "animation": {
                "enter": "slideUp", "exit": "expandHorizontal", "enterDuration": 1.2, "exitDuration": 1.2 } }),
                0
            )]),
        ),
    ];
    let clip = |(name, overlays): (&str, Value)| Clip {
        name: name.into(),
        composition: composition(FRAMES, &overlays),
        frames: vec![4, 9, 15, 24, 40],
    };
    Family {
        name: "composed",
        clips: clips.map(clip).into(),
    }
}
