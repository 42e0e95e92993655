//! `kinora controller`: jobs, accounts and leases, alone.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kinora_controller::{Config, Controller, Limits, WebhookTerms};
use kinora_gateway::MetricsSource;
use kinora_node::text::find_font_folder;
use object_store::ObjectStore;

use crate::arguments::{DataFolder, PrivateUrls};
use crate::database::DatabaseArgs;
use crate::farm::FarmArgs;
use crate::secret::SecretArgs;
use crate::status::{self, HealthSource};
use crate::store::StoreArgs;
use crate::{listen, shutdown, terminal};

const HOUR: Duration = Duration::from_secs(3600);

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address on which gateways and nodes reach the controller
    #[arg(long, env = "KINORA_LISTEN", default_value = "127.0.0.1:7070")]
    listen: SocketAddr,
    /// Address of /healthz and /metrics
    #[arg(long, env = "KINORA_STATUS_LISTEN", default_value = "127.0.0.1:7071")]
    status_listen: SocketAddr,
    /// Folder with the font files that the nodes have too; `make fonts` fills ./fonts
    #[arg(long, env = "KINORA_FONTS")]
    fonts: Option<PathBuf>,
    #[command(flatten)]
    controller: ControllerArgs,
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    private_urls: PrivateUrls,
    #[command(flatten)]
    farm: FarmArgs,
}

/// Prices and limits.
#[derive(clap::Args)]
pub(crate) struct ControllerArgs {
    /// Price of a minute of video at 1080p
    #[arg(long, env = "KINORA_CREDITS_PER_MINUTE", default_value_t = 1)]
    credits_per_minute: u32,
    /// How many seconds of video one render task covers, in place of what measured speed makes 5 to 15 seconds of work
    #[arg(long, env = "KINORA_SECONDS_PER_TASK", value_parser = clap::value_parser!(u32).range(1..))]
    seconds_per_task: Option<u32>,
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
    /// Requests a minute without a plan, on Creator and on Business
    #[arg(long, env = "KINORA_REQUESTS_PER_MINUTE", default_value = "60,120,300",
          value_name = "NONE,CREATOR,BUSINESS", value_parser = three_limits)]
    requests_per_minute: [u32; 3],
    /// Middle of the names of webhook headers, as in X-Service-Signature
    #[arg(long, env = "KINORA_SERVICE_NAME", default_value = "Service")]
    service_name: String,
    /// How many deliveries in a row a webhook has to miss before it is switched off
    #[arg(long, env = "KINORA_WEBHOOK_FAILURES", default_value_t = WebhookTerms::default().failures)]
    webhook_failures: u32,
    /// How many hours a webhook has to miss every delivery before it is switched off
    #[arg(long, env = "KINORA_WEBHOOK_FAILING_HOURS", default_value_t = 24)]
    webhook_failing_hours: u32,
    /// Largest file that may be uploaded, in bytes
    #[arg(long, env = "KINORA_MAX_UPLOAD_BYTES", default_value_t = Config::MAX_UPLOAD_BYTES,
          value_parser = clap::value_parser!(u64).range(1..))]
    max_upload_bytes: u64,
    /// How many seconds an upload URL may be used; S3 takes at most a week
    #[arg(long, env = "KINORA_UPLOAD_SECONDS",
          default_value_t = Config::UPLOAD_LIFETIME.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=604_800))]
    upload_seconds: u64,
    /// How many hours a preview can be looked at
    #[arg(long, env = "KINORA_PREVIEW_HOURS",
          default_value_t = Config::PREVIEW_LIFETIME.as_secs() / HOUR.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=8_760))]
    preview_hours: u64,
    #[command(flatten)]
    secret: SecretArgs,
}

impl ControllerArgs {
    pub(crate) fn config(
        &self,
        database_url: String,
        store: Arc<dyn ObjectStore>,
        allow_private_urls: bool,
    ) -> anyhow::Result<Config> {
        Ok(Config {
            credits_per_minute: self.credits_per_minute,
            seconds_per_task: self.seconds_per_task,
            requests_per_minute: self.requests_per_minute,
            limits: Limits {
                max_side: self.max_side,
                max_fps: self.max_fps,
                max_seconds: self.max_seconds,
                max_overlays: self.max_overlays,
                ..Limits::default()
            },
            service_name: self.service_name.clone(),
            allow_private_urls,
            webhooks: WebhookTerms {
                failures: self.webhook_failures,
                failing_for: HOUR * self.webhook_failing_hours,
                ..WebhookTerms::default()
            },
            max_upload_bytes: self.max_upload_bytes,
            upload_lifetime: Duration::from_secs(self.upload_seconds),
            preview_lifetime: Duration::from_secs(self.preview_hours * HOUR.as_secs()),
            ..Config::new(database_url, store, self.secret.key()?)
        })
    }
}

fn three_limits(text: &str) -> Result<[u32; 3], String> {
    let limits: Result<Vec<u32>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let limits: Option<[u32; 3]> = limits.ok().and_then(|limits| limits.try_into().ok());
    limits
        .filter(|limits| !limits.contains(&0))
        .ok_or_else(|| "three whole numbers from 1 are needed, like 60,120,300".to_owned())
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

/// Whether the database answers.
pub(crate) fn health(controller: &Controller) -> HealthSource {
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
    let access = args.farm.server()?;
    access.check(args.listen)?;
    let scheme = if access.tls.is_some() {
        "https"
    } else {
        "http"
    };
    let listener = listen::on(args.listen, "--listen").await?;
    let database_url = args.database.url(&args.data)?;
    let store = args.store.open(&args.data)?;
    let allow_private_urls = args.private_urls.allowed_or(false);
    let config = args
        .controller
        .config(database_url, store, allow_private_urls)?;
    let config = Config {
        upload_signer: args.store.signer()?,
        object_signer: args.store.object_signer()?,
        access,
        fonts: find_font_folder(args.fonts.as_deref())?,
        ..config
    };
    let controller = Controller::start(config).await?;
    status::serve(
        args.status_listen,
        "controller",
        health(&controller),
        metrics(&controller),
        stop.clone(),
    )
    .await?;
    let address = listen::url(scheme, listener.local_addr()?);
    terminal::line(format_args!("Kinora's controller is at {address}"));
    let served = controller.serve(listener, stop).await;
    controller.close().await;
    Ok(served?)
}
