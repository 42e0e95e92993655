//! `kinora migrate`: brings the schema of the database up to date, and does nothing else.

use kinora_controller::admin::SchemaChange;
use serde_json::json;

use crate::database::AdminArgs;
use crate::terminal;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    admin: AdminArgs,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let SchemaChange { from, to } = args.admin.migrate().await?;
    if args.admin.json {
        terminal::line(json!({"from": from, "to": to}));
    } else if from == to {
        terminal::line(format_args!("the schema is up to date, at version {to}"));
    } else {
        terminal::line(format_args!(
            "the schema went from version {from} to version {to}"
        ));
    }
    Ok(())
}
