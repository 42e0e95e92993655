//! `GET /edit/{id}`: where the editor will open a copy of a preview.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::message;

/// Asks for sign-in, whatever the id: whether a preview exists is told to its owner alone.
pub(super) async fn show() -> Response {
    let mut page = message::page(
        StatusCode::UNAUTHORIZED,
        "Sign in to edit",
        "Editing a preview needs a sign-in as the account that made it. The editor is not part of \
         this version yet; until it is, change the composition and make another preview.",
    );
    page.headers_mut().insert(
        header::WWW_AUTHENTICATE,
        HeaderValue::from_static("Bearer realm=\"editor\""),
    );
    page
}
