//! `GET /docs`: the interface for people to read. The page draws itself from `openapi.json`.

use axum::http::StatusCode;
use axum::response::Response;

const PAGE: &str = include_str!("../../../web/docs/index.html");

pub(super) async fn show() -> Response {
    super::html(StatusCode::OK, PAGE.to_owned())
}
