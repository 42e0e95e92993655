//! The yardstick: what the encoder alone needs for the same finished frames.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use kinora_composition::document::Composition;
use kinora_node::encode::EncoderSettings;
use kinora_node::mux::ChunkEncoder;
use kinora_node::{Engine, FrameSink, RenderOptions, RenderTimes};

use super::measure::Usage;
use super::report::Cost;

/// Renders to raw frames, step by step, then encodes them with nothing else going on.
pub(super) async fn encode_alone(
    engine: &Engine,
    composition: &Arc<Composition>,
    frames: Range<u32>,
    work: &Path,
) -> anyhow::Result<(RenderTimes, Cost)> {
    let raw = work.join("frames.yuv");
    let sink = Box::new(RawFile::create(&raw)?);
    let options = RenderOptions::default();
    let profile = engine.profile(composition, frames, &options, sink).await?;
    let settings = EncoderSettings::new(composition.width, composition.height, composition.fps);
    let out = work.join("alone.mp4");
    let cost = tokio::task::spawn_blocking(move || encode(&settings, &raw, &out)).await??;
    Ok((profile, cost))
}

fn encode(settings: &EncoderSettings, raw: &PathBuf, out: &Path) -> anyhow::Result<Cost> {
    let mut file = BufReader::new(File::open(raw).context("the raw frames are gone")?);
    let mut frame = vec![0; settings.frame_bytes()];
    let (usage, started) = (Usage::now()?, Instant::now());
    let mut encoder = ChunkEncoder::create(out, settings, None)?;
    let mut index = 0;
    while file.read_exact(&mut frame).is_ok() {
        encoder.push(&frame, index)?;
        index += 1;
    }
    encoder.finish()?;
    let cost = Cost {
        seconds: started.elapsed().as_secs_f64(),
        spent: usage.spent()?,
    };
    std::fs::remove_file(raw).context("can't remove the raw frames")?;
    Ok(cost)
}

/// Frames one after another in a file.
pub(super) struct RawFile(BufWriter<File>);

impl RawFile {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let file = File::create(path).context("can't keep raw frames")?;
        Ok(Self(BufWriter::new(file)))
    }
}

impl FrameSink for RawFile {
    fn push(&mut self, i420: &[u8], _index: u64) -> kinora_node::Result<()> {
        kinora_node::Context::context(self.0.write_all(i420), "keeping raw frames")
    }

    fn finish(mut self: Box<Self>) -> kinora_node::Result<()> {
        kinora_node::Context::context(self.0.flush(), "keeping raw frames")
    }
}
