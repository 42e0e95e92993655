//! A gateway on loopback in front of a controller whose answers the test decides.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use kinora_gateway::{Config, Gateway, MetricsSource};
use kinora_proto::access::ClientAccess;
use kinora_proto::v1::accounts_server::{Accounts, AccountsServer};
use kinora_proto::v1::previews_server::{Previews, PreviewsServer};
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::projects_server::{Projects, ProjectsServer};
use kinora_proto::v1::renders_server::{Renders, RendersServer};
use kinora_proto::v1::templates_server::{Templates, TemplatesServer};
use kinora_proto::v1::uploads_server::{Uploads, UploadsServer};
use kinora_proto::v1::webhooks_server::{Webhooks, WebhooksServer};
use kinora_proto::v1::{
    Account, AccountDescription, AdmitRequest, AdmitResponse, AuthorizeUploadRequest,
    AuthorizeUploadResponse, CreatePreviewRequest, CreatePreviewResponse, CreateRenderRequest,
    CreateRenderResponse, CreateUploadRequest, CreateWebhookRequest, DeleteWebhookRequest,
    DeleteWebhookResponse, DescribeAccountRequest, FinishUploadRequest, FinishUploadResponse,
    GetRenderRequest, JobStatus, ListProjectsRequest, ListProjectsResponse, ListRendersRequest,
    ListRendersResponse, ListTemplatesRequest, ListTemplatesResponse, ListTransactionsRequest,
    ListTransactionsResponse, ListWebhooksRequest, ListWebhooksResponse, PreviewView, Problem,
    ProjectVariablesRequest, RateWindow, RenderJob, ShowPreviewRequest, TemplateVariablesRequest,
    Upload, VariablesResponse, Webhook,
};
use object_store::ObjectStore;
use object_store::memory::InMemory;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use crate::openapi::check_answer;

/// The key that the fake controller knows.
pub(crate) const KEY: &str = "rnd_good";
/// A key whose window is spent.
pub(crate) const SPENT_KEY: &str = "rnd_spent";
/// When every window of the fake controller ends.
pub(crate) const RESETS_AT: i64 = 4_000_000_000;

/// One call of the fake controller: what it answers, and what it was asked.
pub(crate) struct Call<Q, A> {
    answer: Option<Box<Answer<Q, A>>>,
    pub(crate) asked: Vec<Q>,
}

type Answer<Q, A> = dyn FnMut(&Q) -> Result<A, Problem> + Send;

impl<Q, A> Default for Call<Q, A> {
    fn default() -> Self {
        Self {
            answer: None,
            asked: Vec::new(),
        }
    }
}

impl<Q, A> Call<Q, A> {
    /// Answers the same every time from now on.
    pub(crate) fn answers(&mut self, answer: Result<A, Problem>)
    where
        A: Clone + Send + 'static,
    {
        self.decides(move |_| answer.clone());
    }

    /// Looks at each request to answer it.
    pub(crate) fn decides(
        &mut self,
        answer: impl FnMut(&Q) -> Result<A, Problem> + Send + 'static,
    ) {
        self.answer = Some(Box::new(answer));
    }

    fn play(&mut self, question: Q) -> Result<Response<A>, Status> {
        let Some(answer) = &mut self.answer else {
            self.asked.push(question);
            return Err(Status::unknown("SELECT secret FROM internals"));
        };
        let answered = answer(&question);
        self.asked.push(question);
        answered.map(Response::new).map_err(Problem::into_status)
    }
}

/// All calls of the fake controller but `Admit`. Those without an answer fail with internals.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) create_render: Call<CreateRenderRequest, CreateRenderResponse>,
    pub(crate) get_render: Call<GetRenderRequest, RenderJob>,
    pub(crate) list_renders: Call<ListRendersRequest, ListRendersResponse>,
    pub(crate) describe_account: Call<DescribeAccountRequest, AccountDescription>,
    pub(crate) list_transactions: Call<ListTransactionsRequest, ListTransactionsResponse>,
    pub(crate) list_projects: Call<ListProjectsRequest, ListProjectsResponse>,
    pub(crate) project_variables: Call<ProjectVariablesRequest, VariablesResponse>,
    pub(crate) list_templates: Call<ListTemplatesRequest, ListTemplatesResponse>,
    pub(crate) template_variables: Call<TemplateVariablesRequest, VariablesResponse>,
    pub(crate) create_preview: Call<CreatePreviewRequest, CreatePreviewResponse>,
    pub(crate) show_preview: Call<ShowPreviewRequest, PreviewView>,
    pub(crate) create_webhook: Call<CreateWebhookRequest, Webhook>,
    pub(crate) list_webhooks: Call<ListWebhooksRequest, ListWebhooksResponse>,
    pub(crate) delete_webhook: Call<DeleteWebhookRequest, DeleteWebhookResponse>,
    pub(crate) create_upload: Call<CreateUploadRequest, Upload>,
    pub(crate) authorize_upload: Call<AuthorizeUploadRequest, AuthorizeUploadResponse>,
    pub(crate) finish_upload: Call<FinishUploadRequest, FinishUploadResponse>,
}

#[derive(Clone)]
struct FakeController(Arc<Mutex<Script>>);

impl FakeController {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().expect("script")
    }
}

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

    async fn describe(
        &self,
        request: Request<DescribeAccountRequest>,
    ) -> Result<Response<AccountDescription>, Status> {
        self.script().describe_account.play(request.into_inner())
    }

    async fn list_transactions(
        &self,
        request: Request<ListTransactionsRequest>,
    ) -> Result<Response<ListTransactionsResponse>, Status> {
        self.script().list_transactions.play(request.into_inner())
    }
}

