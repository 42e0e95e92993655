//! `kinora template`: templates that every account may render.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use serde_json::json;

use crate::database::AdminArgs;
use crate::terminal;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Add a template from a JSON file
    Import(Import),
}

#[derive(clap::Args)]
pub(crate) struct Import {
    /// File with name, description, category, creditsPerMinute and inputProps
    file: PathBuf,
    /// List the template for every account
    #[arg(long)]
    public: bool,
    #[command(flatten)]
    admin: AdminArgs,
}

pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    let Command::Import(args) = command;
    let file = args.file.display();
    let contents = std::fs::read(&args.file).with_context(|| format!("can't read {file}"))?;
    let admin = args.admin.open().await?;
    let id = admin
        .import_template(&contents, args.public)
        .await
        .map_err(|error| anyhow!("can't import {file}: {error}"))?;
    if args.admin.json {
        terminal::line(json!({"id": id.as_str()}));
    } else if args.public {
        terminal::line(format_args!("imported the public template {id}"));
    } else {
        terminal::line(format_args!(
            "imported the template {id}; nobody can see it without --public"
        ));
    }
    Ok(())
}
