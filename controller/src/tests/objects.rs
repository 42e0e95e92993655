//! What nodes may do in the object store: exactly what their leases need, for as long as they hold them.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::{FutureExt, future::BoxFuture};
use object_store::{ObjectStoreExt, path::Path};
use serde_json::{Value, json};

use super::harness::{PUBLIC_URL, START, TestDb, body, later, on_both_databases};
use crate::{
    Error, ObjectSigner, Result, Signed, Wish,
    app::App,
    clock::Timestamp,
    objects::{self, Asked},
    previews::{self, Wanted},
    scheduler::{self, Claim},
    state::Lane,
    store::Fence,
};

/// A store that remembers what is open in it.
#[derive(Debug, Default)]
struct FakeStore {
    open: Mutex<BTreeSet<String>>,
    begun: Mutex<u32>,
    is_away: Mutex<bool>,
}

impl FakeStore {
    fn open(&self) -> Vec<String> {
        self.open
            .lock()
            .expect("one test")
            .iter()
            .cloned()
            .collect()
    }

    fn set_away(&self, is_away: bool) {
        *self.is_away.lock().expect("one test") = is_away;
    }

    fn close(&self, store_id: &str) -> object_store::Result<()> {
        let (store, source) = ("fake", "away".into());
        if *self.is_away.lock().expect("one test") {
            return Err(object_store::Error::Generic { store, source });
        }
        let was_open = self.open.lock().expect("one test").remove(store_id);
        let (path, source) = (store_id.to_owned(), "not open".into());
        match was_open {
            true => Ok(()),
            false => Err(object_store::Error::NotFound { path, source }),
        }
    }
}

impl ObjectSigner for FakeStore {
    fn sign<'a>(
        &'a self,
        key: &'a Path,
        wish: Wish<'a>,
        lifetime: Duration,
    ) -> BoxFuture<'a, object_store::Result<Signed>> {
        let url = format!("{key} {wish:?} {}", lifetime.as_secs());
        let signed = Signed {
            url,
            headers: Vec::new(),
            part_id: None,
        };
        std::future::ready(Ok(signed)).boxed()
    }

    fn begin<'a>(&'a self, _key: &'a Path) -> BoxFuture<'a, object_store::Result<String>> {
        let mut begun = self.begun.lock().expect("one test");
        *begun += 1;
        let store_id = format!("store-{begun}");
        self.open.lock().expect("one test").insert(store_id.clone());
        std::future::ready(Ok(store_id)).boxed()
    }

    fn complete<'a>(
        &'a self,
        _key: &'a Path,
        store_id: &'a str,
        _part_ids: Vec<String>,
    ) -> BoxFuture<'a, object_store::Result<()>> {
        std::future::ready(self.close(store_id)).boxed()
    }

    fn abort<'a>(
        &'a self,
        _key: &'a Path,
        store_id: &'a str,
    ) -> BoxFuture<'a, object_store::Result<()>> {
        std::future::ready(self.close(store_id)).boxed()
    }
}

fn signing(db: &TestDb) -> (App, Arc<FakeStore>) {
    let store = Arc::new(FakeStore::default());
    let app = db.app_with(|config| config.object_signer = Some(store.clone()));
    (app, store)
}

