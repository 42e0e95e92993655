//! `GET /templates` and `GET /templates/{templateId}/variables`.

use std::sync::Arc;

use axum::extract::State;
use kinora_proto::v1::{ListTemplatesRequest, Template, TemplateVariablesRequest};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::params::Id;
use super::variables::{ListedVariableView, VariablesView};
use super::{date, variables};
use crate::envelope::{ApiError, Success};
use crate::openapi::names::TemplateCategory;
use crate::server::App;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default()
        .routes(routes!(list))
        .routes(routes!(read_variables))
}

/// A composition that everyone may render.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Template)]
struct TemplateView {
    /// The id to send as `templateId`.
    id: String,
    /// The template's name.
    name: String,
    /// What it is for.
    description: String,
    /// BRANDING, REAL_ESTATE, SOCIAL_MEDIA, EDUCATIONAL, ECOMMERCE, SPORTS, PERSONALIZED, EVENTS or
    /// TRAVEL.
    #[schema(value_type = TemplateCategory)]
    category: String,
    /// A picture of it; null when there is none.
    #[schema(format = "uri", required = true)]
    thumbnail_url: Option<String>,
    /// A video of it; null when there is none.
    #[schema(format = "uri", required = true)]
    preview_video_url: Option<String>,
    /// What a minute of video costs at 1920 × 1080.
    credits_per_minute: u32,
    /// When the template was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// What `replacements` can change.
    variables: Vec<ListedVariableView>,
}

/// The public templates.
#[derive(Serialize, ToSchema)]
#[schema(as = TemplateList)]
struct TemplatesView {
    /// All of them.
    templates: Vec<TemplateView>,
    /// How many there are in the list.
    total: usize,
}

/// List templates.
///
/// Returns the public templates. A returned `id` can be sent as `templateId` to `POST /renders` and
/// `POST /previews`. How much text fits is told by `GET /templates/{templateId}/variables`.
#[utoipa::path(
    get,
    path = "/templates",
    operation_id = "listTemplates",
    tag = "Templates",
    security(("bearerAuth" = ["templates:read"])),
    responses((status = 200, description = "The templates.", body = TemplatesView))
)]
async fn list(State(app): State<Arc<App>>) -> Result<Success<TemplatesView>, ApiError> {
    let asked = ListTemplatesRequest {
        public_url: app.public_url.clone(),
    };
    let found = app.controller.templates.clone().list(asked).await?;
    let templates = found.into_inner().templates.into_iter();
    let templates: Vec<_> = templates.map(TemplateView::new).collect::<Result<_, _>>()?;
    Ok(Success(TemplatesView {
        total: templates.len(),
        templates,
    }))
}

/// Read a template's variables.
///
/// Returns what `replacements` can change in the template and, for text of a fixed size, how much
/// fits.
#[utoipa::path(
    get,
    path = "/templates/{templateId}/variables",
    operation_id = "getTemplateVariables",
    tag = "Templates",
    security(("bearerAuth" = ["templates:read"])),
    params(("templateId" = String, Path, description = "The template's id.")),
    responses(
        (status = 200, description = "The variables.", body = VariablesView),
        (status = 404, description = "There is no such template, or it is not public."),
    )
)]
async fn read_variables(
    State(app): State<Arc<App>>,
    Id(template_id): Id,
) -> Result<Success<VariablesView>, ApiError> {
    let asked = TemplateVariablesRequest {
        template_id,
        public_url: app.public_url.clone(),
    };
    let found = app.controller.templates.clone().variables(asked).await?;
    Ok(Success(found.into_inner().into()))
}

impl TemplateView {
    fn new(template: Template) -> Result<Self, ApiError> {
        Ok(Self {
            id: template.id,
            name: template.name,
            description: template.description,
            category: template.category,
            thumbnail_url: template.thumbnail_url,
            preview_video_url: template.preview_video_url,
            credits_per_minute: template.credits_per_minute,
            created_at: date::from_unix_ms(template.created_at_ms),
            variables: variables::listed(template.variables)?,
        })
    }
}
