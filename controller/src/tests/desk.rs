//! Nodes that queue for tasks together.

use std::{collections::HashSet, sync::Arc, time::Duration};

use futures::future::join_all;
use tokio::time::timeout;

use super::{
    harness::{START, TestDb, later, on_both_databases, terms},
    media::job_with,
};
use crate::{
    clock::Timestamp,
    ids::NodeId,
    scheduler::{self, BEGINNING, Claim, Desk, Looked, Search, Work},
    state::{JobState, Lane, TaskState},
    store::{Looker, Store},
};

fn search(node: &NodeId) -> Search {
    Search {
        node: node.clone(),
        lane: Lane::Render,
        encoders: Arc::from(["x264".to_owned()]),
        media: Vec::new(),
        from_turn: BEGINNING,
    }
}

async fn claim(db: &TestDb, desk: &Arc<Desk>, store: &Store, node: &NodeId) -> Option<Claim> {
    let looked = desk.claim(store, search(node), &db.timing, terms().sizing);
    match looked.await.expect("an answer") {
        Looked::Leased(claim) => Some(*claim),
        Looked::Nothing | Looked::NoRoom | Looked::SetAside => None,
    }
}

async fn nodes(db: &TestDb, count: usize) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    for index in 0..count {
        nodes.push(db.node(&format!("n{index}"), 1, START).await);
    }
    nodes
}

on_both_databases! {
    async fn all_who_wait_get_a_task_of_their_own_and_the_others_hear_that_there_is_none(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        for _ in 0..10 {
            db.job(&account, 4).await;
        }
        // Two controllers, each with its own desk, begin the same jobs.
        let replica = Store::open(&db.url).await.expect("opened");
        let desks = [(Arc::default(), db.store.clone()), (Arc::default(), replica)];
        let nodes = nodes(&db, 50).await;
        let claims = join_all(nodes.iter().enumerate().map(async |(index, node)| {
            let (desk, store) = &desks[index % 2];
            // What another has locked is passed over: look twice.
            match claim(&db, desk, store, node).await {
                Some(claim) => Some(claim),
                None => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    claim(&db, desk, store, node).await
                }
            }
        }));
        let claims = timeout(Duration::from_secs(60), claims).await.expect("no deadlock");
        let leased: Vec<Claim> = claims.into_iter().flatten().collect();
        let tasks: HashSet<_> = leased.iter().map(|claim| &claim.lease.task).collect();
        let holders: HashSet<_> = leased.iter().map(|claim| claim.lease.node.to_string()).collect();
        assert_eq!((leased.len(), tasks.len(), holders.len()), (40, 40, 40));
    }
}

