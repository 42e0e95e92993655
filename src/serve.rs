//! `kinora serve`: controller, gateway and one node in one process.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context;
use kinora_controller::admin::{Admin, CreateAccount, Payment};
use kinora_controller::{Config, Controller, Plan};
use kinora_gateway::Gateway;
use kinora_node::text::find_font_folder;
use kinora_proto::access::ClientAccess;
use rand::distr::{Alphanumeric, SampleString};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::arguments::{DataFolder, EngineArgs, PrivateUrls};
use crate::controller::ControllerArgs;
use crate::database::DatabaseArgs;
use crate::node::{Node, NodeArgs};
use crate::store::StoreArgs;
use crate::{controller, gateway, listen, node, shutdown, status, terminal};

/// The account that a first start creates.
const FIRST_EMAIL: &str = "you@localhost";
const FIRST_CREDITS: i64 = 1_000_000;
/// Letters and digits: 119 bits.
const PASSWORD_LENGTH: usize = 20;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address of the HTTP interface
    #[arg(long, env = "KINORA_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Address of /healthz and /metrics of everything in the process; by default a free port
    #[arg(long, env = "KINORA_STATUS_LISTEN", default_value = "127.0.0.1:0")]
    status_listen: SocketAddr,
    #[command(flatten)]
    gateway: gateway::GatewayArgs,
    #[command(flatten)]
    controller: ControllerArgs,
    #[command(flatten)]
    node: NodeArgs,
    #[command(flatten)]
    data: DataFolder,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    private_urls: PrivateUrls,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<()> {
    let stop = shutdown::on_signal()?;
    // The cheap things that can go wrong come first.
    let front_door = listen::on(args.listen, "--listen").await?;
    let _lock = args.data.lock()?;
    let database_url = args.database.url(&args.data)?;
    let store = args.store.open(&args.data)?;
    let address = front_door.local_addr()?;

    let allow_private_urls = args.private_urls.allowed_or(true);
    let config = args
        .controller
        .config(database_url.clone(), store.clone(), allow_private_urls)?;
    let config = Config {
        upload_signer: args.store.signer()?,
        fonts: find_font_folder(args.engine.fonts())?,
        ..config
    };
    let controller = Controller::start(config).await?;
    let inner_door = listen::on(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), "--listen").await?;
    let controller_url = listen::local_url(inner_door.local_addr()?);

    let (engine, _cache) = args
        .engine
        .config(allow_private_urls, None, Some(args.data.cache()))?;
    let node_id = node::new_id();
    let work = args.data.work_folder()?;
    let node = Node::start(engine, node_id, store.clone(), work, &args.node).await?;

    let public_url = args.gateway.public_url_or(address);
    let gateway = Gateway::new(args.gateway.config(
        (controller_url.clone(), ClientAccess::default()),
        public_url.clone(),
        store,
    ))?;
    status::serve(
        args.status_listen,
        "serve",
        status::both_healthy(controller::health(&controller), node.health()),
        status::all_metrics(vec![
            gateway.metrics(),
            controller::metrics(&controller),
            node.metrics(),
        ]),
        stop.clone(),
    )
    .await?;

    welcome(&database_url, &public_url).await?;

    let back_stop = CancellationToken::new();
    let mut front = JoinSet::new();
    let front_stop = stop.child_token();
    front.spawn(named(
        "gateway",
        gateway.serve(front_door, front_stop.clone()),
    ));
    front.spawn(named(
        "node",
        node.work(controller_url, ClientAccess::default(), front_stop.clone()),
    ));
    let mut back = JoinSet::new();
    back.spawn({
        let (controller, stop) = (controller.clone(), back_stop.clone());
        named("controller", async move {
            controller.serve(inner_door, stop).await
        })
    });

    // Whoever ends first, by being asked to or not, takes the others along. The controller is
    // last: a node needs it to hand back what it did not finish.
    let first = tokio::select! {
        Some(ended) = front.join_next() => ended,
        Some(ended) = back.join_next() => ended,
        else => return Ok(()),
    };
    front_stop.cancel();
    let mut outcome = first.context("a role panicked")?;
    while let Some(ended) = front.join_next().await {
        outcome = outcome.and(ended.context("a role panicked")?);
    }
    back_stop.cancel();
    while let Some(ended) = back.join_next().await {
        outcome = outcome.and(ended.context("a role panicked")?);
    }
    controller.close().await;
    outcome
}

async fn named<E>(
    role: &'static str,
    work: impl Future<Output = Result<(), E>>,
) -> anyhow::Result<()>
where
    E: Into<anyhow::Error>,
{
    work.await
        .map_err(|error| error.into().context(format!("the {role} stopped")))
}

/// Prints where the service is and, on an empty database, the first account's credentials.
async fn welcome(database_url: &str, public_url: &str) -> anyhow::Result<()> {
    let admin = Admin::connect(database_url).await?;
    if !admin.has_accounts().await? {
        let (key, password) = first_account(&admin).await?;
        terminal::line(format_args!(
            "An account was created. This is shown once:\n\
             \x20 API key   {key}\n\
             \x20 sign-in   {FIRST_EMAIL}\n\
             \x20 password  {password}\n\
             More keys:  kinora key create --email {FIRST_EMAIL}\n"
        ));
    }
    admin.close().await;
    terminal::line(format_args!("Kinora is at {public_url}"));
    Ok(())
}

async fn first_account(admin: &Admin) -> anyhow::Result<(String, String)> {
    let password = Alphanumeric.sample_string(&mut rand::rng(), PASSWORD_LENGTH);
    admin
        .create_account(CreateAccount {
            email: FIRST_EMAIL.to_owned(),
            name: "You".to_owned(),
            plan: Plan::Business,
            credits: FIRST_CREDITS,
            payment: Payment::none(),
            password: Some(password.clone()),
        })
        .await?;
    let key = admin.create_key(FIRST_EMAIL).await?.key;
    Ok((key, password))
}
