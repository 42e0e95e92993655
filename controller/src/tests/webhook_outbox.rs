//! The outbox of webhooks: what is written when a job ends, and how rows are leased and recorded.
//! Time is the test's own.

use std::{collections::HashSet, time::Duration};

use futures::future::join_all;
use serde_json::{Value, json};

use super::{
    harness::{START, TestDb, body, later, on_both_databases},
    webhook_support::{
        account_and_node, completed_job, delivery_states, failed_job, register, sql, webhooks_of,
    },
};
use crate::{
    WebhookTerms,
    clock::Timestamp,
    ids::AccountId,
    metrics::Delivered,
    store::{LeasedDelivery, Receiver, Store},
    webhooks::{self, Attempt},
};

const URL: &str = "https://example.com/hook";
const PLENTY: usize = 100;

async fn lease(db: &TestDb, now: Timestamp) -> Vec<LeasedDelivery> {
    let leased = webhooks::lease_due(&db.store, &webhooks_of(db), PLENTY, now).await;
    leased.expect("leased")
}

async fn record(
    db: &TestDb,
    delivery: &LeasedDelivery,
    attempt: Attempt,
    now: Timestamp,
) -> Option<Delivered> {
    let terms = WebhookTerms::default();
    let recorded = webhooks::record(&db.store, &terms, delivery, attempt, now).await;
    recorded.expect("recorded")
}

fn failed() -> Attempt {
    Attempt::Failed("answered 500".into())
}

fn payload(delivery: &LeasedDelivery) -> Value {
    serde_json::from_str(&delivery.payload).expect("JSON")
}

on_both_databases! {
    async fn a_completed_job_is_told_with_its_file(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let (webhook, _) = register(&db, &account, URL, &[]).await;
        let view = completed_job(&db, &account, &node, None, later(7)).await;
        let leased = lease(&db, later(7)).await;
        let [delivery] = leased.as_slice() else { panic!("{leased:?}") };
        assert_eq!(delivery.receiver, Receiver::Registered(webhook.id));
        let key = view.job.output_key.expect("a file");
        assert_eq!(payload(delivery), json!({
            "event": "render.completed",
            "deliveryId": delivery.id.as_str(),
            "timestamp": "2027-01-15T08:00:07.000Z",
            "data": {
                "jobId": view.job.id.as_str(),
                "status": "COMPLETED",
                "outputUrl": format!("{}/files/{key}", view.job.public_url),
                "outputSize": 1000,
                "durationInFrames": 30, "width": 1920, "height": 1080, "fps": 30,
                "creditsUsed": 1,
                "duration": 0,
                "completedAt": "2027-01-15T08:00:07.000Z",
            },
        }));
    }
}

on_both_databases! {
    async fn a_failed_job_is_told_without_a_file_and_says_why(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        register(&db, &account, URL, &[]).await;
        let view = failed_job(&db, &account, &node, None, later(7)).await;
        let leased = lease(&db, later(7)).await;
        let [delivery] = leased.as_slice() else { panic!("{leased:?}") };
        assert_eq!(payload(delivery), json!({
            "event": "render.failed",
            "deliveryId": delivery.id.as_str(),
            "timestamp": "2027-01-15T08:00:07.000Z",
            "data": {
                "jobId": view.job.id.as_str(),
                "status": "FAILED",
                "durationInFrames": 30, "width": 1920, "height": 1080, "fps": 30,
                "creditsUsed": 0,
                "duration": 0,
                "completedAt": "2027-01-15T08:00:07.000Z",
                "errorMessage": "overlay 1: the image can't be decoded",
            },
        }));
    }
}

on_both_databases! {
    async fn each_receiver_is_told_what_it_asked_for_and_strangers_nothing(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let bob = db.account("bob@example.com", 0).await;
        register(&db, &bob, URL, &[]).await;
        let (completed, _) = register(&db, &account, URL, &["render.completed"]).await;
        let (failed, _) = register(&db, &account, URL, &["render.failed"]).await;
        let (both, _) = register(&db, &account, URL, &[]).await;
        let (off, _) = register(&db, &account, URL, &[]).await;
        sql(&db, &format!("UPDATE webhooks SET is_active = 0 WHERE id = '{}'", off.id)).await;
        let one_off = "https://example.com/once?order=7";

        completed_job(&db, &account, &node, Some(one_off), START).await;
        let told = |leased: Vec<LeasedDelivery>| -> HashSet<String> {
            leased.into_iter().map(|delivery| match delivery.receiver {
                Receiver::Registered(id) => id.to_string(),
                Receiver::OneOff(url) => url,
            }).collect()
        };
        let expected = [completed.id.as_str(), both.id.as_str(), one_off].map(str::to_owned);
        assert_eq!(told(lease(&db, START).await), HashSet::from(expected));
        failed_job(&db, &account, &node, None, START).await;
        let expected = [failed.id.as_str(), both.id.as_str()].map(str::to_owned);
        assert_eq!(told(lease(&db, START).await), HashSet::from(expected));
    }
}

