//! The gateway as a whole: its configuration, its routes, and serving them until told to stop.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use kinora_proto::access::{self, ClientAccess};
use object_store::ObjectStore;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::controller::Controller;
use crate::health::MetricsSource;
use crate::metrics::Metrics;
use crate::{api, auth, envelope, files, health, metrics, openapi, pages, rate, uploads};

/// How long open requests and downloads may go on after a stop was asked for.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// What a gateway needs to know.
pub struct Config {
    /// Where the controller listens, for example `http://127.0.0.1:7070`.
    pub controller_url: String,
    /// What to show the controller.
    pub access: ClientAccess,
    /// The address under which clients reach this service, without a slash at the end.
    pub public_url: String,
    /// Where finished files lie, and where uploads go.
    pub store: Arc<dyn ObjectStore>,
    /// The most bytes a request body may have.
    pub body_limit: usize,
}

impl Config {
    /// The most bytes a request body may have unless configured otherwise.
    pub const DEFAULT_BODY_LIMIT: usize = 5 * 1024 * 1024;
}

/// Why a gateway could not be made or stopped serving.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The controller's address, or what is to be shown there, cannot be used.
    #[error(transparent)]
    Controller(#[from] access::Error),
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
    pub(crate) controller: Controller,
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) public_url: String,
    pub(crate) body_limit: usize,
    pub(crate) metrics: Metrics,
}

/// The HTTP side of the farm, ready to serve.
pub struct Gateway {
    app: Arc<App>,
}

impl Gateway {
    /// Prepares a gateway. The controller is not contacted: it may start later, and until then
    /// requests are answered with 503. Must be called inside a Tokio runtime.
    pub fn new(config: Config) -> Result<Self, Error> {
        Ok(Self {
            app: Arc::new(App {
                controller: Controller::at(&config.controller_url, &config.access)?,
                store: config.store,
                public_url: without_final_slash(&config.public_url)?,
                body_limit: config.body_limit,
                metrics: Metrics::default(),
            }),
        })
    }

    /// Its page of metrics, which is not for the public: whoever runs the gateway serves it elsewhere.
    pub fn metrics(&self) -> MetricsSource {
        let app = self.app.clone();
        Arc::new(move || {
            let text = app.metrics.render();
            Box::pin(async move { text })
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
        let operations = Router::new()
            .nest("/api/v1", api::routes().into())
            .method_not_allowed_fallback(envelope::method_not_allowed)
            .route("/api/v1", any(envelope::unknown_path))
            .route("/api/v1/", any(envelope::unknown_path))
            .route("/api/v1/{*rest}", any(envelope::unknown_path))
            .layer(from_fn_with_state(app.clone(), auth::admit));
        let description = Router::new()
            .nest("/api/v1", openapi::routes().into())
            .method_not_allowed_fallback(envelope::method_not_allowed);
        let api = operations.merge(description).layer(from_fn(rate::headers));
        Router::new()
            .merge(api)
            .merge(files::routes())
            .merge(uploads::routes())
            .merge(pages::routes())
            .route("/healthz", get(health::healthz))
            .fallback(pages::not_found)
            .layer(from_fn_with_state(app.clone(), metrics::observe))
            .with_state(app)
    }
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
    fn the_public_address_is_a_whole_url() {
        assert!(without_final_slash("render.example.com").is_err());
        assert_eq!(
            without_final_slash("https://render.example.com/").ok(),
            Some("https://render.example.com".to_owned())
        );
    }
}
