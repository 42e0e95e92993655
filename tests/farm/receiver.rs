//! A receiver of webhooks on loopback, which keeps what it was sent and answers as it is told.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::Value;

const TIMEOUT: Duration = Duration::from_secs(60);

/// One request, as it came.
#[derive(Clone)]
pub(crate) struct Delivery {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) at: Instant,
}

impl Delivery {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// A header's text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

#[derive(Default)]
struct Shared {
    deliveries: Mutex<Vec<Delivery>>,
    /// Statuses of the next answers; 200 when none is left.
    answers: Mutex<Vec<u16>>,
}

/// A running receiver.
pub(crate) struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Receiver {
    /// Receives until the test's runtime ends.
    pub(crate) async fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let routes = Router::new()
            .route("/hook", post(receive))
            .with_state(shared.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("bind");
        let address = listener.local_addr().expect("address");
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { address, shared }
    }

    /// Where to deliver to.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// Answers the next requests with these statuses, then 200 again.
    pub(crate) fn answer_with(&self, statuses: &[u16]) {
        let mut answers = self.shared.answers.lock().expect("answers");
        answers.extend(statuses.iter().rev());
    }

    /// Everything that came so far.
    pub(crate) fn deliveries(&self) -> Vec<Delivery> {
        self.shared.deliveries.lock().expect("deliveries").clone()
    }

    /// Waits until this many requests have come.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<Delivery> {
        let started = Instant::now();
        loop {
            let deliveries = self.deliveries();
            if deliveries.len() >= count {
                return deliveries;
            }
            assert!(
                started.elapsed() < TIMEOUT,
                "{} of {count} deliveries came",
                deliveries.len()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

async fn receive(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let mut deliveries = shared.deliveries.lock().expect("deliveries");
    deliveries.push(Delivery {
        headers,
        body,
        at: Instant::now(),
    });
    let status = shared.answers.lock().expect("answers").pop();
    StatusCode::from_u16(status.unwrap_or(200)).expect("a status")
}
