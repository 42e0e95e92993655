//! What nodes may do in the object store: exactly what their leases need, for as long as they hold them.

use std::{
    collections::BTreeMap,
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

/// A store that remembers what is open in it, and under which key.
#[derive(Debug, Default)]
struct FakeStore {
    open: Mutex<BTreeMap<String, Path>>,
    begun: Mutex<u32>,
    is_away: Mutex<bool>,
    speech: Mutex<Speech>,
}

/// What a store says to who begins an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Speech {
    #[default]
    Name,
    /// It has begun, and the answer is lost.
    Failure,
    /// The same, and nobody is told.
    Silence,
    /// Objects in parts have no names of their own.
    NoName,
}

impl FakeStore {
    fn open(&self) -> Vec<String> {
        self.open
            .lock()
            .expect("one test")
            .keys()
            .cloned()
            .collect()
    }

    async fn has_open(&self, count: usize) {
        while self.open().len() < count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn speak(&self, speech: Speech) {
        *self.speech.lock().expect("one test") = speech;
    }

    fn away(&self) -> object_store::Result<()> {
        let (store, source) = ("fake", "away".into());
        match *self.is_away.lock().expect("one test") {
            true => Err(object_store::Error::Generic { store, source }),
            false => Ok(()),
        }
    }

    fn set_away(&self, is_away: bool) {
        *self.is_away.lock().expect("one test") = is_away;
    }

    fn close(&self, store_id: &str) -> object_store::Result<()> {
        self.away()?;
        let was_open = self.open.lock().expect("one test").remove(store_id);
        let (path, source) = (store_id.to_owned(), "not open".into());
        match was_open {
            Some(_) => Ok(()),
            None => Err(object_store::Error::NotFound { path, source }),
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

    fn begin<'a>(&'a self, key: &'a Path) -> BoxFuture<'a, object_store::Result<String>> {
        let speech = *self.speech.lock().expect("one test");
        if speech == Speech::NoName {
            return std::future::ready(Ok(String::new())).boxed();
        }
        let mut begun = self.begun.lock().expect("one test");
        *begun += 1;
        let store_id = format!("store-{begun}");
        let mut open = self.open.lock().expect("one test");
        open.insert(store_id.clone(), key.clone());
        let (store, source) = ("fake", "the connection broke".into());
        match speech {
            Speech::Failure => {
                std::future::ready(Err(object_store::Error::Generic { store, source })).boxed()
            }
            Speech::Silence => std::future::pending().boxed(),
            Speech::Name | Speech::NoName => std::future::ready(Ok(store_id)).boxed(),
        }
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

    fn unfinished<'a>(&'a self, key: &'a Path) -> BoxFuture<'a, object_store::Result<Vec<String>>> {
        let open = self.open.lock().expect("one test");
        let open = open.iter().filter(|(_, of)| *of == key);
        let found = open.map(|(store_id, _)| store_id.clone()).collect();
        std::future::ready(self.away().map(|()| found)).boxed()
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
    async fn what_was_begun_without_anybody_hearing_of_it_is_dropped_with_its_attempt(db: TestDb) {
        let (app, store) = signing(&db);
        let account = db.account("ada@example.com", 10).await;
        db.job(&account, 2).await;
        let node = db.node("n1", 2, START).await;
        let (claim, other) = (db.must_claim(&node, START).await, db.must_claim(&node, START).await);
        let begin = || objects::begin(&app, &claim.lease, &claim.output_key, START);
        store.speak(Speech::Failure);
        for _ in 0..6 {
            assert!(matches!(begin().await, Err(Error::Store(_))), "and never too many");
        }
        // A controller that dies now has told nobody.
        store.speak(Speech::Silence);
        tokio::select! {
            answered = begin() => panic!("{answered:?}"),
            () = store.has_open(7) => {}
        }
        store.speak(Speech::Name);
        must_begin(&app, &claim, START).await;
        let of_other = must_begin(&app, &other, START).await;
        assert_eq!(store.open().len(), 9);

        let sweep = async |at| objects::sweep_once(&app, later(at)).await.expect("swept");
        assert_eq!(sweep(1).await, 0, "its lease is held");
        scheduler::hand_back(&db.store, &claim.lease, later(2)).await.expect("handed back");
        store.set_away(true);
        assert_eq!(sweep(3).await, 0, "the store is away");
        store.set_away(false);
        assert_eq!(sweep(120).await, 1);
        assert_eq!(store.open().len(), 1, "what another lease has begun stays");
        objects::complete(&app, &other.lease, &other.output_key, &of_other, Vec::new())
            .await
            .expect("completed");
        assert_eq!(sweep(300).await, 0, "nothing is left to look for");
    }
}

on_both_databases! {
    async fn a_store_that_does_not_name_what_is_begun_is_served_as_others_are(db: TestDb) {
        let (app, store) = signing(&db);
        store.speak(Speech::NoName);
        let account = db.account("ada@example.com", 10).await;
        db.job(&account, 1).await;
        let node = db.node("n1", 1, START).await;
        let claim = db.must_claim(&node, START).await;
        let (first, again) = (must_begin(&app, &claim, START).await, must_begin(&app, &claim, START).await);
        assert!(may(&app, &claim.lease, &claim.output_key, Asked::Part(&first, 0)).await);
        assert!(may(&app, &claim.lease, &claim.output_key, Asked::Part(&again, 1)).await);
        scheduler::reap_once(&db.store, later(60)).await.expect("reaped");
        let swept = objects::sweep_once(&app, later(61)).await.expect("swept");
        assert_eq!(swept, 1, "there is nothing to drop, and nothing to remember");
        assert_eq!(objects::sweep_once(&app, later(300)).await.expect("swept"), 0);
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
