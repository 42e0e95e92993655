//! `kinora account`: accounts and their credits.

use kinora_controller::Plan;
use kinora_controller::admin::{CreateAccount, Payment};
use serde_json::json;

use crate::database::AdminArgs;
use crate::terminal;

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Create an account
    Create(Create),
    /// Add credits to an account
    Credit(Credit),
}

#[derive(clap::Args)]
pub(crate) struct Create {
    /// Address of the account's owner
    #[arg(long)]
    email: String,
    /// Name of the account's owner
    #[arg(long, default_value = "")]
    name: String,
    /// Plan: none, creator or business; it decides how many requests a minute are allowed
    #[arg(long, default_value = "none", value_parser = plan)]
    plan: Plan,
    /// Credits to begin with
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..))]
    credits: i64,
    #[command(flatten)]
    payment: PaymentArgs,
    /// Password for signing in; without one the account has only keys
    #[arg(long, env = "KINORA_ACCOUNT_PASSWORD", hide_env_values = true)]
    password: Option<String>,
    #[command(flatten)]
    admin: AdminArgs,
}

#[derive(clap::Args)]
pub(crate) struct Credit {
    /// Address of the account's owner
    #[arg(long)]
    email: String,
    /// Credits to add
    #[arg(long, value_parser = clap::value_parser!(i64).range(1..))]
    credits: i64,
    #[command(flatten)]
    payment: PaymentArgs,
    #[command(flatten)]
    admin: AdminArgs,
}

/// What was paid for the credits; the account's list of transactions shows it.
#[derive(clap::Args)]
struct PaymentArgs {
    /// What was paid for the credits, in hundredths of the currency
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..))]
    amount_cents: i64,
    /// Currency of the payment, three letters
    #[arg(long, default_value = "usd")]
    currency: String,
}

impl PaymentArgs {
    fn payment(self) -> Payment {
        Payment {
            amount_in_cents: self.amount_cents,
            currency: self.currency,
        }
    }
}

pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Create(args) => create(args).await,
        Command::Credit(args) => credit(args).await,
    }
}

async fn create(args: Create) -> anyhow::Result<()> {
    let admin = args.admin.open_or_create().await?;
    let id = admin
        .create_account(CreateAccount {
            email: args.email.clone(),
            name: args.name,
            plan: args.plan,
            credits: args.credits,
            payment: args.payment.payment(),
            password: args.password,
        })
        .await?;
    if args.admin.json {
        terminal::line(json!({
            "id": id.as_str(), "email": args.email, "plan": args.plan.as_str(),
            "credits": args.credits,
        }));
    } else {
        terminal::line(format_args!(
            "created the account {} with {} credits",
            args.email, args.credits
        ));
    }
    Ok(())
}

async fn credit(args: Credit) -> anyhow::Result<()> {
    let admin = args.admin.open().await?;
    let payment = args.payment.payment();
    let balance = admin
        .credit_account(&args.email, args.credits, &payment)
        .await?;
    if args.admin.json {
        terminal::line(json!({"email": args.email, "credits": balance}));
    } else {
        terminal::line(format_args!("{} has {balance} credits now", args.email));
    }
    Ok(())
}

fn plan(text: &str) -> Result<Plan, String> {
    Plan::parse(text).ok_or_else(|| {
        let names: Vec<_> = Plan::ALL.iter().map(|plan| plan.as_str()).collect();
        format!("plans are {}", names.join(", "))
    })
}
