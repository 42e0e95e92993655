//! Sends signed requests to the object store, and new ones where they come to nothing.

use std::time::Duration;

use bytes::Bytes;
use kinora_outbound::{Client, any_address};
use kinora_proto::v1::SignedRequest;
use object_store::path::Path;
use object_store::{Error as StoreError, Result};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response, StatusCode};
use url::Url;

use super::OUTAGE;
use super::signed::NAME;

/// How long the store may say nothing, a part on its way included.
const SILENCE: Duration = Duration::from_secs(120);

/// A request without its signature.
#[derive(Clone, Debug)]
pub(super) struct Unsigned {
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Bytes>,
}

/// One connection pool for all leases. The host comes from the controller, so it may be a private address; redirects are not
/// followed.
#[derive(Clone)]
pub(super) struct Requests(Client);

impl Requests {
    pub(super) fn new() -> reqwest::Result<Self> {
        Ok(Self(Client::new(any_address, SILENCE)?))
    }

    /// Sends a request with a new signature from `sign`, until the store answers or was away for too long.
    pub(super) async fn send<Signing>(
        &self,
        key: &Path,
        request: &Unsigned,
        sign: impl Fn() -> Signing,
    ) -> Result<(SignedRequest, Response)>
    where
        Signing: Future<Output = Result<SignedRequest>>,
    {
        let mut rests = OUTAGE.begin();
        loop {
            let signed = sign().await?;
            let refused = match self.0.send(prepared(request, &signed)?).await {
                Ok(response) if response.status().is_success() => return Ok((signed, response)),
                Ok(response) => refusal(key, response.status()),
                // Never the error of the transport itself, which shows the signature.
                Err(failure) => Refusal::Passing(failed(format!("the store {failure}"))),
            };
            match refused {
                Refusal::Final(error) => return Err(error),
                Refusal::Passing(error) if !rests.rest().await => return Err(error),
                Refusal::Passing(_) => {}
            }
        }
    }
}

enum Refusal {
    Final(StoreError),
    /// Another request, with a new signature, may be answered.
    Passing(StoreError),
}

fn refusal(key: &Path, status: StatusCode) -> Refusal {
    let path = key.to_string();
    let source = format!("the store answered {}", status.as_u16());
    match status {
        StatusCode::NOT_FOUND => Refusal::Final(StoreError::NotFound {
            path,
            source: source.into(),
        }),
        StatusCode::NOT_MODIFIED => Refusal::Final(StoreError::NotModified {
            path,
            source: source.into(),
        }),
        StatusCode::PRECONDITION_FAILED => Refusal::Final(StoreError::Precondition {
            path,
            source: source.into(),
        }),
        // What was signed may have ended on its way.
        StatusCode::FORBIDDEN => Refusal::Passing(StoreError::PermissionDenied {
            path,
            source: source.into(),
        }),
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
            Refusal::Passing(failed(source))
        }
        status if status.is_server_error() => Refusal::Passing(failed(source)),
        _ => Refusal::Final(failed(source)),
    }
}

fn prepared(request: &Unsigned, signed: &SignedRequest) -> Result<reqwest::Request> {
    let odd = || failed("the controller signed what can't be sent");
    let url = Url::parse(&signed.url).map_err(|_| odd())?;
    let mut prepared = reqwest::Request::new(request.method.clone(), url);
    prepared.headers_mut().clone_from(&request.headers);
    for (name, value) in &signed.headers {
        let name = HeaderName::try_from(name).map_err(|_| odd())?;
        let value = HeaderValue::try_from(value).map_err(|_| odd())?;
        prepared.headers_mut().insert(name, value);
    }
    *prepared.body_mut() = request.body.clone().map(reqwest::Body::from);
    Ok(prepared)
}

/// Trouble with the store, in words.
pub(super) fn failed(reason: impl Into<String>) -> StoreError {
    StoreError::Generic {
        store: NAME,
        source: reason.into().into(),
    }
}
