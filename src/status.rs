//! `/healthz` and `/metrics` of every role, on a port that is not for the public.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::http::{StatusCode, header};
use axum::routing::get;
use futures::future::BoxFuture;
use kinora_gateway::MetricsSource;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{listen, terminal};

/// Whether the role works; the error is a sentence for an operator.
pub(crate) type HealthSource =
    Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// Works whatever happens.
pub(crate) fn always_healthy() -> HealthSource {
    Arc::new(|| Box::pin(async { Ok(()) }))
}

/// Works while both do.
pub(crate) fn both_healthy(one: HealthSource, other: HealthSource) -> HealthSource {
    Arc::new(move || {
        let (one, other) = (one(), other());
        Box::pin(async move { one.await.and(other.await) })
    })
}

/// Several pages on one.
pub(crate) fn all_metrics(sources: Vec<MetricsSource>) -> MetricsSource {
    Arc::new(move || {
        let pages = futures::future::join_all(sources.iter().map(|source| source()));
        Box::pin(async move { pages.await.concat() })
    })
}

/// Serves both pages on `address` in the background until `stop`.
pub(crate) async fn serve(
    address: SocketAddr,
    role: &'static str,
    health: HealthSource,
    metrics: MetricsSource,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let listener = listen::on(address, "--status-listen").await?;
    let url = listen::local_url(listener.local_addr()?);
    terminal::line(format_args!("Status pages are at {url}"));
    let routes = routes(role, health, metrics);
    tokio::spawn(async move {
        let serving = axum::serve(listener, routes).with_graceful_shutdown(stop.cancelled_owned());
        if let Err(error) = serving.await {
            tracing::error!(%error, "the status pages are gone");
        }
    });
    Ok(())
}

/// Both pages.
pub(crate) fn routes(role: &'static str, health: HealthSource, metrics: MetricsSource) -> Router {
    let healthz = move || async move {
        let version = env!("CARGO_PKG_VERSION");
        match health().await {
            Ok(()) => (
                StatusCode::OK,
                Json(json!({"status": "ok", "role": role, "version": version})),
            ),
            Err(reason) => (
                StatusCode::SERVICE_UNAVAILABLE,
                Json(
                    json!({"status": "failing", "role": role, "version": version, "reason": reason}),
                ),
            ),
        }
    };
    let content_type = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    let metrics = move || async move { (content_type, metrics().await) };
    Router::new()
        .route("/healthz", get(healthz))
        .route("/metrics", get(metrics))
}
