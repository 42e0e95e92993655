//! Starting and serving a controller.

use std::{path::PathBuf, sync::Arc, time::Duration};

use kinora_composition::document::Limits;
use kinora_proto::access::ServerAccess;
use object_store::ObjectStore;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::{
    service::InterceptorLayer,
    transport::{Server, server::TcpIncoming},
};

use crate::{
    Error, Result, api, app::App, clock::Timestamp, loops, metrics, objects::ObjectSigner,
    scheduler::Timing, secret_key::SecretKey, store::Store, uploads::UploadSigner,
    webhooks::WebhookTerms,
};

/// A peer that does not answer a ping this long is gone.
const KEEPALIVE: Duration = Duration::from_secs(5);
/// How long the start waits for the object store to take the templates.
const SEED_PATIENCE: Duration = Duration::from_secs(5);
/// How long open calls may take to end after shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(6);

/// Everything a controller is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// `sqlite:///folder/kinora.db?mode=rwc` or `postgres://user:password@host/name`.
    pub database_url: String,
    /// Where nodes write; finished jobs are tidied up there.
    pub store: Arc<dyn ObjectStore>,
    /// The price of a minute at 1080p.
    pub credits_per_minute: u32,
    /// What is refused as not renderable.
    pub limits: Limits,
    /// How many seconds of video one render task covers; without it, what is measured decides.
    pub seconds_per_task: Option<u32>,
    /// Requests a minute for accounts without a plan, on Creator and on Business.
    pub requests_per_minute: [u32; 3],
    /// The folder with the font files that nodes draw with.
    pub fonts: PathBuf,
    /// Leases, heartbeats, polling.
    pub timing: Timing,
    /// Encrypts and signs; the same on every controller of a farm.
    pub secret_key: SecretKey,
    /// The middle of the names of webhook headers, as in `X-Service-Signature`.
    pub service_name: String,
    /// Whether webhooks and media may be on loopback and private addresses.
    pub allow_private_urls: bool,
    /// How patient webhook deliveries are.
    pub webhooks: WebhookTerms,
    /// The largest file that may be uploaded.
    pub max_upload_bytes: u64,
    /// How long an upload URL may be used.
    pub upload_lifetime: Duration,
    /// Signs upload URLs where the store can; without one the gateway receives files.
    pub upload_signer: Option<Arc<dyn UploadSigner>>,
    /// Signs what nodes read and write where the store can; without one they share a folder.
    pub object_signer: Option<Arc<dyn ObjectSigner>>,
    /// How long a preview can be looked at.
    pub preview_lifetime: Duration,
    /// What callers have to show.
    pub access: ServerAccess,
}

impl Config {
    /// The largest upload, unless told otherwise.
    pub const MAX_UPLOAD_BYTES: u64 = 2 << 30;
    /// How long an upload URL may be used, unless told otherwise.
    pub const UPLOAD_LIFETIME: Duration = Duration::from_secs(3600);
    /// How long a preview can be looked at, unless told otherwise.
    pub const PREVIEW_LIFETIME: Duration = Duration::from_secs(24 * 3600);

    /// The defaults, on this database and this store, with this secret.
    pub fn new(
        database_url: impl Into<String>,
        store: Arc<dyn ObjectStore>,
        secret_key: SecretKey,
    ) -> Self {
        Self {
            database_url: database_url.into(),
            store,
            credits_per_minute: 1,
            limits: Limits::default(),
            seconds_per_task: None,
            requests_per_minute: [60, 120, 300],
            fonts: PathBuf::from("fonts"),
            timing: Timing::default(),
            secret_key,
            service_name: "Service".to_owned(),
            allow_private_urls: false,
            webhooks: WebhookTerms::default(),
            max_upload_bytes: Self::MAX_UPLOAD_BYTES,
            upload_lifetime: Self::UPLOAD_LIFETIME,
            upload_signer: None,
            object_signer: None,
            preview_lifetime: Self::PREVIEW_LIFETIME,
            access: ServerAccess::default(),
        }
    }
}

