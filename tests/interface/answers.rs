//! What every answer has, and who may ask.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::{OWNER, account, check, issue_paths, key_of, sent};
use crate::farm::command::kinora;
use crate::farm::scene::plain;
use crate::farm::{Api, Process, TestFarm};

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_the_envelope_and_both_header_sets_and_gateways_share_a_window() {
    let mut farm = TestFarm::apart()
        .nodes(0)
        .setting("KINORA_REQUESTS_PER_MINUTE", "4,120,300")
        .setting("KINORA_BODY_LIMIT", "4000")
        .start();
    let api = &farm.api;
    let poor = account(&farm, "poor@example.com", &["--plan", "creator"]);
    let job = api.start(&plain(30)).await;
    let render = |body: Value| api.request(Method::POST, "/renders").body(body.to_string());
    let named = |body: Value| render(body).header("Idempotency-Key", "order-1");
    let direct = json!({"inputProps": plain(30)});
    let mut odd = direct.clone();
    odd["width"] = 33.into();
    let webhook = json!({"url": "https://hooks.example.com/"}).to_string();
    let path = format!("/renders/{job}");
    let no_key = format!("{}/api/v1/renders", api.url);
    for (request, expected) in [
        (api.request(Method::POST, "/auth/verify"), 200),
        (named(direct.clone()), 200),
        (api.request(Method::POST, "/webhooks").body(webhook), 201),
        (api.request(Method::POST, "/renders").body("{"), 400),
        (api.anonymous(Method::POST, &no_key).body("not JSON"), 401),
        (
            poor.request(Method::POST, "/renders")
                .body(direct.to_string()),
            402,
        ),
        (poor.request(Method::GET, &path), 403),
        (api.request(Method::GET, "/renders/job_nothing"), 404),
        (api.request(Method::GET, "/nothing"), 404),
        (api.request(Method::DELETE, "/renders"), 405),
        (named(json!({"inputProps": plain(31)})), 409),
        (
            api.request(Method::POST, "/renders").body(" ".repeat(4001)),
            413,
        ),
        (render(odd), 422),
    ] {
        check(sent(request).await, expected).await;
    }
    for odd in ["k".repeat(256), "é".to_owned()] {
        let request = render(direct.clone()).header("Idempotency-Key", odd);
        check(sent(request).await, 400).await;
    }

    // A second gateway in front of the same controller, and a caller with four requests a minute.
    let controller = farm.controller.as_mut().expect("apart");
    let controller = controller.wait_for("Kinora's controller is at ");
    let mut second = kinora();
    second.args([
        "gateway",
        "--listen",
        "127.0.0.1:0",
        "--controller",
        &controller,
    ]);
    let mut second = Process::start("gateway-2", second.arg("--data").arg(farm.folder()));
    let url = second.wait_for("Kinora's gateway is at ");
    let one = account(&farm, "hasty@example.com", &[]);
    let other = Api::new(&url, &one.key);
    let mut windows = BTreeSet::new();
    for (turn, status) in [200, 200, 200, 200, 429, 429].into_iter().enumerate() {
        let gateway = if turn % 2 == 0 { &one } else { &other };
        let answer = sent(gateway.request(Method::GET, "/account")).await;
        let [limit, remaining, resets_at] = check(answer, status).await;
        assert_eq!((limit, remaining), (4, 3_u64.saturating_sub(turn as u64)));
        windows.insert(resets_at);
    }
    assert_eq!(windows.len(), 1, "one window");
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_open_everything_of_their_account_until_they_are_revoked() {
    let farm = TestFarm::apart().nodes(0).start();
    let api = &farm.api;
    // Plans decide how many requests a minute are allowed.
    for (plan, limit) in [("none", 60), ("creator", 120), ("business", 300)] {
        let email = format!("{plan}@example.com");
        let caller = account(&farm, &email, &["--plan", plan, "--name", "Ada"]);
        let answer = sent(caller.request(Method::POST, "/auth/verify")).await;
        assert_eq!(check(answer, 200).await[..2], [limit, limit - 1]);
        let told = caller.data(Method::POST, "/auth/verify", Value::Null).await;
        assert_eq!(
            (&told["email"], &told["name"]),
            (&json!(email), &json!("Ada"))
        );
        let told = caller.data(Method::GET, "/account", Value::Null).await;
        assert_eq!(
            (&told["plan"], &told["requestsPerMinute"]),
            (&json!(plan), &json!(limit))
        );
    }

    let key = Api::new(&api.url, &key_of(&farm, OWNER));
    let told = key.data(Method::POST, "/auth/verify", Value::Null).await;
    assert_eq!(told["apiKeyLastUsed"], Value::Null, "{told}");
    let prefix = told["apiKeyPrefix"].as_str().expect("a prefix");
    assert!(prefix.starts_with("rnd_") && key.key.starts_with(prefix) && prefix != key.key);
    let again = key.data(Method::POST, "/auth/verify", Value::Null).await;
    assert!(again["apiKeyLastUsed"].is_string(), "{again}");
    let same = api.data(Method::POST, "/auth/verify", Value::Null).await;
    assert_eq!(told["userId"], same["userId"], "two keys, one account");

    // Each operation names its scope and is closed without a key; a key opens all of them.
    let document = api.anonymous(Method::GET, &format!("{}/api/v1/openapi.json", api.url));
    let document: Value = sent(document).await.json().await.expect("JSON");
    let mut scopes = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            if path == "/openapi.json" {
                continue;
            }
            let scope = operation["security"][0]["bearerAuth"][0].as_str();
            scopes.insert(format!("{method} {path} {}", scope.unwrap_or("none")));
            let method: Method = method.to_uppercase().parse().expect("a method");
            let url = format!("{}/api/v1{path}", api.url);
            let closed = sent(api.anonymous(method.clone(), &url)).await;
            assert_eq!(closed.headers()["WWW-Authenticate"], "Bearer", "{path}");
            check(closed, 401).await;
            let open = sent(key.request(method, path)).await.status().as_u16();
            assert!(matches!(open, 200 | 400 | 404), "{open} of {path}");
        }
    }
    let expected = [
        "delete /webhooks webhooks:write",
        "get /account account:read",
        "get /account/transactions account:read",
        "get /projects projects:read",
        "get /projects/{projectId}/variables projects:read",
        "get /renders renders:read",
        "get /renders/{jobId} renders:read",
        "get /templates templates:read",
        "get /templates/{templateId}/variables templates:read",
        "get /webhooks webhooks:write",
        "post /auth/verify none",
        "post /previews previews:write",
        "post /renders renders:write",
        "post /uploads uploads:write",
        "post /webhooks webhooks:write",
    ];
    assert_eq!(
        scopes,
        expected.iter().map(|line| (*line).to_owned()).collect()
    );

    farm.admin(&["key", "revoke", "--email", OWNER, "--key", &key.key]);
    assert_eq!(
        key.call(Method::POST, "/auth/verify", Value::Null).await.0,
        401
    );
    api.data(Method::POST, "/auth/verify", Value::Null).await;

    // The largest file is announced, or refused, before it is sent.
    let announce = |bytes: u64| json!({"contentType": "video/mp4", "contentLength": bytes});
    api.data(Method::POST, "/uploads", announce(2 << 30)).await;
    let (status, refused) = api
        .call(Method::POST, "/uploads", announce((2 << 30) + 1))
        .await;
    assert_eq!(
        (status, issue_paths(&refused)),
        (422, vec!["contentLength"])
    );
}
