//! `GET /account` and `GET /account/transactions`.

use crate::support::{Fixture, envelope};
use kinora_proto::v1::{AccountDescription, ListTransactionsResponse, Transaction};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn the_account_shows_its_balance_and_what_it_used() {
    let farm = Fixture::start().await;
    farm.script()
        .describe_account
        .answers(Ok(AccountDescription {
            id: "acc_1".to_owned(),
            email: "ada@example.com".to_owned(),
            name: "Ada".to_owned(),
            plan: "creator".to_owned(),
            credits: 41,
            requests_per_minute: 120,
            created_at_ms: 1_769_860_801_500,
            month_started_at_ms: 1_767_225_600_000,
            renders: 9,
            renders_completed: 7,
            renders_failed: 1,
            credits_used: 12,
            video_seconds: 345,
        }));
    let sent = farm.api(Method::GET, "/api/v1/account").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"userId": "acc_1", "email": "ada@example.com", "name": "Ada", "plan": "creator",
               "credits": 41, "requestsPerMinute": 120, "createdAt": "2026-01-31T12:00:01.500Z",
               "usage": {"periodStart": "2026-01-01T00:00:00.000Z", "renders": 9,
                         "rendersCompleted": 7, "rendersFailed": 1, "creditsUsed": 12,
                         "videoSeconds": 345}})
    );
    assert_eq!(farm.script().describe_account.asked[0].account_id, "acc_1");
}

#[tokio::test]
async fn transactions_come_in_pages() {
    let farm = Fixture::start().await;
    farm.script()
        .list_transactions
        .answers(Ok(ListTransactionsResponse {
            transactions: vec![Transaction {
                id: "txn_1".to_owned(),
                r#type: "CREDIT_PURCHASE".to_owned(),
                status: "COMPLETED".to_owned(),
                credits: 100,
                amount_in_cents: 4_900,
                currency: "USD".to_owned(),
                created_at_ms: 1_769_860_800_000,
            }],
            next_cursor: None,
        }));
    let path = "/api/v1/account/transactions?limit=5&cursor=abc";
    let (status, _, body) =
        envelope(farm.api(Method::GET, path).send().await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"transactions": [{"id": "txn_1", "type": "CREDIT_PURCHASE", "status": "COMPLETED",
               "credits": 100, "amountInCents": 4900, "currency": "USD",
               "createdAt": "2026-01-31T12:00:00.000Z"}], "nextCursor": null})
    );
    let asked = farm.script().list_transactions.asked.remove(0);
    assert_eq!(
        (
            asked.account_id.as_str(),
            asked.limit,
            asked.cursor.as_str()
        ),
        ("acc_1", 5, "abc")
    );
    let sent = farm
        .api(Method::GET, "/api/v1/account/transactions?limit=1000")
        .send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 400);
    assert_eq!(body["details"]["issues"][0]["path"], "limit");
}
