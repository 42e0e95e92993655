//! Accounts, keys and the rate limit.

use super::harness::{START, TestDb, later, on_both_databases};
use crate::{
    Error,
    admin::{CreateAccount, Payment},
    api::admit,
    state::Plan,
};

const LIMITS: [u32; 3] = [60, 120, 300];

fn ada(plan: Plan) -> CreateAccount {
    CreateAccount {
        email: " Ada@Example.com ".into(),
        name: "Ada".into(),
        plan,
        credits: 7,
        payment: Payment::none(),
        password: Some("correct horse".into()),
    }
}

on_both_databases! {
    async fn a_key_opens_its_account_until_it_is_revoked(db: TestDb) {
        let admin = db.admin().await;
        assert!(!admin.has_accounts().await.expect("read"));
        let id = admin.create_account(ada(Plan::Creator)).await.expect("created");
        assert!(admin.has_accounts().await.expect("read"));
        let (first, second) = (
            admin.create_key("ada@example.com").await.expect("a key"),
            admin.create_key("ADA@example.com").await.expect("a key"),
        );
        assert!(first.key.starts_with("rnd_") && first.key.starts_with(&first.prefix));

        let answer = admit(&db.store, LIMITS, &first.key, START).await.expect("answered");
        let account = answer.account.expect("known");
        assert_eq!(account.id, id.as_str());
        assert_eq!((account.email.as_str(), account.plan.as_str()), ("ada@example.com", "creator"));
        assert_eq!((account.credits, account.key_prefix), (7, first.prefix.clone()));
        assert_eq!(account.key_last_used_at_ms, None);

        admin.revoke_key("ada@example.com", &first.key).await.expect("revoked by itself");
        admin.revoke_key("ada@example.com", second.id.as_str()).await.expect("revoked by id");
        for key in [&first.key, &second.key] {
            let answer = admit(&db.store, LIMITS, key, START).await.expect("answered");
            assert_eq!(answer.account, None);
        }
        let again = admin.revoke_key("ada@example.com", &first.key).await;
        assert!(matches!(again, Err(Error::NotFound(_))), "{again:?}");
    }
}

on_both_databases! {
    async fn what_is_wrong_with_an_account_command_is_said(db: TestDb) {
        let admin = db.admin().await;
        admin.create_account(ada(Plan::None)).await.expect("created");
        let twice = admin.create_account(ada(Plan::None)).await;
        assert!(matches!(twice, Err(Error::Conflict(_))), "{twice:?}");
        let nobody = admin.create_key("bob@example.com").await;
        assert!(matches!(nobody, Err(Error::NotFound(_))), "{nobody:?}");
        let no_address = admin.create_account(CreateAccount { email: "bob".into(), ..ada(Plan::None) });
        assert!(matches!(no_address.await, Err(Error::Invalid(_))));
        let free = Payment::none();
        let nothing = admin.credit_account("ada@example.com", 0, &free).await;
        assert!(matches!(nothing, Err(Error::Invalid(_))), "{nothing:?}");
        for wrong in [
            Payment { amount_in_cents: -1, ..Payment::none() },
            Payment { currency: "dollars".into(), ..Payment::none() },
            Payment { currency: "u$d".into(), ..Payment::none() },
        ] {
            let refused = admin.credit_account("ada@example.com", 5, &wrong).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
        }
        let credited = admin.credit_account("ada@example.com", 5, &free).await;
        assert_eq!(credited.expect("credited"), 12);
    }
}

on_both_databases! {
    async fn a_stranger_gets_a_window_and_no_account(db: TestDb) {
        for credential in ["", "rnd_", "rnd_unknown", "Bearer x"] {
            let answer = admit(&db.store, LIMITS, credential, START).await.expect("answered");
            assert_eq!((answer.account, answer.allowed), (None, true));
            let rate = answer.rate.expect("a window");
            assert_eq!((rate.limit, rate.remaining), (60, 60));
            assert_eq!(rate.resets_at, START.0 / 1000 + 60);
        }
    }
}

on_both_databases! {
    async fn a_window_counts_down_refuses_and_opens_again(db: TestDb) {
        db.account("ada@example.com", 1).await;
        let key = db.admin().await.create_key("ada@example.com").await.expect("a key").key;
        for used in 1..=60 {
            let answer = admit(&db.store, LIMITS, &key, START).await.expect("answered");
            let rate = answer.rate.expect("a window");
            assert_eq!((answer.allowed, rate.remaining), (true, 60 - used));
        }
        // Refused requests do not count: the window neither grows nor moves.
        for _ in 0..3 {
            let answer = admit(&db.store, LIMITS, &key, later(59)).await.expect("answered");
            let rate = answer.rate.expect("a window");
            assert!(!answer.allowed && answer.account.is_some());
            assert_eq!((rate.remaining, rate.resets_at), (0, later(60).0 / 1000));
        }
        let answer = admit(&db.store, LIMITS, &key, later(60)).await.expect("answered");
        let rate = answer.rate.expect("a window");
        assert_eq!((answer.allowed, rate.remaining), (true, 59));
        assert_eq!(rate.resets_at, later(120).0 / 1000);
    }
}

on_both_databases! {
    async fn several_gateways_share_one_window(db: TestDb) {
        db.account("ada@example.com", 1).await;
        let key = db.admin().await.create_key("ada@example.com").await.expect("a key").key;
        let calls = (0..80).map(|_| admit(&db.store, LIMITS, &key, START));
        let answers = futures::future::join_all(calls).await;
        let allowed = answers.iter().filter(|answer| answer.as_ref().expect("ok").allowed).count();
        assert_eq!(allowed, 60);
    }
}

on_both_databases! {
    async fn last_use_is_noted_once_a_minute(db: TestDb) {
        db.account("ada@example.com", 1).await;
        let key = db.admin().await.create_key("ada@example.com").await.expect("a key").key;
        let mut seen = Vec::new();
        for seconds in [0, 30, 59, 60, 61] {
            let answer = admit(&db.store, LIMITS, &key, later(seconds)).await.expect("answered");
            seen.push(answer.account.expect("known").key_last_used_at_ms);
        }
        let (first, second) = (Some(START.0), Some(later(60).0));
        assert_eq!(seen, [None, first, first, first, second]);
    }
}

on_both_databases! {
    async fn limits_are_those_that_were_configured(db: TestDb) {
        let admin = db.admin().await;
        admin.create_account(ada(Plan::Business)).await.expect("created");
        let key = admin.create_key("ada@example.com").await.expect("a key").key;
        let answer = admit(&db.store, [1, 2, 3], &key, START).await.expect("answered");
        let rate = answer.rate.expect("a window");
        assert_eq!((rate.limit, rate.remaining), (3, 2));
        let stranger = admit(&db.store, [1, 2, 3], "", START).await.expect("answered");
        assert_eq!(stranger.rate.map(|rate| rate.limit), Some(1));
    }
}
