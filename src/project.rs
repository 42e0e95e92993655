//! `kinora project`: projects of an account.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use serde_json::json;

use crate::database::AdminArgs;
use crate::terminal;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Add a project to an account from a JSON file
    Import(Import),
}

#[derive(clap::Args)]
pub(crate) struct Import {
    /// Address of the account's owner
    #[arg(long)]
    email: String,
    /// File with name and inputProps, and a description if it has one
    file: PathBuf,
    #[command(flatten)]
    admin: AdminArgs,
}

pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    let Command::Import(args) = command;
    let file = args.file.display();
    let contents = std::fs::read(&args.file).with_context(|| format!("can't read {file}"))?;
    let admin = args.admin.open().await?;
    let id = admin
        .import_project(&args.email, &contents)
        .await
        .map_err(|error| anyhow!("can't import {file}: {error}"))?;
    if args.admin.json {
        terminal::line(json!({"id": id.as_str()}));
    } else {
        terminal::line(format_args!("imported the project {id} of {}", args.email));
    }
    Ok(())
}
