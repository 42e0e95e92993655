//! `kinora webhook`: registrations that were switched off.

use serde_json::json;

use crate::database::AdminArgs;
use crate::terminal;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Switch a webhook on again that was switched off because it never answered
    Activate(Activate),
}

#[derive(clap::Args)]
pub(crate) struct Activate {
    /// Address of the account's owner
    #[arg(long)]
    email: String,
    /// The id of the registration
    #[arg(long)]
    id: String,
    #[command(flatten)]
    admin: AdminArgs,
}

pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    let Command::Activate(args) = command;
    let admin = args.admin.open().await?;
    admin.activate_webhook(&args.email, &args.id).await?;
    if args.admin.json {
        terminal::line(json!({"active": true}));
    } else {
        terminal::line("the webhook is active");
    }
    Ok(())
}
