//! What reports change, and what they don't: the fence, reaping, retries, refunds.

use std::sync::Arc;

use futures::TryStreamExt;
use object_store::{ObjectStore, ObjectStoreExt, memory::InMemory, path::Path};

use super::harness::{START, TestDb, later, on_both_databases};
use crate::{
    ids::{AccountId, JobId, NodeId},
    scheduler::{self, FAILURES_IN_A_ROW, MAX_RETRIES, Outcome, Work},
    state::{JobState, TaskState},
    store::TaskRow,
};

async fn one_task(db: &TestDb) -> (AccountId, JobId, NodeId) {
    let account = db.account("ada@example.com", 5).await;
    let job = db.job(&account, 1).await;
    let node = db.node("n1", 4, START).await;
    (account, job, node)
}

async fn first_task(db: &TestDb, job: &JobId) -> TaskRow {
    db.store.tasks_of(job).await.expect("tasks").remove(0)
}

on_both_databases! {
    async fn a_lost_lease_goes_back_and_its_reports_change_nothing(db: TestDb) {
        let (account, job, node) = one_task(&db).await;
        let lost = db.must_claim(&node, START).await;
        assert_eq!(scheduler::reap_once(&db.store, later(10)).await.expect("reaped"), 0);
        assert_eq!(scheduler::reap_once(&db.store, later(11)).await.expect("reaped"), 1);
        assert_eq!(first_task(&db, &job).await.state, TaskState::Ready);

        let held = db.must_claim(&node, later(12)).await;
        assert_eq!((held.lease.attempt, held.lease.task.clone()), (2, lost.lease.task.clone()));
        assert_ne!(held.output_key, lost.output_key);

        let store = &db.store;
        assert!(!db.renew(&lost.lease, 30, later(13)).await);
        assert!(matches!(db.finish(&lost, later(13)).await, Outcome::Stale(_)));
        assert!(matches!(db.fail(&lost, later(13)).await, Outcome::Stale(_)));
        let back = scheduler::hand_back(store, &lost.lease, later(13)).await.expect("ok");
        assert!(matches!(back, Outcome::Stale(_)));
        let bad = scheduler::reject(store, &lost.lease, "bad", later(13)).await.expect("ok");
        assert!(matches!(bad, Outcome::Stale(_)));

        let task = first_task(&db, &job).await;
        assert_eq!((task.state, task.attempt, task.frames_done), (TaskState::Leased, 2, 0));
        assert_eq!(db.view(&account, &job).await.job.state, JobState::Processing);
        assert!(matches!(db.finish(&held, later(14)).await, Outcome::Done(..)));
        assert_eq!(db.finish(&held, later(14)).await, Outcome::Known, "a repeated report");
    }
}

on_both_databases! {
    async fn another_node_can_not_report_on_a_lease(db: TestDb) {
        let (_, job, node) = one_task(&db).await;
        let mut claim = db.must_claim(&node, START).await;
        claim.lease.node = "n2".into();
        assert!(matches!(db.finish(&claim, later(1)).await, Outcome::Stale(_)));
        assert_eq!(first_task(&db, &job).await.state, TaskState::Leased);
    }
}

on_both_databases! {
    async fn heartbeats_keep_a_lease_and_show_frames(db: TestDb) {
        let (account, job, node) = one_task(&db).await;
        let claim = db.must_claim(&node, START).await;
        for second in [8, 16, 24] {
            assert!(db.renew(&claim.lease, 15, later(second)).await);
            assert_eq!(scheduler::reap_once(&db.store, later(second)).await.expect("ok"), 0);
        }
        let view = db.view(&account, &job).await;
        assert_eq!((view.progress.percentage, view.updated_at), (47, later(24)));
        assert!(view.progress.remaining.is_some());

        assert!(db.renew(&claim.lease, 9999, later(25)).await);
        assert_eq!(first_task(&db, &job).await.frames_done, 30, "no more than there are");
    }
}

