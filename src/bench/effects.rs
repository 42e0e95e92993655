//! What effects cost, against a plain layer that fills the canvas.

use std::fmt;
use std::sync::Arc;

use anyhow::anyhow;
use kinora_composition::document::Composition;
use kinora_composition::request;
use kinora_node::{Engine, FrameSink, RenderOptions};
use serde_json::{Value, json};

use super::measure::Usage;

/// Frames of a long and of a short run: what their costs differ by is that of frames alone, without
/// what is opened and rastered once.
#[derive(Clone, Copy)]
struct Runs {
    long: u32,
    short: u32,
    /// Frames that are drawn before without a rest, so that the clock of a GPU rises.
    before: u32,
}

const SOFTWARE_RUNS: Runs = Runs {
    long: 40,
    short: 10,
    before: 0,
};
const GPU_RUNS: Runs = Runs {
    long: 400,
    short: 100,
    before: 600,
};
/// Frames of the scene.
const FRAMES: u32 = 600;
/// Layers that a frame shows one over another on a GPU, which is done with a single one before it can be measured well.
const GPU_LAYERS: u32 = 8;
/// How often everything is measured. Rounds alternate between effects, so that other work on the machine
/// disturbs all of them alike.
const ROUNDS: usize = 3;

/// What one effect costs on a layer of the canvas's size whose content changes with every frame.
pub(super) struct EffectCost {
    pub(super) name: &'static str,
    /// Milliseconds of the device for each frame.
    pub(super) milliseconds: f64,
    /// Milliseconds of all processors for each frame.
    pub(super) cpu_milliseconds: f64,
    /// The time of the device in plain layers.
    pub(super) layers: f64,
    /// The time of processors in plain layers: what counts where they are the device, since other work
    /// does not disturb it.
    pub(super) cpu_layers: f64,
}

impl fmt::Display for EffectCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  {:<24} {:6.2} plain layers of the device ({:8.4} ms), {:6.2} of processors ({:8.4} ms)",
            self.name, self.layers, self.milliseconds, self.cpu_layers, self.cpu_milliseconds
        )
    }
}

impl EffectCost {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "effect": self.name,
            "plainLayers": self.layers,
            "cpuPlainLayers": self.cpu_layers,
            "milliseconds": self.milliseconds,
            "cpuMilliseconds": self.cpu_milliseconds,
        })
    }
}

/// What a frame costs in milliseconds.
#[derive(Clone, Copy)]
struct Milliseconds {
    device: f64,
    processors: f64,
}

