//! What tests of webhooks share: receivers on loopback, and jobs that end.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header::LOCATION},
    response::{IntoResponse, Response},
    routing::post,
};
use object_store::memory::InMemory;
use serde_json::Value;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Row};
use tokio::net::TcpListener;

use super::harness::{TestDb, body, secret_key};
use crate::{
    Config, Result,
    clock::Timestamp,
    ids::{AccountId, JobId, NodeId},
    jobs::JobView,
    scheduler::{self, Outcome},
    store::WebhookRow,
    webhooks::{Webhooks, registration},
};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a receiver does with a request.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Status(u16),
    /// A redirect to `/elsewhere`, which would be acknowledged.
    Redirect,
    /// Nothing, for longer than anybody waits.
    Hang,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) at: Instant,
    pub(super) path: &'static str,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Received {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .get(name)
            .map(|value| value.to_str().expect("text"))
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

struct Shared {
    received: Mutex<Vec<Received>>,
    /// One for each request; the last for all further ones.
    answers: Vec<Answer>,
}

/// A server that keeps what it was sent.
pub(super) struct TestReceiver {
    pub(super) url: String,
    shared: Arc<Shared>,
}

impl TestReceiver {
    pub(super) async fn start(answers: &[Answer]) -> Self {
        let shared = Arc::new(Shared {
            received: Mutex::default(),
            answers: answers.to_vec(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
        let url = format!("http://{}/hook", listener.local_addr().expect("bound"));
        let routes = Router::new()
            .route("/hook", post(receive))
            .route("/elsewhere", post(elsewhere))
            .with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { url, shared }
    }

    pub(super) fn received(&self) -> Vec<Received> {
        self.shared.received.lock().expect("whole").clone()
    }

    pub(super) async fn wait_for(&self, count: usize) -> Vec<Received> {
        until("requests", async || self.received().len() >= count).await;
        self.received()
    }
}

async fn receive(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let answer = {
        let mut received = shared.received.lock().expect("whole");
        received.push(Received {
            at: Instant::now(),
            path: "/hook",
            headers,
            body,
        });
        let index = received.len().min(shared.answers.len()) - 1;
        shared.answers[index]
    };
    match answer {
        Answer::Status(code) => StatusCode::from_u16(code)
            .expect("a status")
            .into_response(),
        Answer::Redirect => {
            (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, "/elsewhere")]).into_response()
        }
        Answer::Hang => std::future::pending().await,
    }
}

async fn elsewhere(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) {
    shared.received.lock().expect("whole").push(Received {
        at: Instant::now(),
        path: "/elsewhere",
        headers,
        body,
    });
}

/// Waits for a condition, and names it when it never comes.
pub(super) async fn until(what: &str, condition: impl AsyncFn() -> bool) {
    let start = Instant::now();
    while !condition().await {
        assert!(start.elapsed() < PATIENCE, "{what} never came");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// What a controller on this database would have.
pub(super) fn webhooks_of(db: &TestDb) -> Webhooks {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut config = Config::new(&db.url, Arc::new(InMemory::new()), secret_key());
    config.allow_private_urls = true;
    Webhooks::new(&config).expect("configured")
}

/// Registers a URL for these events, or for both when there are none.
pub(super) async fn register(
    db: &TestDb,
    account: &AccountId,
    url: &str,
    events: &[&str],
) -> (WebhookRow, String) {
    try_register(db, account, url, events)
        .await
        .expect("registered")
}

pub(super) async fn try_register(
    db: &TestDb,
    account: &AccountId,
    url: &str,
    events: &[&str],
) -> Result<(WebhookRow, String)> {
    let mut body = serde_json::json!({ "url": url });
    if !events.is_empty() {
        body["events"] = events.into();
    }
    let body = body.to_string();
    let now = Timestamp::now();
    registration::create(&db.store, &webhooks_of(db), account, body.as_bytes(), now).await
}

/// An account with a node to render its jobs on.
pub(super) async fn account_and_node(db: &TestDb) -> (AccountId, NodeId) {
    let account = db.account("ada@example.com", 100).await;
    let node = db.node("n1", 2, Timestamp::now()).await;
    (account, node)
}

/// A job that ends well at this moment.
pub(super) async fn completed_job(
    db: &TestDb,
    account: &AccountId,
    node: &NodeId,
    one_off: Option<&str>,
    now: Timestamp,
) -> JobView {
    let job = started_job(db, account, one_off).await;
    for _ in ["render", "assemble"] {
        let claim = db.must_claim(node, now).await;
        assert!(matches!(db.finish(&claim, now).await, Outcome::Done(..)));
    }
    db.view(account, &job).await
}

/// A job that fails at this moment.
pub(super) async fn failed_job(
    db: &TestDb,
    account: &AccountId,
    node: &NodeId,
    one_off: Option<&str>,
    now: Timestamp,
) -> JobView {
    let job = started_job(db, account, one_off).await;
    let claim = db.must_claim(node, now).await;
    let message = "overlay 1: the image can't be decoded";
    let outcome = scheduler::reject(&db.store, &claim.lease, message, now).await;
    assert_eq!(outcome.expect("rejected"), Outcome::Applied);
    db.view(account, &job).await
}

async fn started_job(db: &TestDb, account: &AccountId, one_off: Option<&str>) -> JobId {
    let mut request = body(30);
    if let Some(url) = one_off {
        request["webhookUrl"] = url.into();
    }
    let accepted = db.try_create(account, &request, "").await;
    accepted.expect("accepted").job
}

/// Runs a statement beside the store and answers its rows, every column as text.
pub(super) async fn sql(db: &TestDb, statement: &str) -> Vec<Vec<Option<String>>> {
    let mut connection = AnyConnection::connect(&db.url).await.expect("connected");
    let rows = sqlx::query(AssertSqlSafe(statement.to_owned()))
        .fetch_all(&mut connection)
        .await
        .expect("a statement that works");
    let rows = rows
        .iter()
        .map(|row| (0..row.len()).map(|column| row.get(column)).collect())
        .collect();
    connection.close().await.expect("closed");
    rows
}

/// The states of all deliveries.
pub(super) async fn delivery_states(db: &TestDb) -> Vec<String> {
    let rows = sql(
        db,
        "SELECT state FROM webhook_deliveries ORDER BY created_at, id",
    )
    .await;
    rows.into_iter().flatten().flatten().collect()
}