on_both_databases! {
    async fn losing_and_handing_back_spend_no_retry(db: TestDb) {
        let (account, job, node) = one_task(&db).await;
        let mut now = 0;
        for _ in 0..=MAX_RETRIES {
            let claim = db.must_claim(&node, later(now)).await;
            let back = scheduler::hand_back(&db.store, &claim.lease, later(now)).await;
            assert_eq!(back.expect("ok"), Outcome::Applied);
            db.must_claim(&node, later(now)).await;
            now += 11;
            assert_eq!(scheduler::reap_once(&db.store, later(now)).await.expect("ok"), 1);
        }
        let claim = db.must_claim(&node, later(now)).await;
        assert_eq!(claim.lease.attempt, 2 * (MAX_RETRIES + 1) + 1);
        for _ in 0..MAX_RETRIES {
            let held = db.store.tasks_of(&job).await.expect("tasks").remove(0).attempt;
            let claim = scheduler::Claim {
                lease: crate::store::Fence { attempt: held, ..claim.lease.clone() },
                ..claim.clone()
            };
            db.fail(&claim, later(now)).await;
            db.must_claim(&node, later(now)).await;
        }
        assert_eq!(db.view(&account, &job).await.job.state, JobState::Processing);
    }
}

on_both_databases! {
    async fn a_task_that_keeps_failing_fails_its_job_and_refunds_it(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let job = db.job(&account, 2).await;
        let node = db.node("n1", 4, START).await;
        let sibling = db.must_claim(&node, START).await;
        for attempt in 1..=MAX_RETRIES + 1 {
            assert_eq!(db.view(&account, &job).await.job.state, JobState::Processing);
            let claim = db.must_claim(&node, later(1)).await;
            assert_eq!(claim.lease.attempt, attempt);
            assert_eq!(db.fail(&claim, later(2)).await, Outcome::Applied);
        }
        let view = db.view(&account, &job).await;
        assert_eq!(view.job.state, JobState::Failed);
        let message = view.job.error_message.expect("a message");
        assert!(!message.contains("device lost"), "internals are hidden: {message}");
        assert_eq!((view.cost.rounded_up(), db.balance(&account).await), (0, 500));

        assert_eq!(db.claim(&node, later(3)).await, None, "nothing of it is left to do");
        assert!(!db.renew(&sibling.lease, 1, later(3)).await, "its other leases are over");
        assert!(matches!(db.finish(&sibling, later(3)).await, Outcome::Stale(_)));
        assert_eq!(db.balance(&account).await, 500, "refunded once");
    }
}

on_both_databases! {
    async fn bad_input_fails_the_job_at_once_with_its_message(db: TestDb) {
        let (account, job, node) = one_task(&db).await;
        let claim = db.must_claim(&node, START).await;
        let message = "overlay 1: http://example.com/a.png answered 404";
        let outcome = scheduler::reject(&db.store, &claim.lease, message, later(1)).await;
        assert_eq!(outcome.expect("ok"), Outcome::Applied);
        let view = db.view(&account, &job).await;
        assert_eq!(view.job.state, JobState::Failed);
        assert_eq!(view.job.error_message.as_deref(), Some(message));
        assert_eq!(db.balance(&account).await, 500);
        assert_eq!(view.job.completed_at, Some(later(1)));
    }
}

on_both_databases! {
    async fn a_node_that_fails_three_tasks_in_a_row_is_set_aside(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        db.job(&account, 5).await;
        let node = db.node("n1", 1, START).await;
        let good = db.node("n2", 1, START).await;
        for seen in 1..=FAILURES_IN_A_ROW {
            db.touch(&good, START).await;
            let claim = db.must_claim(&node, START).await;
            if seen == 2 {
                // A success in between starts the count again.
                db.finish(&claim, START).await;
                let claim = db.must_claim(&node, START).await;
                db.fail(&claim, START).await;
            } else {
                db.fail(&claim, START).await;
            }
        }
        let claim = db.must_claim(&node, START).await;
        db.fail(&claim, START).await;

        db.job(&account, 1).await;
        assert_eq!(db.claim(&node, later(59)).await, None, "set aside");
        assert!(db.claim(&good, later(59)).await.is_some(), "others go on");
        assert!(db.claim(&node, later(61)).await.is_some(), "and it comes back");
    }
}

