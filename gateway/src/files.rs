//! `GET /files/{key}`: videos, uploads and pictures, streamed from the object store without
//! credentials.
//!
//! Only objects under public prefixes are served. Apart from the artwork of templates, which is for
//! everyone, their keys cannot be guessed.

mod kind;
mod range;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use object_store::path::Path as Key;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStoreExt};

use self::kind::Treatment;
use self::range::Wanted;
use crate::cors;
use crate::server::App;

/// The parts of the store that are public, and how long copies of what lies there stay good.
const PUBLIC: [(&str, &str); 4] = [
    // A key is written once and never again.
    ("renders/", "public, max-age=31536000, immutable"),
    // A second upload through the same URL replaces the first.
    ("uploads/", "public, max-age=60"),
    // A new version may bring new artwork under the same name.
    ("templates/", "public, max-age=3600"),
    // Previews expire, and no shared cache should outlive them.
    ("previews/", "private, max-age=600"),
];
/// For files that could hold more than pixels and sound: nothing in them runs or loads anything.
const CONFINED: &str = "sandbox; default-src 'none'";

/// The route to all public files.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/files/{*key}", get(download))
        .layer(from_fn(cors::reading))
}

/// Answers with the object, the asked part of it, or 304, 404, 416.
async fn download(
    State(app): State<Arc<App>>,
    method: Method,
    headers: HeaderMap,
    path: Result<Path<String>, PathRejection>,
) -> Response {
    let Some((key, cache_control)) = path.ok().and_then(|Path(raw)| public_key(&raw)) else {
        return not_found();
    };
    let meta = match app.store.head(&key).await {
        Ok(meta) => meta,
        Err(error) => return refused(&key, &error),
    };
    let facts = Facts::of(&meta, cache_control);
    if facts.is_unchanged_for(&headers) {
        return facts.head(StatusCode::NOT_MODIFIED).into_response();
    }
    let (status, bytes) = match range::wanted(&headers, &facts.etag, meta.size) {
        Wanted::All => (StatusCode::OK, 0..meta.size),
        Wanted::Part(bytes) => (StatusCode::PARTIAL_CONTENT, bytes),
        Wanted::Impossible => return facts.range_not_satisfiable(meta.size),
    };
    let mut answer = facts.head(status);
    let length = bytes.end - bytes.start;
    answer.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    if status == StatusCode::PARTIAL_CONTENT {
        let range = format!("bytes {}-{}/{}", bytes.start, bytes.end - 1, meta.size);
        answer.insert(header::CONTENT_RANGE, ascii(&range));
    }
    if method == Method::HEAD || length == 0 {
        return (status, answer.headers).into_response();
    }
    let options = GetOptions {
        range: Some(GetRange::Bounded(bytes)),
        ..GetOptions::default()
    };
    match app.store.get_opts(&key, options).await {
        Ok(object) => {
            let body = Body::from_stream(object.into_stream());
            (status, answer.headers, body).into_response()
        }
        Err(error) => refused(&key, &error),
    }
}

/// The key and its `Cache-Control`, if it is well formed and public. Segments like `..` are not well
/// formed.
fn public_key(raw: &str) -> Option<(Key, &'static str)> {
    let key = Key::parse(raw).ok().filter(|key| key.as_ref() == raw)?;
    let (_, cache_control) = PUBLIC.iter().find(|(prefix, _)| raw.starts_with(prefix))?;
    Some((key, cache_control))
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "There is no such file.\n").into_response()
}

fn refused(key: &Key, error: &object_store::Error) -> Response {
    if matches!(error, object_store::Error::NotFound { .. }) {
        return not_found();
    }
    tracing::error!(%key, %error, "the object store failed");
    let message = "The file cannot be read now; try again in a moment.\n";
    (StatusCode::SERVICE_UNAVAILABLE, message).into_response()
}

/// What every answer about an object says.
struct Facts {
    kind: kind::Kind,
    cache_control: &'static str,
    etag: String,
    last_modified: String,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
}

impl Answer {
    fn insert(&mut self, name: header::HeaderName, value: HeaderValue) {
        self.headers.insert(name, value);
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        (self.status, self.headers).into_response()
    }
}

impl Facts {
    fn of(meta: &ObjectMeta, cache_control: &'static str) -> Self {
        let etag = match &meta.e_tag {
            Some(tag) if tag.ends_with('"') => tag.clone(),
            Some(tag) => format!("\"{tag}\""),
            None => format!("\"{:x}\"", meta.size),
        };
        let last_modified = meta.last_modified.format("%a, %d %b %Y %H:%M:%S GMT");
        Self {
            kind: kind::of(meta.location.as_ref()),
            cache_control,
            etag,
            last_modified: last_modified.to_string(),
        }
    }

    fn is_unchanged_for(&self, headers: &HeaderMap) -> bool {
        headers
            .get(header::IF_NONE_MATCH)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|tags| {
                tags.split(',')
                    .map(|tag| tag.trim().trim_start_matches("W/"))
                    .any(|tag| tag == "*" || tag == self.etag.trim_start_matches("W/"))
            })
    }

    fn head(&self, status: StatusCode) -> Answer {
        let mut headers = HeaderMap::new();
        let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
        set(header::CONTENT_TYPE, self.kind.content_type);
        set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        set(header::ACCEPT_RANGES, "bytes");
        set(header::CACHE_CONTROL, self.cache_control);
        match self.kind.treatment {
            Treatment::Show => {}
            Treatment::Confine => {
                set(header::CONTENT_SECURITY_POLICY, CONFINED);
            }
            Treatment::Save => {
                set(header::CONTENT_SECURITY_POLICY, CONFINED);
                set(header::CONTENT_DISPOSITION, "attachment");
            }
        }
        headers.insert(header::ETAG, ascii(&self.etag));
        headers.insert(header::LAST_MODIFIED, ascii(&self.last_modified));
        Answer { status, headers }
    }

    fn range_not_satisfiable(&self, size: u64) -> Response {
        let mut answer = self.head(StatusCode::RANGE_NOT_SATISFIABLE);
        answer.insert(header::CONTENT_RANGE, ascii(&format!("bytes */{size}")));
        answer.into_response()
    }
}

/// Header text made of our own digits and the store's tag; a tag that no header can carry is left out.
fn ascii(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_keys_under_public_prefixes_are_public() {
        for raw in [
            "renders/job/1-abc/video.mp4",
            "uploads/upl_1/abc.png",
            "templates/house.png",
            "previews/prv_1/video.mp4",
        ] {
            assert!(public_key(raw).is_some(), "{raw}");
        }
        for raw in [
            "jobs/job/chunks/1-1.mp4",
            "renders/../jobs/x",
            "renders/./x",
            "renders//x",
            "/renders/x",
            "renders/x/",
            "renders",
            "rendersx/y",
            "uploads/../renders/x",
            "",
            "../renders/x",
        ] {
            assert!(public_key(raw).is_none(), "{raw}");
        }
    }
}
