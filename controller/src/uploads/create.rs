//! Giving out upload URLs.

use kinora_composition::{
    document::Issue,
    request::{Refusal, RefusalKind},
};
use kinora_outbound::file_url;
use serde_json::{Value, json};

use super::{
    SignedPut,
    content_type::{self, ContentType},
    own, receive,
};
use crate::{
    Error, Result,
    app::App,
    clock::Timestamp,
    ids::{AccountId, UploadId, random_base62},
    store::UploadRow,
};

/// Characters that make the address of a file unguessable.
const RANDOM_LENGTH: usize = 24;

/// What the caller of `POST /uploads` gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Created {
    pub(crate) id: UploadId,
    pub(crate) upload_url: String,
    pub(crate) file_url: String,
    pub(crate) expires_at: Timestamp,
}

/// Gives out a URL that one file may be sent to.
pub(crate) async fn create(
    app: &App,
    account: &AccountId,
    body: &[u8],
    public_url: &str,
    now: Timestamp,
) -> Result<Created> {
    let terms = &app.uploads;
    let asked = Asked::parse(body, terms.max_bytes)?;
    let id = UploadId::random();
    let random = random_base62(RANDOM_LENGTH);
    let extension = asked.content_type.extension;
    let upload = UploadRow {
        object_key: format!("{}{id}/{random}.{extension}", own::FOLDER),
        id,
        account: account.clone(),
        content_type: asked.content_type.essence.to_owned(),
        max_bytes: terms.max_bytes,
        exact_bytes: asked.content_length,
        // Whole seconds: the URL carries them.
        expires_at: whole_seconds(now.plus(terms.lifetime)),
    };
    let upload_url = match &terms.signer {
        Some(signer) => {
            let put = SignedPut {
                object_key: &upload.object_key,
                content_type: &asked.content_type.sent,
                content_length: asked.content_length,
                lifetime: terms.lifetime,
            };
            signer.sign(put).await.map_err(Error::Store)?
        }
        None => receive::own_url(&app.secret_key, &upload, public_url),
    };
    app.store.insert_upload(&upload, now).await?;
    tracing::info!(upload_id = %upload.id, content_type = upload.content_type, "upload URL given out");
    Ok(Created {
        upload_url,
        file_url: file_url(public_url, &upload.object_key),
        id: upload.id,
        expires_at: upload.expires_at,
    })
}

/// The body of `POST /uploads`.
#[derive(Debug)]
struct Asked {
    content_type: ContentType,
    content_length: Option<u64>,
}

impl Asked {
    fn parse(body: &[u8], max_bytes: u64) -> Result<Self> {
        let body: Value = serde_json::from_slice(body)
            .map_err(|error| invalid("", format!("the body is not valid JSON: {error}")))?;
        let Value::Object(body) = body else {
            return Err(invalid("", "the body must be a JSON object").into());
        };
        let content_type = match body.get("contentType") {
            None | Some(Value::Null) => Err("is required: the MIME type of the file".to_owned()),
            Some(Value::String(text)) => ContentType::parse(text).ok_or_else(|| {
                let allowed = content_type::allowed();
                format!("must be the type of an image, a video or a sound: one of {allowed}")
            }),
            Some(_) => Err("expected a string, the MIME type of the file".to_owned()),
        };
        let content_length = match body.get("contentLength") {
            None | Some(Value::Null) => Ok(None),
            Some(length) => match length.as_u64() {
                Some(length) if length > 0 => Ok(Some(length)),
                _ => Err("expected a positive integer, the size of the file in bytes".to_owned()),
            },
        };
        let (content_type, content_length) = match (content_type, content_length) {
            (Ok(content_type), Ok(content_length)) => (content_type, content_length),
            (content_type, content_length) => {
                let issues: Vec<Issue> = [
                    ("contentType", content_type.err()),
                    ("contentLength", content_length.err()),
                ]
                .into_iter()
                .filter_map(|(path, message)| Some(issue(path, message?)))
                .collect();
                return Err(Refusal::invalid(&issues).into());
            }
        };
        match content_length {
            Some(length) if length > max_bytes => Err(too_large(length, max_bytes).into()),
            _ => Ok(Self {
                content_type,
                content_length,
            }),
        }
    }
}

fn issue(path: &str, message: impl Into<String>) -> Issue {
    Issue {
        path: path.into(),
        message: message.into(),
    }
}

fn invalid(path: &str, message: impl Into<String>) -> Refusal {
    Refusal::invalid(&[issue(path, message)])
}

fn too_large(length: u64, max_bytes: u64) -> Refusal {
    let message = format!("{length} bytes are more than the {max_bytes} that a file may have");
    Refusal {
        kind: RefusalKind::Unrenderable,
        message: format!("the file is too large: {message}"),
        details: json!({ "issues": [issue("contentLength", message)] }),
    }
}

fn whole_seconds(at: Timestamp) -> Timestamp {
    Timestamp(at.0.div_euclid(1000) * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(body: &Value) -> (RefusalKind, Vec<String>) {
        let refused = Asked::parse(body.to_string().as_bytes(), 1000).expect_err("refused");
        let Error::Refused(refusal) = refused else {
            panic!("{refused}");
        };
        let issues = refusal.details["issues"].as_array().expect("issues");
        let paths = issues
            .iter()
            .map(|issue| issue["path"].as_str().expect("a path").to_owned())
            .collect();
        (refusal.kind, paths)
    }

    #[test]
    fn every_problem_is_listed_with_its_path() {
        let both = json!({ "contentType": 5, "contentLength": -1 });
        let named = ["contentType".to_owned(), "contentLength".to_owned()];
        assert_eq!(paths(&both), (RefusalKind::Invalid, named.to_vec()));
        for length in [json!(0), json!(1.5), json!("7"), json!(1e300)] {
            let body = json!({ "contentType": "image/png", "contentLength": length });
            let (kind, at) = paths(&body);
            assert_eq!((kind, at.as_slice()), (RefusalKind::Invalid, &named[1..]));
        }
        for body in [json!({}), json!({ "contentType": "text/html" })] {
            let (kind, at) = paths(&body);
            assert_eq!((kind, at.as_slice()), (RefusalKind::Invalid, &named[..1]));
        }
        assert_eq!(paths(&json!([])).1, [""]);
    }

    #[test]
    fn a_file_over_the_limit_is_refused_before_it_is_sent() {
        let body = |length| json!({ "contentType": "image/png", "contentLength": length });
        let (kind, at) = paths(&body(1001));
        assert_eq!(
            (kind, at),
            (RefusalKind::Unrenderable, vec!["contentLength".into()])
        );
        let asked = Asked::parse(body(1000).to_string().as_bytes(), 1000).expect("allowed");
        assert_eq!(asked.content_length, Some(1000));
    }
}
