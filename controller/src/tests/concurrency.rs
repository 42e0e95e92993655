//! Races: every one ends as if the contenders had come one after the other.

use std::{collections::HashSet, time::Duration};

use futures::future::join_all;

use super::harness::{START, TestDb, body, later, on_both_databases, terms};
use crate::{
    Error,
    clock::Timestamp,
    scheduler,
    state::{JobState, Lane},
    store::{Beat, Store},
};

on_both_databases! {
    async fn no_task_is_leased_twice(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        for _ in 0..4 {
            db.job(&account, 5).await;
        }
        // Two controllers on one database.
        let replica = Store::open(&db.url).await.expect("opened");
        let mut nodes = Vec::new();
        for index in 0..8 {
            nodes.push(db.node(&format!("n{index}"), 20, START).await);
        }
        let workers = nodes.iter().enumerate().map(|(index, node)| {
            let store = if index % 2 == 0 { &db.store } else { &replica };
            let db = &db;
            async move {
                let mut claims = Vec::new();
                // SKIP LOCKED may pass over a task that is then free again: look twice.
                let mut misses = 0;
                while misses < 3 {
                    match db.claim_by(store, &db.looker(node, Lane::Render), terms().sizing, later(1)).await {
                        Some(claim) => claims.push(claim),
                        None => {
                            misses += 1;
                            tokio::time::sleep(Duration::from_millis(20)).await;
                        }
                    }
                }
                claims
            }
        });
        let claims: Vec<_> = join_all(workers).await.into_iter().flatten().collect();
        let tasks: HashSet<_> = claims.iter().map(|claim| claim.lease.task.clone()).collect();
        assert_eq!((claims.len(), tasks.len()), (20, 20));
        assert!(claims.iter().all(|claim| claim.lease.attempt == 1));
    }
}

on_both_databases! {
    async fn two_streams_of_one_node_never_fill_more_than_its_slots(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        db.job(&account, 30).await;
        let replica = Store::open(&db.url).await.expect("opened");
        let node = db.node("n1", 3, START).await;
        let looker = db.looker(&node, Lane::Render);
        let claims = (0..16).map(|index| {
            let store = if index % 2 == 0 { &db.store } else { &replica };
            db.claim_by(store, &looker, terms().sizing, later(1))
        });
        let claims = join_all(claims).await;
        assert_eq!(claims.into_iter().flatten().count(), 3);
    }
}

on_both_databases! {
    async fn heartbeats_reports_and_failures_of_one_job_hold_nobody_up(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let job = db.job(&account, 24).await;
        let node = db.node("n1", 24, START).await;
        let mut claims = Vec::new();
        while let Some(claim) = db.claim(&node, later(1)).await {
            claims.push(claim);
        }
        assert_eq!(claims.len(), 24);
        let beats: Vec<Beat> = claims
            .iter()
            .rev()
            .map(|claim| Beat { lease: claim.lease.clone(), frames_done: 3 })
            .collect();
        let renewals = (0..20).map(|_| db.store.renew_leases(&beats, later(20), later(2)));
        let reports = claims[1..].iter().map(|claim| db.finish(claim, later(2)));
        let rejected = scheduler::reject(&db.store, &claims[0].lease, "bad", later(2));
        let (renewed, reported, rejected) = tokio::time::timeout(Duration::from_secs(30), async {
            tokio::join!(join_all(renewals), join_all(reports), rejected)
        })
        .await
        .expect("nobody waits for ever");
        assert!(renewed.iter().all(Result::is_ok), "{renewed:?}");
        assert_eq!(reported.len(), 23);
        assert_eq!(rejected.expect("no deadlock"), scheduler::Outcome::Applied);
        assert_eq!(db.view(&account, &job).await.job.state, JobState::Failed);
    }
}

