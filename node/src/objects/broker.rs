//! Asks the controller for signed requests, and again while it is away for a moment.

use std::error::Error as _;
use std::time::Duration;

use kinora_proto::access::{ClientAccess, FarmChannel};
use kinora_proto::v1::{self, Problem, objects_client::ObjectsClient, problem::Kind};
use object_store::Error as StoreError;
use object_store::path::Path;
use tonic::{Code, Response, Status};

use super::OUTAGE;
use crate::{Context, Result};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Putting a large object together takes stores a while.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

/// A controller that signs. Clones share the connection.
#[derive(Clone, Debug)]
pub(super) struct Broker(ObjectsClient<FarmChannel>);

impl Broker {
    pub(super) fn new(controller_url: &str, access: &ClientAccess) -> Result<Self> {
        let endpoint = access
            .endpoint(controller_url)
            .context("the controller address")?;
        let channel = endpoint
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(CALL_TIMEOUT)
            .tcp_nodelay(true)
            .connect_lazy();
        Ok(Self(ObjectsClient::new(access.channel(channel))))
    }

    pub(super) async fn sign(
        &self,
        key: &Path,
        request: v1::SignRequest,
    ) -> Result<v1::SignedRequest, StoreError> {
        persistently(key, || {
            let (mut client, request) = (self.0.clone(), request.clone());
            async move { client.sign(request).await }
        })
        .await
    }

    pub(super) async fn begin(
        &self,
        key: &Path,
        request: v1::BeginPartsRequest,
    ) -> Result<v1::BegunParts, StoreError> {
        persistently(key, || {
            let (mut client, request) = (self.0.clone(), request.clone());
            async move { client.begin_parts(request).await }
        })
        .await
    }

    pub(super) async fn complete(
        &self,
        key: &Path,
        request: v1::CompletePartsRequest,
    ) -> Result<v1::PartsEnded, StoreError> {
        persistently(key, || {
            let (mut client, request) = (self.0.clone(), request.clone());
            async move { client.complete_parts(request).await }
        })
        .await
    }

    pub(super) async fn abort(
        &self,
        key: &Path,
        request: v1::AbortPartsRequest,
    ) -> Result<v1::PartsEnded, StoreError> {
        persistently(key, || {
            let (mut client, request) = (self.0.clone(), request.clone());
            async move { client.abort_parts(request).await }
        })
        .await
    }
}

async fn persistently<T, Call>(key: &Path, call: impl Fn() -> Call) -> Result<T, StoreError>
where
    Call: Future<Output = Result<Response<T>, Status>>,
{
    let mut rests = OUTAGE.begin();
    loop {
        match call().await {
            Err(status) if is_passing(&status) && rests.rest().await => {}
            other => return answer(key, other),
        }
    }
}

/// Whether the controller may answer in a moment.
fn is_passing(status: &Status) -> bool {
    // A status with a source was made on this side: the connection broke under the call.
    let is_lost = status.code() == Code::Unknown && status.source().is_some();
    is_lost || Problem::from_status(status).kind() == Kind::Unavailable
}

fn answer<T>(key: &Path, answered: Result<Response<T>, Status>) -> Result<T, StoreError> {
    let status = match answered {
        Ok(answered) => return Ok(answered.into_inner()),
        Err(status) => status,
    };
    let path = key.to_string();
    let source = status.message().to_owned().into();
    Err(match Problem::from_status(&status).kind() {
        Kind::Forbidden => StoreError::PermissionDenied { path, source },
        Kind::NotFound => StoreError::NotFound { path, source },
        _ => StoreError::Generic {
            store: super::signed::NAME,
            source,
        },
    })
}
