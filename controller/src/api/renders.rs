//! `Renders`: taking render requests and showing jobs.

use kinora_proto::v1::{
    CreateRenderRequest, CreateRenderResponse, GetRenderRequest, JobProject, JobStatus,
    ListRendersRequest, ListRendersResponse, RenderJob, renders_server::Renders,
};
use tonic::{Request, Response, Status};
use tracing::Instrument;

use super::to_status;
use crate::{
    app::App,
    clock::Timestamp,
    ids::{AccountId, JobId},
    jobs::{self, Accepted, JobView, Submission},
    paging::Page,
    state::JobState,
    store::ShownProject,
    uploads::OwnFiles,
};

pub(crate) struct Service {
    app: App,
}

impl Service {
    pub(super) fn new(app: App) -> Self {
        Self { app }
    }
}

#[tonic::async_trait]
impl Renders for Service {
    async fn create(
        &self,
        request: Request<CreateRenderRequest>,
    ) -> Result<Response<CreateRenderResponse>, Status> {
        let request = request.into_inner();
        let account = AccountId::from(request.account_id);
        let span = tracing::info_span!(
            target: "kinora_controller::traced", "create_render", account_id = %account
        );
        let submission = Submission {
            account: &account,
            body: &request.body_json,
            idempotency_key: &request.idempotency_key,
            public_url: &request.public_url,
            uploads: OwnFiles {
                objects: self.app.objects.as_ref(),
                max_bytes: self.app.uploads.max_bytes,
            },
        };
        let (store, terms) = (&self.app.store, &self.app.terms);
        let accepted = jobs::create(store, terms, &submission, Timestamp::now())
            .instrument(span)
            .await
            .map_err(to_status)?;
        Ok(Response::new(accepted_message(accepted)))
    }

    async fn get(&self, request: Request<GetRenderRequest>) -> Result<Response<RenderJob>, Status> {
        let request = request.into_inner();
        let (account, job) = (
            AccountId::from(request.account_id),
            JobId::from(request.job_id),
        );
        let span = tracing::info_span!("get_render", account_id = %account, job_id = %job);
        jobs::get(
            &self.app.store,
            &self.app.terms,
            &account,
            &job,
            Timestamp::now(),
        )
        .instrument(span)
        .await
        .map(|view| Response::new(job_message(view)))
        .map_err(to_status)
    }

    async fn list(
        &self,
        request: Request<ListRendersRequest>,
    ) -> Result<Response<ListRendersResponse>, Status> {
        let request = request.into_inner();
        let account = AccountId::from(request.account_id);
        let page = Page::read(&request.cursor, request.limit).map_err(to_status)?;
        let (views, next) = jobs::list(
            &self.app.store,
            &self.app.terms,
            &account,
            &page,
            Timestamp::now(),
        )
        .await
        .map_err(to_status)?;
        Ok(Response::new(ListRendersResponse {
            renders: views.into_iter().map(job_message).collect(),
            next_cursor: next.map(|cursor| cursor.encode()),
        }))
    }
}

fn accepted_message(accepted: Accepted) -> CreateRenderResponse {
    CreateRenderResponse {
        job_id: accepted.job.to_string(),
        project_id: accepted.project.map(|project| project.to_string()),
        status: JobStatus::Pending.into(),
        credits_used: accepted.price.rounded_up(),
        estimated_duration_minutes: accepted.estimated_minutes,
        mode: accepted.mode,
    }
}

fn job_message(view: JobView) -> RenderJob {
    let JobView {
        job,
        project,
        progress,
        cost,
        updated_at,
    } = view;
    let status = match job.state {
        JobState::Pending => JobStatus::Pending,
        JobState::Processing => JobStatus::Processing,
        JobState::Completed => JobStatus::Completed,
        JobState::Failed => JobStatus::Failed,
    };
    let duration_ms = job
        .completed_at
        .map(|completed| (completed.0 - job.started_at.unwrap_or(completed).0).max(0));
    RenderJob {
        job_id: job.id.to_string(),
        project_id: job.project.map(|project| project.to_string()),
        input_props_json: job.composition_json,
        status: status.into(),
        progress_percentage: progress.percentage,
        credits_used: cost.rounded_up(),
        width: job.width,
        height: job.height,
        fps: job.fps,
        duration_in_frames: job.frames,
        output_key: job.output_key,
        output_size: job.output_size,
        error_message: job.error_message,
        estimated_time_remaining_s: progress.remaining.map(whole_seconds),
        duration_ms,
        created_at_ms: job.created_at.0,
        updated_at_ms: updated_at.0,
        completed_at_ms: job.completed_at.map(|at| at.0),
        project: project.map(project_message),
    }
}

fn project_message(project: ShownProject) -> JobProject {
    JobProject {
        id: project.id.to_string(),
        name: project.name,
        template_id: project.template.map(|template| template.to_string()),
    }
}

/// Rounded up: nothing that still runs takes no time.
fn whole_seconds(remaining: std::time::Duration) -> i64 {
    i64::try_from(remaining.as_millis().div_ceil(1000))
        .unwrap_or(i64::MAX)
        .max(1)
}
