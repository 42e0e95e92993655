//! Every preset as a way to come and as a way to go: a card with words.

use kinora_composition::timeline::preset_names;
use serde_json::{Value, json};

use super::{composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 45;

/// Overlays come, each preset in a second.
pub(super) fn enter() -> Family {
    let clip = |name: &str| {
        let animation = json!({ "enter": name, "enterDuration": 1 });
        clip(name, &animation, vec![3, 8, 14, 21, 30])
    };
    Family {
        name: "enter",
        clips: preset_names().map(clip).into(),
    }
}

/// Overlays go, each preset in a second.
pub(super) fn exit() -> Family {
    let clip = |name: &str| {
        let animation = json!({ "exit": name, "exitDuration": 1 });
        clip(name, &animation, vec![15, 24, 31, 37, 42])
    };
    Family {
        name: "exit",
        clips: preset_names().map(clip).into(),
    }
}

fn clip(name: &str, animation: &Value, frames: Vec<u32>) -> Clip {
    let card = json!({
        "content": "Kinora",
        "styles": {
            "animation": animation, "color": "#fff", "fontWeight": "700", "fontSize": "26px",
            "background": "#ff6b4a", "borderRadius": "10px",
            "boxShadow": "0 5px 0 #7a2fd0"
        }
    });
    Clip {
        name: name.into(),
        composition: composition(
            FRAMES,
            &json!([overlay("text", [60, 38, 120, 60], FRAMES, card)]),
        ),
        frames,
    }
}
