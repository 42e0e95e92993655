//! What a person sees who opens the service in a browser.

mod assets;
mod docs;
mod edit;
mod fill;
mod message;
mod preview;
mod root;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::server::App;

/// Pages load from this service alone, run only our scripts, and nothing in them may be inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'";

/// All pages.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(root::show))
        .route("/assets/{name}", get(assets::serve))
        .route("/docs", get(docs::show))
        .route("/preview/{id}", get(preview::show))
        .route("/preview/{id}/state", get(preview::state))
        .route("/edit/{id}", get(edit::show))
}

/// Paths outside the interface.
pub(crate) async fn not_found() -> (StatusCode, &'static str) {
    (StatusCode::NOT_FOUND, "There is nothing here.\n")
}

/// A page with everything that pages must say about themselves. Some of their addresses are secret:
/// they are neither indexed nor sent on to other sites.
fn html(status: StatusCode, page: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ];
    (status, headers, page).into_response()
}
