//! Which node gets which task.

use super::harness::{START, TestDb, later, on_both_databases};
use crate::{
    scheduler::{self, Work},
    state::JobState,
};

on_both_databases! {
    async fn a_render_goes_through_chunks_and_assembly(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let job = db.job(&account, 2).await;
        let node = db.node("n1", 4, START).await;

        let first = db.must_claim(&node, later(1)).await;
        assert_eq!(db.view(&account, &job).await.job.state, JobState::Processing);
        assert_eq!(db.view(&account, &job).await.job.started_at, Some(later(1)));
        assert_eq!(first.work, Work::Render(0..30));
        assert_eq!((first.lease.attempt, first.until), (1, later(11)));
        assert!(first.output_key.starts_with(&format!("jobs/{job}/chunks/{}-1-", first.lease.task)));
        let second = db.must_claim(&node, later(1)).await;
        assert_eq!(second.work, Work::Render(30..60));
        assert_eq!(db.claim(&node, later(1)).await, None, "the assembly waits for the chunks");

        db.finish(&second, later(2)).await;
        assert_eq!(db.claim(&node, later(2)).await, None);
        assert_eq!(db.view(&account, &job).await.progress.percentage, 47);
        db.finish(&first, later(3)).await;

        let assembly = db.must_claim(&node, later(3)).await;
        let keys = vec![first.output_key, second.output_key];
        assert_eq!(assembly.work, Work::Assemble(keys), "in the order of the frames");
        assert!(assembly.output_key.starts_with(&format!("renders/{job}/1-")));
        assert_eq!((first.waited.as_secs(), assembly.waited.as_secs()), (1, 0));
        assert_eq!(db.view(&account, &job).await.progress.percentage, 95);
        db.finish(&assembly, later(4)).await;

        let view = db.view(&account, &job).await;
        assert_eq!((view.job.state, view.progress.percentage), (JobState::Completed, 100));
        assert_eq!(view.job.output_key, Some(assembly.output_key));
        assert_eq!((view.job.output_size, view.cost.rounded_up()), (Some(1000), 1));
        assert_eq!(view.job.completed_at, Some(later(4)));
        assert_eq!(db.balance(&account).await, 400);
    }
}

on_both_databases! {
    async fn slots_draining_and_being_unknown_limit_what_a_node_gets(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        db.job(&account, 3).await;
        let node = db.node("n1", 1, START).await;
        let held = db.must_claim(&node, START).await;
        assert_eq!(db.claim(&node, START).await, None, "its one slot is taken");
        db.finish(&held, START).await;
        db.must_claim(&node, START).await;

        let draining = db.node("n2", 4, START).await;
        db.store.drain_node(&draining).await.expect("drained");
        assert_eq!(db.claim(&draining, START).await, None);
        db.node("n2", 4, later(1)).await;
        assert!(db.claim(&draining, later(1)).await.is_some(), "it has connected again");
        assert_eq!(db.claim(&"n3".into(), START).await, None, "it never said hello");
    }
}

on_both_databases! {
    async fn a_failed_task_goes_to_another_node_if_there_is_one(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        db.job(&account, 1).await;
        let (one, other) = (db.node("n1", 1, START).await, db.node("n2", 1, START).await);
        let claim = db.must_claim(&one, later(1)).await;
        db.fail(&claim, later(1)).await;
        assert_eq!(db.claim(&one, later(2)).await, None, "n2 has not tried it yet");
        let claim = db.must_claim(&other, later(2)).await;
        assert_eq!(claim.lease.attempt, 2);
        db.fail(&claim, later(3)).await;
        assert!(db.claim(&one, later(3)).await.is_some(), "both have tried it");
    }
}

on_both_databases! {
    async fn a_node_that_is_gone_or_drains_is_not_waited_for(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        db.job(&account, 1).await;
        let (one, other) = (db.node("n1", 1, START).await, db.node("n2", 1, START).await);
        let claim = db.must_claim(&one, later(1)).await;
        db.fail(&claim, later(1)).await;
        assert_eq!(db.claim(&one, later(9)).await, None);
        let claim = db.must_claim(&one, later(11)).await;
        db.fail(&claim, later(11)).await;

        db.touch(&other, later(12)).await;
        assert_eq!(db.claim(&one, later(12)).await, None);
        db.store.drain_node(&other).await.expect("drained");
        assert!(db.claim(&one, later(12)).await.is_some());
    }
}

on_both_databases! {
    async fn older_jobs_come_first(db: TestDb) {
        let account = db.account("ada@example.com", 9).await;
        let first = db.job_at(&account, later(1)).await;
        let second = db.job_at(&account, later(2)).await;
        let node = db.node("n1", 8, START).await;
        let mut jobs = Vec::new();
        while let Some(claim) = db.claim(&node, START).await {
            jobs.push(claim.job);
        }
        assert_eq!(jobs, [first.clone(), first, second.clone(), second]);
    }
}

on_both_databases! {
    async fn nodes_long_gone_are_forgotten(db: TestDb) {
        db.node("old", 1, START).await;
        db.node("new", 1, later(24 * 3600)).await;
        scheduler::forget_once(&db.store, later(24 * 3600 + 1)).await.expect("forgotten");
        let counts = db.store.counts(crate::clock::Timestamp(0)).await.expect("counted");
        assert_eq!(counts.connected_nodes, 1);
    }
}

on_both_databases! {
    async fn what_a_drained_node_still_holds_is_free_when_its_stream_ends(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        db.job(&account, 1).await;
        let (one, other) = (db.node("n1", 1, START).await, db.node("n2", 1, START).await);
        let lost = db.must_claim(&one, later(1)).await;
        let release = || scheduler::release_drained(&db.store, &one, later(2));
        assert_eq!(release().await.expect("ok"), 0, "it may come back");
        db.store.drain_node(&one).await.expect("drained");
        assert_eq!(release().await.expect("ok"), 1);
        let again = db.must_claim(&other, later(2)).await;
        assert_eq!((again.lease.task, again.lease.attempt), (lost.lease.task, 2));
    }
}
