//! The composition itself: canvas, length and overlays, and the limits it must keep.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::Overlay;
use super::reader::{Field, Issue, Reader, record};

record! {
    /// A canvas, a length in frames, and timed overlays. Unknown fields are left out of the
    /// composition, and null in an optional field counts as omitted.
    pub struct Composition {
        /// Everything that is seen or heard; at most 1,000 overlays. An empty list is a plain
        /// background.
        overlays: Vec<Overlay>, "overlays", required;
        /// Length of the video in frames; at most one hour.
        duration_in_frames: u32, "durationInFrames", required;
        /// Frames a second, 1 to 120.
        fps: u32, "fps", default(30);
        /// Width of the canvas in pixels, an even number from 16 to 7680.
        width: u32, "width", default(1920);
        /// Height of the canvas in pixels, an even number from 16 to 7680.
        height: u32, "height", default(1080);
        /// CSS colour of the canvas behind all overlays.
        background_color: String, "backgroundColor", default("white".into());
        /// Source URL; no effect on the video.
        src: String, "src", default(String::new());
    }
}

impl Serialize for Composition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.write().serialize(serializer)
    }
}

impl Composition {
    /// Reads a document; on failure every problem in it. With it come the paths of unknown fields.
    pub fn from_json(value: &Value) -> Result<(Self, Vec<String>), Vec<Issue>> {
        let mut reader = Reader::default();
        let composition = Self::read(value, &mut reader);
        let outcome = reader.finish();
        match composition {
            Some(composition) if outcome.issues.is_empty() => Ok((composition, outcome.unknown)),
            _ => Err(outcome.issues),
        }
    }

    /// The document as JSON, without unknown fields and with defaults filled in.
    pub fn to_json(&self) -> Value {
        self.write()
    }

    /// Why this document, though well formed, can't be rendered.
    pub fn unrenderable(&self, limits: &Limits) -> Vec<Issue> {
        let mut issues = Vec::new();
        let mut refuse = |path: &str, message: String| {
            issues.push(Issue {
                path: path.into(),
                message,
            });
        };
        for (path, side) in [("width", self.width), ("height", self.height)] {
            if !(limits.min_side..=limits.max_side).contains(&side) || side % 2 != 0 {
                refuse(
                    path,
                    format!(
                        "must be an even number from {} to {}, found {side}",
                        limits.min_side, limits.max_side
                    ),
                );
            }
        }
        if !(1..=limits.max_fps).contains(&self.fps) {
            refuse(
                "fps",
                format!("must be from 1 to {}, found {}", limits.max_fps, self.fps),
            );
        }
        let longest = u64::from(limits.max_seconds) * u64::from(self.fps.max(1));
        if self.duration_in_frames == 0 || u64::from(self.duration_in_frames) > longest {
            refuse(
                "durationInFrames",
                format!(
                    "must be from 1 to {longest} ({} s at {} fps), found {}",
                    limits.max_seconds, self.fps, self.duration_in_frames
                ),
            );
        }
        if self.overlays.len() > limits.max_overlays {
            refuse(
                "overlays",
                format!(
                    "must hold at most {} overlays, found {}",
                    limits.max_overlays,
                    self.overlays.len()
                ),
            );
        }
        for (index, overlay) in self.overlays.iter().enumerate() {
            overlay.unrenderable(|field, message| {
                refuse(&format!("overlays[{index}].{field}"), message);
            });
        }
        issues
    }

    /// Length in seconds.
    pub fn seconds(&self) -> f64 {
        f64::from(self.duration_in_frames) / f64::from(self.fps)
    }
}

/// What a render may ask for at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Shortest side in pixels.
    pub min_side: u32,
    /// Longest side in pixels.
    pub max_side: u32,
    /// Highest frame rate.
    pub max_fps: u32,
    /// Longest video.
    pub max_seconds: u32,
    /// Most overlays.
    pub max_overlays: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            min_side: 16,
            max_side: 7680,
            max_fps: 120,
            max_seconds: 3600,
            max_overlays: 1000,
        }
    }
}

/// The object that an unreadable value is treated as.
pub(super) fn merged(first: Value, second: Value) -> Value {
    let mut object = Map::new();
    for part in [first, second] {
        if let Value::Object(part) = part {
            object.extend(part);
        }
    }
    object.into()
}
