//! `GET /assets/{name}`: scripts, styles and pictures of the pages, built into the program.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header;
use axum::response::{IntoResponse, Response};

const ASSETS: [(&str, &str, &str); 5] = [
    (
        "docs.css",
        "text/css; charset=utf-8",
        include_str!("../../../web/docs/docs.css"),
    ),
    (
        "docs.js",
        "text/javascript; charset=utf-8",
        include_str!("../../../web/docs/docs.js"),
    ),
    (
        "preview.css",
        "text/css; charset=utf-8",
        include_str!("../../../web/preview/preview.css"),
    ),
    (
        "preview.js",
        "text/javascript; charset=utf-8",
        include_str!("../../../web/preview/preview.js"),
    ),
    (
        "icon.svg",
        "image/svg+xml",
        include_str!("../../../web/preview/icon.svg"),
    ),
];
/// A new version of the program is seen soon, and a visit loads each of them once.
const CACHE_CONTROL: &str = "public, max-age=300";

pub(super) async fn serve(name: Result<Path<String>, PathRejection>) -> Response {
    let found = name
        .ok()
        .and_then(|Path(name)| ASSETS.iter().find(|(known, _, _)| *known == name));
    let Some((_, content_type, text)) = found else {
        return super::not_found().await.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, *content_type),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, CACHE_CONTROL),
    ];
    (headers, *text).into_response()
}
