//! What an account sees of itself.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::{OWNER, account};
use crate::farm::TestFarm;
use crate::farm::scene::plain;

#[tokio::test(flavor = "multi_thread")]
async fn an_account_sees_its_own_renders_in_pages_its_usage_and_its_transactions() {
    let farm = TestFarm::apart().nodes(0).start();
    let api = &farm.api;
    let mut made = BTreeSet::new();
    for _ in 0..5 {
        made.insert(api.start(&plain(30)).await);
    }
    let (mut found, mut dates, mut lengths) = (BTreeSet::new(), Vec::new(), Vec::new());
    let mut cursor = String::new();
    loop {
        let path = format!("/renders?limit=2{cursor}");
        let page = api.data(Method::GET, &path, Value::Null).await;
        let renders = page["renders"].as_array().expect("renders");
        lengths.push(renders.len());
        for job in renders {
            let id = job["jobId"].as_str().expect("jobId").to_owned();
            assert_eq!(*job, api.job(&id).await, "whole jobs");
            dates.push(job["createdAt"].as_str().expect("createdAt").to_owned());
            found.insert(id);
        }
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!((lengths, &found), (vec![2, 2, 1], &made));
    assert!(dates.iter().rev().is_sorted(), "newest first: {dates:?}");
    let (status, refused) = api
        .call(Method::GET, "/renders?cursor=nonsense", Value::Null)
        .await;
    assert_eq!(status, 400, "{refused}");
    let stranger = account(&farm, "bob@example.com", &[]);
    let nothing = stranger.data(Method::GET, "/renders", Value::Null).await;
    assert_eq!(nothing, json!({"renders": [], "nextCursor": null}));

    let job = api.job(made.first().expect("one")).await;
    let nulls = [
        "projectId",
        "outputUrl",
        "outputSize",
        "errorMessage",
        "estimatedTimeRemaining",
        "duration",
        "completedAt",
        "project",
    ];
    for field in nulls {
        assert_eq!(job[field], Value::Null, "{field}: {job}");
    }
    assert_eq!(
        (&job["status"], &job["progressPercentage"]),
        (&json!("PENDING"), &json!(0))
    );

    let paid = ["--amount-cents", "990", "--currency", "eur"];
    let credit = ["account", "credit", "--email", OWNER, "--credits", "7"];
    assert_eq!(farm.admin(&[&credit[..], &paid].concat())["credits"], 1002);
    let told = api.data(Method::GET, "/account", Value::Null).await;
    assert_eq!(
        (&told["credits"], &told["plan"]),
        (&json!(1002), &json!("business"))
    );
    let usage = &told["usage"];
    assert_eq!(
        (&usage["renders"], &usage["creditsUsed"]),
        (&json!(5), &json!(5))
    );
    assert_eq!(
        (&usage["rendersCompleted"], &usage["rendersFailed"]),
        (&json!(0), &json!(0))
    );

    let listed = api
        .data(Method::GET, "/account/transactions", Value::Null)
        .await;
    assert_eq!(listed["nextCursor"], Value::Null);
    let mut listed: Vec<Value> = listed["transactions"].as_array().expect("a list").clone();
    for transaction in &mut listed {
        let fields = transaction.as_object_mut().expect("an object");
        assert!(fields.remove("id").is_some_and(|id| id.is_string()));
        assert!(
            fields
                .remove("createdAt")
                .is_some_and(|date| date.is_string())
        );
    }
    assert_eq!(
        listed,
        [
            json!({"type": "ADDITIONAL_CREDITS", "status": "COMPLETED", "credits": 7,
                   "amountInCents": 990, "currency": "eur"}),
            json!({"type": "SUBSCRIPTION", "status": "COMPLETED", "credits": 1000,
                   "amountInCents": 0, "currency": "usd"}),
        ]
    );
    let first = api
        .data(Method::GET, "/account/transactions?limit=1", Value::Null)
        .await;
    let cursor = first["nextCursor"].as_str().expect("another page");
    let path = format!("/account/transactions?limit=1&cursor={cursor}");
    let second = api.data(Method::GET, &path, Value::Null).await;
    assert_eq!(second["transactions"][0]["type"], "SUBSCRIPTION");
}
