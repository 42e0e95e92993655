//! Draws conformance cases and compares them with a browser's pictures.
//!
//! `kinora-conformance CASES OUT [NAME…]` writes `OUT/NAME.fN.png`. With `--bars FILE` it compares them too and writes
//! `OUT/index.html`; with `--calibrate DIR` it draws nothing and writes bars from another browser's pictures.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Parser;
use kinora_conformance::{Bar, Bars, Case, Compare, Picture};
use kinora_conformance::{compare, draw, frame_key, judge, read_all, write_report};

#[derive(Parser)]
struct Args {
    /// Folder of cases; media are relative to the folder above it
    cases: PathBuf,
    /// Folder for the pictures
    out: PathBuf,
    /// Only cases whose names begin so
    names: Vec<String>,
    /// Bars to compare by
    #[arg(long)]
    bars: Option<PathBuf>,
    /// Folder of references; that of the cases when omitted
    #[arg(long)]
    references: Option<PathBuf>,
    /// Another browser's pictures; their distance from the references makes the bars that are written to --bars
    #[arg(long, requires = "bars")]
    calibrate: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut cases = read_all(&args.cases)?;
    cases.retain(|case| {
        args.names.is_empty() || args.names.iter().any(|name| case.name.starts_with(name))
    });
    let references = args.references.as_ref().unwrap_or(&args.cases);
    if let (Some(other), Some(bars)) = (&args.calibrate, &args.bars) {
        return calibrate(&cases, references, other)?.write(bars);
    }
    let media = std::path::absolute(&args.cases)?;
    let media = media.parent().context("cases need a folder above theirs")?;
    let failures = draw(&cases, media, None, &args.out).await?;
    if let Some(bars) = &args.bars {
        let bars = Bars::read(bars)?;
        let frames = judge(&cases, references, &args.out, &bars);
        write_report(&frames, references, &args.out, &args.out)?;
    }
    let failures: Vec<_> = failures.iter().map(|error| format!("{error:#}")).collect();
    ensure!(
        failures.is_empty(),
        "not every case could be drawn:\n{}",
        failures.join("\n")
    );
    Ok(())
}

fn calibrate(cases: &[Case], references: &Path, other: &Path) -> anyhow::Result<Bars> {
    const ADVISORY: &str = "advisory";
    let mut bars = Bars::default();
    let set = bars.sets.entry("own".into()).or_default();
    for case in cases.iter().filter(|case| case.compare == Compare::Pixels) {
        for frame in &case.frames {
            let key = frame_key(&case.name, *frame);
            let open = |folder: &Path| Picture::open(&folder.join(format!("{key}.png")));
            let figures = compare(&open(references)?, &open(other)?)
                .with_context(|| format!("{key}: pictures of different sizes"))?;
            let advisory = case.tags.iter().any(|tag| tag == ADVISORY);
            set.insert(key, Bar::after(&figures, advisory));
        }
    }
    Ok(bars)
}
