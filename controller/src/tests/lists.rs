//! Lists in pages, and what an account is told about itself.

use std::time::Duration;

use super::harness::{START, TestDb, body, later, on_both_databases, terms};
use crate::{
    accounts,
    admin::{CreateAccount, Payment},
    clock::Timestamp,
    ids::{AccountId, JobId},
    jobs,
    paging::Page,
    scheduler,
    state::{Lane, Plan, TransactionStatus, TransactionType},
    store::NewJob,
};

/// The ids of all pages of this length, and how many pages there were.
async fn pages(db: &TestDb, account: &AccountId, limit: u32) -> (Vec<JobId>, usize) {
    let (mut ids, mut count, mut cursor) = (Vec::new(), 0, String::new());
    loop {
        let page = Page::read(&cursor, limit).expect("a page");
        let (jobs, next) = jobs::list(&db.store, &terms(), account, &page, later(60))
            .await
            .expect("a list");
        assert!(jobs.len() <= limit as usize);
        ids.extend(jobs.into_iter().map(|view| view.job.id));
        count += 1;
        match next {
            Some(next) => cursor = next.encode(),
            None => return (ids, count),
        }
    }
}

on_both_databases! {
    async fn pages_hold_every_job_once_newest_first(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let other = db.account("bob@example.com", 5).await;
        let mut made = Vec::new();
        // Three at the same moment: the id decides between them.
        for seconds in [0, 1, 1, 1, 2] {
            made.push((later(seconds), db.job_at(&account, later(seconds)).await));
        }
        db.job_at(&other, later(3)).await;
        made.sort_by(|one, two| (two.0, two.1.as_str()).cmp(&(one.0, one.1.as_str())));
        let expected: Vec<JobId> = made.into_iter().map(|(_, id)| id).collect();
        for (limit, count) in [(1, 5), (2, 3), (5, 1), (100, 1)] {
            assert_eq!(pages(&db, &account, limit).await, (expected.clone(), count), "{limit}");
        }
        let (nothing, count) = pages(&db, &AccountId::from("acc_nobody"), 10).await;
        assert_eq!((nothing.len(), count), (0, 1));
    }
}

on_both_databases! {
    async fn a_list_shows_what_a_job_alone_shows(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let node = db.node("n", 1, START).await;
        let (waiting, running) = (db.job(&account, 2).await, db.job(&account, 2).await);
        let claim = loop {
            let claim = db.must_claim(&node, later(1)).await;
            if claim.job == running {
                break claim;
            }
            db.finish(&claim, later(2)).await;
        };
        assert!(db.renew(&claim.lease, 15, later(3)).await);
        let page = Page::read("", 0).expect("a page");
        let (listed, next) = jobs::list(&db.store, &terms(), &account, &page, later(60)).await.expect("a list");
        assert_eq!((listed.len(), next), (2, None));
        for id in [&waiting, &running] {
            let alone = db.view(&account, id).await;
            let view = listed.iter().find(|view| view.job.id == *id).expect("listed");
            assert_eq!(view.progress, alone.progress);
            assert_eq!((view.cost, view.updated_at), (alone.cost, alone.updated_at));
            assert_eq!(view.job.composition_json, alone.job.composition_json);
            assert_eq!(view.cost.rounded_up(), 1);
        }
    }
}

on_both_databases! {
    async fn a_page_of_huge_jobs_is_cut_short(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let words = "a".repeat(4 << 20);
        for seconds in 0..6 {
            let mut request = body(30);
            request["inputProps"]["overlays"][0]["content"] = words.as_str().into();
            let made = db.submit(&db.store, &account, &request, "", later(seconds)).await;
            made.expect("accepted");
        }
        let page = Page::read("", 100).expect("a page");
        let (listed, next) = jobs::list(&db.store, &terms(), &account, &page, later(60)).await.expect("a list");
        assert!(!listed.is_empty() && listed.len() < 6, "{}", listed.len());
        assert!(next.is_some());
        let (all, _) = pages(&db, &account, 100).await;
        assert_eq!(all.len(), 6);
    }
}

async fn preview_job(db: &TestDb, account: &AccountId, now: Timestamp) -> JobId {
    let id = JobId::random();
    let job = NewJob {
        id: &id,
        account,
        mode: "direct",
        composition_json: "{}",
        width: 16,
        height: 16,
        fps: 30,
        frames: 30,
        price: crate::Credits::from_hundredths(0),
        webhook_url: None,
        project: None,
        public_url: "",
        lane: Lane::Preview,
        preview: None,
        estimated_minutes: 1,
        media: "",
        trace_parent: None,
    };
    let mut tx = db.store.begin().await.expect("begin");
    tx.insert_job(&job, now).await.expect("inserted");
    tx.commit().await.expect("commit");
    id
}

