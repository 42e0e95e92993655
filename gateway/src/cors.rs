//! Lets scripts of other sites read files and send uploads, which need no key of ours.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// How long a browser may remember what a preflight said, in seconds.
const PREFLIGHT_LIFETIME: &str = "86400";
/// What scripts may read of an answer besides its body.
const EXPOSED: &str = "Accept-Ranges, Content-Length, Content-Range, ETag";

/// Middleware for routes that are read.
pub(crate) async fn reading(request: Request, next: Next) -> Response {
    open(request, next, "GET, HEAD, OPTIONS").await
}

/// Middleware for routes that are written to.
pub(crate) async fn writing(request: Request, next: Next) -> Response {
    open(request, next, "PUT, OPTIONS").await
}

async fn open(request: Request, next: Next, methods: &'static str) -> Response {
    let mut response = if request.method() == Method::OPTIONS {
        let allowed = [
            (header::ACCESS_CONTROL_ALLOW_METHODS, methods),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
            (header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_LIFETIME),
            (header::ALLOW, methods),
        ];
        (StatusCode::NO_CONTENT, allowed).into_response()
    } else {
        next.run(request).await
    };
    let mut set = |name: HeaderName, value| {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    };
    set(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    // A site that isolates itself may still show our files.
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        "cross-origin",
    );
    response
}
