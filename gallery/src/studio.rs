//! An engine for clips.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use kinora_composition::document::Composition;
use kinora_composition::request;
use kinora_conformance::Picture;
use kinora_node::{Engine, EngineConfig, RenderOptions};

use crate::Clip;

/// Draws clips.
pub struct Studio {
    engine: Engine,
    work: tempfile::TempDir,
}

impl Studio {
    /// A studio whose media are relative to a folder; fonts are looked for where the engine does unless
    /// a folder is given.
    pub async fn open(media: &Path, fonts: Option<PathBuf>) -> anyhow::Result<Self> {
        // A second call finds it installed, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let work = tempfile::tempdir()?;
        let engine = Engine::start(EngineConfig {
            fonts,
            cache_dir: work.path().join("cache"),
            cache_bytes: 1 << 30,
            allow_private_urls: false,
            local_media: Some(std::path::absolute(media)?),
            encoder: None,
            hardware_decoding: false,
        })
        .await?;
        Ok(Self { engine, work })
    }

    /// The kept frames of a clip in a row.
    pub async fn strip(&self, clip: &Clip) -> anyhow::Result<Picture> {
        let composition = read(clip)?;
        let file = self.work.path().join("frame.png");
        let mut frames = Vec::new();
        for frame in &clip.frames {
            self.engine
                .frame_png(&composition, *frame, &file)
                .await
                .with_context(|| clip.name.clone())?;
            frames.push(Picture::open(&file)?);
        }
        Ok(Picture::side_by_side(&frames.iter().collect::<Vec<_>>()))
    }

    /// Renders a clip into a file.
    pub async fn render(&self, clip: &Clip, out: &Path) -> anyhow::Result<()> {
        let composition = read(clip)?;
        let frames = 0..composition.duration_in_frames;
        let chunk = self.work.path().join("chunk.mp4");
        let options = RenderOptions::default();
        self.engine
            .render_chunk(&composition, frames.clone(), &options, &chunk)
            .await
            .with_context(|| clip.name.clone())?;
        self.engine
            .assemble(&composition, frames, &options, &[chunk], out)
            .await
            .with_context(|| clip.name.clone())?;
        Ok(())
    }
}

fn read(clip: &Clip) -> anyhow::Result<Arc<Composition>> {
    let contents = serde_json::to_vec(&clip.composition)?;
    let composition = request::read_file(&contents)
        .map_err(|refusal| anyhow!("{}: {}", clip.name, refusal.message))?;
    Ok(Arc::new(composition))
}