/// Looks of several nodes at once: what each has been given.
async fn together(db: &TestDb, lookers: &[Looker<'_>], now: Timestamp) -> Vec<Option<Claim>> {
    let looked = scheduler::claim_for_all(&db.store, lookers, &db.timing, terms().sizing, now);
    let claim = |looked| match looked {
        Looked::Leased(claim) => Some(*claim),
        Looked::Nothing | Looked::NoRoom | Looked::SetAside => None,
    };
    let looked = looked.await.expect("looked");
    looked.into_iter().map(claim).collect()
}

on_both_databases! {
    async fn of_those_who_look_together_another_takes_what_failed_on_one_of_them(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        db.job(&account, 2).await;
        let nodes = nodes(&db, 2).await;
        let failed = db.must_claim(&nodes[0], later(1)).await;
        db.fail(&failed, later(1)).await;

        let lookers: Vec<_> = nodes.iter().map(|node| db.looker(node, Lane::Render)).collect();
        let claims = together(&db, &lookers, later(2)).await;
        let tasks: Vec<_> = claims.into_iter().map(|claim| claim.expect("one for each").lease).collect();
        assert_eq!((&tasks[1].task, tasks[1].attempt), (&failed.lease.task, 2));
        assert_eq!((tasks[0].attempt, &tasks[0].node), (1, &nodes[0]));
    }
}

on_both_databases! {
    async fn who_has_failed_all_that_is_left_gets_nothing_while_another_could_take_it(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        db.job(&account, 1).await;
        let nodes = nodes(&db, 3).await;
        let failed = db.must_claim(&nodes[0], later(1)).await;
        db.fail(&failed, later(1)).await;
        let failed = db.must_claim(&nodes[1], later(2)).await;
        db.fail(&failed, later(2)).await;

        let lookers: Vec<_> = nodes.iter().map(|node| db.looker(node, Lane::Render)).collect();
        assert_eq!(together(&db, &lookers[..2], later(3)).await, [None, None]);
        let claims = together(&db, &lookers, later(3)).await;
        assert!(matches!(&claims[..], [None, None, Some(_)]), "{claims:?}");
    }
}

on_both_databases! {
    async fn those_who_look_together_get_what_they_hold_the_media_of(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let nodes = nodes(&db, 2).await;
        let urls = ["https://media.example/cat.png", "https://media.example/dog.png"];
        for url in urls {
            job_with(&db, &account, 1, url).await;
        }
        let lookers: Vec<_> = nodes.iter().map(|node| db.looker(node, Lane::Render)).collect();
        let mut held = Vec::new();
        for claim in together(&db, &lookers, later(1)).await {
            let claim = claim.expect("one for each");
            db.finish(&claim, later(1)).await;
            held.push([claim.media]);
        }
        assert_ne!(held[0], held[1]);
        // Assemblies have the same media as what they join: out of the way with them.
        for _ in 0..2 {
            let assembly = db.must_claim(&nodes[0], later(1)).await;
            db.finish(&assembly, later(1)).await;
        }

        for url in urls {
            job_with(&db, &account, 1, url).await;
        }
        let lookers = [0, 1].map(|index| Looker { media: &held[1 - index], ..lookers[index] });
        let claims = together(&db, &lookers, later(2)).await;
        let media: Vec<String> = claims.into_iter().map(|claim| claim.expect("one for each").media).collect();
        assert_eq!(media, [held[1][0].clone(), held[0][0].clone()]);
    }
}

on_both_databases! {
    async fn jobs_that_begin_together_are_told_apart(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let mut jobs = Vec::new();
        for _ in 0..5 {
            jobs.push(db.job(&account, 1).await);
        }
        let nodes = nodes(&db, 7).await;
        let lookers: Vec<_> = nodes.iter().map(|node| db.looker(node, Lane::Render)).collect();
        let claims = together(&db, &lookers, later(1)).await;
        let claims: Vec<Claim> = claims.into_iter().flatten().collect();
        let begun: HashSet<_> = claims.iter().map(|claim| claim.job.to_string()).collect();
        assert_eq!((claims.len(), begun.len()), (5, 5));
        for claim in claims {
            assert_eq!(claim.encoder.as_deref(), Some("x264"));
            db.finish(&claim, later(2)).await;
        }
        let assemblies = together(&db, &lookers, later(3)).await;
        for assembly in assemblies.into_iter().flatten() {
            assert!(matches!(&assembly.work, Work::Assemble(chunks) if chunks.len() == 1));
            db.finish(&assembly, later(4)).await;
        }
        for job in jobs {
            assert_eq!(db.view(&account, &job).await.job.state, JobState::Completed);
        }
    }
}

on_both_databases! {
    async fn who_has_no_room_does_not_keep_others_from_theirs(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let job = db.job(&account, 3).await;
        let nodes = nodes(&db, 3).await;
        db.store.drain_node(&nodes[1]).await.expect("drained");
        let lookers: Vec<_> = nodes.iter().map(|node| db.looker(node, Lane::Render)).collect();
        let looked = scheduler::claim_for_all(&db.store, &lookers, &db.timing, terms().sizing, later(1));
        let looked = looked.await.expect("looked");
        assert!(matches!(&looked[..], [Looked::Leased(_), Looked::NoRoom, Looked::Leased(_)]), "{looked:?}");
        let states: Vec<TaskState> = db.store.tasks_of(&job).await.expect("tasks").iter().map(|task| task.state).collect();
        assert_eq!(states.iter().filter(|state| **state == TaskState::Leased).count(), 2);
    }
}

on_both_databases! {
    async fn when_whoever_claims_for_all_goes_away_the_others_are_answered_and_its_own_task_goes_back(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        let job = db.job(&account, 9).await;
        let nodes = nodes(&db, 9).await;
        let desk = Arc::default();
        let claims = join_all(nodes.iter().enumerate().map(async |(index, node)| {
            let claim = claim(&db, &desk, &db.store, node);
            match index {
                // The first two are who claims for all, and give up at their first wait for the database.
                0 | 1 => timeout(Duration::ZERO, claim).await.ok().flatten(),
                _ => claim.await,
            }
        }));
        let claims = timeout(Duration::from_secs(60), claims).await.expect("all are answered");
        assert!(claims[2..].iter().all(Option::is_some));
        let gone_back = async || loop {
            let tasks = db.store.tasks_of(&job).await.expect("tasks");
            if tasks.iter().filter(|task| task.state == TaskState::Ready).count() == 2 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        timeout(Duration::from_secs(60), gone_back()).await.expect("nobody holds the tasks of those who went away");
    }
}
