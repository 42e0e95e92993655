//! Draws the frames of cases with the engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use futures::{StreamExt, stream};
use kinora_composition::request;
use kinora_node::{Engine, EngineConfig};

use crate::case::{Case, frame_key};

/// Cases in work at a time: one is laid out while another is drawn.
const AT_A_TIME: usize = 4;

/// Draws every frame of every case into `out/NAME.fN.png`, and says of those that it can't why. Media
/// are relative to `media`; fonts are looked for where the engine does unless a folder is given.
pub async fn draw(
    cases: &[Case],
    media: &Path,
    fonts: Option<PathBuf>,
    out: &Path,
) -> anyhow::Result<Vec<anyhow::Error>> {
    std::fs::create_dir_all(out)?;
    // A second call finds it installed, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let cache = tempfile::tempdir()?;
    let engine = Engine::start(EngineConfig {
        fonts,
        cache_dir: cache.path().to_owned(),
        cache_bytes: 1 << 30,
        allow_private_urls: false,
        local_media: Some(std::path::absolute(media)?),
        encoder: None,
        hardware_decoding: false,
    })
    .await?;
    let results: Vec<_> = stream::iter(cases)
        .map(|case| draw_case(&engine, case, out))
        .buffer_unordered(AT_A_TIME)
        .collect()
        .await;
    Ok(results.into_iter().filter_map(Result::err).collect())
}

async fn draw_case(engine: &Engine, case: &Case, out: &Path) -> anyhow::Result<()> {
    let contents = serde_json::to_vec(&case.composition)?;
    let composition = request::read_file(&contents)
        .map_err(|refusal| anyhow!("{}: {}", case.name, refusal.message))?;
    let composition = Arc::new(composition);
    for frame in &case.frames {
        let file = out.join(format!("{}.png", frame_key(&case.name, *frame)));
        engine
            .frame_png(&composition, *frame, &file)
            .await
            .with_context(|| case.name.clone())?;
    }
    Ok(())
}
