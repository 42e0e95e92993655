//! `Previews`: resolving payloads, and showing them to whoever holds the id.

use kinora_proto::v1::{
    CreatePreviewRequest, CreatePreviewResponse, PreviewStill, PreviewView, ShowPreviewRequest,
    preview_view, previews_server::Previews, show_preview_request,
};
use tonic::{Request, Response, Status};
use tracing::Instrument;

use super::to_status;
use crate::{
    app::App,
    clock::Timestamp,
    ids::{AccountId, PreviewId},
    previews::{self, Created, View, Wanted},
    state::JobState,
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
impl Previews for Service {
    async fn create(
        &self,
        request: Request<CreatePreviewRequest>,
    ) -> Result<Response<CreatePreviewResponse>, Status> {
        let request = request.into_inner();
        let account = AccountId::from(request.account_id);
        let (body, public_url) = (&request.body_json, &request.public_url);
        let span = tracing::info_span!("create_preview", account_id = %account);
        let created = previews::create(&self.app, &account, body, public_url, Timestamp::now())
            .instrument(span)
            .await
            .map_err(to_status)?;
        let Created {
            id,
            resolved,
            quote,
            warnings,
            ai_skipped,
            expires_at,
        } = created;
        Ok(Response::new(CreatePreviewResponse {
            preview_id: id.to_string(),
            resolved_json: resolved.to_string(),
            quote_json: quote.to_string(),
            warnings_json: warnings.to_string(),
            ai_skipped_json: ai_skipped.map(|skipped| skipped.to_string()),
            expires_at_ms: expires_at.0,
        }))
    }

    async fn show(
        &self,
        request: Request<ShowPreviewRequest>,
    ) -> Result<Response<PreviewView>, Status> {
        let request = request.into_inner();
        let id = PreviewId::from(request.preview_id);
        let wanted = match request.wanted {
            None | Some(show_preview_request::Wanted::Video(_)) => Wanted::Video,
            Some(show_preview_request::Wanted::Grid(_)) => Wanted::Grid,
            Some(show_preview_request::Wanted::Frame(frame)) => Wanted::Frame(frame),
        };
        let span = tracing::info_span!(
            target: "kinora_controller::traced", "show_preview", preview_id = %id
        );
        previews::show(&self.app, &id, wanted, Timestamp::now())
            .instrument(span)
            .await
            .map(|view| Response::new(view_message(view)))
            .map_err(to_status)
    }
}

fn view_message(view: View) -> PreviewView {
    let state = match view.state {
        JobState::Pending => preview_view::JobState::Waiting,
        JobState::Processing => preview_view::JobState::Drawing,
        JobState::Completed => preview_view::JobState::Ready,
        JobState::Failed => preview_view::JobState::Failed,
    };
    let preview = view.preview;
    PreviewView {
        name: preview.name,
        width: preview.width,
        height: preview.height,
        fps: preview.fps,
        duration_in_frames: preview.frames,
        expires_at_ms: preview.expires_at.0,
        state: state.into(),
        progress_percentage: view.progress,
        error_message: view.error_message,
        video_key: view.video_key,
        stills: view
            .stills
            .into_iter()
            .map(|(frame, key)| PreviewStill { frame, key })
            .collect(),
    }
}
