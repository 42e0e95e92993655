//! `GET /projects` and `GET /projects/{projectId}/variables`.
#![expect(
    unused_qualifications,
    reason = "utoipa writes the types of query parameters with their trait"
)]

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use kinora_proto::v1::{ListProjectsRequest, Project, ProjectVariablesRequest};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::params::{Id, Params};
use super::variables::{ListedVariableView, VariablesView};
use super::{date, variables};
use crate::auth::Caller;
use crate::envelope::{ApiError, Success};
use crate::server::App;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default()
        .routes(routes!(list))
        .routes(routes!(read_variables))
}

/// Which projects to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ProjectsQuery {
    /// `true`: only projects with at least one variable. `false`: only those without. Omitted: all.
    #[param(value_type = Option<bool>)]
    dynamic: Option<String>,
}

/// A saved composition of the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Project)]
struct ProjectView {
    /// The id to send as `projectId`.
    id: String,
    /// The project's name.
    name: String,
    /// What it is for; null when nobody said.
    #[schema(required = true)]
    description: Option<String>,
    /// Width of the canvas in pixels.
    width: u32,
    /// Height of the canvas in pixels.
    height: u32,
    /// Frames per second.
    fps: u32,
    /// Length in frames; null when it is not set.
    #[schema(required = true)]
    duration_in_frames: Option<u32>,
    /// Whether there are variables. Without any, every render of the project is identical.
    has_dynamic_overlays: bool,
    /// What `replacements` can change.
    variables: Vec<ListedVariableView>,
    /// When the project was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it was last changed.
    #[schema(format = DateTime)]
    updated_at: String,
}

/// The account's projects.
#[derive(Serialize, ToSchema)]
#[schema(as = ProjectList)]
struct ProjectsView {
    /// Newest first.
    projects: Vec<ProjectView>,
    /// How many there are in the list.
    total: usize,
}

/// List projects.
///
/// Returns the account's own projects. A returned `id` can be sent as `projectId` to `POST /renders`
/// and `POST /previews`.
#[utoipa::path(
    get,
    path = "/projects",
    operation_id = "listProjects",
    tag = "Projects",
    security(("bearerAuth" = ["projects:read"])),
    params(ProjectsQuery),
    responses(
        (status = 200, description = "The projects.", body = ProjectsView),
        (status = 400, description = "`dynamic` is neither true nor false."),
    )
)]
async fn list(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    Params(query): Params<ProjectsQuery>,
) -> Result<Success<ProjectsView>, ApiError> {
    let asked = ListProjectsRequest {
        account_id: account.id.clone(),
        dynamic: query.dynamic()?,
    };
    let found = app.controller.projects.clone().list(asked).await?;
    let projects = found.into_inner().projects.into_iter();
    let projects: Vec<_> = projects.map(ProjectView::new).collect::<Result<_, _>>()?;
    Ok(Success(ProjectsView {
        total: projects.len(),
        projects,
    }))
}

/// Read a project's variables.
///
/// Returns what `replacements` can change in the project and, for text of a fixed size, how much
/// fits.
#[utoipa::path(
    get,
    path = "/projects/{projectId}/variables",
    operation_id = "getProjectVariables",
    tag = "Projects",
    security(("bearerAuth" = ["projects:read"])),
    params(("projectId" = String, Path, description = "The project's id.")),
    responses(
        (status = 200, description = "The variables.", body = VariablesView),
        (status = 404, description = "There is no such project, or it belongs to another account."),
    )
)]
async fn read_variables(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    Id(project_id): Id,
) -> Result<Success<VariablesView>, ApiError> {
    let asked = ProjectVariablesRequest {
        account_id: account.id.clone(),
        project_id,
    };
    let found = app.controller.projects.clone().variables(asked).await?;
    Ok(Success(found.into_inner().into()))
}

impl ProjectsQuery {
    fn dynamic(&self) -> Result<Option<bool>, ApiError> {
        match self.dynamic.as_deref() {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(_) => Err(ApiError::parameter("dynamic", "must be true or false")),
        }
    }
}

impl ProjectView {
    fn new(project: Project) -> Result<Self, ApiError> {
        Ok(Self {
            id: project.id,
            name: project.name,
            description: project.description,
            width: project.width,
            height: project.height,
            fps: project.fps,
            duration_in_frames: project.duration_in_frames,
            has_dynamic_overlays: !project.variables.is_empty(),
            variables: variables::listed(project.variables)?,
            created_at: date::from_unix_ms(project.created_at_ms),
            updated_at: date::from_unix_ms(project.updated_at_ms),
        })
    }
}
