//! Upload URLs of our own: whether one may be used now, and what came of it.

use object_store::{ObjectStoreExt, path::Path};

use super::content_type;
use crate::{
    Error, Result,
    app::App,
    clock::Timestamp,
    ids::UploadId,
    secret_key::{Purpose, SecretKey},
    store::UploadRow,
};

/// A PUT as the gateway received it, before its body.
#[derive(Clone, Debug)]
pub(crate) struct Attempt<'a> {
    pub(crate) upload: &'a UploadId,
    /// Unix seconds, from the URL.
    pub(crate) expires: i64,
    pub(crate) signature: &'a str,
    pub(crate) content_type: &'a str,
    /// None when the body comes in pieces of unknown number.
    pub(crate) content_length: Option<u64>,
}

/// Where the body goes, and how much of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Authorized {
    pub(crate) object_key: String,
    pub(crate) max_bytes: u64,
}

/// The URL that an upload is sent to when the gateway receives it.
pub(super) fn own_url(key: &SecretKey, upload: &UploadRow, public_url: &str) -> String {
    let expires = upload.expires_at.0.div_euclid(1000);
    let signature = key.sign(Purpose::UploadUrls, &message(upload, expires));
    let id = &upload.id;
    format!("{public_url}/uploads/{id}?expires={expires}&signature={signature}")
}

/// What a signature vouches for.
fn message(upload: &UploadRow, expires: i64) -> Vec<u8> {
    let length = upload.exact_bytes.map(|bytes| bytes.to_string());
    let length = length.unwrap_or_default();
    format!(
        "{}\n{expires}\n{}\n{length}",
        upload.id, upload.content_type
    )
    .into_bytes()
}

/// Checks an upload before its body is read.
///
/// # Errors
/// [`Error::Forbidden`] when the URL is not ours or has ended, [`Error::Invalid`] for another type or
/// length than was announced, [`Error::TooLarge`] beyond the limit.
pub(crate) async fn authorize(
    app: &App,
    attempt: &Attempt<'_>,
    now: Timestamp,
) -> Result<Authorized> {
    let not_ours = || Error::Forbidden("this upload URL is not valid".into());
    let upload = app.store.upload(attempt.upload).await?;
    let upload = upload.ok_or_else(not_ours)?;
    let message = message(&upload, attempt.expires);
    let key = &app.secret_key;
    if !key.verify(Purpose::UploadUrls, &message, attempt.signature) {
        return Err(not_ours());
    }
    if attempt.expires.saturating_mul(1000) <= now.0 {
        return Err(Error::Forbidden(
            "this upload URL has expired; ask for a new one".into(),
        ));
    }
    let expected = &upload.content_type;
    if content_type::essence(attempt.content_type) != *expected {
        let message = format!("must be {expected}, which this upload URL is for");
        return Err(Error::at("Content-Type", message));
    }
    let max_bytes = upload.exact_bytes.unwrap_or(upload.max_bytes);
    match (attempt.content_length, upload.exact_bytes) {
        (Some(length), _) if length > max_bytes => Err(too_large(max_bytes)),
        (Some(length), Some(exact)) if length != exact => Err(wrong_length(length, exact)),
        _ => Ok(Authorized {
            object_key: upload.object_key,
            max_bytes,
        }),
    }
}

/// The gateway has put the whole file into the store.
///
/// # Errors
/// [`Error::Invalid`] or [`Error::TooLarge`] when it is not what was announced; it is deleted then.
pub(crate) async fn finish(app: &App, id: &UploadId, size: u64) -> Result<()> {
    let upload = app.store.upload(id).await?;
    let upload = upload.ok_or_else(|| Error::NotFound("there is no such upload".into()))?;
    let refused = match upload.exact_bytes {
        Some(exact) if size != exact => Some(wrong_length(size, exact)),
        None if size > upload.max_bytes => Some(too_large(upload.max_bytes)),
        _ => None,
    };
    if let Some(refused) = refused {
        let key = Path::from(upload.object_key);
        if let Err(error) = app.objects.delete(&key).await {
            tracing::warn!(upload_id = %id, %error, "a refused file could not be deleted");
        }
        return Err(refused);
    }
    app.store.finish_upload(id, size).await?;
    tracing::info!(upload_id = %id, size, "file uploaded");
    Ok(())
}

fn too_large(max_bytes: u64) -> Error {
    Error::TooLarge(format!(
        "the file is larger than the {max_bytes} bytes that this upload URL is for"
    ))
}

fn wrong_length(length: u64, exact: u64) -> Error {
    let message = format!("is {length} bytes; this upload URL is for exactly {exact}");
    Error::at("Content-Length", message)
}
