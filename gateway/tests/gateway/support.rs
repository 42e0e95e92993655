//! A gateway on loopback in front of a controller whose answers the test decides.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kinora_gateway::{Config, Gateway};
use kinora_proto::v1::accounts_server::{Accounts, AccountsServer};
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::renders_server::{Renders, RendersServer};
use kinora_proto::v1::{
    Account, AdmitRequest, AdmitResponse, CreateRenderRequest, CreateRenderResponse,
    GetRenderRequest, JobStatus, Problem, RateWindow, RenderJob,
};
use object_store::memory::InMemory;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

/// The key that the fake controller knows.
pub(crate) const KEY: &str = "rnd_good";
/// A key whose window is spent.
pub(crate) const SPENT_KEY: &str = "rnd_spent";
/// When every window of the fake controller ends.
pub(crate) const RESETS_AT: i64 = 4_000_000_000;

/// What the fake controller answers to `Create` and `Get`, and what it was asked.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) create: Option<Result<CreateRenderResponse, Problem>>,
    pub(crate) get: Option<Result<RenderJob, Problem>>,
    pub(crate) created_with: Vec<CreateRenderRequest>,
    pub(crate) got_with: Vec<GetRenderRequest>,
}

#[derive(Clone)]
struct FakeController(Arc<Mutex<Script>>);

#[tonic::async_trait]
impl Accounts for FakeController {
    async fn admit(
        &self,
        request: Request<AdmitRequest>,
    ) -> Result<Response<AdmitResponse>, Status> {
        let credential = request.into_inner().credential;
        let known = credential == KEY || credential == SPENT_KEY;
        let spent = credential == SPENT_KEY;
        Ok(Response::new(AdmitResponse {
            account: known.then(|| Account {
                id: "acc_1".to_owned(),
                email: "ada@example.com".to_owned(),
                name: "Ada".to_owned(),
                plan: "creator".to_owned(),
                credits: 41,
                key_prefix: "rnd_good".to_owned(),
                key_created_at_ms: 1_769_860_800_000,
                key_last_used_at_ms: None,
            }),
            rate: Some(RateWindow {
                limit: if known { 120 } else { 60 },
                remaining: match (known, spent) {
                    (_, true) => 0,
                    (true, false) => 119,
                    (false, false) => 60,
                },
                resets_at: RESETS_AT,
            }),
            allowed: known && !spent,
        }))
    }
}

#[tonic::async_trait]
impl Renders for FakeController {
    async fn create(
        &self,
        request: Request<CreateRenderRequest>,
    ) -> Result<Response<CreateRenderResponse>, Status> {
        let mut script = self.0.lock().expect("script");
        script.created_with.push(request.into_inner());
        answer(script.create.as_ref())
    }

    async fn get(&self, request: Request<GetRenderRequest>) -> Result<Response<RenderJob>, Status> {
        let mut script = self.0.lock().expect("script");
        script.got_with.push(request.into_inner());
        answer(script.get.as_ref())
    }
}

fn answer<T: Clone>(scripted: Option<&Result<T, Problem>>) -> Result<Response<T>, Status> {
    match scripted {
        Some(Ok(message)) => Ok(Response::new(message.clone())),
        Some(Err(problem)) => Err(problem.clone().into_status()),
        None => Err(Status::unknown("SELECT secret FROM internals")),
    }
}

/// A running gateway, its fake controller and its store.
pub(crate) struct Fixture {
    pub(crate) url: String,
    pub(crate) store: Arc<InMemory>,
    pub(crate) script: Arc<Mutex<Script>>,
    pub(crate) client: reqwest::Client,
    shutdown: CancellationToken,
    controller: Option<JoinHandle<()>>,
    gateway: JoinHandle<Result<(), kinora_gateway::Error>>,
}

