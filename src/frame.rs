//! `kinora frame`: one frame of a composition file as PNG.

use std::path::PathBuf;

use anyhow::bail;
use kinora_node::Engine;

use crate::arguments::{EngineArgs, PrivateUrls};
use crate::{composition_file, terminal};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Composition, as JSON; media in it may be paths relative to this file
    file: PathBuf,
    /// Number of the frame; the first is 0
    #[arg(long, value_name = "N")]
    frame: u32,
    /// Picture to write
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    private_urls: PrivateUrls,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let file = composition_file::read(&args.file)?;
    let count = file.composition.duration_in_frames;
    if args.frame >= count {
        bail!(
            "{} has {count} frames; the last one is --frame {}",
            args.file.display(),
            count - 1
        );
    }
    let private_urls = args.private_urls.allowed_or(true);
    let (config, _cache) = args.engine.config(private_urls, Some(file.folder), None)?;
    let engine = Engine::start(config).await?;
    engine
        .frame_png(&file.composition, args.frame, &args.output)
        .await?;
    terminal::line(args.output.display());
    Ok(())
}
