//! Nodes that queue for tasks together.

use std::{collections::HashSet, sync::Arc, time::Duration};

use futures::future::join_all;
use tokio::time::timeout;

use super::harness::{START, TestDb, later, on_both_databases, terms};
use crate::{
    ids::NodeId,
    scheduler::{self, BEGINNING, Claim, Desk, Looked, Search},
    state::{Lane, TaskState},
    store::Store,
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

async fn claim(db: &TestDb, desk: &Desk, store: &Store, node: &NodeId) -> Option<Claim> {
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
        let desks = [(Desk::default(), db.store.clone()), (Desk::default(), replica)];
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
    async fn when_whoever_claims_for_all_goes_away_the_others_ask_again(db: TestDb) {
        let account = db.account("ada@example.com", 99).await;
        db.job(&account, 9).await;
        let nodes = nodes(&db, 9).await;
        let desk = Desk::default();
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
    }
}
