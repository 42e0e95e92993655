//! The services over real gRPC: what a gateway sees.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use kinora_proto::v1::{
    AdmitRequest, CreateRenderRequest, GetRenderRequest, JobStatus, Problem,
    accounts_client::AccountsClient, problem::Kind, renders_client::RendersClient,
};
use object_store::{ObjectStore, memory::InMemory};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::harness::{PUBLIC_URL, TestDb, body, fonts, on_both_databases, secret_key};
use crate::{Config, Controller, Result, Timing};

pub(super) struct Running {
    pub(super) url: String,
    pub(super) controller: Controller,
    pub(super) objects: Arc<dyn ObjectStore>,
    shutdown: CancellationToken,
    served: JoinHandle<Result<()>>,
}

impl Running {
    pub(super) async fn start(db: &TestDb) -> Self {
        Self::start_with(db, |_| {}).await
    }

    /// With something configured otherwise than in most tests.
    pub(super) async fn start_with(db: &TestDb, configure: impl FnOnce(&mut Config)) -> Self {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let mut config = Config {
            seconds_per_task: Some(1),
            fonts: fonts(),
            timing: Timing {
                lease: Duration::from_millis(1500),
                heartbeat: Duration::from_millis(200),
                poll: Duration::from_millis(100),
                ..Timing::default()
            },
            ..Config::new(&db.url, Arc::clone(&objects), secret_key())
        };
        configure(&mut config);
        let controller = Controller::start(config).await.expect("started");
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))
            .await
            .expect("bound");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let shutdown = CancellationToken::new();
        let served = tokio::spawn({
            let (controller, shutdown) = (controller.clone(), shutdown.clone());
            async move { controller.serve(listener, shutdown).await }
        });
        Self {
            url,
            controller,
            objects,
            shutdown,
            served,
        }
    }

    pub(super) async fn stop(self) {
        self.shutdown.cancel();
        let stopped = tokio::time::timeout(Duration::from_secs(10), self.served).await;
        stopped
            .expect("within 10 s")
            .expect("no panic")
            .expect("no error");
    }

    pub(super) async fn create(
        &self,
        account_id: &str,
        body: &Value,
    ) -> std::result::Result<String, Problem> {
        let request = CreateRenderRequest {
            account_id: account_id.into(),
            body_json: body.to_string().into_bytes().into(),
            idempotency_key: String::new(),
            public_url: PUBLIC_URL.into(),
        };
        let mut renders = RendersClient::connect(self.url.clone())
            .await
            .expect("connected");
        let answer = renders.create(request).await;
        answer
            .map(|made| made.into_inner().job_id)
            .map_err(|status| Problem::from_status(&status))
    }

    pub(super) async fn get(
        &self,
        account_id: &str,
        job_id: &str,
    ) -> std::result::Result<kinora_proto::v1::RenderJob, Problem> {
        let request = GetRenderRequest {
            account_id: account_id.into(),
            job_id: job_id.into(),
        };
        let mut renders = RendersClient::connect(self.url.clone())
            .await
            .expect("connected");
        let answer = renders.get(request).await;
        answer
            .map(tonic::Response::into_inner)
            .map_err(|status| Problem::from_status(&status))
    }
}

on_both_databases! {
    async fn a_gateway_can_admit_create_and_read(db: TestDb) {
        let account = db.account("ada@example.com", 2).await;
        let key = db.admin().await.create_key("ada@example.com").await.expect("a key").key;
        let running = Running::start(&db).await;
        let mut accounts = AccountsClient::connect(running.url.clone()).await.expect("connected");
        let admitted = accounts.admit(AdmitRequest { credential: key }).await.expect("answered");
        let admitted = admitted.into_inner();
        assert_eq!(admitted.account.expect("known").id, account.as_str());

        let id = running.create(account.as_str(), &body(90)).await.expect("accepted");
        let job = running.get(account.as_str(), &id).await.expect("a job");
        assert_eq!(job.status(), JobStatus::Pending);
        assert_eq!((job.credits_used, job.duration_in_frames), (1, 90));
        assert_eq!((job.completed_at_ms, job.estimated_time_remaining_s), (None, None));
        running.stop().await;
    }
}

on_both_databases! {
    async fn every_refusal_has_its_kind(db: TestDb) {
        let account = db.account("ada@example.com", 1).await;
        let other = db.account("bob@example.com", 1).await;
        let running = Running::start(&db).await;
        let account = account.as_str();

        let malformed = running.create(account, &json!([])).await.expect_err("malformed");
        assert_eq!(malformed.kind(), Kind::Invalid);
        assert!(malformed.details_json.contains("issues"));
        let mut odd = body(30);
        odd["width"] = 33.into();
        let odd = running.create(account, &odd).await.expect_err("odd width");
        assert_eq!(odd.kind(), Kind::Unrenderable);
        let dear = running.create(account, &body(30 * 180)).await.expect_err("three credits");
        assert_eq!(dear.kind(), Kind::InsufficientCredits);
        let details: Value = serde_json::from_str(&dear.details_json).expect("JSON");
        assert_eq!(details["creditsShort"], 2);

        let id = running.create(account, &body(30)).await.expect("accepted");
        let foreign = running.get(other.as_str(), &id).await.expect_err("foreign");
        assert_eq!(foreign.kind(), Kind::Forbidden);
        let unknown = running.get(account, "job_unknown").await.expect_err("unknown");
        assert_eq!(unknown.kind(), Kind::NotFound);
        running.stop().await;
    }
}

on_both_databases! {
    async fn bodies_beyond_the_default_message_size_pass(db: TestDb) {
        let account = db.account("ada@example.com", 1).await;
        let running = Running::start(&db).await;
        let mut large = body(30);
        large["inputProps"]["overlays"][0]["content"] = "x".repeat(4_900_000).into();
        let id = running.create(account.as_str(), &large).await.expect("accepted");
        let request = GetRenderRequest { account_id: account.to_string(), job_id: id };
        let mut renders = RendersClient::connect(running.url.clone())
            .await
            .expect("connected")
            .max_decoding_message_size(64 << 20);
        let job = renders.get(request).await.expect("a job").into_inner();
        assert!(job.input_props_json.len() > 4_900_000);
        running.stop().await;
    }
}

#[tokio::test]
async fn beyond_loopback_nothing_is_served_to_callers_who_show_nothing() {
    let db = TestDb::sqlite().await;
    let config = Config {
        fonts: fonts(),
        ..Config::new(&db.url, Arc::new(InMemory::new()), secret_key())
    };
    let controller = Controller::start(config).await.expect("started");
    let everywhere = SocketAddr::from(([0, 0, 0, 0], 0));
    let listener = TcpListener::bind(everywhere).await.expect("bound");
    let served = controller.serve(listener, CancellationToken::new()).await;
    let message = served.expect_err("refused").to_string();
    assert!(message.contains("KINORA_FARM_TOKEN_FILE"), "{message}");
}

on_both_databases! {
    async fn health_and_metrics_tell_of_the_database(db: TestDb) {
        let account = db.account("ada@example.com", 1).await;
        db.job(&account, 3).await;
        let running = Running::start(&db).await;
        running.controller.health().await.expect("healthy");
        let page = running.controller.metrics().await.expect("metrics");
        assert!(page.contains("kinora_queue_depth{lane=\"render\",kind=\"render\"} 3"), "{page}");
        assert!(page.contains("kinora_jobs{status=\"pending\"} 1"), "{page}");
        let controller = running.controller.clone();
        running.stop().await;
        controller.close().await;
        assert!(controller.health().await.is_err());
    }
}
