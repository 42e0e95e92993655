//! `Objects`: requests to the object store for nodes, which hold no credentials of it.

use kinora_proto::v1::{
    AbortPartsRequest, BeginPartsRequest, BegunParts, CompletePartsRequest, Holder, PartsEnded,
    SignRequest, SignedRequest, objects_server::Objects, sign_request,
};
use tonic::{Request, Response, Status};

use super::to_status;
use crate::{
    Error, Result,
    app::App,
    clock::Timestamp,
    ids::{NodeId, TaskId},
    objects::{self, Asked, Signed},
    store::Fence,
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
impl Objects for Service {
    async fn sign(&self, request: Request<SignRequest>) -> Result<Response<SignedRequest>, Status> {
        let request = request.into_inner();
        let lease = fence(request.holder).map_err(to_status)?;
        let asked = match &request.wish {
            Some(sign_request::Wish::Read(read)) if read.head => Asked::Head,
            Some(sign_request::Wish::Read(_)) => Asked::Read,
            Some(sign_request::Wish::Write(write)) => {
                Asked::Write(Some(write.content_type.as_str()).filter(|text| !text.is_empty()))
            }
            Some(sign_request::Wish::Part(part)) => Asked::Part(&part.upload_id, part.index),
            None => return Err(to_status(Error::Invalid("nothing is wished for".into()))),
        };
        let signed = objects::sign(&self.app, &lease, &request.key, asked).await;
        let Signed {
            url,
            headers,
            part_id,
        } = signed.map_err(to_status)?;
        Ok(Response::new(SignedRequest {
            url,
            headers: headers.into_iter().collect(),
            part_id: part_id.unwrap_or_default(),
        }))
    }

    async fn begin_parts(
        &self,
        request: Request<BeginPartsRequest>,
    ) -> Result<Response<BegunParts>, Status> {
        let BeginPartsRequest { holder, key } = request.into_inner();
        let lease = fence(holder).map_err(to_status)?;
        let id = objects::begin(&self.app, &lease, &key, Timestamp::now()).await;
        let upload_id = id.map_err(to_status)?.to_string();
        Ok(Response::new(BegunParts { upload_id }))
    }

    async fn complete_parts(
        &self,
        request: Request<CompletePartsRequest>,
    ) -> Result<Response<PartsEnded>, Status> {
        let CompletePartsRequest {
            holder,
            key,
            upload_id,
            part_ids,
        } = request.into_inner();
        let lease = fence(holder).map_err(to_status)?;
        objects::complete(&self.app, &lease, &key, &upload_id, part_ids)
            .await
            .map_err(to_status)?;
        Ok(Response::new(PartsEnded {}))
    }

    async fn abort_parts(
        &self,
        request: Request<AbortPartsRequest>,
    ) -> Result<Response<PartsEnded>, Status> {
        let AbortPartsRequest { holder, upload_id } = request.into_inner();
        let lease = fence(holder).map_err(to_status)?;
        objects::abort(&self.app, &lease, &upload_id)
            .await
            .map_err(to_status)?;
        Ok(Response::new(PartsEnded {}))
    }
}

fn fence(holder: Option<Holder>) -> Result<Fence> {
    let missing = || Error::Invalid("a node and its lease are needed".into());
    let Holder { node_id, lease } = holder.ok_or_else(missing)?;
    let lease = lease.ok_or_else(missing)?;
    Ok(Fence {
        task: TaskId::from(lease.task_id),
        attempt: lease.attempt,
        node: NodeId::from(node_id),
    })
}
