//! `/healthz`, and how metrics are handed on.

use std::sync::Arc;

use axum::Json;
use futures::future::BoxFuture;
use serde_json::{Value, json};

/// The metrics of a role, in Prometheus' text format.
pub type MetricsSource = Arc<dyn Fn() -> BoxFuture<'static, String> + Send + Sync>;

/// Says that this process answers. It does not ask the controller: a gateway that waits for its
/// controller is healthy, and restarting it would help nobody.
pub(crate) async fn healthz() -> Json<Value> {
    Json(json!({"status": "ok", "role": "gateway", "version": env!("CARGO_PKG_VERSION")}))
}
