//! `PUT /uploads/{id}?expires=&signature=`: takes a file through a signed URL of our own and streams
//! it into the object store. Where the store can sign URLs itself, clients never come here.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, BodyDataStream};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn;
use axum::routing::put;
use bytes::Bytes;
use futures::StreamExt;
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{
    AuthorizeUploadRequest, AuthorizeUploadResponse, FinishUploadRequest, Problem,
};
use object_store::ObjectStoreExt;
use object_store::buffered::BufWriter;
use object_store::path::Path as Key;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use crate::envelope::{ApiError, Success};
use crate::server::App;
use crate::{body, cors, envelope};

/// What is held in memory before it goes to the store as one part. Stores ask for 5 MiB at least.
const PART_BYTES: usize = 8 * 1024 * 1024;
/// Parts on their way to the store while the next one arrives.
const PARTS_AT_ONCE: usize = 2;
/// A client that sends nothing for so long has gone.
const MAX_SILENCE: Duration = Duration::from_secs(60);
/// What to do about a URL that does not work.
const ASK_AGAIN: &str = "Ask for a new URL with POST /api/v1/uploads and use it as it is.";

/// The route that signed URLs name.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/uploads/{id}", put(receive))
        .method_not_allowed_fallback(envelope::method_not_allowed)
        .layer(from_fn(cors::writing))
}

#[derive(Deserialize)]
struct Signed {
    expires: i64,
    signature: String,
}

/// A file that has arrived.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StoredView {
    id: String,
    file_url: String,
    size: u64,
}

async fn receive(
    State(app): State<Arc<App>>,
    id: Result<Path<String>, PathRejection>,
    signed: Result<Query<Signed>, QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Success<StoredView>, ApiError> {
    let (Ok(Path(id)), Ok(Query(signed))) = (id, signed) else {
        body::discard(body.into_data_stream());
        return Err(incomplete_url());
    };
    let place = match authorize(&app, &id, signed, &headers).await {
        Ok(place) => place,
        Err(refusal) => {
            body::discard(body.into_data_stream());
            return Err(refusal);
        }
    };
    // A task of its own: when the client breaks off, this handler is dropped wherever it waits, but
    // what was stored so far must still be taken away.
    let storing = tokio::spawn(store(app, id, place, body));
    match storing.await {
        Ok(stored) => stored.map(Success),
        Err(error) => {
            tracing::error!(%error, "an upload ended badly");
            Err(Problem::new(Kind::Internal, "internal error").into())
        }
    }
}

async fn authorize(
    app: &App,
    id: &str,
    signed: Signed,
    headers: &HeaderMap,
) -> Result<AuthorizeUploadResponse, ApiError> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let content_length = text(header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
    let asked = AuthorizeUploadRequest {
        upload_id: id.to_owned(),
        expires: signed.expires,
        signature: signed.signature,
        content_type: text(header::CONTENT_TYPE).unwrap_or_default().to_owned(),
        content_length,
    };
    let place = app.controller.uploads.clone().authorize(asked).await;
    let place = place.map_err(refused)?.into_inner();
    if content_length.is_some_and(|length| length > place.max_bytes) {
        return Err(too_large(place.max_bytes));
    }
    Ok(place)
}

/// Brings the body into the store and tells the controller. Whatever goes wrong, no part of a file
/// stays behind.
async fn store(
    app: Arc<App>,
    id: String,
    place: AuthorizeUploadResponse,
    body: Body,
) -> Result<StoredView, ApiError> {
    let key = Key::parse(&place.object_key).map_err(|error| {
        tracing::error!(%error, "the controller named an impossible key");
        ApiError::from(Problem::new(Kind::Internal, "internal error"))
    })?;
    let writer = BufWriter::with_capacity(app.store.clone(), key.clone(), PART_BYTES);
    let mut writer = writer.with_max_concurrency(PARTS_AT_ONCE);
    let mut chunks = body.into_data_stream();
    let copied = copy(&mut chunks, &mut writer, place.max_bytes).await;
    let size = match copied {
        Ok(size) => size,
        Err(refusal) => {
            if let Err(error) = writer.abort().await {
                tracing::warn!(%key, %error, "parts of a broken upload could not be removed");
            }
            body::discard(chunks);
            return Err(refusal);
        }
    };
    writer
        .shutdown()
        .await
        .map_err(|error| not_stored(&error))?;
    let finished = FinishUploadRequest {
        upload_id: id.clone(),
        size,
    };
    if let Err(status) = app.controller.uploads.clone().finish(finished).await {
        let refusal = refused(status);
        // Where the controller is away, the same URL can bring the file again; where it says no,
        // nobody will ever ask for the object.
        if refusal.status().is_client_error()
            && let Err(error) = app.store.delete(&key).await
        {
            tracing::warn!(%key, %error, "a refused upload could not be removed");
        }
        return Err(refusal);
    }
    Ok(StoredView {
        id,
        file_url: format!("{}/files/{key}", app.public_url),
        size,
    })
}

/// Copies chunk by chunk, so that a file never lies in memory as a whole. Returns its size.
async fn copy(
    chunks: &mut BodyDataStream,
    writer: &mut BufWriter,
    max_bytes: u64,
) -> Result<u64, ApiError> {
    let mut size = 0;
    while let Some(chunk) = next_chunk(chunks).await? {
        size += chunk.len() as u64;
        if size > max_bytes {
            return Err(too_large(max_bytes));
        }
        let written = writer.write_all(&chunk).await;
        written.map_err(|error| not_stored(&error))?;
    }
    if size == 0 {
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "the file is empty",
            "Send the file as the body of the request.",
        ));
    }
    Ok(size)
}

async fn next_chunk(chunks: &mut BodyDataStream) -> Result<Option<Bytes>, ApiError> {
    match timeout(MAX_SILENCE, chunks.next()).await {
        Ok(None) => Ok(None),
        Ok(Some(Ok(chunk))) => Ok(Some(chunk)),
        Ok(Some(Err(_))) => Err(ApiError::body_not_received()),
        Err(_) => Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "nothing arrived for too long",
            "Send the file again.",
        )),
    }
}

/// What the controller says no to. Where the URL itself is at fault, another one helps.
fn refused(status: tonic::Status) -> ApiError {
    let refusal = ApiError::from(status);
    match refusal.status() {
        StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => refusal.or_hint(ASK_AGAIN),
        _ => refusal,
    }
}

fn incomplete_url() -> ApiError {
    ApiError::from(Problem::new(
        Kind::Forbidden,
        "the upload URL is not complete",
    ))
    .or_hint(ASK_AGAIN)
}

fn too_large(max_bytes: u64) -> ApiError {
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("the file is larger than {max_bytes} bytes"),
        "Send a smaller file.",
    )
}

fn not_stored(error: &std::io::Error) -> ApiError {
    tracing::error!(%error, "the object store did not take an upload");
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "the file cannot be stored now",
        "Send it again in a moment.",
    )
}
