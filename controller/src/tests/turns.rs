//! Whose task is next, how large it is, and what it is encoded with.

use std::time::Duration;

use super::harness::{START, TestDb, body, later, on_both_databases, terms};
use crate::{
    clock::Timestamp,
    ids::{AccountId, JobId, NodeId},
    scheduler::{self, Claim, Sizing, Work},
    state::Lane,
    store::{Looker, NodeHello},
};

/// Leases tasks to a node until there are none or it is full; whose they are.
async fn claim_all(db: &TestDb, node: &NodeId) -> Vec<JobId> {
    let mut jobs = Vec::new();
    while let Some(claim) = db.claim(node, later(1)).await {
        jobs.push(claim.job);
    }
    jobs
}

on_both_databases! {
    async fn a_long_job_of_one_account_does_not_hold_up_a_short_one_of_another(db: TestDb) {
        let (ada, bob) = (db.account("ada@example.com", 99).await, db.account("bob@example.com", 9).await);
        let long = db.job(&ada, 100).await;
        let node = db.node("n1", 4, START).await;
        let begun = claim_all(&db, &node).await;
        assert_eq!(begun, vec![long.clone(); 4], "nobody else is there");

        let short = db.job(&bob, 2).await;
        let late = db.job(&ada, 1).await;
        let other = db.node("n2", 6, START).await;
        let next = claim_all(&db, &other).await;
        assert_eq!(next.iter().filter(|job| **job == short).count(), 2, "{next:?}");
        assert!(next[..4].contains(&short), "they take turns");
        assert!(!next.contains(&late), "what an account asks for later comes later");
    }
}

on_both_databases! {
    async fn whoever_comes_back_has_neither_saved_nor_lost_turns(db: TestDb) {
        let (ada, bob) = (db.account("ada@example.com", 99).await, db.account("bob@example.com", 99).await);
        let node = db.node("n1", 50, START).await;
        db.job(&ada, 40).await;
        assert_eq!(claim_all(&db, &node).await.len(), 40);
        // Bob has never asked for anything; Ada has had forty seconds of work done.
        let other = db.node("n2", 8, START).await;
        let (of_bob, of_ada) = (db.job(&bob, 8).await, db.job(&ada, 8).await);
        let next = claim_all(&db, &other).await;
        let bobs = next.iter().filter(|job| **job == of_bob).count();
        let adas = next.iter().filter(|job| **job == of_ada).count();
        assert_eq!(bobs + adas, 8);
        assert!((3..=5).contains(&bobs), "{next:?}");
    }
}

on_both_databases! {
    async fn what_is_nearly_done_is_finished_first(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let (first, _second) = (db.job(&account, 1).await, db.job(&account, 5).await);
        let node = db.node("n1", 1, START).await;
        let chunk = db.must_claim(&node, later(1)).await;
        db.finish(&chunk, later(2)).await;
        let next = db.must_claim(&node, later(2)).await;
        assert_eq!(next.job, first);
        assert!(matches!(next.work, Work::Assemble(_)));
    }
}

/// A node that encodes with something of its own.
struct Coder {
    node: NodeId,
    encoders: Vec<String>,
}

impl Coder {
    async fn connect(db: &TestDb, id: &str, encoders: &[&str]) -> Self {
        let hello = NodeHello {
            id: id.into(),
            name: id.into(),
            slots: 9,
            preview_slots: 0,
            adapter: "some".into(),
            encoders: encoders.iter().map(|name| (*name).to_owned()).collect(),
            version: "0.1.0".into(),
        };
        db.store
            .register_node(&hello, later(1))
            .await
            .expect("registered");
        Self {
            node: hello.id,
            encoders: hello.encoders,
        }
    }

    async fn claim(&self, db: &TestDb, now: Timestamp) -> Option<Claim> {
        let looker = Looker {
            encoders: &self.encoders,
            ..db.looker(&self.node, Lane::Render)
        };
        db.claim_by(&db.store, &looker, terms().sizing, now).await
    }

    async fn must_claim(&self, db: &TestDb, now: Timestamp) -> Claim {
        self.claim(db, now).await.expect("a task for this node")
    }
}

