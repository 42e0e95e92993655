//! `/healthz` and `/metrics`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use futures::future::BoxFuture;
use serde_json::{Value, json};

use crate::server::App;

/// Something else in this process that has metrics, in Prometheus' text format.
pub type MetricsSource = Arc<dyn Fn() -> BoxFuture<'static, String> + Send + Sync>;

/// Says that this process answers. It does not ask the controller: a gateway that waits for its
/// controller is healthy, and restarting it would help nobody.
pub(crate) async fn healthz() -> Json<Value> {
    Json(json!({"status": "ok", "role": "gateway", "version": env!("CARGO_PKG_VERSION")}))
}

/// All metrics of this process.
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let mut text = app.metrics.render();
    for source in &app.metrics_sources {
        text.push_str(&source().await);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}
