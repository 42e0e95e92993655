//! An engine to draw small frames with, and scenes to draw.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use kinora_composition::document::Composition;
use kinora_node::{Engine, EngineConfig, Error, FrameSink, RenderOptions};
use serde_json::{Value, json};

pub const WIDTH: u32 = 128;
pub const HEIGHT: u32 = 72;

/// An engine whose media lie in a folder that goes with it.
pub struct Studio {
    pub engine: Engine,
    pub folder: tempfile::TempDir,
}

impl Studio {
    pub async fn open() -> Self {
        Self::open_with(false).await
    }

    /// A studio that may fetch media from this machine, or not.
    pub async fn open_with(allow_private_urls: bool) -> Self {
        // Another test of this process may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let engine = Engine::start(EngineConfig {
            fonts: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fonts")),
            cache_dir: folder.path().join("cache"),
            cache_bytes: 1 << 30,
            allow_private_urls,
            local_media: Some(folder.path().to_owned()),
            encoder: None,
            hardware_decoding: false,
        })
        .await
        .expect("an engine");
        Self { engine, folder }
    }

    /// A moving test picture that fills the canvas.
    pub fn clip(&self, name: &str) {
        let path = self.folder.path().join(name);
        let source = format!("testsrc2=s={WIDTH}x{HEIGHT}:r=30:d=2");
        let path = path.to_str().expect("utf-8");
        super::ffmpeg(&[
            "-f", "lavfi", "-i", &source, "-c:v", "libx264", "-pix_fmt", "yuv420p", path,
        ]);
    }

    /// A PNG of one colour in each quarter: red, lime, blue, white from the top left clockwise.
    pub fn quarters(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        let picture = image::RgbaImage::from_fn(64, 64, |x, y| match (x < 32, y < 32) {
            (true, true) => image::Rgba([255, 0, 0, 255]),
            (false, true) => image::Rgba([0, 255, 0, 255]),
            (false, false) => image::Rgba([0, 0, 255, 255]),
            (true, false) => image::Rgba([255, 255, 255, 255]),
        });
        picture.save(&path).expect("a picture");
        path
    }

    pub async fn frame(&self, overlays: &Value, frame: u32) -> Result<image::RgbaImage, Error> {
        let out = self.folder.path().join("frame.png");
        self.engine
            .frame_png(&composition(overlays), frame, &out)
            .await?;
        Ok(image::open(&out).expect("a PNG").into_rgba8())
    }

    pub async fn still(&self, overlays: Value) -> image::RgbaImage {
        self.frame(&overlays, 0).await.expect("a frame")
    }

    /// Raw frames as they go to the encoder.
    pub async fn frames(&self, overlays: &Value, range: Range<u32>) -> Vec<Vec<u8>> {
        self.frames_with(overlays, range, &RenderOptions::default())
            .await
    }

    /// The same under other options.
    pub async fn frames_with(
        &self,
        overlays: &Value,
        range: Range<u32>,
        options: &RenderOptions,
    ) -> Vec<Vec<u8>> {
        self.drawn(&composition(overlays), range, options).await
    }

    /// Raw frames of a whole document.
    pub async fn frames_of(
        &self,
        composition: &Arc<Composition>,
        range: Range<u32>,
    ) -> Vec<Vec<u8>> {
        self.drawn(composition, range, &RenderOptions::default())
            .await
    }

    async fn drawn(
        &self,
        composition: &Arc<Composition>,
        range: Range<u32>,
        options: &RenderOptions,
    ) -> Vec<Vec<u8>> {
        let frames = Arc::new(Mutex::new(Vec::new()));
        let sink = Box::new(Kept(Arc::clone(&frames)));
        self.engine
            .profile(composition, range, options, sink)
            .await
            .expect("frames");
        Arc::into_inner(frames)
            .expect("one owner")
            .into_inner()
            .expect("not poisoned")
    }
}

pub struct Kept(pub Arc<Mutex<Vec<Vec<u8>>>>);

impl FrameSink for Kept {
    fn push(&mut self, i420: &[u8], _index: u64) -> kinora_node::Result<()> {
        self.0.lock().expect("not poisoned").push(i420.to_vec());
        Ok(())
    }

    fn finish(self: Box<Self>) -> kinora_node::Result<()> {
        Ok(())
    }
}

/// A document of 60 frames.
pub fn document(overlays: &Value) -> Value {
    json!({
        "overlays": overlays, "durationInFrames": 60, "fps": 30,
        "width": WIDTH, "height": HEIGHT, "backgroundColor": "#204060"
    })
}

pub fn composition(overlays: &Value) -> Arc<Composition> {
    let document = document(overlays);
    let (composition, unknown) = Composition::from_json(&document).expect("a valid document");
    assert_eq!(unknown, Vec::<String>::new());
    Arc::new(composition)
}

pub fn overlay(kind: &str, rect: [i32; 4], extra: &Value) -> Value {
    let [left, top, width, height] = rect;
    let mut overlay = json!({
        "id": 1, "type": kind, "from": 0, "durationInFrames": 60, "row": 5,
        "left": left, "top": top, "width": width, "height": height
    });
    let fields = overlay.as_object_mut().expect("an object");
    fields.extend(extra.as_object().expect("an object").clone());
    overlay
}

pub fn shape(rect: [i32; 4], fill: &str, extra: &Value) -> Value {
    let mut shape = overlay("shape", rect, extra);
    shape["content"] = shape.get("content").cloned().unwrap_or("rectangle".into());
    shape["styles"]["fill"] = fill.into();
    shape
}

/// A scene in which everything moves.
pub fn moving() -> Value {
    json!([
        overlay(
            "text",
            [10, 10, 100, 30],
            &json!({ "content": "go", "row": 0, "styles": { "color": "#fff", "animation": { "enter": "fade", "during": "sway" } } })
        ),
        shape(
            [30, 20, 50, 40],
            "#e63",
            &json!({ "styles": { "animation": { "during": "spin" }, "borderRadius": "8px" } })
        ),
        shape(
            [0, 60, 128, 12],
            "#fff4",
            &json!({ "from": 7, "durationInFrames": 9 })
        ),
    ])
}
