//! `kinora key`: API keys.

use serde_json::json;

use crate::database::AdminArgs;
use crate::terminal;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Create a key and print it; it can't be shown again
    Create(Create),
    /// Revoke a key
    Revoke(Revoke),
}

#[derive(clap::Args)]
pub(crate) struct Create {
    /// Address of the account's owner
    #[arg(long)]
    email: String,
    #[command(flatten)]
    admin: AdminArgs,
}

#[derive(clap::Args)]
pub(crate) struct Revoke {
    /// Address of the account's owner
    #[arg(long)]
    email: String,
    /// The key itself, or its id
    #[arg(long)]
    key: String,
    #[command(flatten)]
    admin: AdminArgs,
}

pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Create(args) => create(args).await,
        Command::Revoke(args) => revoke(args).await,
    }
}

async fn create(args: Create) -> anyhow::Result<()> {
    let created = args.admin.open().await?.create_key(&args.email).await?;
    if args.admin.json {
        terminal::line(json!({
            "key": created.key, "id": created.id.as_str(), "prefix": created.prefix,
        }));
    } else {
        terminal::line(created.key);
    }
    Ok(())
}

async fn revoke(args: Revoke) -> anyhow::Result<()> {
    let admin = args.admin.open().await?;
    admin.revoke_key(&args.email, &args.key).await?;
    if args.admin.json {
        terminal::line(json!({"revoked": true}));
    } else {
        terminal::line("the key is revoked");
    }
    Ok(())
}
