//! The `kinora` command: one subcommand for each role and tool, one file for each subcommand.

mod account;
mod arguments;
mod bench;
mod composition_file;
mod controller;
mod database;
mod doctor;
mod engine_metrics;
mod farm;
mod frame;
mod gateway;
mod key;
mod listen;
mod logging;
mod metered;
mod migrate;
mod node;
mod presign;
mod progress;
mod project;
mod quiet;
mod render;
mod secret;
mod serve;
mod shutdown;
mod signing;
mod status;
mod store;
mod template;
mod terminal;
mod traces;
mod unfinished;
mod webhook;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// "Try again later", as `sysexits.h` counts.
const DEVICE_LOST: u8 = 75;

/// Turns JSON compositions into video.
#[derive(Parser)]
#[command(name = "kinora", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run everything in one process, on SQLite and a local folder
    Serve(serve::Args),
    /// Run the HTTP interface
    Gateway(gateway::Args),
    /// Run the controller, which owns jobs, accounts and leases
    Controller(controller::Args),
    /// Run a render node
    Node(node::Args),
    /// Render a composition file on this machine, without a server
    Render(render::Args),
    /// Draw one frame of a composition file as PNG
    Frame(frame::Args),
    /// Check whether this machine can render, and say what is missing
    Doctor(doctor::Args),
    /// Measure how fast this machine renders known scenes
    Bench(bench::Args),
    /// Bring the schema of the database up to date, before a new version starts
    Migrate(migrate::Args),
    /// Create accounts and give them credits
    #[command(subcommand)]
    Account(account::Command),
    /// Create and revoke API keys
    #[command(subcommand)]
    Key(key::Command),
    /// Switch webhooks on again
    #[command(subcommand)]
    Webhook(webhook::Command),
    /// Import templates
    #[command(subcommand)]
    Template(template::Command),
    /// Import projects
    #[command(subcommand)]
    Project(project::Command),
}

impl Command {
    /// Services tell what they do, and have names in traces; tools speak only when something is wrong.
    fn service(&self) -> Option<&'static str> {
        match self {
            Self::Serve(_) => Some("kinora"),
            Self::Gateway(_) => Some("kinora-gateway"),
            Self::Controller(_) => Some("kinora-controller"),
            Self::Node(_) => Some("kinora-node"),
            _ => None,
        }
    }

    /// Whether the command opens a graphics adapter.
    fn draws(&self) -> bool {
        matches!(
            self,
            Self::Serve(_)
                | Self::Node(_)
                | Self::Render(_)
                | Self::Frame(_)
                | Self::Doctor(_)
                | Self::Bench(_)
        )
    }

    async fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Serve(args) => serve::run(args).await?,
            Self::Gateway(args) => gateway::run(args).await?,
            Self::Controller(args) => controller::run(args).await?,
            Self::Node(args) => node::run(args).await?,
            Self::Render(args) => render::run(args).await?,
            Self::Frame(args) => frame::run(args).await?,
            Self::Doctor(args) => return doctor::run(args).await,
            Self::Bench(args) => bench::run(args).await?,
            Self::Migrate(args) => migrate::run(args).await?,
            Self::Account(command) => account::run(command).await?,
            Self::Key(command) => key::run(command).await?,
            Self::Webhook(command) => webhook::run(command).await?,
            Self::Template(command) => template::run(command).await?,
            Self::Project(command) => project::run(command).await?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    match run(command) {
        Ok(code) => code,
        Err(error) => {
            terminal::error(&error);
            exit_code(&error)
        }
    }
}

/// Whoever restarts the process can tell a graphics device that is gone from everything else.
fn exit_code(error: &anyhow::Error) -> ExitCode {
    let mut causes = error
        .chain()
        .map(|cause| cause.downcast_ref::<kinora_node::Error>());
    match causes.any(|cause| matches!(cause, Some(kinora_node::Error::DeviceLost(_)))) {
        true => ExitCode::from(DEVICE_LOST),
        false => ExitCode::FAILURE,
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    if command.draws() {
        quiet::start_without_device_selection();
    }
    rustls::crypto::ring::default_provider()
        .install_default()
        .map_err(|_| anyhow::anyhow!("TLS was set up twice"))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let inside = runtime.enter();
    let traces = logging::start(command.service())?;
    drop(inside);
    let outcome = runtime.block_on(command.run());
    if let Some(traces) = traces {
        traces.finish();
    }
    // Work on blocking threads that was cancelled need not be waited for.
    runtime.shutdown_background();
    outcome
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn no_two_arguments_of_a_command_clash() {
        Cli::command().debug_assert();
    }
}