on_both_databases! {
    async fn previews_are_nobodys_renders(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let render = db.job(&account, 1).await;
        let preview = preview_job(&db, &account, later(1)).await;
        assert_eq!(pages(&db, &account, 10).await.0, [render]);
        let read = jobs::get(&db.store, &terms(), &account, &preview, later(2)).await;
        assert!(matches!(read, Err(crate::Error::NotFound(_))), "{read:?}");
        let usage = db.store.usage(&account, START).await.expect("usage");
        assert_eq!(usage.renders, 1);
    }
}

on_both_databases! {
    async fn usage_is_that_of_this_month_after_refunds(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let node = db.node("n", 10, later(0)).await;
        let day = Duration::from_secs(24 * 3600);
        db.job_at(&account, START.minus(day * 31)).await;
        for _ in 0..3 {
            db.job_at(&account, START).await;
        }
        // Of the three, one completes and one fails; the old one comes first in the queue.
        let mut done = 0;
        let mut failed = None;
        while let Some(claim) = db.claim(&node, later(1)).await {
            let view = db.view(&account, &claim.job).await;
            if view.job.created_at < START {
                db.finish(&claim, later(2)).await;
            } else if done < 3 {
                // Two chunks and the assembly of one job.
                done += 1;
                db.finish(&claim, later(2)).await;
            } else {
                failed = Some(claim);
                break;
            }
        }
        let failed = failed.expect("another job");
        let ended = scheduler::reject(&db.store, &failed.lease, "bad input", later(3)).await;
        ended.expect("rejected");

        let told = accounts::describe(&db.store, &account, later(10)).await.expect("described");
        let usage = told.usage;
        assert_eq!((usage.renders, usage.completed, usage.failed), (3, 1, 1));
        assert_eq!((usage.cost.rounded_up(), usage.video_milliseconds), (2, 2000));
        assert_eq!(told.account.balance.rounded_down(), 47);
        assert!(told.month_started_at <= START);
        assert_eq!(db.store.audit().await, [""; 0]);

        let unknown = accounts::describe(&db.store, &"acc_nobody".into(), later(1)).await;
        assert!(matches!(unknown, Err(crate::Error::NotFound(_))));
    }
}

on_both_databases! {
    async fn every_grant_is_a_transaction(db: TestDb) {
        let admin = db.admin().await;
        let account = |email: &str, plan, credits| CreateAccount {
            email: email.into(),
            name: String::new(),
            plan,
            credits,
            payment: Payment { amount_in_cents: 1900, currency: "EUR".into() },
            password: None,
        };
        let buyer = admin.create_account(account("a@example.com", Plan::None, 10)).await;
        let buyer = buyer.expect("created");
        let member = admin.create_account(account("b@example.com", Plan::Creator, 20)).await;
        let member = member.expect("created");
        let poor = admin.create_account(account("c@example.com", Plan::None, 0)).await;
        let poor = poor.expect("created");
        admin.credit_account("a@example.com", 5, &Payment::none()).await.expect("credited");

        let of = async |account: &AccountId, limit, cursor: &str| {
            let page = Page::read(cursor, limit).expect("a page");
            db.store.transactions_of(account, &page).await.expect("a list")
        };
        let (bought, next) = of(&buyer, 0, "").await;
        assert_eq!(next, None);
        let mut told: Vec<_> =
            bought.iter().map(|row| (row.kind.as_str(), row.credits, row.amount_in_cents)).collect();
        told.sort_unstable();
        assert_eq!(told, [("ADDITIONAL_CREDITS", 5, 0), ("CREDIT_PURCHASE", 10, 1900)]);
        assert!(bought.iter().all(|row| row.status == TransactionStatus::Completed));
        let subscribed = of(&member, 0, "").await.0;
        assert_eq!(subscribed[0].kind, TransactionType::Subscription);
        assert_eq!((subscribed[0].credits, subscribed[0].currency.as_str()), (20, "eur"));
        assert!(of(&poor, 0, "").await.0.is_empty());

        let (first, next) = of(&buyer, 1, "").await;
        let (second, end) = of(&buyer, 1, &next.expect("another page").encode()).await;
        assert_eq!((first.len(), second.len(), end), (1, 1, None));
        assert_ne!(first[0].id, second[0].id);
        assert_eq!(db.store.audit().await, [""; 0]);
    }
}
