//! `POST /uploads`: a URL to send a file to.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use kinora_proto::v1::{CreateUploadRequest, Upload};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::date;
use crate::auth::Caller;
use crate::body;
use crate::envelope::{ApiError, Success};
use crate::openapi::bodies::UploadRequest;
use crate::server::App;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default().routes(routes!(create))
}

/// A place for one file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Upload)]
struct UploadView {
    /// The upload's id.
    id: String,
    /// Send the file here, with `PUT` and the `Content-Type` that was asked for. No key is needed:
    /// whoever has the URL can use it until it expires.
    #[schema(format = "uri")]
    upload_url: String,
    /// Where the file is afterwards; use it as `src`.
    #[schema(format = "uri")]
    file_url: String,
    /// When `uploadUrl` stops working.
    #[schema(format = DateTime)]
    expires_at: String,
}

/// Get an upload URL.
///
/// Send the file's MIME type as `contentType`, then the file itself to `uploadUrl`, and use `fileUrl`
/// as `src` in compositions and replacements.
#[utoipa::path(
    post,
    path = "/uploads",
    operation_id = "createUpload",
    tag = "Uploads",
    security(("bearerAuth" = ["uploads:write"])),
    request_body = UploadRequest,
    responses(
        (status = 200, description = "Where to send the file.", body = UploadView),
        (status = 400, description = "The body is not JSON, or the type is not that of an image, a video or a sound."),
        (status = 422, description = "The file is larger than an upload may be."),
    )
)]
async fn create(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    body: Body,
) -> Result<Success<UploadView>, ApiError> {
    let body = body::read(body, app.body_limit).await?;
    let asked = CreateUploadRequest {
        account_id: account.id.clone(),
        body_json: body,
        public_url: app.public_url.clone(),
    };
    let created = app.controller.uploads.clone().create(asked).await?;
    Ok(Success(created.into_inner().into()))
}

impl From<Upload> for UploadView {
    fn from(upload: Upload) -> Self {
        Self {
            id: upload.id,
            upload_url: upload.upload_url,
            file_url: upload.file_url,
            expires_at: date::from_unix_ms(upload.expires_at_ms),
        }
    }
}
