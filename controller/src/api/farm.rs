//! `Farm`: opening the stream that a node works on.

use std::{pin::Pin, time::Duration};

use futures::Stream;
use kinora_proto::v1::{
    FromNode, Hello, Problem, ToNode, farm_server::Farm, from_node, problem::Kind,
};
use tokio::{sync::mpsc, time::timeout};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};
use tracing::Instrument;

use super::{session::Session, to_status};
use crate::{Error, app::App, clock::Timestamp, ids::NodeId, store::NodeHello};

/// Messages on their way to a node that has not read them yet.
const OUTBOX: usize = 32;
const HELLO_TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) struct Service {
    app: App,
    shutdown: CancellationToken,
}

impl Service {
    pub(super) fn new(app: App, shutdown: CancellationToken) -> Self {
        Self { app, shutdown }
    }
}

#[tonic::async_trait]
impl Farm for Service {
    type WorkStream = Pin<Box<dyn Stream<Item = Result<ToNode, Status>> + Send>>;

    async fn work(
        &self,
        request: Request<Streaming<FromNode>>,
    ) -> Result<Response<Self::WorkStream>, Status> {
        let mut inbound = request.into_inner();
        let hello = read_hello(&mut inbound).await?;
        self.app
            .store
            .register_node(&hello, Timestamp::now())
            .await
            .map_err(to_status)?;

        let span = tracing::info_span!("node", node_id = %hello.id, node = hello.name);
        span.in_scope(|| {
            tracing::info!(
                slots = hello.slots,
                preview_slots = hello.preview_slots,
                adapter = hello.adapter,
                encoders = hello.encoders.join(","),
                version = hello.version,
                "node connected"
            );
        });
        let (outbox, messages) = mpsc::channel(OUTBOX);
        let (session, revocations) =
            Session::new(self.app.clone(), hello, outbox, self.shutdown.clone());
        tokio::spawn(session.run(inbound, revocations).instrument(span));
        Ok(Response::new(Box::pin(ReceiverStream::new(messages))))
    }
}

async fn read_hello(inbound: &mut Streaming<FromNode>) -> Result<NodeHello, Status> {
    let first = match timeout(HELLO_TIMEOUT, inbound.message()).await {
        Ok(first) => first?.and_then(|message| message.message),
        Err(_) => return Err(Status::deadline_exceeded("no hello came")),
    };
    let Some(from_node::Message::Hello(hello)) = first else {
        return Err(to_status(Error::Invalid(
            "the first message must be a hello".into(),
        )));
    };
    let Hello {
        node_id,
        name,
        slots,
        adapter,
        encoders,
        version,
        preview_slots,
    } = hello;
    if node_id.is_empty() || slots == 0 {
        let problem = Problem::new(Kind::Invalid, "a node needs an id and at least one slot");
        return Err(problem.into_status());
    }
    Ok(NodeHello {
        id: NodeId::from(node_id),
        name,
        slots,
        preview_slots,
        adapter,
        encoders,
        version,
    })
}