on_both_databases! {
    async fn all_chunks_of_a_job_are_encoded_alike(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let fast = Coder::connect(&db, "fast", &["nvenc", "x264"]).await;
        let plain = Coder::connect(&db, "plain", &["x264"]).await;
        let on_gpu = db.job(&account, 2).await;
        let claim = fast.must_claim(&db, later(1)).await;
        assert_eq!(claim.encoder.as_deref(), Some("nvenc"));
        assert_eq!(plain.claim(&db, later(1)).await, None, "its chunk could not be joined");
        let other = fast.must_claim(&db, later(1)).await;
        assert_eq!((&other.job, other.encoder.as_deref()), (&on_gpu, Some("nvenc")));
        for chunk in [&claim, &other] {
            db.finish(chunk, later(2)).await;
        }
        let assembly = plain.must_claim(&db, later(2)).await;
        assert!(matches!(assembly.work, Work::Assemble(_)), "anybody can join them");

        db.job(&account, 2).await;
        assert_eq!(plain.must_claim(&db, later(3)).await.encoder.as_deref(), Some("x264"));
        assert_eq!(fast.must_claim(&db, later(3)).await.encoder.as_deref(), Some("x264"));
    }
}

on_both_databases! {
    async fn a_node_finds_its_task_behind_any_number_that_it_can_not_encode(db: TestDb) {
        let account = db.account("ada@example.com", 999).await;
        let fast = Coder::connect(&db, "fast", &["nvenc"]).await;
        let plain = Coder::connect(&db, "plain", &["x264"]).await;
        db.job(&account, 60).await;
        let held = fast.must_claim(&db, later(1)).await;
        // As if the encoder had not been noted: the walk passes all of them by.
        db.store.forget_encoders().await;
        let wanted = db.job(&account, 1).await;
        assert_eq!(plain.must_claim(&db, later(1)).await.job, wanted);
        assert_eq!(plain.claim(&db, later(1)).await, None);
        assert_eq!(fast.must_claim(&db, later(1)).await.job, held.job);
    }
}

on_both_databases! {
    async fn a_job_whose_encoder_is_gone_is_drawn_anew_with_another(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let fast = Coder::connect(&db, "fast", &["nvenc", "x264"]).await;
        let plain = Coder::connect(&db, "plain", &["x264"]).await;
        let job = db.job(&account, 3).await;
        let (done, held) = (fast.must_claim(&db, later(1)).await, fast.must_claim(&db, later(1)).await);
        db.finish(&done, later(2)).await;
        let rescue = |now| scheduler::rescue_once(&db.store, now);
        assert_eq!(rescue(later(50)).await.expect("ok"), 0, "it may come back");
        db.touch(&plain.node, later(70)).await;
        assert_eq!(rescue(later(70)).await.expect("ok"), 1);
        assert_eq!(rescue(later(70)).await.expect("ok"), 0, "once is enough");

        let mut chunks = Vec::new();
        for _ in 0..3 {
            let claim = plain.must_claim(&db, later(71)).await;
            assert_eq!((&claim.job, claim.encoder.as_deref()), (&job, Some("x264")));
            chunks.push(claim);
        }
        assert!(matches!(db.finish(&held, later(72)).await, scheduler::Outcome::Stale(_)));
        for chunk in &chunks {
            db.finish(chunk, later(73)).await;
        }
        let assembly = plain.must_claim(&db, later(74)).await;
        let keys = chunks.into_iter().map(|chunk| chunk.output_key).collect();
        assert_eq!(assembly.work, Work::Assemble(keys));
    }
}

async fn measured_claim(db: &TestDb, node: &NodeId, now: Timestamp) -> Option<Claim> {
    let looker = db.looker(node, Lane::Render);
    db.claim_by(&db.store, &looker, Sizing::Measured, now).await
}

/// A node that has shown how many frames of 1080p it draws in a second.
async fn measured_node(db: &TestDb, account: &AccountId, id: &str, fps: u64) -> NodeId {
    let node = db.node(id, 1, START).await;
    db.job(account, 1).await;
    let claim = db.must_claim(&node, later(1)).await;
    let busy = Duration::from_millis(30_000 / fps);
    let (lease, key) = (&claim.lease, &claim.output_key);
    scheduler::finish(&db.store, lease, key, 1, busy, &db.timing, later(1))
        .await
        .expect("done");
    let assembly = db.must_claim(&node, later(1)).await;
    db.finish(&assembly, later(1)).await;
    node
}

