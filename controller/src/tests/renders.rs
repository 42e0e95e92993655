//! Accepting renders: one charge, one job, its tasks; and reading them back.

use serde_json::json;

use super::harness::{TestDb, body, later, on_both_databases, terms};
use crate::{
    Error,
    ids::JobId,
    jobs, scheduler,
    state::{JobState, Lane, TaskKind, TaskState},
};

on_both_databases! {
    async fn an_accepted_render_is_charged_and_split(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let accepted = db.try_create(&account, &body(95), "").await.expect("accepted");
        assert_eq!((accepted.price.rounded_up(), accepted.mode.as_str()), (1, "direct"));
        assert_eq!(accepted.estimated_minutes, 1);
        assert_eq!(db.balance(&account).await, 400);

        let tasks = db.store.tasks_of(&accepted.job).await.expect("tasks");
        let kinds: Vec<_> = tasks.iter().map(|task| (task.kind, task.state)).collect();
        let chunk = (TaskKind::Render, TaskState::Ready);
        assert_eq!(kinds, [chunk, chunk, chunk, (TaskKind::Assemble, TaskState::Blocked)]);
        assert_eq!(tasks[2].frames.end, 95);

        let view = db.view(&account, &accepted.job).await;
        assert_eq!((view.job.state, view.progress.percentage), (JobState::Pending, 0));
        assert_eq!((view.job.width, view.job.fps, view.job.frames), (1920, 30, 95));
        assert_eq!(view.progress.remaining, None);
        let stored: serde_json::Value =
            serde_json::from_str(&view.job.composition_json).expect("JSON");
        assert_eq!(stored["overlays"][0]["content"], "hello");
    }
}

on_both_databases! {
    async fn what_is_refused_costs_nothing(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let refused = db.try_create(&account, &json!({ "inputProps": 1 }), "").await;
        assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
        let long_key = "k".repeat(300);
        let refused = db.try_create(&account, &body(30), &long_key).await;
        let named = refused.expect_err("refused").to_string();
        assert!(named.contains("Idempotency-Key"), "{named}");
        let stranger = db.try_create(&"acc_nobody".into(), &body(30), "").await;
        assert!(matches!(stranger, Err(Error::NotFound(_))), "{stranger:?}");

        let long = db.try_create(&account, &body(30 * 60 * 6), "").await;
        match long {
            Err(Error::InsufficientCredits { needed, available }) => {
                assert_eq!((needed.rounded_up(), available.rounded_down()), (6, 5));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(db.balance(&account).await, 500);
        assert!(!db.store.has_ready_tasks(Lane::Render).await.expect("read"));
    }
}

on_both_databases! {
    async fn the_same_key_and_body_get_the_first_answer(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let other = db.account("bob@example.com", 5).await;
        let first = db.try_create(&account, &body(30), "order-1").await.expect("accepted");
        let again = db.try_create(&account, &body(30), "order-1").await.expect("accepted");
        assert_eq!(first, again);
        assert_eq!(db.balance(&account).await, 400);

        let changed = db.try_create(&account, &body(60), "order-1").await;
        assert!(matches!(changed, Err(Error::Conflict(_))), "{changed:?}");
        let others = db.try_create(&other, &body(30), "order-1").await.expect("their own key");
        assert_ne!(others.job, first.job);

        // Long after, the key is free again.
        scheduler::forget_once(&db.store, later(25 * 3600)).await.expect("forgotten");
        let later = db.try_create(&account, &body(60), "order-1").await.expect("accepted");
        assert_ne!(later.job, first.job);
    }
}

on_both_databases! {
    async fn a_job_is_shown_to_its_owner_only(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let other = db.account("bob@example.com", 5).await;
        let job = db.job(&account, 1).await;
        let foreign = jobs::get(&db.store, &terms(), &other, &job, later(1)).await;
        assert!(matches!(foreign, Err(Error::Forbidden(_))), "{foreign:?}");
        let unknown = jobs::get(&db.store, &terms(), &account, &JobId::random(), later(1)).await;
        assert!(matches!(unknown, Err(Error::NotFound(_))), "{unknown:?}");
    }
}
