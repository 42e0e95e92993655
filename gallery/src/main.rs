//! Renders everything that moves into a page: `kinora-gallery OUT [FAMILY…]`.

use std::path::{Path, PathBuf};

use clap::Parser;
use kinora_gallery::{Studio, families, write_page};

#[derive(Parser)]
struct Args {
    /// Folder for the page and its clips
    out: PathBuf,
    /// Only these families
    families: Vec<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let media = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance");
    let mut families = families();
    families.retain(|family| {
        args.families.is_empty() || args.families.iter().any(|name| name == family.name)
    });
    let studio = Studio::open(&media, None).await?;
    write_page(&studio, &families, &args.out).await
}