impl Fixture {
    /// A gateway whose controller answers.
    pub(crate) async fn start() -> Self {
        let script = Arc::new(Mutex::new(Script::default()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind");
        let address = listener.local_addr().expect("address");
        let fake = FakeController(script.clone());
        let serving = tonic::transport::Server::builder()
            .add_service(AccountsServer::new(fake.clone()))
            .add_service(RendersServer::new(fake).max_decoding_message_size(16 << 20))
            .serve_with_incoming(TcpListenerStream::new(listener));
        let controller = tokio::spawn(async move { serving.await.expect("fake controller") });
        Self::in_front_of(&format!("http://{address}"), script, Some(controller)).await
    }

    /// A gateway whose controller is not there.
    pub(crate) async fn without_controller() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind");
        let address = listener.local_addr().expect("address");
        drop(listener);
        Self::in_front_of(&format!("http://{address}"), Arc::default(), None).await
    }

    async fn in_front_of(
        controller_url: &str,
        script: Arc<Mutex<Script>>,
        controller: Option<JoinHandle<()>>,
    ) -> Self {
        // Another test of this process may have been first; one provider is as good as the other.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let store = Arc::new(InMemory::new());
        let gateway = Gateway::new(Config {
            controller_url: controller_url.to_owned(),
            public_url: "https://render.example.com/".to_owned(),
            store: store.clone(),
            body_limit: Config::DEFAULT_BODY_LIMIT,
            metrics: vec![Arc::new(|| Box::pin(async { "other_role 1\n".to_owned() }))],
        })
        .expect("gateway");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind");
        let url = format!("http://{}", listener.local_addr().expect("address"));
        let shutdown = CancellationToken::new();
        let gateway = tokio::spawn(gateway.serve(listener, shutdown.clone()));
        Self {
            url,
            store,
            script,
            client: reqwest::Client::builder()
                .no_proxy()
                .timeout(Duration::from_secs(20))
                .build()
                .expect("client"),
            shutdown,
            controller,
            gateway,
        }
    }

    /// A request with the good key.
    pub(crate) fn api(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.anonymous(method, path).bearer_auth(KEY)
    }

    /// A request without a key.
    pub(crate) fn anonymous(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    /// Stops the gateway and says whether it ended well.
    pub(crate) async fn stop(self) -> bool {
        self.shutdown.cancel();
        if let Some(controller) = self.controller {
            controller.abort();
        }
        matches!(self.gateway.await, Ok(Ok(())))
    }
}

/// The status, headers and JSON body of an answer, with the rate-limit headers already checked.
pub(crate) async fn envelope(
    response: reqwest::Response,
) -> (u16, reqwest::header::HeaderMap, Value) {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let text = response.text().await.expect("body");
    for name in [
        "RateLimit-Limit",
        "RateLimit-Remaining",
        "RateLimit-Reset",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
    ] {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        let number = value.and_then(|value| value.parse::<u64>().ok());
        assert!(
            number.is_some(),
            "{name} is {value:?} on a {status}: {text}"
        );
    }
    let body: Value = serde_json::from_str(&text).expect("an envelope in JSON");
    assert_eq!(body["success"], Value::Bool(status < 400), "{body}");
    if status >= 400 {
        assert!(
            body["error"].as_str().is_some_and(|text| !text.is_empty()),
            "{body}"
        );
        assert!(
            body["details"].is_string() || body["details"].is_object(),
            "{body}"
        );
    }
    (status, headers, body)
}

/// A job in the middle of its life.
pub(crate) fn running_job() -> RenderJob {
    RenderJob {
        job_id: "job_1".to_owned(),
        project_id: None,
        input_props_json: r#"{"overlays":[],"durationInFrames":30,"fps":30}"#.to_owned(),
        status: JobStatus::Processing.into(),
        progress_percentage: 40,
        credits_used: 1,
        width: 320,
        height: 180,
        fps: 30,
        duration_in_frames: 30,
        output_key: None,
        output_size: None,
        error_message: None,
        estimated_time_remaining_s: Some(3),
        duration_ms: None,
        created_at_ms: 1_769_860_800_000,
        updated_at_ms: 1_769_860_801_500,
        completed_at_ms: None,
    }
}

/// A problem of each kind, and the HTTP status that it must have.
pub(crate) const STATUSES: [(Kind, u16); 10] = [
    (Kind::Internal, 500),
    (Kind::Invalid, 400),
    (Kind::Unrenderable, 422),
    (Kind::Unauthenticated, 401),
    (Kind::InsufficientCredits, 402),
    (Kind::Forbidden, 403),
    (Kind::NotFound, 404),
    (Kind::Conflict, 409),
    (Kind::RateLimited, 429),
    (Kind::Unavailable, 503),
];
