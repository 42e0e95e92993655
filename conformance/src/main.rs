//! Draws conformance cases: `conformance CASES OUT [NAME…]` writes `OUT/NAME.fN.png`.

mod case;
mod draw;

use std::path::PathBuf;

use clap::Parser;

#[derive(Parser)]
struct Args {
    /// Folder of cases; media are relative to the folder above it
    cases: PathBuf,
    /// Folder for the pictures
    out: PathBuf,
    /// Only cases whose names begin so
    names: Vec<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut cases = case::read_all(&args.cases)?;
    cases.retain(|case| {
        args.names.is_empty() || args.names.iter().any(|name| case.name.starts_with(name))
    });
    draw::all(&args.cases, &cases, &args.out).await
}
