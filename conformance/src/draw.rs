//! Draws the frames of cases with the engine.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use kinora_composition::request;
use kinora_node::{Engine, EngineConfig};

use crate::case::Case;

/// Draws every frame of every case into `out/NAME.fN.png`.
pub(crate) async fn all(folder: &Path, cases: &[Case], out: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(out)?;
    // A second call finds it installed, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let cache = tempfile::tempdir()?;
    let media = std::path::absolute(folder)?.parent().map(Path::to_owned);
    let engine = Engine::start(EngineConfig {
        fonts: None,
        cache_dir: cache.path().to_owned(),
        cache_bytes: 1 << 30,
        allow_private_urls: false,
        local_media: media,
        encoder: None,
    })
    .await?;
    for case in cases {
        let contents = serde_json::to_vec(&case.composition)?;
        let composition = request::read_file(&contents)
            .map_err(|refusal| anyhow!("{}: {}", case.name, refusal.message))?;
        let composition = Arc::new(composition);
        for frame in &case.frames {
            let file = out.join(format!("{}.f{frame}.png", case.name));
            engine
                .frame_png(&composition, *frame, &file)
                .await
                .with_context(|| case.name.clone())?;
        }
    }
    Ok(())
}
