//! The two lanes: previews wait for previews, and nothing paid for ever waits for them.

use kinora_proto::v1::lease;
use serde_json::json;

use super::{
    api::Running,
    farm::FakeNode,
    harness::{PUBLIC_URL, START, TestDb, body, later, on_both_databases},
};
use crate::{
    clock::Timestamp,
    ids::{AccountId, PreviewId},
    previews::{self, Wanted},
    scheduler::{Outcome, Work},
    state::Lane,
};

impl TestDb {
    /// A preview of a text on full HD.
    pub(super) async fn preview(
        &self,
        account: &AccountId,
        frames: u32,
        now: Timestamp,
    ) -> PreviewId {
        let body = body(frames).to_string();
        let app = self.app();
        let created = previews::create(&app, account, body.as_bytes(), PUBLIC_URL, now).await;
        created.expect("resolved").id
    }

    pub(super) async fn look(
        &self,
        preview: &PreviewId,
        wanted: Wanted,
        now: Timestamp,
    ) -> previews::View {
        let view = previews::show(&self.app(), preview, wanted, now).await;
        view.expect("a preview")
    }
}

on_both_databases! {
    async fn a_render_is_leased_at_once_however_many_previews_wait(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        for _ in 0..50 {
            let preview = db.preview(&account, 30, START).await;
            db.look(&preview, Wanted::Grid, START).await;
        }
        let node = db.node_with_previews("n1", 1, 1, START).await;
        let drawing = db.claim_in(Lane::Preview, &node, later(1)).await.expect("a preview");
        assert_eq!(db.claim_in(Lane::Preview, &node, later(1)).await, None, "its slot is taken");
        assert_eq!(db.claim(&node, later(1)).await, None, "previews never take a render's slot");

        let job = db.job_at(&account, later(2)).await;
        let chunk = db.must_claim(&node, later(2)).await;
        assert_eq!(chunk.job, job, "queued last, leased at once");
        assert_eq!(db.claim(&node, later(2)).await, None, "its one slot is taken");

        // The other lane goes on meanwhile, to its end.
        assert!(matches!(db.finish(&drawing, later(3)).await, Outcome::Done(..)));
        let mut drawn = 1;
        while let Some(next) = db.claim_in(Lane::Preview, &node, later(3)).await {
            assert!(matches!(db.finish(&next, later(3)).await, Outcome::Done(..)));
            drawn += 1;
        }
        assert_eq!(drawn, 50);
        assert!(db.renew(&chunk.lease, 3, later(4)).await);
    }
}