on_both_databases! {
    async fn a_slow_node_takes_a_part_of_a_task_and_leaves_the_rest_to_others(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let slow = measured_node(&db, &account, "slow", 5).await;
        let fast = measured_node(&db, &account, "fast", 100).await;
        let capacity = db.store.capacity(START.minus(Duration::from_secs(1)), later(1)).await.expect("read");
        assert_eq!((capacity.slots, capacity.taken), (2, 0));
        assert_eq!(capacity.pixels_a_second, Some(1920 * 1080 * 105 / 2));

        let mut terms = terms();
        terms.sizing = Sizing::Measured;
        let submitted = db.submit_on(&terms, &account, &body(600), later(2)).await.expect("accepted");
        let part = measured_claim(&db, &slow, later(3)).await.expect("a task");
        assert_eq!(part.work, Work::Render(0..50), "ten seconds of work, five frames each");
        let rest = measured_claim(&db, &fast, later(3)).await.expect("the rest of it");
        let Work::Render(frames) = &rest.work else { panic!("{rest:?}") };
        assert_eq!(frames.start, 50);
        db.finish(&rest, later(4)).await;
        db.finish(&part, later(4)).await;
        let mut keys = vec![part.output_key, rest.output_key];
        let assembly = loop {
            let claim = measured_claim(&db, &fast, later(5)).await.expect("more");
            match &claim.work {
                Work::Assemble(keys) => break keys.clone(),
                Work::Render(_) => keys.push(claim.output_key.clone()),
                Work::Stills(_) => panic!("no preview"),
            }
            db.finish(&claim, later(5)).await;
        };
        assert_eq!(assembly, keys, "in the order of the frames");
        assert_eq!(submitted.estimated_minutes, 1);
    }
}

on_both_databases! {
    async fn estimates_follow_what_was_measured(db: TestDb) {
        let account = db.account("ada@example.com", 999).await;
        let mut terms = terms();
        terms.sizing = Sizing::Measured;
        let minutes = async || {
            let body = body(30 * 60 * 10);
            let accepted = db.submit_on(&terms, &account, &body, later(2)).await.expect("accepted");
            let again = db.view(&account, &accepted.job).await;
            (accepted.estimated_minutes, again.progress.remaining)
        };
        let node = measured_node(&db, &account, "slow", 10).await;
        db.touch(&node, later(59)).await;
        let (estimated, remaining) = minutes().await;
        assert_eq!(estimated, 32, "18,000 frames at ten a second, and a twentieth for the assembly");
        assert_eq!(remaining.map(|time| time.as_secs()), Some(1890));
        db.store.drain_node(&node).await.expect("drained");
        assert_eq!(minutes().await, (1, None), "nobody is there who could draw it");
    }
}

on_both_databases! {
    async fn a_look_that_begins_later_in_the_queue_takes_what_is_before_only_if_nothing_is_after(db: TestDb) {
        let account = db.account("ada@example.com", 9).await;
        let job = db.job(&account, 3).await;
        let node = db.node("n1", 9, START).await;
        let first = db.must_claim(&node, START).await;
        let second = db.must_claim(&node, START).await;
        assert!(first.turn < second.turn);
        let back = scheduler::hand_back(&db.store, &first.lease, START).await;
        back.expect("handed back");

        let looker = Looker { from_turn: second.turn, ..db.looker(&node, Lane::Render) };
        let mut frames = Vec::new();
        for _ in 0..2 {
            let claim = db.claim_by(&db.store, &looker, terms().sizing, later(1)).await.expect("a task");
            assert_eq!(claim.job, job);
            frames.push(claim.work);
        }
        assert_eq!(frames, [Work::Render(60..90), Work::Render(0..30)]);
        assert_eq!(db.claim_by(&db.store, &looker, terms().sizing, later(1)).await, None);
    }
}
