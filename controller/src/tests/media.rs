//! Nodes that have the media of a task are given it first, within bounds.

use serde_json::{Value, json};

use super::harness::{START, TestDb, body, later, on_both_databases, terms};
use crate::{
    ids::{AccountId, JobId, NodeId},
    scheduler::Claim,
    state::Lane,
    store::Looker,
};

/// A job of this many chunks that shows a picture.
fn body_with(chunks: u32, url: &str) -> Value {
    let mut body = body(chunks * 30);
    body["inputProps"]["overlays"][0]["type"] = json!("image");
    body["inputProps"]["overlays"][0]["src"] = json!(url);
    body
}

pub(super) async fn job_with(db: &TestDb, account: &AccountId, chunks: u32, url: &str) -> JobId {
    let body = body_with(chunks, url);
    let accepted = db.try_create(account, &body, "").await;
    accepted.expect("accepted").job
}

/// A claim of a node that has some media.
async fn claim_with(db: &TestDb, node: &NodeId, media: &[String]) -> Claim {
    let looker = Looker {
        media,
        ..db.looker(node, Lane::Render)
    };
    let claim = db.claim_by(&db.store, &looker, terms().sizing, later(1));
    claim.await.expect("a task")
}

on_both_databases! {
    async fn a_node_is_given_what_it_has_the_media_of_before_what_is_near_it_in_the_queue(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let node = db.node("n1", 50, START).await;
        let shown = job_with(&db, &account, 1, "https://media.example/cat.png").await;
        let held = [claim_with(&db, &node, &[]).await.media];
        assert!(!held[0].is_empty());

        let plain = db.job(&account, 2).await;
        let other = job_with(&db, &account, 1, "https://media.example/dog.png").await;
        let again = job_with(&db, &account, 2, "https://media.example/cat.png").await;
        assert_ne!(shown, again);
        let mut order = Vec::new();
        for _ in 0..2 {
            order.push(claim_with(&db, &node, &held).await.job);
        }
        assert_eq!(order, [again.clone(), again], "two others of its account were passed over");
        let claim = claim_with(&db, &node, &held).await;
        assert_eq!(claim.job, plain, "nothing else that it has the media of: the first in the queue");
        assert!(claim.media.is_empty(), "there is nothing to hold");
        claim_with(&db, &node, &held).await;
        assert_eq!(claim_with(&db, &node, &held).await.job, other);
    }
}

on_both_databases! {
    async fn what_is_far_back_in_the_queue_is_not_drawn_forward(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let node = db.node("n1", 50, START).await;
        job_with(&db, &account, 1, "https://media.example/cat.png").await;
        let held = [claim_with(&db, &node, &[]).await.media];
        let long = db.job(&account, 13).await;
        let far = job_with(&db, &account, 1, "https://media.example/cat.png").await;
        assert_eq!(claim_with(&db, &node, &held).await.job, long, "too many others are before it");
        assert_eq!(claim_with(&db, &node, &held).await.job, long, "one less was, and one more");
        assert_eq!(claim_with(&db, &node, &held).await.job, far);
    }
}
