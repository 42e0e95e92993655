//! A client of the HTTP interface, as a test speaks to it.

use std::time::{Duration, Instant};

use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

const RENDER_TIMEOUT: Duration = Duration::from_secs(180);
/// A plan allows 300 requests a minute; tests stay below.
const POLL: Duration = Duration::from_millis(300);

/// The service at an address, with a key.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) url: String,
    pub(crate) key: String,
    client: Client,
}

/// A job at its end, and what was seen on the way.
pub(crate) struct Finished {
    pub(crate) job: Value,
    /// Every status and percentage that was seen, in order.
    pub(crate) seen: Vec<(String, u64)>,
}

impl Api {
    pub(crate) fn new(url: &str, key: &str) -> Self {
        // Tests of one process share the provider; the first one sets it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(30))
            .build()
            .expect("client");
        Self {
            url: url.to_owned(),
            key: key.to_owned(),
            client,
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/api/v1{path}", self.url);
        self.client.request(method, url).bearer_auth(&self.key)
    }

    /// Calls an operation and returns status and envelope; `Value::Null` is no body.
    pub(crate) async fn call(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let mut request = self.request(method, path);
        if !body.is_null() {
            request = request.body(body.to_string());
        }
        envelope(request.send().await.expect("answer")).await
    }

    /// Calls an operation that must succeed, and returns its data.
    pub(crate) async fn data(&self, method: Method, path: &str, body: Value) -> Value {
        let (status, mut envelope) = self.call(method, path, body).await;
        assert!(matches!(status, 200 | 201), "{status}: {envelope}");
        envelope["data"].take()
    }

    /// Starts a render in any mode, which must be accepted, and returns the answer's data.
    pub(crate) async fn start_with(&self, body: Value) -> Value {
        self.data(Method::POST, "/renders", body).await
    }

    /// Sends a request without credentials.
    pub(crate) fn anonymous(&self, method: Method, url: &str) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// Sends a body to `POST /renders` and returns status and envelope.
    pub(crate) async fn post_render(&self, body: impl Into<reqwest::Body>) -> (u16, Value) {
        let request = self.request(Method::POST, "/renders").body(body);
        envelope(request.send().await.expect("answer")).await
    }

    /// Starts a render that must be accepted, and returns the job's id.
    pub(crate) async fn start(&self, composition: &Value) -> String {
        let body = json!({"inputProps": composition}).to_string();
        let (status, envelope) = self.post_render(body).await;
        assert_eq!(status, 200, "{envelope}");
        envelope["data"]["jobId"]
            .as_str()
            .expect("jobId")
            .to_owned()
    }

    /// The job as it is now.
    pub(crate) async fn job(&self, id: &str) -> Value {
        let request = self.request(Method::GET, &format!("/renders/{id}"));
        let (status, envelope) = envelope(request.send().await.expect("answer")).await;
        assert_eq!(status, 200, "{envelope}");
        envelope["data"].clone()
    }

    /// Follows the job to its end.
    pub(crate) async fn follow(&self, id: &str) -> Finished {
        let started = Instant::now();
        let mut seen = Vec::new();
        loop {
            let job = self.job(id).await;
            let status = job["status"].as_str().expect("status").to_owned();
            let percentage = job["progressPercentage"].as_u64().expect("percentage");
            seen.push((status.clone(), percentage));
            if status == "COMPLETED" || status == "FAILED" {
                return Finished { job, seen };
            }
            assert!(started.elapsed() < RENDER_TIMEOUT, "the job hangs: {job}");
            tokio::time::sleep(POLL).await;
        }
    }

    /// Fetches what a URL serves, without credentials.
    pub(crate) async fn download(&self, url: &str) -> Vec<u8> {
        let response = self.client.get(url).send().await.expect("answer");
        assert_eq!(response.status(), 200, "{url}");
        assert_eq!(response.headers()["Content-Type"], "video/mp4");
        response.bytes().await.expect("body").to_vec()
    }

    /// Text of a page outside the interface.
    pub(crate) async fn page(&self, url: &str) -> String {
        let response = self.client.get(url).send().await.expect("answer");
        assert_eq!(response.status(), 200, "{url}");
        response.text().await.expect("text")
    }

    /// The account's balance.
    pub(crate) async fn credits(&self) -> i64 {
        let request = self.request(Method::POST, "/auth/verify");
        let (status, envelope) = envelope(request.send().await.expect("answer")).await;
        assert_eq!(status, 200, "{envelope}");
        envelope["data"]["credits"].as_i64().expect("credits")
    }
}

impl Finished {
    /// Asserts that the job was completed.
    pub(crate) fn completed(self) -> Self {
        assert_eq!(self.job["status"], "COMPLETED", "{}", self.job);
        self
    }

    /// Where the finished file is.
    pub(crate) fn output_url(&self) -> &str {
        self.job["outputUrl"].as_str().expect("outputUrl")
    }
}

async fn envelope(response: reqwest::Response) -> (u16, Value) {
    let status = response.status().as_u16();
    for name in ["RateLimit-Remaining", "X-RateLimit-Remaining"] {
        assert!(response.headers().contains_key(name), "{name} is missing");
    }
    let text = response.text().await.expect("body");
    let envelope = serde_json::from_str(&text).expect("JSON");
    (status, envelope)
}
