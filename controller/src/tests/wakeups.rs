//! Work is begun at once wherever it was asked for, with nobody looking in between.

use std::{collections::HashSet, time::Duration};

use kinora_proto::v1::{Lease, to_node};
use sqlx::{AnyConnection, Connection};
use tokio::time::timeout;

use super::{
    api::Running,
    farm::FakeNode,
    harness::{TestDb, body, on_both_databases},
};

/// A controller that never looks at the queue unless it is told to.
async fn told_only(db: &TestDb) -> Running {
    Running::start_with(db, |config| config.timing.poll = Duration::from_secs(3600)).await
}

/// The next lease of a node that stays alive meanwhile.
async fn lease_in_time(node: &mut FakeNode) -> Lease {
    for _ in 0..50 {
        node.heartbeat(&[]).await;
        if let Ok(message) = timeout(Duration::from_millis(200), node.next()).await {
            match message {
                Some(to_node::Message::Lease(lease)) => return lease,
                other => panic!("expected a lease, got {other:?}"),
            }
        }
    }
    panic!("nobody was told of the work");
}

on_both_databases! {
    async fn a_job_wakes_a_node_that_waits(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let running = told_only(&db).await;
        let mut node = FakeNode::connect(&running, "n1", 1).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let job = running.create(account.as_str(), &body(30)).await.expect("accepted");
        assert_eq!(lease_in_time(&mut node).await.job_id, job);
        running.stop().await;
    }
}

on_both_databases! {
    async fn one_job_wakes_as_many_nodes_as_it_has_chunks(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let running = told_only(&db).await;
        let mut nodes = Vec::new();
        for index in 0..6 {
            nodes.push(FakeNode::connect(&running, &format!("n{index}"), 1).await);
        }
        running.create(account.as_str(), &body(120)).await.expect("accepted");
        let mut tasks = HashSet::new();
        for index in (0..6).cycle().take(600) {
            let node = &mut nodes[index];
            node.heartbeat(&[]).await;
            if let Ok(Some(to_node::Message::Lease(lease))) = timeout(Duration::from_millis(20), node.next()).await {
                tasks.insert(lease.id.expect("an id").task_id);
            }
            if tasks.len() == 4 {
                break;
            }
        }
        assert_eq!(tasks.len(), 4);
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_controller_accepts_wakes_the_nodes_of_another() {
    let db = TestDb::postgres().await;
    let account = db.account("ada@example.com", 5).await;
    let (here, there) = (told_only(&db).await, told_only(&db).await);
    let mut node = FakeNode::connect(&there, "n1", 1).await;
    let job = here
        .create(account.as_str(), &body(30))
        .await
        .expect("accepted");
    let chunk = lease_in_time(&mut node).await;
    assert_eq!(chunk.job_id, job);
    here.stop().await;
    there.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_controller_that_was_cut_off_hears_of_what_it_missed() {
    let db = TestDb::postgres().await;
    let account = db.account("ada@example.com", 5).await;
    let (here, there) = (told_only(&db).await, told_only(&db).await);
    let mut node = FakeNode::connect(&there, "n1", 1).await;
    let mut admin = AnyConnection::connect(&db.url).await.expect("connected");
    let cut = sqlx::query(
        "SELECT CAST(COUNT(pg_terminate_backend(pid)) AS BIGINT) FROM pg_stat_activity
         WHERE query LIKE 'LISTEN%' AND datname = current_database()",
    );
    cut.execute(&mut admin).await.expect("cut off");
    let job = here
        .create(account.as_str(), &body(30))
        .await
        .expect("accepted");
    assert_eq!(lease_in_time(&mut node).await.job_id, job);
    admin.close().await.expect("closed");
    here.stop().await;
    there.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_controller_that_ends_lets_its_nodes_go_on_with_another() {
    let db = TestDb::postgres().await;
    let account = db.account("ada@example.com", 5).await;
    let (here, there) = (told_only(&db).await, told_only(&db).await);
    let mut node = FakeNode::connect(&here, "n1", 1).await;
    let job = there
        .create(account.as_str(), &body(30))
        .await
        .expect("accepted");
    let chunk = lease_in_time(&mut node).await;
    let (_, last_words) = tokio::join!(here.stop(), node.next());
    assert_eq!(last_words, None, "the stream ends, and nothing is revoked");
    let mut node = FakeNode::connect(&there, "n1", 1).await;
    node.done(&chunk).await;
    let assembly = lease_in_time(&mut node).await;
    assert_eq!(assembly.job_id, job);
    assert_eq!(assembly.id.expect("an id").attempt, 1);
    there.stop().await;
}
