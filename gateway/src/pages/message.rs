//! A page that says one thing.

use axum::http::StatusCode;
use axum::response::Response;

use super::fill::fill;

const PAGE: &str = include_str!("../../../web/preview/message.html");

/// The page. `heading` is also its title. It belongs to paths with two segments.
pub(super) fn page(status: StatusCode, heading: &str, text: &str) -> Response {
    let filled = fill(PAGE, &[("heading", heading), ("text", text)]);
    super::html(status, filled)
}
