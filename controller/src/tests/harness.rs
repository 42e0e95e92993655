//! A database of its own for each test, with an account, nodes and jobs in a few lines.

use std::time::Duration;

use kinora_composition::document::Limits;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::postgres;
use crate::{
    Result,
    admin::{Admin, CreateAccount},
    clock::Timestamp,
    ids::{AccountId, JobId, NodeId},
    jobs::{self, Accepted, JobView, Terms},
    scheduler::{self, Claim, Outcome, Timing},
    state::Plan,
    store::{NodeHello, Store},
};

/// When tests that choose their own time begin.
pub(super) const START: Timestamp = Timestamp(1_800_000_000_000);

/// Declares a test that runs on both databases.
macro_rules! on_both_databases {
    ($(#[$meta:meta])* async fn $name:ident($db:ident: TestDb) $body:block) => {
        mod $name {
            use super::*;

            async fn test_body($db: TestDb) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                test_body(TestDb::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                test_body(TestDb::postgres().await).await;
            }
        }
    };
}
pub(super) use on_both_databases;

pub(super) struct TestDb {
    pub(super) url: String,
    pub(super) store: Store,
    pub(super) timing: Timing,
    /// Kept until the test ends.
    _folder: Option<TempDir>,
}

impl TestDb {
    pub(super) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite://{}/kinora.db?mode=rwc", folder.path().display());
        Self::open(url, Some(folder)).await
    }

    pub(super) async fn postgres() -> Self {
        Self::open(postgres::fresh_database().await, None).await
    }

    async fn open(url: String, folder: Option<TempDir>) -> Self {
        let store = Store::open(&url).await.expect("an open database");
        Self {
            url,
            store,
            timing: Timing::default(),
            _folder: folder,
        }
    }

    pub(super) async fn admin(&self) -> Admin {
        Admin::connect(&self.url).await.expect("an open database")
    }

    pub(super) async fn account(&self, email: &str, credits: i64) -> AccountId {
        let account = CreateAccount {
            email: email.into(),
            name: "Ada".into(),
            plan: Plan::None,
            credits,
            password: None,
        };
        self.admin()
            .await
            .create_account(account)
            .await
            .expect("an account")
    }

    pub(super) async fn node(&self, id: &str, slots: u32, now: Timestamp) -> NodeId {
        let hello = NodeHello {
            id: id.into(),
            name: id.into(),
            slots,
            adapter: "llvmpipe".into(),
            encoders: vec!["x264".into()],
            version: "0.1.0".into(),
        };
        self.store
            .register_node(&hello, now)
            .await
            .expect("registered");
        hello.id
    }

    /// A two-chunk job that was accepted at this moment.
    pub(super) async fn job_at(&self, account: &AccountId, now: Timestamp) -> JobId {
        let body = body(60).to_string();
        jobs::create(&self.store, &terms(), account, body.as_bytes(), "", now)
            .await
            .expect("accepted")
            .job
    }

    pub(super) async fn try_create(
        &self,
        account: &AccountId,
        body: &Value,
        idempotency_key: &str,
    ) -> Result<Accepted> {
        let body = body.to_string();
        let body = body.as_bytes();
        jobs::create(&self.store, &terms(), account, body, idempotency_key, START).await
    }

    /// A job of this many one-second chunks, for one credit a started minute.
    pub(super) async fn job(&self, account: &AccountId, chunks: u32) -> JobId {
        self.try_create(account, &body(chunks * 30), "")
            .await
            .expect("accepted")
            .job
    }

    pub(super) async fn claim(&self, node: &NodeId, now: Timestamp) -> Option<Claim> {
        scheduler::claim(&self.store, node, &self.timing, now)
            .await
            .expect("claim")
    }

    pub(super) async fn must_claim(&self, node: &NodeId, now: Timestamp) -> Claim {
        self.claim(node, now).await.expect("a task for this node")
    }

    pub(super) async fn finish(&self, claim: &Claim, now: Timestamp) -> Outcome {
        scheduler::finish(
            &self.store,
            &claim.lease,
            &claim.output_key,
            1000,
            &self.timing,
            now,
        )
        .await
        .expect("finish")
    }

    pub(super) async fn fail(&self, claim: &Claim, now: Timestamp) -> Outcome {
        scheduler::fail(&self.store, &claim.lease, "device lost", &self.timing, now)
            .await
            .expect("fail")
    }

    pub(super) async fn view(&self, account: &AccountId, job: &JobId) -> JobView {
        jobs::get(&self.store, account, job, later(60))
            .await
            .expect("a job")
    }

    pub(super) async fn balance(&self, account: &AccountId) -> i64 {
        self.store
            .balance(account)
            .await
            .expect("a balance")
            .hundredths()
    }
}

pub(super) fn terms() -> Terms {
    Terms {
        limits: Limits::default(),
        credits_per_minute: 1,
        seconds_per_task: 1,
    }
}

pub(super) fn body(frames: u32) -> Value {
    json!({ "inputProps": {
        "durationInFrames": frames, "fps": 30, "width": 1920, "height": 1080,
        "overlays": [{
            "id": 1, "type": "text", "content": "hello", "from": 0, "durationInFrames": frames,
            "row": 0, "left": 0, "top": 0, "width": 640, "height": 200
        }],
    } })
}

/// Seconds after the start.
pub(super) fn later(seconds: u64) -> Timestamp {
    START.plus(Duration::from_secs(seconds))
}
