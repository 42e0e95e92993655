//! The gateway as a whole: its configuration, its routes, and serving them until told to stop.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Uri;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use kinora_proto::v1::accounts_client::AccountsClient;
use kinora_proto::v1::renders_client::RendersClient;
use object_store::ObjectStore;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};

use crate::health::MetricsSource;
use crate::metrics::Metrics;
use crate::{api, auth, envelope, files, health, metrics, pages, rate};

/// How long to wait for a connection to the controller before answering 503.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a call to the controller may take before the caller is told to try again.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// How long open requests and downloads may go on after a stop was asked for.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// A job's answer contains its whole composition, which may be larger than the request was.
const MAX_GRPC_MESSAGE: usize = 64 * 1024 * 1024;

/// What a gateway needs to know.
pub struct Config {
    /// Where the controller listens, for example `http://127.0.0.1:7070`.
    pub controller_url: String,
    /// The address under which clients reach this service, without a slash at the end.
    pub public_url: String,
    /// Where finished files lie.
    pub store: Arc<dyn ObjectStore>,
    /// The most bytes a request body may have.
    pub body_limit: usize,
    /// Metrics of other roles in the same process, shown on `/metrics` after the gateway's own.
    pub metrics: Vec<MetricsSource>,
}

impl Config {
    /// The most bytes a request body may have unless configured otherwise.
    pub const DEFAULT_BODY_LIMIT: usize = 5 * 1024 * 1024;
}

/// Why a gateway could not be made or stopped serving.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The controller's address cannot be used.
    #[error("{url:?} is not an address of a controller; it looks like http://127.0.0.1:7070")]
    ControllerUrl {
        /// The address as it was given.
        url: String,
    },
    /// The public address cannot be used.
    #[error("{url:?} is not a public address; it looks like https://render.example.com")]
    PublicUrl {
        /// The address as it was given.
        url: String,
    },
    /// The listening socket failed.
    #[error("the HTTP listener failed: {0}")]
    Listener(#[from] std::io::Error),
}

/// What handlers share.
pub(crate) struct App {
    pub(crate) accounts: AccountsClient<Channel>,
    pub(crate) renders: RendersClient<Channel>,
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) public_url: String,
    pub(crate) body_limit: usize,
    pub(crate) metrics: Metrics,
    pub(crate) metrics_sources: Vec<MetricsSource>,
}

/// The HTTP side of the farm, ready to serve.
pub struct Gateway {
    app: Arc<App>,
}

impl Gateway {
    /// Prepares a gateway. The controller is not contacted: it may start later, and until then
    /// requests are answered with 503. Must be called inside a Tokio runtime.
    pub fn new(config: Config) -> Result<Self, Error> {
        let channel = connect_lazily(&config.controller_url)?;
        Ok(Self {
            app: Arc::new(App {
                accounts: AccountsClient::new(channel.clone()),
                renders: RendersClient::new(channel)
                    .max_decoding_message_size(MAX_GRPC_MESSAGE)
                    .max_encoding_message_size(MAX_GRPC_MESSAGE),
                store: config.store,
                public_url: without_final_slash(&config.public_url)?,
                body_limit: config.body_limit,
                metrics: Metrics::default(),
                metrics_sources: config.metrics,
            }),
        })
    }

    /// Answers requests until `shutdown`, then lets open ones finish for a few seconds.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: CancellationToken,
    ) -> Result<(), Error> {
        let routes = self.routes();
        let graceful = shutdown.clone().cancelled_owned();
        let serving = axum::serve(listener, routes).with_graceful_shutdown(graceful);
        let out_of_patience = async {
            shutdown.cancelled().await;
            tokio::time::sleep(DRAIN_TIMEOUT).await;
        };
        tokio::select! {
            served = serving.into_future() => Ok(served?),
            () = out_of_patience => {
                tracing::warn!("some connections did not end in time and were cut");
                Ok(())
            }
        }
    }

    fn routes(self) -> Router {
        let app = self.app;
        // The order matters: the rate-limit headers are outermost, so that every answer has them.
        let api = Router::new()
            .nest("/api/v1", api::routes())
            .method_not_allowed_fallback(envelope::method_not_allowed)
            .route("/api/v1", any(envelope::unknown_path))
            .route("/api/v1/", any(envelope::unknown_path))
            .route("/api/v1/{*rest}", any(envelope::unknown_path))
            .layer(from_fn_with_state(app.clone(), auth::admit))
            .layer(from_fn(rate::headers));
        Router::new()
            .merge(api)
            .route("/", get(pages::root))
            .route("/files/{*key}", get(files::download))
            .route("/healthz", get(health::healthz))
            .route("/metrics", get(health::metrics))
            .fallback(pages::not_found)
            .layer(from_fn_with_state(app.clone(), metrics::observe))
            .with_state(app)
    }
}

fn connect_lazily(url: &str) -> Result<Channel, Error> {
    let refused = || Error::ControllerUrl {
        url: url.to_owned(),
    };
    let uri: Uri = url.parse().map_err(|_| refused())?;
    if uri.scheme().is_none() || uri.authority().is_none() {
        return Err(refused());
    }
    Ok(Endpoint::from(uri)
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(CALL_TIMEOUT)
        .http2_keep_alive_interval(Duration::from_secs(10))
        .keep_alive_timeout(Duration::from_secs(5))
        .connect_lazy())
}

fn without_final_slash(url: &str) -> Result<String, Error> {
    let usable = url::Url::parse(url)
        .is_ok_and(|parsed| matches!(parsed.scheme(), "http" | "https") && parsed.has_host());
    if !usable {
        return Err(Error::PublicUrl {
            url: url.to_owned(),
        });
    }
    Ok(url.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_when_the_gateway_is_made() {
        assert!(connect_lazily("127.0.0.1:7070").is_err());
        assert!(connect_lazily("").is_err());
        assert!(without_final_slash("render.example.com").is_err());
        assert_eq!(
            without_final_slash("https://render.example.com/").ok(),
            Some("https://render.example.com".to_owned())
        );
    }
}
