//! `kinora gateway`: the HTTP interface alone.

use std::net::SocketAddr;
use std::sync::Arc;

use kinora_gateway::{Config, Gateway};
use kinora_proto::access::ClientAccess;
use object_store::ObjectStore;

use crate::arguments::DataFolder;
use crate::farm::FarmArgs;
use crate::store::StoreArgs;
use crate::{listen, shutdown, status, terminal};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address of the HTTP interface
    #[arg(long, env = "KINORA_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Address of /healthz and /metrics; by default a free port, so that several gateways fit on one
    /// machine
    #[arg(long, env = "KINORA_STATUS_LISTEN", default_value = "127.0.0.1:0")]
    status_listen: SocketAddr,
    /// Address of the controller
    #[arg(
        long,
        env = "KINORA_CONTROLLER_URL",
        default_value = "http://127.0.0.1:7070"
    )]
    controller: String,
    #[command(flatten)]
    gateway: GatewayArgs,
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    farm: FarmArgs,
}

/// Settings of the HTTP interface.
#[derive(clap::Args)]
pub(crate) struct GatewayArgs {
    /// Address under which clients reach the service, for links in answers
    #[arg(long, env = "KINORA_PUBLIC_URL")]
    public_url: Option<String>,
    /// Largest request body, in bytes
    #[arg(long, env = "KINORA_BODY_LIMIT", default_value_t = Config::DEFAULT_BODY_LIMIT)]
    body_limit: usize,
}

impl GatewayArgs {
    pub(crate) fn public_url_or(&self, address: SocketAddr) -> String {
        self.public_url
            .clone()
            .unwrap_or_else(|| listen::local_url(address))
    }

    pub(crate) fn config(
        &self,
        (controller_url, access): (String, ClientAccess),
        public_url: String,
        store: Arc<dyn ObjectStore>,
    ) -> Config {
        Config {
            controller_url,
            access,
            public_url,
            store,
            body_limit: self.body_limit,
        }
    }
}

pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    let controller = (args.controller, args.farm.client()?);
    let listener = listen::on(args.listen, "--listen").await?;
    let store = args.store.open(&args.data)?;
    let public_url = args.gateway.public_url_or(listener.local_addr()?);
    let config = args.gateway.config(controller, public_url.clone(), store);
    let gateway = Gateway::new(config)?;
    let (address, health) = (args.status_listen, status::always_healthy());
    status::serve(address, "gateway", health, gateway.metrics(), stop.clone()).await?;
    terminal::line(format_args!("Kinora's gateway is at {public_url}"));
    gateway.serve(listener, stop).await?;
    Ok(())
}
