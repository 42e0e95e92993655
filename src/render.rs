//! `kinora render`: a composition file becomes an MP4 on this machine.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use kinora_node::encode::Codec;
use kinora_node::{Engine, RenderOptions};
use tempfile::TempDir;

use crate::arguments::{EngineArgs, PrivateUrls};
use crate::progress::Progress;
use crate::{composition_file, shutdown, terminal};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Composition, as JSON; media in it may be paths relative to this file
    file: PathBuf,
    /// Video to write
    #[arg(short, long, value_name = "OUT.mp4")]
    output: PathBuf,
    /// Only these frames; the second number is not included
    #[arg(long, value_name = "A..B", value_parser = frame_range)]
    frames: Option<Range<u32>>,
    /// How to encode pictures; hevc makes smaller files that fewer players show
    #[arg(long, value_enum, default_value = "h264")]
    codec: CodecName,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    private_urls: PrivateUrls,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum CodecName {
    H264,
    Hevc,
}

impl From<CodecName> for Codec {
    fn from(name: CodecName) -> Self {
        match name {
            CodecName::H264 => Self::H264,
            CodecName::Hevc => Self::Hevc,
        }
    }
}

pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let file = composition_file::read(&args.file)?;
    let all = 0..file.composition.duration_in_frames;
    let frames = args.frames.unwrap_or_else(|| all.clone());
    if frames.end > all.end {
        bail!(
            "{} has {} frames; --frames {}..{} goes beyond them",
            args.file.display(),
            all.end,
            frames.start,
            frames.end
        );
    }
    let work = work_folder(&args.output)?;
    let stop = shutdown::on_signal()?;
    let private_urls = args.private_urls.allowed_or(true);
    let (config, _cache) = args.engine.config(private_urls, Some(file.folder), None)?;
    let engine = Engine::start(config).await?;

    let started = Instant::now();
    let count = frames.end - frames.start;
    let progress = Arc::new(Progress::new(count)?);
    let chunk = work.path().join("chunk.mp4");
    let finished = work.path().join("video.mp4");
    let rendered = async {
        let shown = progress.clone();
        let options = RenderOptions {
            codec: args.codec.into(),
            progress: Arc::new(move |done| shown.at(done)),
            cancel: stop,
            ..RenderOptions::default()
        };
        engine
            .render_chunk(&file.composition, frames.clone(), &options, &chunk)
            .await?;
        let chunks = std::slice::from_ref(&chunk);
        engine
            .assemble(&file.composition, frames, &options, chunks, &finished)
            .await
    }
    .await;
    progress.finish();
    rendered?;
    std::fs::rename(&finished, &args.output)
        .with_context(|| format!("can't write {}", args.output.display()))?;

    let seconds = started.elapsed().as_secs_f64();
    terminal::line(format_args!(
        "{}: {count} frames in {seconds:.1} s, {:.1} frames per second",
        args.output.display(),
        f64::from(count) / seconds.max(1e-3)
    ));
    Ok(())
}

/// A folder beside the output: what is finished there can be moved into place in one step.
fn work_folder(output: &Path) -> anyhow::Result<TempDir> {
    if output.is_dir() {
        bail!(
            "{} is a folder; name a file, for example video.mp4",
            output.display()
        );
    }
    let parent = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    tempfile::Builder::new()
        .prefix(".kinora-render-")
        .tempdir_in(parent)
        .with_context(|| {
            format!(
                "can't write into {}; choose another place",
                parent.display()
            )
        })
}

fn frame_range(text: &str) -> Result<Range<u32>, String> {
    let parse = || {
        let (first, end) = text.split_once("..")?;
        Some(first.trim().parse().ok()?..end.trim().parse().ok()?)
    };
    match parse() {
        Some(range) if range.start < range.end => Ok(range),
        _ => Err("two frame numbers, as in 0..90, of which the second is larger".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::frame_range;

    #[test]
    fn a_range_excludes_its_end_and_is_never_empty() {
        assert_eq!(frame_range("0..90"), Ok(0..90));
        assert_eq!(frame_range("30..31"), Ok(30..31));
        for bad in [
            "", "5", "5..", "..5", "5..5", "9..2", "a..b", "-1..2", "0..=5",
        ] {
            assert!(frame_range(bad).is_err(), "{bad}");
        }
    }
}