on_both_databases! {
    async fn the_last_credit_is_spent_once(db: TestDb) {
        let account = db.account("ada@example.com", 3).await;
        let replica = Store::open(&db.url).await.expect("opened");
        let request = body(30);
        let creates = (0..16).map(|index| {
            let store = if index % 2 == 0 { &db.store } else { &replica };
            db.submit(store, &account, &request, "", START)
        });
        let (mut accepted, mut short) = (0, 0);
        for result in join_all(creates).await {
            match result {
                Ok(_) => accepted += 1,
                Err(Error::InsufficientCredits { .. }) => short += 1,
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!((accepted, short), (3, 13));
        assert_eq!(db.balance(&account).await, 0);
        let counts = db.store.counts(START).await.expect("counted");
        assert_eq!(counts.jobs, [(JobState::Pending, 3)], "every charge has its job");
        assert_eq!(db.store.audit().await, [""; 0]);
    }
}

on_both_databases! {
    async fn one_idempotency_key_makes_one_job(db: TestDb) {
        let account = db.account("ada@example.com", 9).await;
        let request = body(30);
        let creates = (0..8).map(|_| db.try_create(&account, &request, "order-7"));
        let jobs: HashSet<_> =
            join_all(creates).await.into_iter().map(|made| made.expect("accepted").job).collect();
        assert_eq!(jobs.len(), 1);
        assert_eq!(db.balance(&account).await, 800);
    }
}

/// Many nodes on two controllers, some of which fail, vanish or send everything twice.
async fn chaos_worker(db: &TestDb, store: &Store, index: usize, clock: impl Fn() -> Timestamp) {
    let node = db.node(&format!("n{index}"), 2, clock()).await;
    let timing = db.timing;
    let mut turn = index;
    let mut idle = 0;
    while idle < 12 {
        let looker = db.looker(&node, Lane::Render);
        let Some(claim) = db.claim_by(store, &looker, terms().sizing, clock()).await else {
            idle += 1;
            tokio::time::sleep(Duration::from_millis(10)).await;
            db.touch(&node, clock()).await;
            scheduler::reap_once(store, clock()).await.expect("reaped");
            continue;
        };
        idle = 0;
        turn += 1;
        let (lease, key) = (&claim.lease, &claim.output_key);
        match turn % 7 {
            0 => {
                scheduler::fail(store, lease, "chaos", &timing, clock())
                    .await
                    .expect("failed");
            }
            1 => {
                scheduler::hand_back(store, lease, clock())
                    .await
                    .expect("handed back");
            }
            2 => {} // It vanishes; the reaper takes the task back.
            _ => {
                for _ in 0..2 {
                    scheduler::finish(
                        store,
                        lease,
                        key,
                        10,
                        Duration::from_secs(1),
                        &timing,
                        clock(),
                    )
                    .await
                    .expect("done");
                }
            }
        }
    }
}

on_both_databases! {
    async fn after_chaos_the_books_balance(db: TestDb) {
        let account = db.account("ada@example.com", 100).await;
        let mut jobs = Vec::new();
        for _ in 0..6 {
            jobs.push(db.job(&account, 4).await);
        }
        let replica = Store::open(&db.url).await.expect("opened");
        // A hundred times as fast as life, so that lost leases run out within the test.
        let began = std::time::Instant::now();
        let clock = move || START.plus(began.elapsed() * 100);
        let workers = (0..6).map(|index| {
            let store = if index % 2 == 0 { &db.store } else { &replica };
            chaos_worker(&db, store, index, clock)
        });
        join_all(workers).await;
        // What the workers left when they stopped, an orderly node finishes.
        let node = db.node("last", 50, clock()).await;
        for _ in 0..200 {
            tokio::time::sleep(Duration::from_millis(10)).await;
            db.touch(&node, clock()).await;
            scheduler::reap_once(&db.store, clock()).await.expect("reaped");
            while let Some(claim) = db.claim(&node, clock()).await {
                db.finish(&claim, clock()).await;
            }
        }

        let mut completed = 0;
        for job in &jobs {
            let view = db.view(&account, job).await;
            assert!(view.job.state.is_final(), "{job} is lost in {:?}", view.job.state);
            let cost = view.cost.rounded_up();
            match view.job.state {
                JobState::Completed => {
                    completed += 1;
                    assert_eq!(cost, 1);
                }
                _ => assert_eq!(cost, 0),
            }
        }
        assert_eq!(db.balance(&account).await, 10_000 - 100 * completed);
        assert_eq!(db.store.audit().await, [""; 0]);
    }
}
