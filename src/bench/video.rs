//! What decoding costs: a scene with a clip that fills the canvas, and with a still in its place that moves, so that
//! as much has to be drawn.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::anyhow;
use kinora_composition::document::Composition;
use kinora_composition::request;
use kinora_node::media::{frames_from_video_engine, video_engine};
use kinora_node::{Engine, RenderOptions};
use serde_json::{Value, json};

/// Frames of a run.
const FRAMES: u32 = 150;
/// Runs of each scene, in turns; the fastest counts, because other work on the machine only slows.
const ROUNDS: usize = 3;

/// Frames a second, encoding included, with a clip and with a still.
pub(super) struct VideoCost {
    clip: f64,
    still: f64,
    /// What decoded, and how many frames.
    decoder: &'static str,
    frames_on_engine: u64,
}

impl VideoCost {
    /// How much of the still's frame rate is left.
    fn share(&self) -> f64 {
        self.clip / self.still.max(1e-9)
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "framesPerSecond": self.clip,
            "framesPerSecondWithMovingStill": self.still,
            "share": self.share(),
            "decoder": self.decoder,
            "framesOnVideoEngine": self.frames_on_engine,
        })
    }
}

impl fmt::Display for VideoCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a 1080p clip that fills the canvas: {:.1} frames per second, {:.1} with a moving still in its place, {:.0}%; decoded by {} ({} frames on a video engine)",
            self.clip,
            self.still,
            100.0 * self.share(),
            self.decoder,
            self.frames_on_engine,
        )
    }
}

/// Renders both scenes.
pub(super) async fn measure(engine: &Engine, work: &Path) -> anyhow::Result<VideoCost> {
    let before = frames_from_video_engine();
    let (mut clip, mut still) = (0.0_f64, 0.0_f64);
    for _ in 0..ROUNDS {
        clip = clip.max(frames_per_second(engine, work, "video", "promo.mp4").await?);
        still = still.max(frames_per_second(engine, work, "image", "dawn.jpg").await?);
    }
    let frames_on_engine = frames_from_video_engine() - before;
    let decoder = match video_engine() {
        Some(name) if frames_on_engine > 0 => name,
        _ => "the processors",
    };
    Ok(VideoCost {
        clip,
        still,
        decoder,
        frames_on_engine,
    })
}

async fn frames_per_second(
    engine: &Engine,
    work: &Path,
    kind: &str,
    file: &str,
) -> anyhow::Result<f64> {
    let composition = scene(kind, file)?;
    let out = work.join("video-share.mp4");
    let started = Instant::now();
    engine
        .render_chunk(&composition, 0..FRAMES, &RenderOptions::default(), &out)
        .await?;
    Ok(f64::from(FRAMES) / started.elapsed().as_secs_f64().max(1e-6))
}

/// A picture that fills the canvas, and words that never rest on it.
fn scene(kind: &str, file: &str) -> anyhow::Result<Arc<Composition>> {
    let overlay = |id: u32, kind: &str, place: [u32; 4], more: Value| {
        let [left, top, width, height] = place;
        let mut overlay = json!({
            "id": id, "type": kind, "from": 0, "durationInFrames": FRAMES, "row": 9 - id,
            "left": left, "top": top, "width": width, "height": height
        });
        if let (Some(overlay), Value::Object(more)) = (overlay.as_object_mut(), more) {
            overlay.extend(more);
        }
        overlay
    };
    let during = if kind == "image" {
        Some("ken-burns-in")
    } else {
        None
    };
    let picture = json!({ "src": format!("../../samples/{file}"), "styles": {
        "objectFit": "cover", "animation": { "during": during } } });
    let words = json!({ "content": "Golden hour, every hour", "styles": {
        "fontSize": "120px", "color": "#fff", "animation": { "during": "sway" } } });
    let document = json!({
        "width": 1920, "height": 1080, "fps": 30, "durationInFrames": FRAMES,
        "overlays": [
            overlay(1, kind, [0, 0, 1920, 1080], picture),
            overlay(2, "text", [160, 400, 1600, 280], words),
        ]
    });
    request::read_file(&serde_json::to_vec(&document)?)
        .map(Arc::new)
        .map_err(|refusal| anyhow!("{}", refusal.message))
}