on_both_databases! {
    async fn the_project_of_a_render_is_told(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        register(&db, &account, URL, &[]).await;
        let mut request = body(30);
        request["createProject"] = true.into();
        let job = db.try_create(&account, &request, "").await.expect("accepted").job;
        for _ in ["render", "assemble"] {
            let claim = db.must_claim(&node, START).await;
            db.finish(&claim, START).await;
        }
        let project = db.view(&account, &job).await.job.project.expect("a project");
        let told = payload(&lease(&db, START).await[0]);
        assert_eq!(told["data"]["projectId"], project.as_str());
    }
}

on_both_databases! {
    async fn one_off_callbacks_have_no_delivery_id(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        completed_job(&db, &account, &node, Some(URL), START).await;
        let leased = lease(&db, START).await;
        assert_eq!(leased.len(), 1);
        let body = payload(&leased[0]);
        assert_eq!((&body["event"], body.get("deliveryId")), (&"render.completed".into(), None));
    }
}

on_both_databases! {
    async fn attempts_come_at_once_then_a_second_then_two_later_and_end(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        register(&db, &account, URL, &[]).await;
        completed_job(&db, &account, &node, None, START).await;
        let mut bodies = HashSet::new();
        let mut now = START;
        for (outcome, pause) in
            [(Delivered::Retried, 1000), (Delivered::Retried, 2000), (Delivered::Lost, 3_600_000)]
        {
            let leased = lease(&db, now).await;
            let [delivery] = leased.as_slice() else { panic!("{leased:?}") };
            bodies.insert((delivery.id.to_string(), delivery.payload.clone()));
            assert_eq!(record(&db, delivery, failed(), now).await, Some(outcome));
            assert!(lease(&db, now.plus(Duration::from_millis(pause - 1))).await.is_empty());
            now = now.plus(Duration::from_millis(pause));
        }
        assert_eq!(bodies.len(), 1, "the same id and the same bytes each time");
        assert!(lease(&db, now).await.is_empty(), "three attempts in all");
        let rows = sql(&db, "SELECT state, last_error FROM webhook_deliveries").await;
        assert_eq!(rows, [[Some("failed".into()), Some("answered 500".into())]]);
    }
}

on_both_databases! {
    async fn a_lease_that_runs_out_is_taken_again_and_its_late_record_does_not_count(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        register(&db, &account, URL, &[]).await;
        completed_job(&db, &account, &node, None, START).await;
        let first = lease(&db, START).await.remove(0);
        assert!(lease(&db, later(14)).await.is_empty(), "a healthy controller has 15 s");
        let second = lease(&db, later(15)).await.remove(0);
        assert_eq!((&first.id, &first.payload), (&second.id, &second.payload));
        assert_eq!(record(&db, &first, failed(), later(16)).await, None);
        assert_eq!(record(&db, &first, Attempt::Acknowledged, later(16)).await, None);
        let outcome = record(&db, &second, Attempt::Acknowledged, later(16)).await;
        assert_eq!(outcome, Some(Delivered::Acknowledged));
        assert_eq!(delivery_states(&db).await, ["delivered"]);
    }
}

on_both_databases! {
    async fn two_controllers_lease_every_row_once(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        for index in 0..5 {
            register(&db, &account, &format!("{URL}/{index}"), &[]).await;
        }
        for _ in 0..4 {
            completed_job(&db, &account, &node, None, START).await;
        }
        let replica = Store::open(&db.url).await.expect("opened");
        let webhooks = webhooks_of(&db);
        let leases = (0..8).map(|index| {
            let (store, webhooks) = (if index % 2 == 0 { &db.store } else { &replica }, &webhooks);
            async move { webhooks::lease_due(store, webhooks, 5, START).await.expect("leased") }
        });
        let mut leased: Vec<_> = join_all(leases).await.into_iter().flatten().collect();
        // SKIP LOCKED may pass over rows that are then free again.
        leased.extend(lease(&db, START).await);
        let ids: HashSet<_> = leased.iter().map(|delivery| delivery.id.to_string()).collect();
        assert_eq!((leased.len(), ids.len()), (20, 20));
    }
}

async fn share_of(db: &TestDb, now: Timestamp) -> (usize, usize) {
    let leased = lease(db, now).await;
    let one_offs = leased
        .iter()
        .filter(|delivery| matches!(delivery.receiver, Receiver::OneOff(_)));
    let one_offs = one_offs.count();
    (one_offs, leased.len() - one_offs)
}

on_both_databases! {
    async fn many_deliveries_to_one_receiver_leave_room_for_others(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        for index in 0..12 {
            let url = format!("https://slow.example.com/hook?order={index}");
            completed_job(&db, &account, &node, Some(&url), START).await;
        }
        // Later than all of those, and registered only now.
        register(&db, &account, URL, &[]).await;
        completed_job(&db, &account, &node, None, later(1)).await;
        assert_eq!(share_of(&db, later(1)).await, (8, 1));
        assert_eq!(share_of(&db, later(2)).await, (0, 0), "the leased ones take up the room");
        assert_eq!(share_of(&db, later(16)).await, (8, 1), "their leases have run out");
    }
}

