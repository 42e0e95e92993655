//! The operations under `/api/v1`, one file for each resource.

use std::sync::Arc;

use axum::Router;

use crate::server::App;

mod auth;
mod date;
mod renders;

/// All operations, without their prefix.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().merge(auth::routes()).merge(renders::routes())
}
