//! Clients that behave as good clients do: they try again, with the same key, until they are answered.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::fleet::Fleet;
use super::orders::{ACCOUNTS, Media, Order, composition};
use crate::farm::command::{kinora, said};
use crate::farm::media::{self, MediaServer};
use crate::farm::{Api, Receiver, new_key};

/// How long a client goes on asking before it is a failure of ours.
const PATIENCE: Duration = Duration::from_secs(240);
const POLL: Duration = Duration::from_millis(700);
/// How long after an answer that was none a client asks again, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// An order at its end.
pub(crate) struct Ended {
    pub(crate) order: Order,
    /// As the service shows it.
    pub(crate) job: Value,
}

impl Ended {
    /// The job's id.
    pub(crate) fn job_id(&self) -> &str {
        self.job["jobId"].as_str().expect("jobId")
    }

    /// Whether the video is there.
    pub(crate) fn is_completed(&self) -> bool {
        self.job["status"] == "COMPLETED"
    }
}

/// All clients of a run, and what they have of their own.
pub(crate) struct Clients {
    accounts: Vec<Api>,
    media: MediaServer,
    /// Where the account that has registered is told of every end, and its secret.
    pub(crate) registered: Receiver,
    pub(crate) secret: String,
    /// Where those are told who wanted to be called for one order.
    pub(crate) called: Receiver,
    retries: AtomicUsize,
    /// Answers that a client can't do anything about.
    faults: Mutex<Vec<String>>,
}

/// The account whose registration is told of every end.
pub(crate) const REGISTERED: usize = 0;

impl Clients {
    /// Opens the accounts.
    pub(crate) async fn of(fleet: &Fleet) -> Self {
        let (url, database) = (fleet.url(), fleet.database_url());
        let accounts = (0..ACCOUNTS)
            .map(|number| {
                let email = format!("client-{number}@example.com");
                let mut create = kinora();
                create.args(["account", "create", "--email", &email, "--credits", "1000"]);
                said(create.args(["--plan", "business", "--database-url", &database])).succeeded();
                Api::new(&url, &new_key(&database, &email))
            })
            .collect();
        let mut clients = Self {
            accounts,
            media: MediaServer::start().await,
            registered: Receiver::start().await,
            secret: String::new(),
            called: Receiver::start().await,
            retries: AtomicUsize::new(0),
            faults: Mutex::default(),
        };
        let body = json!({"url": clients.registered.url()});
        let webhook = clients.call(REGISTERED, Method::POST, "/webhooks", &body);
        let webhook = clients.persist(webhook).await;
        clients.secret = webhook["data"]["secret"]
            .as_str()
            .expect("a secret")
            .to_owned();
        clients
    }

    /// A client that can fetch files.
    pub(crate) fn anyone(&self) -> &Api {
        &self.accounts[0]
    }

    /// How often something had to be asked again.
    pub(crate) fn retries(&self) -> usize {
        self.retries.load(Ordering::Relaxed)
    }

    /// Answers by which the service said that it was broken, not away.
    pub(crate) fn faults(&self) -> Vec<String> {
        self.faults.lock().expect("faults").clone()
    }

    /// Orders a video and waits for its end.
    pub(crate) async fn serve(&self, order: Order) -> Ended {
        tokio::time::sleep(order.comes_after).await;
        let src = match order.media {
            Media::Nothing => String::new(),
            Media::Sound => self.media.url("tone.wav"),
            Media::Broken => self.media.url("text.png"),
            Media::Noise => self.media.url("noise.mp4"),
            Media::Upload => self.upload(order.account).await,
        };
        let composition = composition(&order, &src);
        let mut body = json!({"inputProps": composition});
        if order.calls_back {
            body["webhookUrl"] = self.called.url().into();
        }
        let post = self
            .call(order.account, Method::POST, "/renders", &body)
            .header("Idempotency-Key", order.key());
        let again = post.try_clone().expect("a body that can be sent again");
        let accepted = self.persist(post).await;
        let id = accepted["data"]["jobId"].as_str().expect("jobId");
        if order.insists {
            let repeated = self.persist(again).await;
            assert_eq!(repeated["data"]["jobId"], id, "one key, one job");
        }
        if order.previews && order.media != Media::Broken {
            self.preview(order.account, &composition).await;
        }
        let job = self.follow(order.account, id).await;
        Ended { order, job }
    }

    async fn follow(&self, account: usize, id: &str) -> Value {
        let started = Instant::now();
        loop {
            let path = format!("/renders/{id}");
            let get = self.call(account, Method::GET, &path, &Value::Null);
            let mut answer = self.persist(get).await;
            let job = answer["data"].take();
            if matches!(job["status"].as_str(), Some("COMPLETED" | "FAILED")) {
                return job;
            }
            assert!(started.elapsed() < PATIENCE, "the job hangs: {job}");
            tokio::time::sleep(POLL).await;
        }
    }

    /// Brings a picture in and answers where it is.
    async fn upload(&self, account: usize) -> String {
        let body = json!({"contentType": "image/png"});
        let asked = self.call(account, Method::POST, "/uploads", &body);
        let asked = self.persist(asked).await;
        let address = |name: &str| asked["data"][name].as_str().expect("a URL").to_owned();
        let picture = std::fs::read(media::folder().join("halves.png")).expect("picture");
        let put = self
            .anyone()
            .anonymous(Method::PUT, &address("uploadUrl"))
            .header("Content-Type", "image/png")
            .body(picture);
        self.persist_for_text(put).await;
        address("fileUrl")
    }

    /// Looks at a preview until it is drawn.
    async fn preview(&self, account: usize, composition: &Value) {
        let body = json!({"inputProps": composition});
        let asked = self.call(account, Method::POST, "/previews", &body);
        let asked = self.persist(asked).await;
        let url = asked["data"]["previewUrl"].as_str().expect("previewUrl");
        let started = Instant::now();
        loop {
            let get = self
                .anyone()
                .anonymous(Method::GET, &format!("{url}/state"));
            let state = self.persist(get).await;
            match state["state"].as_str() {
                Some("ready") => return,
                Some("failed") => panic!("the preview failed: {state}"),
                _ => {}
            }
            assert!(started.elapsed() < PATIENCE, "the preview hangs: {state}");
            tokio::time::sleep(POLL).await;
        }
    }

    fn call(&self, account: usize, method: Method, path: &str, body: &Value) -> RequestBuilder {
        let request = self.accounts[account].request(method, path);
        if body.is_null() {
            request
        } else {
            request.body(body.to_string())
        }
    }

    async fn persist(&self, request: RequestBuilder) -> Value {
        let text = self.persist_for_text(request).await;
        serde_json::from_str(&text).expect("JSON")
    }

    /// Sends a request until it is answered; an answer that says to try again is none.
    async fn persist_for_text(&self, request: RequestBuilder) -> String {
        let started = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let attempt = request.try_clone().expect("a body that can be sent again");
            let reason = match answer(attempt).await {
                Ok((status, text)) if status < 500 => {
                    assert!(status < 300, "{status}: {text}");
                    return text;
                }
                Ok((status, text)) => {
                    if status == 500 {
                        self.faults.lock().expect("faults").push(text.clone());
                    }
                    format!("{status}: {text}")
                }
                Err(error) => error.to_string(),
            };
            self.retries.fetch_add(1, Ordering::Relaxed);
            assert!(started.elapsed() < PATIENCE, "no answer but {reason}");
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

async fn answer(request: RequestBuilder) -> reqwest::Result<(u16, String)> {
    let response = request.send().await?;
    let status = response.status().as_u16();
    Ok((status, response.text().await?))
}
