//! `POST /renders` and `GET /renders/{jobId}`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::routing::{get, post};
use axum::{Extension, Router};
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{
    CreateRenderRequest, CreateRenderResponse, GetRenderRequest, JobStatus, Problem, RenderJob,
};
use serde::Serialize;
use serde_json::value::RawValue;

use super::date;
use crate::auth::Caller;
use crate::body;
use crate::envelope::{ApiError, Success};
use crate::server::App;

const IDEMPOTENCY_KEY: &str = "idempotency-key";

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/renders", post(create))
        .route("/renders/{jobId}", get(read))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreatedView {
    job_id: String,
    project_id: Option<String>,
    status: &'static str,
    credits_used: i64,
    estimated_duration_minutes: i64,
    mode: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JobView {
    job_id: String,
    project_id: Option<String>,
    input_props: Option<Box<RawValue>>,
    status: &'static str,
    progress_percentage: u32,
    credits_used: i64,
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: u32,
    output_url: Option<String>,
    output_size: Option<i64>,
    error_message: Option<String>,
    estimated_time_remaining: Option<i64>,
    duration: Option<i64>,
    created_at: String,
    updated_at: String,
    completed_at: Option<String>,
    /// Jobs do not belong to projects yet.
    project: Option<()>,
}

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
    };
    let created = app.renders.clone().create(asked).await?.into_inner();
    tracing::info!(job_id = %created.job_id, "render accepted");
    Ok(Success(CreatedView::from(created)))
}

async fn read(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    job_id: Result<Path<String>, PathRejection>,
) -> Result<Success<JobView>, ApiError> {
    let Ok(Path(job_id)) = job_id else {
        return Err(Problem::new(Kind::NotFound, "there is no such render job").into());
    };
    let asked = GetRenderRequest {
        account_id: account.id.clone(),
        job_id,
    };
    let job = app.renders.clone().get(asked).await?.into_inner();
    Ok(Success(JobView::new(job, &app.public_url)))
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
            project: None,
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
