//! `POST /previews`: what a render would be, without rendering.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use kinora_proto::v1::{CreatePreviewRequest, CreatePreviewResponse};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{date, json};
use crate::auth::Caller;
use crate::body;
use crate::envelope::{ApiError, Success};
use crate::openapi::bodies::{AiSkipped, PreviewRequest, PreviewWarning, Quote, Resolved};
use crate::server::App;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default().routes(routes!(create))
}

/// A request as it would render.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Preview)]
struct PreviewView {
    /// A public page that plays the composition; whoever has the URL can see it. `?mode=grid` shows
    /// a contact sheet, `?frame=N` one frame. The page sets `data-preview-ready="true"` on its
    /// root element when it is ready.
    #[schema(format = "uri")]
    preview_url: String,
    /// Opens a throwaway copy in the editor, for the account that made the preview.
    #[schema(format = "uri")]
    edit_url: String,
    /// The value that landed on each variable:
    /// `{<variable>: {value, overlayId, overlayType, field, source}}`.
    #[schema(value_type = Resolved)]
    resolved: Box<RawValue>,
    /// What the render would cost, without AI replacements.
    #[schema(value_type = Quote)]
    quote: Box<RawValue>,
    /// What would not come out as authored, most severe first.
    #[schema(value_type = Vec<PreviewWarning>)]
    warnings: Box<RawValue>,
    /// AI replacements that were left out, and what they would cost; null when there were none.
    #[schema(value_type = Option<AiSkipped>, required = true)]
    ai_skipped: Option<Box<RawValue>>,
    /// When the preview and its page go away.
    #[schema(format = DateTime)]
    expires_at: String,
}

/// Preview a render.
///
/// Takes the body of `POST /renders` and resolves it in the same way, but renders nothing and costs
/// nothing. `warnings` and `resolved` are complete on their own and serve as a check before a render.
/// AI replacements are skipped unless `confirmAiCost` is true.
#[utoipa::path(
    post,
    path = "/previews",
    operation_id = "createPreview",
    tag = "Previews",
    security(("bearerAuth" = ["previews:write"])),
    request_body = PreviewRequest,
    responses(
        (status = 200, description = "What would come out.", body = PreviewView),
        (status = 400, description = "The body is malformed, does not name exactly one thing to render, or leaves a media overlay without a source."),
        (status = 403, description = "The project belongs to another account."),
        (status = 404, description = "There is no such template or project."),
        (status = 422, description = "The composition is well formed but cannot be rendered."),
    )
)]
async fn create(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    body: Body,
) -> Result<Success<PreviewView>, ApiError> {
    let body = body::read(body, app.body_limit).await?;
    let asked = CreatePreviewRequest {
        account_id: account.id.clone(),
        body_json: body,
        public_url: app.public_url.clone(),
    };
    let created = app.controller.previews.clone().create(asked).await?;
    let view = PreviewView::new(created.into_inner(), &app.public_url)?;
    Ok(Success(view))
}

impl PreviewView {
    fn new(created: CreatePreviewResponse, public_url: &str) -> Result<Self, ApiError> {
        let id = created.preview_id;
        let ai_skipped = created.ai_skipped_json;
        Ok(Self {
            preview_url: format!("{public_url}/preview/{id}"),
            edit_url: format!("{public_url}/edit/{id}"),
            resolved: json::passed_on("resolved", created.resolved_json)?,
            quote: json::passed_on("quote", created.quote_json)?,
            warnings: json::passed_on("warnings", created.warnings_json)?,
            ai_skipped: ai_skipped
                .map(|text| json::passed_on("aiSkipped", text))
                .transpose()?,
            expires_at: date::from_unix_ms(created.expires_at_ms),
        })
    }
}
