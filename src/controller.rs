//! `kinora controller`: jobs, accounts and leases, alone.

use std::net::SocketAddr;
use std::sync::Arc;

use kinora_controller::{Config, Controller, Limits};
use kinora_gateway::MetricsSource;
use object_store::ObjectStore;

use crate::arguments::DataFolder;
use crate::database::DatabaseArgs;
use crate::status::{self, HealthSource};
use crate::store::StoreArgs;
use crate::{listen, shutdown, terminal};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address on which gateways and nodes reach the controller
    #[arg(long, env = "KINORA_LISTEN", default_value = "127.0.0.1:7070")]
    listen: SocketAddr,
    /// Address of /healthz and /metrics
    #[arg(long, env = "KINORA_STATUS_LISTEN", default_value = "127.0.0.1:7071")]
    status_listen: SocketAddr,
    #[command(flatten)]
    controller: ControllerArgs,
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    store: StoreArgs,
}

/// Prices and limits.
#[derive(clap::Args)]
pub(crate) struct ControllerArgs {
    /// Price of a minute of video at 1080p
    #[arg(long, env = "KINORA_CREDITS_PER_MINUTE", default_value_t = 1)]
    credits_per_minute: u32,
    /// About how many seconds of video one render task covers
    #[arg(long, env = "KINORA_SECONDS_PER_TASK", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    seconds_per_task: u32,
    /// Longest side of a video, in pixels
    #[arg(long, env = "KINORA_MAX_SIDE", default_value_t = Limits::default().max_side)]
    max_side: u32,
    /// Highest frame rate
    #[arg(long, env = "KINORA_MAX_FPS", default_value_t = Limits::default().max_fps)]
    max_fps: u32,
    /// Longest video, in seconds
    #[arg(long, env = "KINORA_MAX_SECONDS", default_value_t = Limits::default().max_seconds)]
    max_seconds: u32,
    /// Most overlays in one composition
    #[arg(long, env = "KINORA_MAX_OVERLAYS", default_value_t = Limits::default().max_overlays)]
    max_overlays: usize,
}

impl ControllerArgs {
    pub(crate) fn config(&self, database_url: String, store: Arc<dyn ObjectStore>) -> Config {
        Config {
            credits_per_minute: self.credits_per_minute,
            seconds_per_task: self.seconds_per_task,
            limits: Limits {
                max_side: self.max_side,
                max_fps: self.max_fps,
                max_seconds: self.max_seconds,
                max_overlays: self.max_overlays,
                ..Limits::default()
            },
            ..Config::new(database_url, store)
        }
    }
}

/// The controller's page of metrics.
pub(crate) fn metrics(controller: &Controller) -> MetricsSource {
    let controller = controller.clone();
    Arc::new(move || {
        let controller = controller.clone();
        Box::pin(async move {
            controller.metrics().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "the controller's metrics can't be read");
                String::new()
            })
        })
    })
}

fn health(controller: &Controller) -> HealthSource {
    let controller = controller.clone();
    Arc::new(move || {
        let controller = controller.clone();
        Box::pin(async move {
            controller.health().await.map_err(|error| {
                tracing::warn!(%error, "the database does not answer");
                "the database does not answer".to_owned()
            })
        })
    })
}

pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    let listener = listen::on(args.listen, "--listen").await?;
    let database_url = args.database.url(&args.data)?;
    let store = args.store.open(&args.data)?;
    let controller = Controller::start(args.controller.config(database_url, store)).await?;
    status::serve(
        args.status_listen,
        "controller",
        health(&controller),
        metrics(&controller),
        stop.clone(),
    )
    .await?;
    let address = listen::local_url(listener.local_addr()?);
    terminal::line(format_args!("Kinora's controller is at {address}"));
    let served = controller.serve(listener, stop).await;
    controller.close().await;
    Ok(served?)
}