/// A service all of whose calls are scripted.
macro_rules! scripted {
    ($service:ident { $($method:ident($question:ty) -> $answer:ty = $call:ident;)* }) => {
        #[tonic::async_trait]
        impl $service for FakeController {
            $(async fn $method(
                &self,
                request: Request<$question>,
            ) -> Result<Response<$answer>, Status> {
                self.script().$call.play(request.into_inner())
            })*
        }
    };
}

scripted!(Renders {
    create(CreateRenderRequest) -> CreateRenderResponse = create_render;
    get(GetRenderRequest) -> RenderJob = get_render;
    list(ListRendersRequest) -> ListRendersResponse = list_renders;
});

scripted!(Projects {
    list(ListProjectsRequest) -> ListProjectsResponse = list_projects;
    variables(ProjectVariablesRequest) -> VariablesResponse = project_variables;
});

scripted!(Templates {
    list(ListTemplatesRequest) -> ListTemplatesResponse = list_templates;
    variables(TemplateVariablesRequest) -> VariablesResponse = template_variables;
});

scripted!(Previews {
    create(CreatePreviewRequest) -> CreatePreviewResponse = create_preview;
    show(ShowPreviewRequest) -> PreviewView = show_preview;
});

scripted!(Webhooks {
    create(CreateWebhookRequest) -> Webhook = create_webhook;
    list(ListWebhooksRequest) -> ListWebhooksResponse = list_webhooks;
    delete(DeleteWebhookRequest) -> DeleteWebhookResponse = delete_webhook;
});

scripted!(Uploads {
    create(CreateUploadRequest) -> Upload = create_upload;
    authorize(AuthorizeUploadRequest) -> AuthorizeUploadResponse = authorize_upload;
    finish(FinishUploadRequest) -> FinishUploadResponse = finish_upload;
});

/// A running gateway, its fake controller and its store.
pub(crate) struct Fixture {
    pub(crate) url: String,
    pub(crate) metrics: MetricsSource,
    pub(crate) controller_url: String,
    pub(crate) store: Arc<dyn ObjectStore>,
    script: Arc<Mutex<Script>>,
    pub(crate) client: reqwest::Client,
    shutdown: CancellationToken,
    controller: Option<JoinHandle<()>>,
    gateway: JoinHandle<Result<(), kinora_gateway::Error>>,
}

impl Fixture {
    /// A gateway whose controller answers.
    pub(crate) async fn start() -> Self {
        Self::start_with_store(Arc::new(InMemory::new())).await
    }

    /// The same with a store of the test's choice.
    pub(crate) async fn start_with_store(store: Arc<dyn ObjectStore>) -> Self {
        let script = Arc::new(Mutex::new(Script::default()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind");
        let address = listener.local_addr().expect("address");
        let fake = FakeController(script.clone());
        let serving = tonic::transport::Server::builder()
            .add_service(AccountsServer::new(fake.clone()))
            .add_service(RendersServer::new(fake.clone()).max_decoding_message_size(16 << 20))
            .add_service(ProjectsServer::new(fake.clone()))
            .add_service(TemplatesServer::new(fake.clone()))
            .add_service(PreviewsServer::new(fake.clone()).max_decoding_message_size(16 << 20))
            .add_service(WebhooksServer::new(fake.clone()))
            .add_service(UploadsServer::new(fake))
            .serve_with_incoming(TcpListenerStream::new(listener));
        let controller = tokio::spawn(async move { serving.await.expect("fake controller") });
        let url = format!("http://{address}");
        Self::in_front_of(&url, store, script, Some(controller)).await
    }

    /// A gateway whose controller is not there.
    pub(crate) async fn without_controller() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind");
        let address = listener.local_addr().expect("address");
        drop(listener);
        let store = Arc::new(InMemory::new());
        Self::in_front_of(&format!("http://{address}"), store, Arc::default(), None).await
    }

    async fn in_front_of(
        controller_url: &str,
        store: Arc<dyn ObjectStore>,
        script: Arc<Mutex<Script>>,
        controller: Option<JoinHandle<()>>,
    ) -> Self {
        // Another test of this process may have been first; one provider is as good as the other.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let gateway = Gateway::new(Config {
            controller_url: controller_url.to_owned(),
            access: ClientAccess::default(),
            public_url: "https://render.example.com/".to_owned(),
            store: store.clone(),
            body_limit: Config::DEFAULT_BODY_LIMIT,
        })
        .expect("gateway");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind");
        let url = format!("http://{}", listener.local_addr().expect("address"));
        let shutdown = CancellationToken::new();
        let metrics = gateway.metrics();
        let gateway = tokio::spawn(gateway.serve(listener, shutdown.clone()));
        Self {
            url,
            metrics,
            controller_url: controller_url.to_owned(),
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

    /// What the controller answers and was asked.
    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().expect("script")
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

/// The status, headers and JSON body of an answer, with the rate-limit headers already checked
/// and the body compared with what the OpenAPI document says of it.
pub(crate) async fn envelope(
    response: reqwest::Response,
) -> (u16, reqwest::header::HeaderMap, Value) {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let url = response.url().clone();
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
    check_answer(&url, status, &body).await;
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
        project: None,
    }
}

/// A problem of each kind, and the HTTP status that it must have.
pub(crate) const STATUSES: [(Kind, u16); 11] = [
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
    (Kind::TooLarge, 413),
];
