//! What effects cost, against a plain layer that fills the canvas.

use std::fmt;
use std::sync::Arc;

use anyhow::anyhow;
use kinora_composition::document::Composition;
use kinora_composition::request;
use kinora_node::{Engine, FrameSink, RenderOptions};
use serde_json::{Value, json};

use super::measure::Usage;

const FRAMES: u32 = 30;

/// What one effect costs on a layer of the canvas's size whose content changes with every frame.
pub(super) struct EffectCost {
    pub(super) name: &'static str,
    /// Milliseconds of the device for each frame.
    pub(super) milliseconds: f64,
    /// Milliseconds of all processors for each frame.
    pub(super) cpu_milliseconds: f64,
    /// In plain layers: by processor time where the device is one, which other work does not disturb.
    pub(super) layers: f64,
}

impl fmt::Display for EffectCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  {:<24} {:5.2} plain layers: {:6.1} ms a frame, {:6.1} ms of processors",
            self.name, self.layers, self.milliseconds, self.cpu_milliseconds
        )
    }
}

impl EffectCost {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "effect": self.name,
            "plainLayers": self.layers,
            "milliseconds": self.milliseconds,
            "cpuMilliseconds": self.cpu_milliseconds,
        })
    }
}

/// Measures every effect.
pub(super) async fn measure(engine: &Engine) -> anyhow::Result<Vec<EffectCost>> {
    let ground = draw(engine, None).await?;
    let cost = async |overlay: Value| {
        let (device, cpu) = draw(engine, Some(overlay)).await?;
        anyhow::Ok((device - ground.0, cpu - ground.1))
    };
    let plain = cost(picture(&json!({}))).await?;
    let is_software = engine.adapter().contains("software");
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
        let (milliseconds, cpu_milliseconds) = cost(overlay).await?;
        let layers = if is_software {
            cpu_milliseconds / plain.1.max(1e-3)
        } else {
            milliseconds / plain.0.max(1e-3)
        };
        costs.push(EffectCost {
            name,
            milliseconds,
            cpu_milliseconds,
            layers,
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

/// Milliseconds of the device and of all processors for a frame.
async fn draw(engine: &Engine, overlay: Option<Value>) -> anyhow::Result<(f64, f64)> {
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
    let usage = Usage::now()?;
    let times = engine
        .profile(&composition, 0..FRAMES, &options, Box::new(Nowhere))
        .await?;
    let spent = usage.spent()?;
    let each = |seconds: f64| seconds * 1000.0 / f64::from(FRAMES);
    Ok((
        each(times.draw.as_secs_f64()),
        each(spent.user + spent.system),
    ))
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
