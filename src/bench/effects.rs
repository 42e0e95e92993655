//! What effects cost, against a plain layer that fills the canvas.

use std::fmt;
use std::sync::Arc;

use anyhow::anyhow;
use kinora_composition::document::Composition;
use kinora_composition::request;
use kinora_node::{Engine, FrameSink, RenderOptions};
use serde_json::{Value, json};

const FRAMES: u32 = 60;

/// What one effect costs on a layer of the canvas's size whose content changes with every frame.
pub(super) struct EffectCost {
    pub(super) name: &'static str,
    /// Milliseconds of the device for each frame.
    pub(super) milliseconds: f64,
    /// In plain layers.
    pub(super) layers: f64,
}

impl fmt::Display for EffectCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  {:<24} {:6.1} ms a frame, {:5.2} plain layers",
            self.name, self.milliseconds, self.layers
        )
    }
}

impl EffectCost {
    pub(super) fn to_json(&self) -> Value {
        json!({ "effect": self.name, "milliseconds": self.milliseconds, "plainLayers": self.layers })
    }
}

/// Measures every effect.
pub(super) async fn measure(engine: &Engine) -> anyhow::Result<Vec<EffectCost>> {
    let ground = draw(engine, None).await?;
    let plain = draw(engine, Some(picture(&json!({})))).await? - ground;
    let glass = json!({
        "backdropFilter": "blur(20px)", "fontSizeFixed": true, "fontSize": "20px"
    });
    let effects = [
        ("plain", picture(&json!({}))),
        (
            "box-shadow",
            picture(&json!({ "boxShadow": "0 20px 40px #000" })),
        ),
        (
            "filter: brightness(0.8)",
            picture(&json!({ "filter": "brightness(0.8)" })),
        ),
        (
            "filter: blur(40px)",
            picture(&json!({ "filter": "blur(40px)" })),
        ),
        (
            "clip-path: circle(50%)",
            picture(&json!({ "clipPath": "circle(50%)" })),
        ),
        (
            "backdrop-filter: blur",
            layer("text", &json!({ "content": "" }), &glass),
        ),
    ];
    let mut costs = Vec::new();
    for (name, overlay) in effects {
        let milliseconds = draw(engine, Some(overlay)).await? - ground;
        costs.push(EffectCost {
            name,
            milliseconds,
            layers: milliseconds / plain.max(1e-3),
        });
    }
    Ok(costs)
}

/// A picture that moves inside its box.
fn picture(styles: &Value) -> Value {
    let mut styles = styles.clone();
    styles["animation"] = json!({ "during": "ken-burns-in" });
    layer(
        "image",
        &json!({ "src": "../../samples/dawn.jpg" }),
        &styles,
    )
}

/// A layer that leaves two pixels of what is behind it, so that this is drawn too.
fn layer(kind: &str, fields: &Value, styles: &Value) -> Value {
    let mut layer = json!({
        "id": 2, "type": kind, "from": 0, "durationInFrames": FRAMES, "row": 1,
        "left": 2, "top": 2, "width": 1916, "height": 1076, "styles": styles
    });
    if let (Some(layer), Some(fields)) = (layer.as_object_mut(), fields.as_object()) {
        layer.extend(fields.clone());
    }
    layer
}

/// Milliseconds that the device draws at a frame.
async fn draw(engine: &Engine, overlay: Option<Value>) -> anyhow::Result<f64> {
    let ground = json!({
        "id": 1, "type": "image", "from": 0, "durationInFrames": FRAMES, "row": 2,
        "left": 0, "top": 0, "width": 1920, "height": 1080, "src": "../../samples/dusk.jpg",
        "styles": { "animation": { "during": "pan-left" } }
    });
    let overlays: Vec<Value> = [Some(ground), overlay].into_iter().flatten().collect();
    let document = json!({
        "width": 1920, "height": 1080, "fps": 30, "durationInFrames": FRAMES, "overlays": overlays
    });
    let composition: Arc<Composition> = request::read_file(&serde_json::to_vec(&document)?)
        .map_err(|refusal| anyhow!("{}", refusal.message))?
        .into();
    let options = RenderOptions::default();
    let times = engine
        .profile(&composition, 0..FRAMES, &options, Box::new(Nowhere))
        .await?;
    Ok(times.draw.as_secs_f64() * 1000.0 / f64::from(FRAMES))
}

/// A sink that forgets frames.
pub(super) struct Nowhere;

impl FrameSink for Nowhere {
    fn push(&mut self, _i420: &[u8], _index: u64) -> kinora_node::Result<()> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> kinora_node::Result<()> {
        Ok(())
    }
}
