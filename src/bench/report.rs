//! What a benchmark run says, for people and for programs.

use std::fmt;

use kinora_node::RenderTimes;
use serde_json::{Value, json};

use super::effects::EffectCost;
use super::measure::Spent;
use super::quality::Quality;
use super::video::VideoCost;

const MIB: f64 = 1024.0 * 1024.0;

/// What a render took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// By the clock.
    pub(super) seconds: f64,
    /// Of all processors.
    pub(super) spent: Spent,
}

impl Cost {
    /// Processor time, user and system together.
    fn cpu_seconds(&self) -> f64 {
        self.spent.user + self.spent.system
    }

    fn to_json(self) -> Value {
        json!({
            "seconds": self.seconds,
            "cpuSeconds": self.cpu_seconds(),
            "userSeconds": self.spent.user,
            "systemSeconds": self.spent.system,
        })
    }
}

/// Each part of a render with its seconds.
fn parts(times: &RenderTimes) -> [(&'static str, f64); 9] {
    [
        ("evaluate", times.evaluate),
        ("decode", times.decode),
        ("upload", times.upload),
        ("raster", times.raster),
        ("draw", times.draw),
        ("convert", times.convert),
        ("readback", times.readback),
        ("encode", times.encode),
        ("mux", times.mux),
    ]
    .map(|(name, time)| (name, time.as_secs_f64()))
}

/// One scene, measured.
pub(super) struct SceneReport {
    pub(super) scene: String,
    pub(super) frames: u32,
    pub(super) ours: Cost,
    pub(super) encoder_alone: Cost,
    pub(super) peer: Option<Cost>,
    pub(super) peak_memory: u64,
    pub(super) bytes: u64,
    pub(super) times: RenderTimes,
}

impl SceneReport {
    fn frames_per_second(&self) -> f64 {
        f64::from(self.frames) / self.ours.seconds.max(1e-6)
    }

    fn ratio_to(&self, other: Option<Cost>) -> Option<f64> {
        other.map(|other| self.ours.cpu_seconds() / other.cpu_seconds().max(1e-6))
    }

    fn parts(&self) -> [(&'static str, f64); 9] {
        parts(&self.times)
    }

    fn to_json(&self) -> Value {
        json!({
            "scene": self.scene,
            "frames": self.frames,
            "framesPerSecond": self.frames_per_second(),
            "seconds": self.ours.seconds,
            "cpuSeconds": self.ours.cpu_seconds(),
            "userSeconds": self.ours.spent.user,
            "systemSeconds": self.ours.spent.system,
            "encoderAlone": self.encoder_alone.to_json(),
            "ratioToEncoderAlone": self.ratio_to(Some(self.encoder_alone)),
            "peer": self.peer.map(Cost::to_json),
            "ratioToPeer": self.ratio_to(self.peer),
            "peakMemoryBytes": self.peak_memory,
            "outputBytes": self.bytes,
            "partSeconds": self.parts().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        })
    }
}

impl fmt::Display for SceneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} frames, {:.1} frames per second, {:.1} s processor time ({:.1} s user), {:.0} MiB peak, {:.1} MiB file",
            self.scene,
            self.frames,
            self.frames_per_second(),
            self.ours.cpu_seconds(),
            self.ours.spent.user,
            self.peak_memory as f64 / MIB,
            self.bytes as f64 / MIB,
        )?;
        for (name, other) in [
            ("the encoder alone", Some(self.encoder_alone)),
            ("the peer", self.peer),
        ] {
            if let (Some(cost), Some(ratio)) = (other, self.ratio_to(other)) {
                writeln!(
                    f,
                    "  {ratio:.2} times the processor time of {name} ({:.1} s, {:.1} s by the clock)",
                    cost.cpu_seconds(),
                    cost.seconds
                )?;
            }
        }
        let parts = self.parts();
        let total: f64 = parts.iter().map(|(_, seconds)| seconds).sum();
        write!(f, " ")?;
        for (name, seconds) in parts {
            write!(f, " {name} {:.0}%", 100.0 * seconds / total.max(1e-9))?;
        }
        Ok(())
    }
}

/// One scene, drawn without encoding.
pub(super) struct DrawnScene {
    pub(super) scene: String,
    pub(super) frames: u32,
    pub(super) cost: Cost,
    pub(super) times: RenderTimes,
}

impl DrawnScene {
    fn frames_per_second(&self) -> f64 {
        f64::from(self.frames) / self.cost.seconds.max(1e-6)
    }

    /// Each part that takes time, in milliseconds of a frame.
    fn parts(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let frames = f64::from(self.frames.max(1));
        parts(&self.times)
            .into_iter()
            .map(move |(name, seconds)| (name, seconds * 1000.0 / frames))
            .filter(|(_, milliseconds)| *milliseconds >= 0.05)
    }

    fn to_json(&self) -> Value {
        json!({
            "scene": self.scene,
            "frames": self.frames,
            "framesPerSecond": self.frames_per_second(),
            "seconds": self.cost.seconds,
            "cpuSeconds": self.cost.cpu_seconds(),
            "partMilliseconds": self.parts().collect::<std::collections::BTreeMap<_, _>>(),
        })
    }
}

impl fmt::Display for DrawnScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} frames drawn, {:.1} frames per second, {:.1} ms of processors a frame, not encoded",
            self.scene,
            self.frames,
            self.frames_per_second(),
            self.cost.cpu_seconds() * 1000.0 / f64::from(self.frames.max(1)),
        )?;
        write!(f, "  step by step, in ms a frame:")?;
        for (name, milliseconds) in self.parts() {
            write!(f, " {name} {milliseconds:.1}")?;
        }
        Ok(())
    }
}

/// Everything that was measured.
#[derive(Default)]
pub(super) struct Reports {
    pub(super) scenes: Vec<SceneReport>,
    pub(super) drawn: Vec<DrawnScene>,
    pub(super) effects: Vec<EffectCost>,
    pub(super) quality: Vec<Quality>,
    pub(super) video: Option<VideoCost>,
}

/// Everything as one JSON object.
pub(super) fn to_json(adapter: &str, reports: &Reports) -> Value {
    json!({
        "adapter": adapter,
        "scenes": reports.scenes.iter().map(SceneReport::to_json).collect::<Vec<_>>(),
        "drawn": reports.drawn.iter().map(DrawnScene::to_json).collect::<Vec<_>>(),
        "effects": reports.effects.iter().map(EffectCost::to_json).collect::<Vec<_>>(),
        "quality": reports.quality.iter().map(Quality::to_json).collect::<Vec<_>>(),
        "video": reports.video.as_ref().map(VideoCost::to_json),
    })
}