on_both_databases! {
    async fn one_bad_task_does_not_set_its_node_aside(db: TestDb) {
        let (_, _, node) = one_task(&db).await;
        for _ in 0..FAILURES_IN_A_ROW {
            let claim = db.must_claim(&node, START).await;
            db.fail(&claim, START).await;
        }
        assert!(db.claim(&node, START).await.is_some());
    }
}

on_both_databases! {
    async fn a_report_of_another_object_counts_as_a_failure(db: TestDb) {
        let (account, job, node) = one_task(&db).await;
        let mut claim = db.must_claim(&node, START).await;
        claim.output_key = "renders/somebody-else/video.mp4".into();
        assert_eq!(db.finish(&claim, later(1)).await, Outcome::Applied);
        let task = first_task(&db, &job).await;
        assert_eq!(task.state, TaskState::Ready);
        assert_eq!(db.view(&account, &job).await.job.state, JobState::Processing);
    }
}

on_both_databases! {
    async fn finished_jobs_leave_their_file_and_nothing_else(db: TestDb) {
        let (account, job, node) = one_task(&db).await;
        let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let put = |key: String| {
            let objects = Arc::clone(&objects);
            async move {
                objects.put(&Path::from(key), "x".into()).await.expect("stored");
            }
        };
        let lost = db.must_claim(&node, START).await;
        put(lost.output_key.clone()).await;
        scheduler::reap_once(&db.store, later(20)).await.expect("reaped");
        let chunk = db.must_claim(&node, later(20)).await;
        put(chunk.output_key.clone()).await;
        db.finish(&chunk, later(21)).await;
        let assembly = db.must_claim(&node, later(21)).await;
        assert!(matches!(assembly.work, Work::Assemble(_)));
        put(assembly.output_key.clone()).await;
        put(format!("renders/{job}/0-forgotten/video.mp4")).await;
        put("renders/other/1-x/video.mp4".into()).await;

        let clean = async |at| {
            let cleaned = scheduler::clean_once(&db.store, objects.as_ref(), at).await;
            cleaned.expect("cleaned")
        };
        assert_eq!(clean(later(23)).await, 0, "it is not finished");
        db.finish(&assembly, later(22)).await;
        assert_eq!(clean(later(23)).await, 1);
        assert_eq!(clean(later(24)).await, 0, "once is enough for now");
        // Whoever lost the lease was not dead: it writes, and dies before it can say so.
        put(lost.output_key.clone()).await;
        assert_eq!(clean(later(700)).await, 1);
        assert_eq!(clean(later(9_000)).await, 0, "that was the last look");

        let left: Vec<String> = objects
            .list(None)
            .map_ok(|object| object.location.to_string())
            .try_collect()
            .await
            .expect("listed");
        let output = db.view(&account, &job).await.job.output_key.expect("a file");
        let mut expected = vec![output, "renders/other/1-x/video.mp4".to_owned()];
        expected.sort();
        assert_eq!(left, expected);
    }
}

on_both_databases! {
    async fn the_object_of_a_late_result_is_deleted_but_no_other(db: TestDb) {
        let (_, _, node) = one_task(&db).await;
        let lost = db.must_claim(&node, START).await;
        scheduler::reap_once(&db.store, later(20)).await.expect("reaped");
        let held = db.must_claim(&node, later(20)).await;
        let objects = InMemory::new();
        for key in [&lost.output_key, &held.output_key] {
            objects.put(&Path::from(key.as_str()), "x".into()).await.expect("stored");
        }
        let Outcome::Stale(stale) = db.finish(&lost, later(21)).await else {
            panic!("the lease is lost");
        };
        for key in [&held.output_key, &lost.output_key] {
            scheduler::delete_stale_object(&objects, &lost.lease, &stale, key).await;
        }
        assert!(objects.head(&Path::from(lost.output_key)).await.is_err());
        assert!(objects.head(&Path::from(held.output_key)).await.is_ok());
    }
}