/// Whether a lease gets this signed; anything but a refusal fails the test.
async fn may(app: &App, lease: &Fence, key: &str, asked: Asked<'_>) -> bool {
    match objects::sign(app, lease, key, asked).await {
        Ok(signed) => {
            assert!(signed.url.starts_with(key), "{}", signed.url);
            true
        }
        Err(Error::Forbidden(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

fn with_picture(url: &str) -> Value {
    let mut body = body(60);
    let picture = json!({ "type": "image", "src": url });
    let overlay = body["inputProps"]["overlays"][0].as_object_mut();
    let overlay = overlay.expect("an overlay");
    overlay.extend(picture.as_object().expect("fields").clone());
    body
}

async fn must_begin(app: &App, claim: &Claim, now: Timestamp) -> String {
    let begun = objects::begin(app, &claim.lease, &claim.output_key, now).await;
    begun.expect("begun").to_string()
}

on_both_databases! {
    async fn a_lease_reads_and_writes_what_its_task_needs_and_nothing_else(db: TestDb) {
        let (app, _) = signing(&db);
        let account = db.account("ada@example.com", 10).await;
        let own = "uploads/upl_1/a b.png";
        db.objects.put(&Path::parse(own).expect("a key"), vec![1].into()).await.expect("put");
        let named = format!("{PUBLIC_URL}/files/uploads/upl_1/a%20b.png");
        db.try_create(&account, &with_picture(&named), "").await.expect("accepted");
        let other_job = db.job(&account, 1).await;
        let node = db.node("n1", 8, START).await;
        let first = db.must_claim(&node, START).await;
        let second = db.must_claim(&node, START).await;
        let other = db.must_claim(&node, START).await;
        assert_eq!((&second.job, &other.job), (&first.job, &other_job));

        let lease = &first.lease;
        assert!(may(&app, lease, &first.output_key, Asked::Write(None)).await);
        assert!(may(&app, lease, own, Asked::Read).await);
        assert!(may(&app, lease, own, Asked::Head).await);
        assert!(!may(&app, lease, own, Asked::Write(None)).await, "uploads are only read");
        assert!(!may(&app, lease, &first.output_key, Asked::Read).await);
        for key in [&second.output_key, &other.output_key] {
            assert!(!may(&app, lease, key, Asked::Write(None)).await, "{key}");
            assert!(!may(&app, lease, key, Asked::Read).await, "{key}");
        }
        for key in ["uploads/upl_2/b.png", "uploads/../renders/x", "", "renders/x/video.mp4"] {
            assert!(!may(&app, lease, key, Asked::Read).await, "{key}");
            assert!(!may(&app, lease, key, Asked::Write(None)).await, "{key}");
        }
        assert!(!may(&app, &other.lease, own, Asked::Read).await, "another job does not name it");

        for claim in [&first, &second] {
            db.finish(claim, later(1)).await;
        }
        assert!(!may(&app, lease, &first.output_key, Asked::Write(None)).await, "it is done");
        let assembly = db.must_claim(&node, later(2)).await;
        for chunk in [&first.output_key, &second.output_key] {
            assert!(may(&app, &assembly.lease, chunk, Asked::Read).await);
            assert!(!may(&app, &assembly.lease, chunk, Asked::Write(None)).await);
        }
        assert!(may(&app, &assembly.lease, &assembly.output_key, Asked::Write(None)).await);
        assert!(!may(&app, &assembly.lease, &other.output_key, Asked::Read).await);
    }
}

on_both_databases! {
    async fn a_lease_that_is_lost_or_somebody_elses_gets_nothing(db: TestDb) {
        let (app, _) = signing(&db);
        let account = db.account("ada@example.com", 10).await;
        db.job(&account, 1).await;
        let node = db.node("n1", 1, START).await;
        let claim = db.must_claim(&node, START).await;
        let key = &claim.output_key;
        let pretended = [
            Fence { node: "n2".into(), ..claim.lease.clone() },
            Fence { attempt: 2, ..claim.lease.clone() },
            Fence { task: "task_unknown".into(), ..claim.lease.clone() },
        ];
        for lease in &pretended {
            assert!(!may(&app, lease, key, Asked::Write(None)).await, "{lease:?}");
        }
        let parts = must_begin(&app, &claim, START).await;
        assert_eq!(scheduler::reap_once(&db.store, later(60)).await.expect("reaped"), 1);
        assert!(!may(&app, &claim.lease, key, Asked::Write(None)).await);
        assert!(!may(&app, &claim.lease, key, Asked::Part(&parts, 0)).await);
        let begun = objects::begin(&app, &claim.lease, key, later(60)).await;
        assert!(matches!(begun, Err(Error::Forbidden(_))));
        let completed = objects::complete(&app, &claim.lease, key, &parts, Vec::new()).await;
        assert!(matches!(completed, Err(Error::Forbidden(_))));
    }
}

on_both_databases! {
    async fn stills_are_written_one_by_one_below_their_folder(db: TestDb) {
        let (app, _) = signing(&db);
        let account = db.account("ada@example.com", 10).await;
        let asked = body(60).to_string();
        let preview = previews::create(&app, &account, asked.as_bytes(), PUBLIC_URL, START).await;
        let preview = preview.expect("resolved");
        previews::show(&app, &preview.id, Wanted::Frame(7), START).await.expect("shown");
        let node = db.node_with_previews("n1", 1, 1, START).await;
        let claim = db.claim_in(Lane::Preview, &node, START).await.expect("a task");
        let key = |name: &str| format!("{}/{name}", claim.output_key);
        let png = Asked::Write(Some("image/png"));
        assert!(may(&app, &claim.lease, &key("7.png"), png).await);
        for name in ["8.png", "7.jpg", "x/7.png", "../7.png"] {
            assert!(!may(&app, &claim.lease, &key(name), png).await, "{name}");
        }
        assert!(!may(&app, &claim.lease, &claim.output_key, png).await);
    }
}

on_both_databases! {
    async fn what_was_begun_is_completed_once_or_dropped_with_its_attempt(db: TestDb) {
        let (app, store) = signing(&db);
        let account = db.account("ada@example.com", 10).await;
        db.job(&account, 2).await;
        let node = db.node("n1", 2, START).await;
        let (done, lost) = (db.must_claim(&node, START).await, db.must_claim(&node, START).await);
        let parts = must_begin(&app, &done, START).await;
        let part = Asked::Part(&parts, 3);
        assert!(may(&app, &done.lease, &done.output_key, part).await);
        let stolen = objects::sign(&app, &lost.lease, &lost.output_key, part).await;
        assert!(matches!(stolen, Err(Error::NotFound(_))), "it belongs to another lease");
        let complete = || objects::complete(&app, &done.lease, &done.output_key, &parts, Vec::new());
        let result: Result<()> = complete().await;
        result.expect("completed");
        let again = complete().await;
        assert!(matches!(again, Err(Error::NotFound(_))), "there is no such object");
        let key = Path::parse(&done.output_key).expect("a key");
        db.objects.put(&key, vec![1].into()).await.expect("put");
        complete().await.expect("it was done, and not heard");

        let aborted = must_begin(&app, &lost, START).await;
        objects::abort(&app, &lost.lease, &aborted).await.expect("aborted");
        assert!(store.open().is_empty());

        for _ in 0..4 {
            must_begin(&app, &lost, START).await;
        }
        let more = objects::begin(&app, &lost.lease, &lost.output_key, START).await;
        assert!(matches!(more, Err(Error::Conflict(_))), "a node can't fill the store");
        let sweep = async |at| objects::sweep_once(&app, later(at)).await.expect("swept");
        assert_eq!(sweep(1).await, 0, "its lease is held");
        scheduler::reap_once(&db.store, later(60)).await.expect("reaped");
        store.set_away(true);
        assert_eq!(sweep(61).await, 0, "the store is away");
        store.set_away(false);
        assert_eq!(sweep(62).await, 0, "and asked again later");
        assert_eq!(sweep(300).await, 4);
        assert!(store.open().is_empty());
        assert_eq!(sweep(301).await, 0, "once");
    }
}

on_both_databases! {
    async fn a_farm_on_a_folder_says_so(db: TestDb) {
        let account = db.account("ada@example.com", 10).await;
        db.job(&account, 1).await;
        let node = db.node("n1", 1, START).await;
        let claim = db.must_claim(&node, START).await;
        let signed = objects::sign(&db.app(), &claim.lease, &claim.output_key, Asked::Read).await;
        let message = signed.expect_err("nothing signs").to_string();
        assert!(message.contains("KINORA_STORE_URL"), "{message}");
    }
}
