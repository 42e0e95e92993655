//! The schema: migrations can run again, and the database enforces what the code promises.

use super::{
    harness::{START, TestDb, on_both_databases},
    postgres,
};
use crate::{
    ids::AccountId,
    ledger::Credits,
    paging::Page,
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

/// What was given and spent before there were transactions and kept balances.
async fn books_survive_an_upgrade(url: &str) {
    Store::make_old(url).await;
    let store = Store::open(url).await.expect("upgraded");
    let account = AccountId::from("acc_old");
    assert_eq!(
        store
            .balance(&account)
            .await
            .expect("a balance")
            .hundredths(),
        300
    );
    let page = Page::read("", 0).expect("a page");
    let (transactions, _) = store
        .transactions_of(&account, &page)
        .await
        .expect("a list");
    assert_eq!((transactions.len(), transactions[0].credits), (1, 5));
    assert_eq!(store.audit().await, [""; 0]);
}

#[tokio::test]
async fn books_survive_an_upgrade_of_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("kinora.db");
    books_survive_an_upgrade(&format!("sqlite://{}?mode=rwc", file.display())).await;
}

#[tokio::test]
async fn books_survive_an_upgrade_of_postgres() {
    books_survive_an_upgrade(&postgres::fresh_database().await).await;
}
