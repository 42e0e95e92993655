//! A database of its own for each test, with an account, nodes and jobs in a few lines.

use std::{
    path::{Path, PathBuf},
    slice,
    sync::{Arc, LazyLock},
    time::Duration,
};

use kinora_composition::document::Limits;
use object_store::{ObjectStore, memory::InMemory};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::postgres;
use crate::{
    Config, Result, SecretKey,
    admin::{Admin, CreateAccount, Payment},
    app::App,
    clock::Timestamp,
    ids::{AccountId, JobId, NodeId},
    jobs::{self, Accepted, JobView, Submission, Terms},
    scheduler::{self, BEGINNING, Claim, Looked, Outcome, Sizing, Timing},
    state::{Lane, Plan},
    store::{Beat, Fence, Looker, NodeHello, Store},
    uploads::OwnFiles,
};

/// When tests that choose their own time begin.
pub(super) const START: Timestamp = Timestamp(1_800_000_000_000);

/// Where callers reach the service in these tests.
pub(super) const PUBLIC_URL: &str = "https://farm.example";
/// How large an upload may be in these tests.
pub(super) const MAX_UPLOAD_BYTES: u64 = 1000;

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
    pub(super) objects: Arc<dyn ObjectStore>,
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
            objects: Arc::new(InMemory::new()),
            _folder: folder,
        }
    }

    /// What the services of a controller on this database share.
    pub(super) fn app(&self) -> App {
        self.app_with(|_| {})
    }

    /// The same, with something configured otherwise.
    pub(super) fn app_with(&self, configure: impl FnOnce(&mut Config)) -> App {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut config = Config {
            max_upload_bytes: MAX_UPLOAD_BYTES,
            fonts: fonts(),
            ..Config::new(&self.url, Arc::clone(&self.objects), secret_key())
        };
        configure(&mut config);
        App::new(config, self.store.clone()).expect("configured")
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
            payment: Payment::none(),
            password: None,
        };
        self.admin()
            .await
            .create_account(account)
            .await
            .expect("an account")
    }

    /// A node that renders and draws no previews.
    pub(super) async fn node(&self, id: &str, slots: u32, now: Timestamp) -> NodeId {
        self.node_with_previews(id, slots, 0, now).await
    }

    pub(super) async fn node_with_previews(
        &self,
        id: &str,
        slots: u32,
        preview_slots: u32,
        now: Timestamp,
    ) -> NodeId {
        let hello = NodeHello {
            id: id.into(),
            name: id.into(),
            slots,
            preview_slots,
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
        self.submit(&self.store, account, &body(60), "", now)
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
        self.submit(&self.store, account, body, idempotency_key, START)
            .await
    }

    /// Asks for a render, by way of this or another controller's store.
    pub(super) async fn submit(
        &self,
        store: &Store,
        account: &AccountId,
        body: &Value,
        idempotency_key: &str,
        now: Timestamp,
    ) -> Result<Accepted> {
        self.submit_with(store, &terms(), account, (body, idempotency_key), now)
            .await
    }

    /// Asks for a render on other terms.
    pub(super) async fn submit_on(
        &self,
        terms: &Terms,
        account: &AccountId,
        body: &Value,
        now: Timestamp,
    ) -> Result<Accepted> {
        self.submit_with(&self.store, terms, account, (body, ""), now)
            .await
    }

    async fn submit_with(
        &self,
        store: &Store,
        terms: &Terms,
        account: &AccountId,
        (body, idempotency_key): (&Value, &str),
        now: Timestamp,
    ) -> Result<Accepted> {
        let body = body.to_string();
        let submission = Submission {
            account,
            body: body.as_bytes(),
            idempotency_key,
            public_url: PUBLIC_URL,
            uploads: OwnFiles {
                objects: self.objects.as_ref(),
                max_bytes: MAX_UPLOAD_BYTES,
            },
        };
        jobs::create(store, terms, &submission, now).await
    }

    /// A job of this many one-second chunks, for one credit a started minute.
    pub(super) async fn job(&self, account: &AccountId, chunks: u32) -> JobId {
        self.try_create(account, &body(chunks * 30), "")
            .await
            .expect("accepted")
            .job
    }

    pub(super) async fn claim(&self, node: &NodeId, now: Timestamp) -> Option<Claim> {
        self.claim_in(Lane::Render, node, now).await
    }

    pub(super) async fn claim_in(
        &self,
        lane: Lane,
        node: &NodeId,
        now: Timestamp,
    ) -> Option<Claim> {
        self.claim_by(&self.store, &self.looker(node, lane), terms().sizing, now)
            .await
    }

    /// Who looks for work in these tests: a node that encodes with what most of them have.
    pub(super) fn looker<'a>(&self, node: &'a NodeId, lane: Lane) -> Looker<'a> {
        static X264: LazyLock<[String; 1]> = LazyLock::new(|| ["x264".to_owned()]);
        Looker {
            node,
            lane,
            encoders: &*X264,
            media: &[],
            from_turn: BEGINNING,
        }
    }

    /// A claim by way of this or another controller's store.
    pub(super) async fn claim_by(
        &self,
        store: &Store,
        looker: &Looker<'_>,
        sizing: Sizing,
        now: Timestamp,
    ) -> Option<Claim> {
        let lookers = slice::from_ref(looker);
        let looked = scheduler::claim_for_all(store, lookers, &self.timing, sizing, now);
        match looked.await.expect("claim").pop().expect("one for each") {
            Looked::Leased(claim) => Some(*claim),
            Looked::Nothing | Looked::NoRoom | Looked::SetAside => None,
        }
    }

    /// A node is alive.
    pub(super) async fn touch(&self, node: &NodeId, now: Timestamp) {
        let touched = self.store.touch_nodes(slice::from_ref(node), now).await;
        touched.expect("touched");
    }

    /// Renews a lease; false when it is not held any more.
    pub(super) async fn renew(&self, lease: &Fence, frames_done: u32, now: Timestamp) -> bool {
        let beat = Beat {
            lease: lease.clone(),
            frames_done,
        };
        let until = now.plus(self.timing.lease);
        let lost = self.store.renew_leases(&[beat], until, now).await;
        lost.expect("renewed").is_empty()
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
            Duration::from_secs(1),
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
        jobs::get(&self.store, &terms(), account, job, later(60))
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

/// The secret of every farm in these tests: a controller that starts again reads its own rows.
pub(super) fn secret_key() -> SecretKey {
    SecretKey::from_text(&"07".repeat(32)).expect("a key")
}

/// The folder with the fonts of this repository.
pub(super) fn fonts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fonts")
}

pub(super) fn terms() -> Terms {
    Terms {
        limits: Limits::default(),
        credits_per_minute: 1,
        sizing: Sizing::Video(1),
        lease: Timing::default().lease,
        requests_per_minute: [60, 120, 300],
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
