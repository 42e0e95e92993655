//! A collector of traces that keeps what it is sent.

use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use tokio::net::TcpListener;
use tonic::transport::server::{Server, TcpIncoming};
use tonic::{Request, Response, Status};

/// A span as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// What the process that sent it is called.
    pub(crate) service: String,
    pub(crate) name: String,
    pub(crate) trace: String,
    pub(crate) id: String,
    pub(crate) parent: String,
    attributes: Vec<KeyValue>,
}

impl Span {
    /// The text of an attribute; empty where there is none.
    pub(crate) fn attribute(&self, key: &str) -> &str {
        text_of(&self.attributes, key)
    }
}

/// A running collector.
pub(crate) struct Collector {
    /// Where spans go.
    pub(crate) url: String,
    spans: Arc<Mutex<Vec<Span>>>,
}

impl Collector {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind");
        let url = format!("http://{}", listener.local_addr().expect("address"));
        let spans = Arc::<Mutex<Vec<Span>>>::default();
        let keeper = Keeper(Arc::clone(&spans));
        tokio::spawn(
            Server::builder()
                .add_service(TraceServiceServer::new(keeper))
                .serve_with_incoming(TcpIncoming::from(listener)),
        );
        Self { url, spans }
    }

    /// Everything that came in so far.
    pub(crate) fn spans(&self) -> Vec<Span> {
        self.spans.lock().expect("spans").clone()
    }
}

struct Keeper(Arc<Mutex<Vec<Span>>>);

#[tonic::async_trait]
impl TraceService for Keeper {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let mut kept = self.0.lock().expect("spans");
        for sent in request.into_inner().resource_spans {
            let attributes = sent.resource.unwrap_or_default().attributes;
            let service = text_of(&attributes, "service.name");
            let spans = sent.scope_spans.into_iter().flat_map(|scope| scope.spans);
            kept.extend(spans.map(|span| Span {
                service: service.to_owned(),
                name: span.name,
                trace: hex(&span.trace_id),
                id: hex(&span.span_id),
                parent: hex(&span.parent_span_id),
                attributes: span.attributes,
            }));
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

fn text_of<'a>(attributes: &'a [KeyValue], key: &str) -> &'a str {
    let found = attributes.iter().find(|attribute| attribute.key == key);
    match found.and_then(|attribute| attribute.value.as_ref()?.value.as_ref()) {
        Some(Value::StringValue(text)) => text,
        _ => "",
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