on_both_databases! {
    async fn many_receivers_of_one_account_leave_room_for_others(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        for index in 0..70 {
            let url = format!("https://{index}.example.com/hook");
            completed_job(&db, &account, &node, Some(&url), START).await;
        }
        let bob = db.account("bob@example.com", 1).await;
        register(&db, &bob, URL, &[]).await;
        completed_job(&db, &bob, &node, None, later(1)).await;
        assert_eq!(share_of(&db, later(1)).await, (64, 1));
    }
}

/// One job that ends and whose every delivery fails for good, at this moment.
async fn lose_one(db: &TestDb, account: &AccountId, now: Timestamp) {
    let node = db.node("n1", 2, now).await;
    completed_job(db, account, &node, None, now).await;
    let mut at = now;
    for pause in [1, 2, 0] {
        let delivery = lease(db, at).await.remove(0);
        record(db, &delivery, failed(), at).await;
        at = at.plus(Duration::from_secs(pause));
    }
}

async fn is_active(db: &TestDb, account: &AccountId) -> bool {
    db.store.webhooks_of(account).await.expect("listed")[0].is_active
}

const HOUR: u64 = 3600;

on_both_databases! {
    async fn a_registration_that_fails_for_a_day_is_switched_off(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        register(&db, &account, URL, &[]).await;
        for index in 0..19 {
            lose_one(&db, &account, later(index * HOUR)).await;
        }
        // Enough of them within the day; then one that arrives.
        for index in 0..5 {
            lose_one(&db, &account, later(18 * HOUR + 60 + index * 10)).await;
        }
        assert!(is_active(&db, &account).await);
        let recovered = later(23 * HOUR);
        completed_job(&db, &account, &node, None, recovered).await;
        let delivery = lease(&db, recovered).await.remove(0);
        record(&db, &delivery, Attempt::Acknowledged, recovered).await;
        let health = "SELECT CAST(failures_in_a_row AS TEXT), CAST(failing_since AS TEXT) FROM webhooks";
        assert_eq!(sql(&db, health).await, [[Some("0".into()), None]]);

        for index in 0..19 {
            lose_one(&db, &account, later((24 + index) * HOUR)).await;
        }
        assert!(is_active(&db, &account).await, "19 in a row");
        // Two jobs end together: one delivery is the last straw, and the other is dropped.
        let last = later(48 * HOUR);
        let node = db.node("n1", 2, last).await;
        completed_job(&db, &account, &node, None, last.minus(Duration::from_secs(5))).await;
        let waiting = lease(&db, last).await.remove(0);
        lose_one(&db, &account, last).await;
        assert!(!is_active(&db, &account).await, "20 in a row for 24 h");
        assert_eq!(record(&db, &waiting, failed(), later(48 * HOUR + 3)).await, None, "dropped");
        completed_job(&db, &account, &node, None, later(49 * HOUR)).await;
        assert!(lease(&db, later(49 * HOUR)).await.is_empty(), "nothing more is written for it");

        // An operator who knows better switches it on again.
        let id = db.store.webhooks_of(&account).await.expect("listed")[0].id.clone();
        let admin = db.admin().await;
        let unknown = admin.activate_webhook("ada@example.com", "wh_nothing").await;
        assert!(matches!(unknown, Err(crate::Error::NotFound(_))), "{unknown:?}");
        admin.activate_webhook("ada@example.com", id.as_str()).await.expect("activated");
        assert!(is_active(&db, &account).await);
    }
}

on_both_databases! {
    async fn what_a_removed_registration_was_to_be_told_is_dropped(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let (webhook, _) = register(&db, &account, URL, &[]).await;
        let (other, _) = register(&db, &account, URL, &[]).await;
        completed_job(&db, &account, &node, None, START).await;
        assert!(db.store.delete_webhook(&account, &webhook.id).await.expect("deleted"));
        let leased = lease(&db, START).await;
        assert_eq!(leased.len(), 1);
        assert_eq!(leased[0].receiver, Receiver::Registered(other.id));
    }
}

on_both_databases! {
    async fn ended_deliveries_are_forgotten_after_a_week_and_waiting_ones_never(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        completed_job(&db, &account, &node, Some(URL), START).await;
        let delivery = lease(&db, START).await.remove(0);
        record(&db, &delivery, Attempt::Acknowledged, START).await;
        completed_job(&db, &account, &node, Some(URL), START).await;
        let week = 7 * 24 * HOUR;
        webhooks::forget_once(&db.store, later(week)).await.expect("forgot");
        assert_eq!(delivery_states(&db).await.len(), 2);
        webhooks::forget_once(&db.store, later(week + 1)).await.expect("forgot");
        assert_eq!(delivery_states(&db).await, ["pending"]);
    }
}