/// Measures every effect.
pub(super) async fn measure(engine: &Engine) -> anyhow::Result<Vec<EffectCost>> {
    let is_software = engine.adapter().contains("software");
    let mut effects = effects();
    if !is_software {
        effects.extend(large_particles());
    }
    let (layers, runs) = if is_software {
        (1, SOFTWARE_RUNS)
    } else {
        (GPU_LAYERS, GPU_RUNS)
    };
    let mut rounds: Vec<Vec<Milliseconds>> = vec![Vec::new(); effects.len()];
    for _ in 0..ROUNDS {
        let ground = frame_cost(engine, &[], runs).await?;
        for (costs, (_, overlay)) in rounds.iter_mut().zip(&effects) {
            let all = frame_cost(engine, &stacked(overlay, layers), runs).await?;
            let each = |all: f64, ground: f64| (all - ground) / f64::from(layers);
            costs.push(Milliseconds {
                device: each(all.device, ground.device),
                processors: each(all.processors, ground.processors),
            });
        }
    }
    let device = |costs: &[Milliseconds]| median(costs.iter().map(|cost| cost.device));
    let processors = |costs: &[Milliseconds]| median(costs.iter().map(|cost| cost.processors));
    let plain = rounds.first().cloned().unwrap_or_default();
    let in_layers = |cost: f64, plain: f64| cost / plain.max(1e-6);
    let cost = |((name, _), costs): (&(&'static str, Value), &Vec<Milliseconds>)| EffectCost {
        name,
        milliseconds: device(costs),
        cpu_milliseconds: processors(costs),
        layers: in_layers(device(costs), device(&plain)),
        cpu_layers: in_layers(processors(costs), processors(&plain)),
    };
    Ok(effects.iter().zip(&rounds).map(cost).collect())
}

/// The same layer several times.
fn stacked(overlay: &Value, layers: u32) -> Vec<Value> {
    let layer = |number: u32| {
        let mut layer = overlay.clone();
        layer["id"] = json!(2 + number);
        layer
    };
    (0..layers).map(layer).collect()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The layers that are measured; the first is the plain one that the others are held against.
fn effects() -> Vec<(&'static str, Value)> {
    let styled = |name, styles: Value| (name, picture(&styles));
    let glass = json!({
        "backdropFilter": "blur(20px)", "fontSizeFixed": true, "fontSize": "20px"
    });
    vec![
        styled("plain", json!({})),
        styled("plain, again", json!({})),
        styled("box-shadow", json!({ "boxShadow": "0 20px 40px #000" })),
        styled(
            "filter: brightness(0.8)",
            json!({ "filter": "brightness(0.8)" }),
        ),
        styled("filter: blur(40px)", json!({ "filter": "blur(40px)" })),
        styled(
            "clip-path: circle(50%)",
            json!({ "clipPath": "circle(50%)" }),
        ),
        (
            "backdrop-filter: blur",
            layer("text", &json!({ "content": "" }), &glass),
        ),
        ("snow, 10,000", particles("snow")),
        ("confetti, 10,000", particles("confetti")),
        ("rain, 10,000", particles("rain")),
    ]
}

/// Particles that overlap up to a hundredfold where there are so many: minutes without a GPU.
fn large_particles() -> [(&'static str, Value); 3] {
    [
        ("fireflies, 10,000", particles("fireflies")),
        ("sparkles, 10,000", particles("sparkles")),
        ("bubbles, 10,000", particles("bubbles")),
    ]
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

/// An effect with very many particles.
fn particles(name: &str) -> Value {
    layer(
        "effect",
        &json!({ "content": name }),
        &json!({ "particleCount": 10_000 }),
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

/// What a frame costs with these overlays over a moving picture.
async fn frame_cost(
    engine: &Engine,
    overlays: &[Value],
    runs: Runs,
) -> anyhow::Result<Milliseconds> {
    let scene = scene(overlays)?;
    if runs.before > 0 {
        engine
            .draw_frames(
                &scene,
                0..runs.before,
                &RenderOptions::default(),
                Box::new(Nowhere),
            )
            .await?;
    }
    let long = draw(engine, &scene, runs.long).await?;
    let short = draw(engine, &scene, runs.short).await?;
    let each = |long: f64, short: f64| (long - short) / f64::from(runs.long - runs.short);
    Ok(Milliseconds {
        device: each(long.device, short.device),
        processors: each(long.processors, short.processors),
    })
}

/// These overlays over a moving picture.
fn scene(overlays: &[Value]) -> anyhow::Result<Arc<Composition>> {
    let ground = json!({
        "id": 1, "type": "image", "from": 0, "durationInFrames": FRAMES, "row": 2,
        "left": 0, "top": 0, "width": 1920, "height": 1080, "src": "../../samples/dusk.jpg",
        "styles": { "animation": { "during": "pan-left" } }
    });
    let overlays: Vec<&Value> = [&ground].into_iter().chain(overlays).collect();
    let document = json!({
        "width": 1920, "height": 1080, "fps": 30, "durationInFrames": FRAMES, "overlays": overlays
    });
    request::read_file(&serde_json::to_vec(&document)?)
        .map(Arc::new)
        .map_err(|refusal| anyhow!("{}", refusal.message))
}

/// What so many frames cost.
async fn draw(
    engine: &Engine,
    scene: &Arc<Composition>,
    frames: u32,
) -> anyhow::Result<Milliseconds> {
    let options = RenderOptions::default();
    let usage = Usage::now()?;
    let times = engine
        .profile(scene, 0..frames, &options, Box::new(Nowhere))
        .await?;
    let spent = usage.spent()?;
    Ok(Milliseconds {
        device: times.draw.as_secs_f64() * 1000.0,
        processors: (spent.user + spent.system) * 1000.0,
    })
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
