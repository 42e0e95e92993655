//! A small farm at full speed: nothing is leased twice, nothing is lost, and everybody has a turn.

use std::time::Duration;

use super::harness::{TestDb, on_both_databases};
use crate::simulation::{Load, simulate};

on_both_databases! {
    async fn many_nodes_do_everything_once_and_in_turn(db: TestDb) {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let is_postgres = db.url.starts_with("postgres");
        // SQLite has one writer, which waits for the disk each time.
        let (controllers, nodes, tasks) = if is_postgres { (2, 200, 2000) } else { (1, 20, 200) };
        let load = Load {
            database_url: db.url.clone(),
            controllers,
            nodes,
            tasks,
            accounts: 4,
            task: Duration::from_millis(300),
            length: Duration::from_secs(60),
        };
        let found = simulate(&load).await.expect("simulated");
        assert_eq!(found.problems, [""; 0]);
        assert_eq!(found.jobs.0, found.jobs.1, "everything is done: {found:?}");
        let (least, most) = (found.shares.iter().min(), found.shares.iter().max());
        let (least, most) = (least.expect("accounts"), most.expect("accounts"));
        assert!(most - least <= most / 2, "in turn: {:?}", found.shares);
        assert!(found.at_hand > 0.2, "of media that they have: {found:?}");

        let again = simulate(&load).await.expect_err("the database is not empty");
        assert!(again.to_string().contains("empty database"), "{again}");
    }
}
