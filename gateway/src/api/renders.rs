//! `POST /renders`, `GET /renders` and `GET /renders/{jobId}`.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{
    CreateRenderRequest, CreateRenderResponse, GetRenderRequest, JobProject, JobStatus,
    ListRendersRequest, Problem, RenderJob,
};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::date;
use super::page::PageQuery;
use super::params::{Id, Params};
use crate::auth::Caller;
use crate::body;
use crate::envelope::{ApiError, Success};
use crate::openapi::bodies::{Composition, RenderRequest};
use crate::openapi::names::{RenderMode, RenderStatus};
use crate::server::App;

const IDEMPOTENCY_KEY: &str = "idempotency-key";

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default()
        .routes(routes!(create, list))
        .routes(routes!(read))
}

/// A render job that was just accepted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CreatedRender)]
struct CreatedView {
    /// The job's id, for `GET /renders/{jobId}`.
    job_id: String,
    /// The project that was rendered or made; null for direct renders that made none.
    #[schema(required = true)]
    project_id: Option<String>,
    /// PENDING, PROCESSING, COMPLETED or FAILED.
    #[schema(value_type = RenderStatus)]
    status: &'static str,
    /// What the render costs; given back if it fails.
    credits_used: i64,
    /// How long it will take at most, roughly.
    estimated_duration_minutes: i64,
    /// What was rendered: `direct`, `template` or `project`.
    #[schema(value_type = RenderMode)]
    mode: String,
}

/// A render job.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RenderJob)]
struct JobView {
    /// The job's id.
    job_id: String,
    /// The project that it belongs to, or null.
    #[schema(required = true)]
    project_id: Option<String>,
    /// The final composition: replacements and overrides applied, URLs normalised.
    #[schema(value_type = Option<Composition>, required = true)]
    input_props: Option<Box<RawValue>>,
    /// PENDING (waiting for a renderer), PROCESSING, COMPLETED or FAILED.
    #[schema(value_type = RenderStatus)]
    status: &'static str,
    /// From 0 to 100.
    #[schema(maximum = 100)]
    progress_percentage: u32,
    /// What the render costs; given back if it fails.
    credits_used: i64,
    /// Width of the video in pixels.
    width: u32,
    /// Height of the video in pixels.
    height: u32,
    /// Frames per second.
    fps: u32,
    /// Length in frames.
    duration_in_frames: u32,
    /// Where the finished MP4 is; no key is needed to fetch it. Null before.
    #[schema(format = "uri", required = true)]
    output_url: Option<String>,
    /// Size of the MP4 in bytes, once it is finished.
    #[schema(required = true)]
    output_size: Option<i64>,
    /// Why the job failed, or null.
    #[schema(required = true)]
    error_message: Option<String>,
    /// Seconds until it should be finished; null when that is not known.
    #[schema(required = true)]
    estimated_time_remaining: Option<i64>,
    /// How long rendering took, in milliseconds, once it is finished.
    #[schema(required = true)]
    duration: Option<i64>,
    /// When the job was accepted.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it last changed.
    #[schema(format = DateTime)]
    updated_at: String,
    /// When it was finished, or null.
    #[schema(format = DateTime, required = true)]
    completed_at: Option<String>,
    /// The project that it belongs to, or null.
    #[schema(required = true)]
    project: Option<JobProjectView>,
}

/// The project that a render job belongs to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RenderProject)]
struct JobProjectView {
    /// The project's id.
    id: String,
    /// The project's name.
    name: String,
    /// The template that the project was made from, or null.
    #[schema(required = true)]
    template_id: Option<String>,
}

/// A page of render jobs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RenderPage)]
struct JobsView {
    /// Newest first.
    renders: Vec<JobView>,
    /// Send it as `cursor` for the next page; null at the end.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// Create a render job.
///
/// Exactly one of `inputProps` (a composition), `templateId` and `projectId` says what to render.
/// `replacements` fill the variables of a template or project, and `width`, `height`, `fps` and
/// `durationInFrames` override the composition's. The credits are taken when the job is accepted and
/// given back if it fails. With an `Idempotency-Key` header, the same request can be sent again
/// without rendering twice.
#[utoipa::path(
    post,
    path = "/renders",
    operation_id = "createRender",
    tag = "Renders",
    security(("bearerAuth" = ["renders:write"])),
    params((
        "Idempotency-Key" = Option<String>,
        Header,
        description = "A name of your own for this request, at most 255 visible ASCII characters. \
            Sent again with the same body, it gets the first answer again and nothing is rendered \
            twice."
    )),
    request_body = RenderRequest,
    responses(
        (status = 200, description = "The job is accepted and paid for.", body = CreatedView),
        (
            status = 400,
            description = "The body is malformed, does not name exactly one thing to render, or \
                leaves a media overlay without a source (`details.reason` is MISSING_MEDIA_SOURCE). \
                Nothing is charged."
        ),
        (
            status = 402,
            description = "The account has too few credits; `details` holds creditsNeeded, \
                creditsAvailable and creditsShort."
        ),
        (status = 403, description = "The project belongs to another account."),
        (status = 404, description = "There is no such template or project."),
        (status = 409, description = "The Idempotency-Key was used with another body."),
        (
            status = 422,
            description = "The composition is well formed but cannot be rendered: it is over a \
                limit or names something unknown."
        ),
    )
)]
async fn create(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    headers: HeaderMap,
    body: Body,
) -> Result<Success<CreatedView>, ApiError> {
    let idempotency_key = idempotency_key(&headers)?;
    let body = body::read(body, app.body_limit).await?;
    let asked = CreateRenderRequest {
        account_id: account.id.clone(),
        body_json: body,
        idempotency_key,
        public_url: app.public_url.clone(),
    };
    let created = app.controller.renders.clone().create(asked).await?;
    let created = created.into_inner();
    tracing::info!(job_id = %created.job_id, "render accepted");
    Ok(Success(CreatedView::from(created)))
}

