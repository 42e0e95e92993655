//! `Uploads`: giving out upload URLs, and receiving what comes through our own.

use kinora_proto::v1::{
    AuthorizeUploadRequest, AuthorizeUploadResponse, CreateUploadRequest, FinishUploadRequest,
    FinishUploadResponse, Upload, uploads_server::Uploads,
};
use tonic::{Request, Response, Status};
use tracing::Instrument;

use super::to_status;
use crate::{
    app::App,
    clock::Timestamp,
    ids::{AccountId, UploadId},
    uploads::{self, Attempt, Authorized, Created},
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
impl Uploads for Service {
    async fn create(
        &self,
        request: Request<CreateUploadRequest>,
    ) -> Result<Response<Upload>, Status> {
        let request = request.into_inner();
        let account = AccountId::from(request.account_id);
        let (body, public_url) = (&request.body_json, &request.public_url);
        let span = tracing::info_span!("create_upload", account_id = %account);
        let created = uploads::create(&self.app, &account, body, public_url, Timestamp::now())
            .instrument(span)
            .await
            .map_err(to_status)?;
        let Created {
            id,
            upload_url,
            file_url,
            expires_at,
        } = created;
        Ok(Response::new(Upload {
            id: id.to_string(),
            upload_url,
            file_url,
            expires_at_ms: expires_at.0,
        }))
    }

    async fn authorize(
        &self,
        request: Request<AuthorizeUploadRequest>,
    ) -> Result<Response<AuthorizeUploadResponse>, Status> {
        let request = request.into_inner();
        let upload = UploadId::from(request.upload_id);
        let attempt = Attempt {
            upload: &upload,
            expires: request.expires,
            signature: &request.signature,
            content_type: &request.content_type,
            content_length: request.content_length,
        };
        let Authorized {
            object_key,
            max_bytes,
        } = uploads::authorize(&self.app, &attempt, Timestamp::now())
            .await
            .map_err(to_status)?;
        Ok(Response::new(AuthorizeUploadResponse {
            object_key,
            max_bytes,
        }))
    }

    async fn finish(
        &self,
        request: Request<FinishUploadRequest>,
    ) -> Result<Response<FinishUploadResponse>, Status> {
        let request = request.into_inner();
        let upload = UploadId::from(request.upload_id);
        uploads::finish(&self.app, &upload, request.size)
            .await
            .map_err(to_status)?;
        Ok(Response::new(FinishUploadResponse {}))
    }
}
