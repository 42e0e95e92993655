//! Code in colours, line by line and typed.

use serde_json::{Value, json};

use super::{composition, overlay};
use crate::{Clip, Family};

const FRAMES: u32 = 60;
const RUST: &str = "// Greets everyone\nfn greet(name: &str) -> String {\n\tlet times = 3;\n\n\tformat!(\"Hi {name}\")\n}";
const TSX: &str = "export const App = () => (\n  <h1 className=\"big\">{title}</h1>\n);";

pub(super) fn family() -> Family {
    let clip = |name: &str, content: &str, styles: Value, frames: &[u32]| {
        let fields = json!({ "content": content, "styles": styles });
        Clip {
            name: name.into(),
            composition: composition(
                FRAMES,
                &json!([overlay("text", [8, 8, 224, 120], FRAMES, fields)]),
            ),
            frames: frames.into(),
        }
    };
    Family {
        name: "code",
        clips: vec![
            clip(
                "dark",
                RUST,
                json!({ "codeBlock": { "enabled": true, "language": "rust", "showLineNumbers": true, "lineStagger": 6 } }),
                &[0, 4, 12, 26, 59],
            ),
            clip(
                "light",
                TSX,
                json!({ "codeBlock": { "enabled": true, "language": "tsx", "theme": "light" } }),
                &[0],
            ),
            clip(
                "typed",
                RUST,
                json!({ "codeBlock": { "enabled": true, "language": "rust", "showLineNumbers": true },
                    "typeWriter": { "enabled": true, "typeSpeed": 0.5 } }),
                &[3, 20, 40, 55],
            ),
            clip(
                "staggered",
                TSX,
                json!({ "codeBlock": { "enabled": true, "language": "tsx" },
                    "staggeredMotion": { "enabled": true, "x": [40, 0], "opacity": [0, 1], "stagger": 5 } }),
                &[0, 6, 14, 59],
            ),
        ],
    }
}