/// Read a render job.
///
/// Returns the job's status and progress and, when it is complete, where the video is.
#[utoipa::path(
    get,
    path = "/renders/{jobId}",
    operation_id = "getRender",
    tag = "Renders",
    security(("bearerAuth" = ["renders:read"])),
    params(("jobId" = String, Path, description = "The job's id.")),
    responses(
        (status = 200, description = "The job.", body = JobView),
        (status = 403, description = "The job belongs to another account."),
        (status = 404, description = "There is no such job."),
    )
)]
async fn read(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    Id(job_id): Id,
) -> Result<Success<JobView>, ApiError> {
    let asked = GetRenderRequest {
        account_id: account.id.clone(),
        job_id,
    };
    let job = app.controller.renders.clone().get(asked).await?;
    Ok(Success(JobView::new(job.into_inner(), &app.public_url)))
}

/// List render jobs.
///
/// Returns the account's jobs, newest first.
#[utoipa::path(
    get,
    path = "/renders",
    operation_id = "listRenders",
    tag = "Renders",
    security(("bearerAuth" = ["renders:read"])),
    params(PageQuery),
    responses(
        (status = 200, description = "A page of jobs.", body = JobsView),
        (status = 400, description = "`limit` or `cursor` is wrong."),
    )
)]
async fn list(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    Params(query): Params<PageQuery>,
) -> Result<Success<JobsView>, ApiError> {
    let page = query.page()?;
    let asked = ListRendersRequest {
        account_id: account.id.clone(),
        cursor: page.cursor,
        limit: page.limit,
    };
    let found = app.controller.renders.clone().list(asked).await?;
    let found = found.into_inner();
    let jobs = found.renders.into_iter();
    Ok(Success(JobsView {
        renders: jobs.map(|job| JobView::new(job, &app.public_url)).collect(),
        next_cursor: found.next_cursor,
    }))
}

fn idempotency_key(headers: &HeaderMap) -> Result<String, ApiError> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else {
        return Ok(String::new());
    };
    match value.to_str() {
        Ok(key) => Ok(key.to_owned()),
        Err(_) => Err(Problem::new(
            Kind::Invalid,
            "the Idempotency-Key header may only have visible ASCII characters",
        )
        .into()),
    }
}

impl From<CreateRenderResponse> for CreatedView {
    fn from(created: CreateRenderResponse) -> Self {
        Self {
            status: status_name(created.status()),
            job_id: created.job_id,
            project_id: created.project_id,
            credits_used: created.credits_used,
            estimated_duration_minutes: created.estimated_duration_minutes,
            mode: created.mode,
        }
    }
}

impl JobView {
    fn new(job: RenderJob, public_url: &str) -> Self {
        Self {
            status: status_name(job.status()),
            job_id: job.job_id,
            project_id: job.project_id,
            input_props: RawValue::from_string(job.input_props_json).ok(),
            progress_percentage: job.progress_percentage,
            credits_used: job.credits_used,
            width: job.width,
            height: job.height,
            fps: job.fps,
            duration_in_frames: job.duration_in_frames,
            output_url: job
                .output_key
                .map(|key| format!("{public_url}/files/{key}")),
            output_size: job.output_size,
            error_message: job.error_message,
            estimated_time_remaining: job.estimated_time_remaining_s,
            duration: job.duration_ms,
            created_at: date::from_unix_ms(job.created_at_ms),
            updated_at: date::from_unix_ms(job.updated_at_ms),
            completed_at: job.completed_at_ms.map(date::from_unix_ms),
            project: job.project.map(JobProjectView::from),
        }
    }
}

impl From<JobProject> for JobProjectView {
    fn from(project: JobProject) -> Self {
        Self {
            id: project.id,
            name: project.name,
            template_id: project.template_id,
        }
    }
}

fn status_name(status: JobStatus) -> &'static str {
    match status {
        JobStatus::Unspecified | JobStatus::Pending => "PENDING",
        JobStatus::Processing => "PROCESSING",
        JobStatus::Completed => "COMPLETED",
        JobStatus::Failed => "FAILED",
    }
}
