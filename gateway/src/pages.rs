//! What a person sees who opens the service in a browser.

use axum::http::StatusCode;

/// A greeting that says what to do next.
pub(crate) async fn root() -> &'static str {
    concat!(
        "Kinora ",
        env!("CARGO_PKG_VERSION"),
        " is running.\n\n",
        "Send a composition:  POST /api/v1/renders         (Authorization: Bearer rnd_...)\n",
        "Follow the job:      GET  /api/v1/renders/{jobId}\n",
        "Health and metrics:  GET  /healthz, GET /metrics\n",
    )
}

/// Paths outside the interface.
pub(crate) async fn not_found() -> (StatusCode, &'static str) {
    (StatusCode::NOT_FOUND, "There is nothing here.\n")
}
