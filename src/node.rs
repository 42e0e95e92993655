//! `kinora node`: takes leases and renders.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use kinora_gateway::MetricsSource;
use kinora_node::objects::{ObjectSource, SignedObjects};
use kinora_node::worker::{self, Recovery, WorkerConfig};
use kinora_node::{Context, Engine, EngineConfig, TaskRunner};
use kinora_proto::access::ClientAccess;
use kinora_proto::v1;
use object_store::ObjectStore;
use rand::distr::{Alphanumeric, SampleString};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::arguments::{DataFolder, EngineArgs, PrivateUrls, temporary_folder};
use crate::farm::FarmArgs;
use crate::metered::Metered;
use crate::status::{self, HealthSource};
use crate::store::{StoreArgs, open_folder};
use crate::{engine_metrics, shutdown, terminal};

/// Base-62 digits of a node's id: 142 bits.
const ID_LENGTH: usize = 24;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address of the controller
    #[arg(
        long,
        env = "KINORA_CONTROLLER_URL",
        default_value = "http://127.0.0.1:7070"
    )]
    controller: String,
    /// Address of /healthz and /metrics; by default a free port, so that several nodes fit on one
    /// machine
    #[arg(long, env = "KINORA_STATUS_LISTEN", default_value = "127.0.0.1:0")]
    status_listen: SocketAddr,
    #[command(flatten)]
    node: NodeArgs,
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    private_urls: PrivateUrls,
    #[command(flatten)]
    farm: FarmArgs,
}

/// How much a node does at once, and what it is called.
#[derive(clap::Args)]
pub(crate) struct NodeArgs {
    /// How many paying tasks to run at once
    #[arg(long, env = "KINORA_SLOTS", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    slots: u32,
    /// How many previews to run beside them; 0 leaves previews to other nodes
    #[arg(long, env = "KINORA_PREVIEW_SLOTS", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(0..=64))]
    preview_slots: u32,
    /// Name of this node in logs; the machine's by default
    #[arg(long, env = "KINORA_NODE_NAME")]
    name: Option<String>,
}

/// A renderer that is ready to work.
pub(crate) struct Node {
    id: String,
    engine: Arc<Engine>,
    executor: Arc<Metered>,
    slots: u32,
    preview_slots: u32,
    name: String,
    /// Of a graphics device that is lost.
    recovery: Recovery,
    /// Unfinished files; gone with the node.
    _work: TempDir,
}

impl Node {
    /// Opens the device and loads the fonts.
    pub(crate) async fn start(
        engine: EngineConfig,
        id: String,
        objects: impl ObjectSource,
        work: TempDir,
        args: &NodeArgs,
    ) -> anyhow::Result<Self> {
        let engine = Engine::start(engine).await?;
        Ok(Self::on(engine, id, objects, work, args))
    }

    /// The same on an engine that has started.
    fn on(
        engine: Engine,
        id: String,
        objects: impl ObjectSource,
        work: TempDir,
        args: &NodeArgs,
    ) -> Self {
        let engine = Arc::new(engine);
        let runner = TaskRunner::new(engine.clone(), objects, work.path().to_owned());
        Self {
            id,
            engine,
            executor: Arc::new(Metered::new(runner)),
            slots: args.slots,
            preview_slots: args.preview_slots,
            name: args.name.clone().unwrap_or_else(machine_name),
            recovery: Recovery::default(),
            _work: work,
        }
    }

    /// The node's page of metrics.
    pub(crate) fn metrics(&self) -> MetricsSource {
        let (executor, engine) = (self.executor.clone(), self.engine.clone());
        Arc::new(move || {
            let text = executor.render() + &engine_metrics::text(&engine);
            Box::pin(async move { text })
        })
    }

    /// Whether the node draws.
    pub(crate) fn health(&self) -> HealthSource {
        let engine = self.engine.clone();
        Arc::new(move || {
            let health = match engine.loss() {
                Some(loss) => Err(format!("the graphics device was lost: {}", loss.reason)),
                None => Ok(()),
            };
            Box::pin(async move { health })
        })
    }

    /// Takes leases from the controller until `stop`, then hands back what is not finished. A graphics device that is
    /// lost is opened anew.
    pub(crate) async fn work(
        self,
        controller_url: String,
        access: ClientAccess,
        stop: CancellationToken,
    ) -> Result<(), kinora_node::Error> {
        let config = |engine: &Engine| WorkerConfig {
            controller_url: controller_url.clone(),
            access: access.clone(),
            node_id: self.id.clone(),
            name: self.name.clone(),
            slots: self.slots,
            preview_slots: self.preview_slots,
            adapter: engine.adapter(),
            encoders: engine.offered_encoders(),
            drain_grace: WorkerConfig::DEFAULT_DRAIN_GRACE,
        };
        let executor = self.executor.clone();
        worker::run_on(&self.engine, executor, config, &self.recovery, stop).await
    }
}

/// Names a node; a new one for each start.
pub(crate) fn new_id() -> String {
    let id = Alphanumeric.sample_string(&mut rand::rng(), ID_LENGTH);
    format!("node_{id}")
}

/// Objects that the controller signs requests for, or the folder that the roles share.
struct SignedOrShared {
    signed: SignedObjects,
    folder: Option<PathBuf>,
}

impl ObjectSource for SignedOrShared {
    fn of_lease(&self, lease: &v1::Lease) -> kinora_node::Result<Arc<dyn ObjectStore>> {
        if lease.signs_objects {
            return self.signed.of_lease(lease);
        }
        let advice = "the farm keeps its objects in a folder; name it in KINORA_STORE_URL, as in file:///srv/kinora";
        let folder = self.folder.as_deref();
        let folder = folder.ok_or(advice).context("opening the store")?;
        open_folder(folder).context("opening the store")
    }
}

fn machine_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "node".to_owned(),
        name => name.to_owned(),
    }
}

pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    let access = args.farm.client()?;
    let id = new_id();
    let objects = SignedOrShared {
        signed: SignedObjects::new(&args.controller, &access, &id)?,
        folder: args.store.folder(&args.data)?,
    };
    let private_urls = args.private_urls.allowed_or(false);
    let (engine, _cache) = args.engine.config(private_urls, None, None)?;
    let work = temporary_folder()?;
    let node = Node::start(engine, id, objects, work, &args.node).await?;
    let (address, health) = (args.status_listen, node.health());
    status::serve(address, "node", health, node.metrics(), stop.clone()).await?;
    let name = &node.name;
    terminal::line(format_args!(
        "Kinora's node {name} works for {}",
        args.controller
    ));
    Ok(node.work(args.controller, access, stop).await?)
}

#[cfg(test)]
mod tests;