on_both_databases! {
    async fn the_stream_fills_both_kinds_of_slots(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let running = Running::start(&db).await;
        let now = Timestamp::now();
        for _ in 0..3 {
            let preview = db.preview(&account, 30, now).await;
            db.look(&preview, Wanted::Frame(7), now).await;
        }
        let mut renders_only = FakeNode::connect(&running, "n1", 2).await;
        let mut node = FakeNode::connect_with_previews(&running, "n2", 1, 1).await;
        let drawing = node.lease().await;
        assert!(drawing.is_preview);
        match drawing.task.as_ref().expect("a task") {
            lease::Task::Stills(stills) => {
                assert_eq!((stills.frames.as_slice(), stills.reduce), ([7].as_slice(), 1));
                assert!(stills.composition_json.contains("hello"));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(drawing.public_url, PUBLIC_URL);

        let job = running.create(account.as_str(), &body(90)).await.expect("accepted");
        let mut chunks = vec![node.lease().await];
        for _ in 0..2 {
            chunks.push(renders_only.lease().await);
        }
        for chunk in &chunks {
            assert_eq!((chunk.job_id.as_str(), chunk.is_preview), (job.as_str(), false));
        }
        node.done(&drawing).await;
        assert!(node.lease().await.is_preview, "the next preview follows in the free slot");
        // One preview still waits; a node without preview slots gets a render all the same.
        renders_only.done(&chunks[1]).await;
        running.create(account.as_str(), &body(30)).await.expect("accepted");
        assert!(!renders_only.lease().await.is_preview);
        running.stop().await;
    }
}

on_both_databases! {
    async fn a_node_without_preview_slots_gets_none_and_is_not_waited_for(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let preview = db.preview(&account, 30, START).await;
        db.look(&preview, Wanted::Grid, START).await;
        let (without, with) =
            (db.node("n1", 4, START).await, db.node_with_previews("n2", 1, 1, START).await);
        assert_eq!(db.claim_in(Lane::Preview, &without, START).await, None);
        let claim = db.claim_in(Lane::Preview, &with, START).await.expect("a preview");
        db.fail(&claim, START).await;
        let again = db.claim_in(Lane::Preview, &with, later(1)).await.expect("again");
        assert_eq!(again.lease.attempt, 2, "the other node could not have tried it");
    }
}

on_both_databases! {
    async fn previews_that_fail_never_set_a_node_aside_and_refund_nothing(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let node = db.node_with_previews("n1", 1, 1, START).await;
        for _ in 0..4 {
            let preview = db.preview(&account, 30, START).await;
            db.look(&preview, Wanted::Grid, START).await;
            for _ in 0..4 {
                let claim = db.claim_in(Lane::Preview, &node, later(1)).await.expect("a preview");
                db.fail(&claim, later(1)).await;
            }
            let view = db.look(&preview, Wanted::Grid, later(2)).await;
            let message = view.error_message.expect("it failed");
            assert!(!message.contains("credits"), "{message}");
        }
        db.job(&account, 1).await;
        assert!(db.claim(&node, later(2)).await.is_some(), "the node still renders");
        assert_eq!(db.balance(&account).await, 400);
    }
}

on_both_databases! {
    async fn a_preview_video_is_drawn_small_in_pieces_of_two_seconds(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let preview = db.preview(&account, 150, START).await;
        db.look(&preview, Wanted::Video, START).await;
        let node = db.node_with_previews("n1", 1, 8, START).await;
        let mut pieces = Vec::new();
        while let Some(claim) = db.claim_in(Lane::Preview, &node, START).await {
            assert_eq!((claim.reduce, claim.lane), (3, Lane::Preview));
            assert!(claim.output_key.starts_with("jobs/"), "{}", claim.output_key);
            pieces.push(claim);
        }
        let frames: Vec<_> = pieces.iter().map(|claim| claim.work.clone()).collect();
        let expected = [0..50, 50..100, 100..150].map(Work::Render);
        assert_eq!(frames, expected);
        for piece in &pieces {
            db.finish(piece, later(1)).await;
        }
        assert_eq!(db.look(&preview, Wanted::Video, later(1)).await.progress, 99);
        let assembly = db.claim_in(Lane::Preview, &node, later(1)).await.expect("an assembly");
        db.finish(&assembly, later(2)).await;
        let view = db.look(&preview, Wanted::Video, later(2)).await;
        let key = view.video_key.expect("a video");
        assert_eq!((key.as_str(), view.progress), (assembly.output_key.as_str(), 100));
        assert!(key.starts_with("previews/") && key.ends_with("/video.mp4"), "{key}");
    }
}

on_both_databases! {
    async fn queue_depth_is_told_by_lane(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        db.job(&account, 2).await;
        let preview = db.preview(&account, 30, START).await;
        db.look(&preview, Wanted::Grid, START).await;
        let running = Running::start(&db).await;
        let page = running.controller.metrics().await.expect("metrics");
        for line in [
            json!({ "lane": "render", "kind": "render", "depth": 2 }),
            json!({ "lane": "preview", "kind": "stills", "depth": 1 }),
        ] {
            let (lane, kind) = (&line["lane"], &line["kind"]);
            let depth = format!("kinora_queue_depth{{lane={lane},kind={kind}}} {}", line["depth"]);
            assert!(page.contains(&depth), "{depth} is missing in\n{page}");
        }
        assert!(page.contains("kinora_jobs{status=\"pending\"} 1"), "previews are no jobs\n{page}");
        running.stop().await;
    }
}
