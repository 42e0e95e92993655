//! `kinora bench`: how fast this machine renders known scenes, and where the time goes.

mod effects;
mod farm;
mod likeness;
mod measure;
mod quality;
mod report;
mod video;
mod yardstick;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use kinora_node::{Engine, RenderOptions, RenderTimes};

use crate::arguments::EngineArgs;
use crate::{composition_file, terminal};
use measure::Usage;
use report::{Cost, DrawnScene, Reports, SceneReport};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenes to render, `effects` for what effects cost, `video` for what a clip costs, `quality` for how good our
    /// encoding is for its size; everything of this by default. Or `farm`, alone, for how many nodes a database carries
    scenes: Vec<String>,
    /// Folder with the benchmark scenes and peers
    #[arg(long, default_value = "benches")]
    benches: PathBuf,
    /// Render with this program too, and compare: ffmpeg
    #[arg(long, value_parser = ["ffmpeg"])]
    peer: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    farm: farm::SimulationArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Scenes that are rendered and encoded.
const SCENES: [&str; 4] = ["simple", "promo", "slides", "text-heavy"];
/// Scenes that are only drawn.
const DRAWN: [&str; 3] = ["lower-third", "product-card", "caption-over-video"];
/// The name of the simulated farm.
const FARM: &str = "farm";
/// The name of the table of effects.
const EFFECTS: &str = "effects";
/// The name of the table of sizes and qualities.
const QUALITY: &str = "quality";
/// The name of the pair of a clip and a still.
const VIDEO: &str = "video";

pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    if args.scenes == [FARM] {
        return farm::run(&args.farm, args.json).await;
    }
    let scenes = match &args.scenes[..] {
        [] => [&SCENES[..], &DRAWN[..], &[EFFECTS, VIDEO, QUALITY]]
            .concat()
            .into_iter()
            .map(String::from)
            .collect(),
        named => named.to_vec(),
    };
    let folder = args.benches.join("scenes");
    if !folder.is_dir() {
        bail!(
            "{} is not there; run in the project's folder or name it with --benches",
            folder.display()
        );
    }
    let local_media = std::path::absolute(&folder).context("the current folder is gone")?;
    let (config, _cache) = args.engine.config(true, Some(local_media), None)?;
    let engine = Engine::start(config).await?;
    let work = tempfile::tempdir().context("can't create a temporary folder")?;
    let mut reports = Reports::default();
    for scene in scenes {
        if scene == EFFECTS {
            reports.effects = effects::measure(&engine).await?;
            if !args.json {
                terminal::line("what effects cost on a layer that fills the canvas:");
                reports.effects.iter().for_each(terminal::line);
            }
            continue;
        }
        if scene == QUALITY {
            if !args.json {
                terminal::line(
                    "size and quality beside ffmpeg -c:v libx264 -preset veryfast -crf 23:",
                );
            }
            for scene in SCENES {
                let file = args.benches.join("scenes").join(format!("{scene}.json"));
                let composition = composition_file::read(&file)?.composition;
                let quality = quality::measure(&engine, scene, &composition, work.path()).await?;
                if !args.json {
                    terminal::line(&quality);
                }
                reports.quality.push(quality);
            }
            continue;
        }
        if scene == VIDEO {
            let cost = video::measure(&engine, work.path()).await?;
            if !args.json {
                terminal::line(&cost);
            }
            reports.video = Some(cost);
            continue;
        }
        if DRAWN.contains(&scene.as_str()) {
            let drawn = draw_scene(&engine, &args, &scene).await?;
            if !args.json {
                terminal::line(&drawn);
            }
            reports.drawn.push(drawn);
            continue;
        }
        let report = bench_scene(&engine, &args, &scene, work.path()).await?;
        if !args.json {
            terminal::line(&report);
        }
        reports.scenes.push(report);
    }
    if args.json {
        terminal::line(report::to_json(&engine.adapter(), &reports));
    } else {
        terminal::line(format_args!("adapter: {}", engine.adapter()));
    }
    Ok(())
}

/// Draws a scene without encoding it.
async fn draw_scene(engine: &Engine, args: &Args, scene: &str) -> anyhow::Result<DrawnScene> {
    let file = args.benches.join("scenes").join(format!("{scene}.json"));
    let composition = composition_file::read(&file)?.composition;
    let frames = composition.duration_in_frames;
    let options = RenderOptions::default();
    let sink = || Box::new(effects::Nowhere);
    let (usage, started) = (Usage::now()?, Instant::now());
    engine
        .draw_frames(&composition, 0..frames, &options, sink())
        .await?;
    let cost = Cost {
        seconds: started.elapsed().as_secs_f64(),
        spent: usage.spent()?,
    };
    let times = engine
        .profile(&composition, 0..frames, &options, sink())
        .await?;
    Ok(DrawnScene {
        scene: scene.to_owned(),
        frames,
        cost,
        times,
    })
}

async fn bench_scene(
    engine: &Engine,
    args: &Args,
    scene: &str,
    work: &Path,
) -> anyhow::Result<SceneReport> {
    let file = args.benches.join("scenes").join(format!("{scene}.json"));
    let composition = composition_file::read(&file)?.composition;
    let frames = 0..composition.duration_in_frames;
    let (chunk, video) = (work.join("chunk.mp4"), work.join("video.mp4"));
    let options = RenderOptions::default();

    measure::forget_peak_memory();
    let (usage, started) = (Usage::now()?, Instant::now());
    let rendered = engine
        .render_chunk(&composition, frames.clone(), &options, &chunk)
        .await?;
    let chunks = std::slice::from_ref(&chunk);
    let assembled = engine
        .assemble(&composition, frames.clone(), &options, chunks, &video)
        .await?;
    let ours = Cost {
        seconds: started.elapsed().as_secs_f64(),
        spent: usage.spent()?,
    };
    let peak_memory = measure::peak_memory()?;
    let bytes = std::fs::metadata(&video)
        .context("the rendered file is gone")?
        .len();

    let (profile, encoder_alone) =
        yardstick::encode_alone(engine, &composition, frames.clone(), work).await?;
    let peer = match &args.peer {
        Some(peer) => Some(peer_cost(&args.benches, peer, scene, work)?),
        None => None,
    };
    Ok(SceneReport {
        scene: scene.to_owned(),
        frames: frames.end,
        ours,
        encoder_alone,
        peer,
        peak_memory,
        bytes,
        times: RenderTimes {
            encode: rendered.encode,
            mux: assembled.mux,
            ..profile
        },
    })
}

/// Runs the equal scene with another program.
fn peer_cost(benches: &Path, peer: &str, scene: &str, work: &Path) -> anyhow::Result<Cost> {
    let program = benches.join("peers").join(peer).join("run");
    let started = Instant::now();
    let usage = Usage::of_children()?;
    let status = std::process::Command::new(&program)
        .arg(scene)
        .arg(work.join("peer.mp4"))
        .status()
        .with_context(|| format!("can't run {}", program.display()))?;
    if !status.success() {
        bail!("{} {scene} failed", program.display());
    }
    Ok(Cost {
        seconds: started.elapsed().as_secs_f64(),
        spent: usage.spent()?,
    })
}
