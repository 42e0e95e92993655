//! `GET /`: says what this is and what to do next, to browsers and to command lines.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::fill::fill;
use crate::server::App;

const PAGE: &str = include_str!("../../../web/preview/home.html");
const TEXT: &str = concat!(
    "Kinora ",
    env!("CARGO_PKG_VERSION"),
    " is running.\n\n",
    "Send a composition:  POST /api/v1/renders         (Authorization: Bearer rnd_...)\n",
    "Follow the job:      GET  /api/v1/renders/{jobId}\n",
    "Look first, free:    POST /api/v1/previews\n",
    "Documentation:       GET  /docs, GET /api/v1/openapi.json\n",
    "Health:              GET  /healthz\n",
);

pub(super) async fn show(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let mut response = if wants_html(&headers) {
        let version = env!("CARGO_PKG_VERSION");
        let values = [("version", version), ("url", app.public_url.as_str())];
        super::html(StatusCode::OK, fill(PAGE, &values))
    } else {
        TEXT.into_response()
    };
    let vary = HeaderValue::from_static("Accept");
    response.headers_mut().insert(header::VARY, vary);
    response
}

/// Browsers name HTML in `Accept`; command lines say `*/*` or nothing.
fn wants_html(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    accepted.is_some_and(|types| types.contains("text/html"))
}
