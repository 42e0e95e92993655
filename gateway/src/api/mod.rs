//! The operations under `/api/v1`, one file for each resource.

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;

use crate::server::App;

mod account;
mod auth;
pub(crate) mod date;
mod json;
mod page;
mod params;
mod previews;
mod projects;
mod renders;
mod templates;
mod uploads;
mod variables;
mod webhooks;

/// All operations, without their prefix.
pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default()
        .merge(auth::routes())
        .merge(uploads::routes())
        .merge(projects::routes())
        .merge(templates::routes())
        .merge(renders::routes())
        .merge(previews::routes())
        .merge(webhooks::routes())
        .merge(account::routes())
}