/// A controller on an open database. Clones share it.
#[derive(Clone)]
pub struct Controller {
    app: App,
    access: ServerAccess,
}

impl Controller {
    /// Opens the database and brings its schema up to date.
    ///
    /// # Errors
    /// [`crate::Error::Setup`] with a message that says what to do.
    pub async fn start(config: Config) -> Result<Self> {
        let access = config.access.clone();
        let store = Store::open(&config.database_url).await?;
        let app = App::new(config, store)?;
        // The first caller should find the templates. If the object store is away, a loop goes on
        // trying, and everything else works.
        match tokio::time::timeout(SEED_PATIENCE, loops::seed(app.clone())).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the templates will be put in place later"),
            Err(_) => tracing::warn!("the object store is slow; templates will appear later"),
        }
        Ok(Self { app, access })
    }

    /// Serves gRPC on the listener and runs the loops, until shutdown; then returns within 10 s.
    ///
    /// # Errors
    /// [`crate::Error::Setup`] when the listener is not on loopback and callers have to show nothing,
    /// [`crate::Error::Serve`] when the server stops by itself.
    pub async fn serve(&self, listener: TcpListener, shutdown: CancellationToken) -> Result<()> {
        let address = listener.local_addr().map_err(setup)?;
        self.access.check(address).map_err(setup)?;
        let mut server = Server::builder();
        if let Some(tls) = &self.access.tls {
            server = server
                .tls_config(tls.server())
                .map_err(|error| unusable(&error))?;
        }
        let doorkeeper = api::Doorkeeper::new(self.access.tokens.clone());
        // Ends the loops too when the server stops by itself.
        let running = shutdown.child_token();
        let loops = tokio::spawn(loops::run(self.app.clone(), running.clone()));
        let server = server
            .layer(InterceptorLayer::new(doorkeeper))
            .http2_keepalive_interval(Some(KEEPALIVE))
            .http2_keepalive_timeout(Some(KEEPALIVE))
            .trace_fn(api::call_span)
            .add_service(api::accounts(self.app.clone()))
            .add_service(api::renders(self.app.clone()))
            .add_service(api::projects(self.app.clone()))
            .add_service(api::templates(self.app.clone()))
            .add_service(api::webhooks(self.app.clone()))
            .add_service(api::uploads(self.app.clone()))
            .add_service(api::previews(self.app.clone()))
            .add_service(api::farm(self.app.clone(), running.clone()))
            .add_service(api::objects(self.app.clone()))
            .serve_with_incoming_shutdown(
                TcpIncoming::from(listener).with_nodelay(Some(true)),
                running.clone().cancelled_owned(),
            );
        let overdue = async {
            shutdown.cancelled().await;
            tokio::time::sleep(SHUTDOWN_GRACE).await;
        };
        let served = tokio::select! {
            served = server => served.map_err(Error::from),
            () = overdue => {
                tracing::warn!("calls were still open and were cut off");
                Ok(())
            }
        };
        running.cancel();
        if let Err(error) = loops.await {
            tracing::error!(%error, "a loop ended badly");
        }
        served
    }

    /// Closes the database. Call it when nothing serves any more.
    pub async fn close(&self) {
        self.app.store.close().await;
    }

    /// The metrics page, in the Prometheus text format.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn metrics(&self) -> Result<String> {
        let seen_after = Timestamp::now().minus(self.app.timing.lease);
        let counts = self.app.store.counts(seen_after).await?;
        Ok(metrics::text(&counts, &self.app.counters))
    }

    /// Whether the controller can do its work: the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn health(&self) -> Result<()> {
        self.app.store.ping().await
    }
}

fn setup(error: impl std::error::Error) -> Error {
    Error::Setup(error.to_string())
}

fn unusable(error: &tonic::transport::Error) -> Error {
    let reason =
        std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    Error::Setup(format!(
        "the files in KINORA_TLS_CERT, KINORA_TLS_KEY and KINORA_TLS_CA can't be used: {reason}"
    ))
}
