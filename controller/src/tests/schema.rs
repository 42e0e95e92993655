//! The schema: migrations can run again, and the database enforces what the code promises.

use super::harness::{START, TestDb, on_both_databases};
use crate::{
    ledger::Credits,
    store::{EntryKind, Store},
};

on_both_databases! {
    async fn migrations_run_again_and_beside_each_other(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let (one, other) = tokio::join!(Store::open(&db.url), Store::open(&db.url));
        for again in [one, other] {
            let balance = again.expect("opened again").balance(&account).await.expect("balance");
            assert_eq!(balance.rounded_down(), 5);
        }
    }
}

on_both_databases! {
    async fn a_job_can_be_neither_charged_nor_refunded_twice(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let job = db.job(&account, 1).await;
        let amount = Credits::from_hundredths(100);
        for (kind, allowed) in
            [(EntryKind::Render, false), (EntryKind::Refund, true), (EntryKind::Refund, false)]
        {
            let mut tx = db.store.begin().await.expect("begin");
            let entered = tx.insert_entry(&account, kind, amount, Some(&job), START).await;
            assert_eq!(entered.is_ok(), allowed, "{kind:?}");
            if allowed {
                tx.commit().await.expect("commit");
            }
        }
    }
}

on_both_databases! {
    async fn a_dropped_transaction_leaves_nothing(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let mut tx = db.store.begin().await.expect("begin");
        let amount = Credits::from_hundredths(100);
        tx.insert_entry(&account, EntryKind::Grant, amount, None, START).await.expect("entered");
        drop(tx);
        assert_eq!(db.balance(&account).await, 500);
    }
}
