//! `POST`, `GET` and `DELETE /webhooks`.
#![expect(
    unused_qualifications,
    reason = "utoipa writes the types of query parameters with their trait"
)]

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use kinora_proto::v1::{CreateWebhookRequest, DeleteWebhookRequest, ListWebhooksRequest, Webhook};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::date;
use super::params::Params;
use crate::auth::Caller;
use crate::body;
use crate::envelope::{ApiError, Created, Success};
use crate::openapi::bodies::WebhookRequest;
use crate::openapi::names::EventName;
use crate::server::App;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default().routes(routes!(list, create, remove))
}

/// Which registration to remove.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct WebhookQuery {
    /// The registration's id.
    #[param(value_type = String)]
    id: Option<String>,
}

/// An address that is told when renders end.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Webhook)]
struct WebhookView {
    /// The registration's id.
    id: String,
    /// The receiving address.
    #[schema(format = "uri")]
    url: String,
    /// The key of the signatures, with its prefix `whsec_`. In the answer to the registration only:
    /// it cannot be shown again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
    /// What is sent: `render.completed`, `render.failed` or both.
    #[schema(value_type = Vec<EventName>)]
    events: Vec<String>,
    /// False when deliveries were given up because they failed for a long time.
    is_active: bool,
    /// When the address was registered.
    #[schema(format = DateTime)]
    created_at: String,
}

/// The account's registrations.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookList)]
struct WebhooksView {
    /// Newest first, without their secrets.
    webhooks: Vec<WebhookView>,
}

/// A registration that is gone.
#[derive(Serialize, ToSchema)]
#[schema(as = RemovedWebhook)]
struct RemovedView {
    /// Its id.
    id: String,
}

/// Register a webhook.
///
/// Every render of the account that ends is then reported to `url`. The answer contains the `secret`
/// that signs the deliveries; keep it, it is shown only once. An account can have five active
/// registrations.
#[utoipa::path(
    post,
    path = "/webhooks",
    operation_id = "createWebhook",
    tag = "Webhooks",
    security(("bearerAuth" = ["webhooks:write"])),
    request_body = WebhookRequest,
    responses(
        (status = 201, description = "The registration, with its secret.", body = WebhookView),
        (status = 400, description = "The body is wrong, or there are five active registrations (`details.reason` is WEBHOOK_LIMIT)."),
    )
)]
async fn create(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    body: Body,
) -> Result<Created<WebhookView>, ApiError> {
    let body = body::read(body, app.body_limit).await?;
    let asked = CreateWebhookRequest {
        account_id: account.id.clone(),
        body_json: body,
    };
    let created = app.controller.webhooks.clone().create(asked).await?;
    Ok(Created(created.into_inner().into()))
}

/// List webhooks.
///
/// Returns the account's registrations and whether they are active.
#[utoipa::path(
    get,
    path = "/webhooks",
    operation_id = "listWebhooks",
    tag = "Webhooks",
    security(("bearerAuth" = ["webhooks:write"])),
    responses((status = 200, description = "The registrations.", body = WebhooksView))
)]
async fn list(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
) -> Result<Success<WebhooksView>, ApiError> {
    let asked = ListWebhooksRequest {
        account_id: account.id.clone(),
    };
    let found = app.controller.webhooks.clone().list(asked).await?;
    let webhooks = found.into_inner().webhooks.into_iter();
    Ok(Success(WebhooksView {
        webhooks: webhooks.map(WebhookView::from).collect(),
    }))
}

/// Remove a webhook.
///
/// Its secret is lost with it. To rotate a secret, remove the registration and make a new one.
#[utoipa::path(
    delete,
    path = "/webhooks",
    operation_id = "deleteWebhook",
    tag = "Webhooks",
    security(("bearerAuth" = ["webhooks:write"])),
    params(WebhookQuery),
    responses(
        (status = 200, description = "The registration is gone.", body = RemovedView),
        (status = 400, description = "`id` is missing."),
        (status = 404, description = "There is no such registration."),
    )
)]
async fn remove(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    Params(query): Params<WebhookQuery>,
) -> Result<Success<RemovedView>, ApiError> {
    let Some(id) = query.id.filter(|id| !id.is_empty()) else {
        return Err(ApiError::parameter(
            "id",
            "is missing: name the webhook to remove",
        ));
    };
    let asked = DeleteWebhookRequest {
        account_id: account.id.clone(),
        webhook_id: id.clone(),
    };
    app.controller.webhooks.clone().delete(asked).await?;
    Ok(Success(RemovedView { id }))
}

impl From<Webhook> for WebhookView {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id,
            url: webhook.url,
            secret: webhook.secret,
            events: webhook.events,
            is_active: webhook.is_active,
            created_at: date::from_unix_ms(webhook.created_at_ms),
        }
    }
}
