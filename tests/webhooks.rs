//! Webhooks through the real roles: a render ends, a receiver is told, and can trust it.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::farm::scene::{plain, with_image};
use crate::farm::{Receiver, TestFarm};

fn signature(secret: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any key");
    mac.update(body);
    let bytes = mac.finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn register(farm: &TestFarm, url: &str) -> Value {
    let body = json!({ "url": url });
    farm.api.data(Method::POST, "/webhooks", body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_render_is_told_to_registrations_and_to_the_one_off_callback() {
    let farm = TestFarm::serve();
    let (registered, one_off) = (Receiver::start().await, Receiver::start().await);
    let webhook = register(&farm, &registered.url()).await;
    let secret = webhook["secret"].as_str().expect("a secret");
    assert!(secret.starts_with("whsec_"), "{webhook}");

    let body = json!({"inputProps": plain(30), "webhookUrl": one_off.url()});
    let created = farm.api.start_with(body).await;
    let job = created["jobId"].as_str().expect("jobId");
    let finished = farm.api.follow(job).await.completed();

    let delivery = registered.wait_for(1).await.remove(0);
    let told = delivery.json();
    assert_eq!(told["event"], "render.completed");
    assert_eq!(told["data"]["jobId"], job);
    assert_eq!(told["data"]["status"], "COMPLETED");
    assert_eq!(told["data"]["outputUrl"], finished.job["outputUrl"]);
    assert_eq!(told["data"]["outputSize"], finished.job["outputSize"]);
    assert_eq!(told["data"]["completedAt"], finished.job["completedAt"]);
    assert_eq!(told["data"]["width"], 320);
    assert!(told["data"].get("errorMessage").is_none(), "{told}");
    assert!(told["data"].get("projectId").is_none(), "{told}");
    let expected = signature(secret, &delivery.body);
    assert_eq!(
        delivery.header("X-Service-Signature"),
        Some(expected.as_str())
    );
    assert_eq!(
        delivery.header("X-Service-Delivery"),
        told["deliveryId"].as_str()
    );
    let sent_at = delivery.header("X-Service-Timestamp").expect("a timestamp");
    assert!(
        sent_at
            .parse::<u64>()
            .is_ok_and(|seconds| seconds > 1_700_000_000)
    );
    farm.api
        .download(told["data"]["outputUrl"].as_str().expect("URL"))
        .await;

    let delivery = one_off.wait_for(1).await.remove(0);
    let told = delivery.json();
    assert_eq!(told["data"]["jobId"], job);
    assert!(told.get("deliveryId").is_none(), "{told}");
    assert_eq!(delivery.header("X-Service-Delivery"), None);
    let form = delivery.header("X-Service-Signature").expect("a signature");
    assert!(form.len() == 64 && form.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_ne!(form, signature(secret, &delivery.body));
    assert_eq!(
        registered.deliveries().len(),
        1,
        "acknowledged, so not repeated"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_receiver_is_tried_three_times_and_a_failed_render_says_why() {
    let farm = TestFarm::serve();
    let receiver = Receiver::start().await;
    register(&farm, &receiver.url()).await;
    receiver.answer_with(&[500, 503]);
    let scene = with_image(30, "http://127.0.0.1:1/nothing.png");
    let job = farm.api.start(&scene).await;
    farm.api.follow(&job).await;

    let deliveries = receiver.wait_for(3).await;
    let told = deliveries[0].json();
    assert_eq!(told["event"], "render.failed");
    assert_eq!(told["data"]["status"], "FAILED");
    assert_eq!(told["data"]["creditsUsed"], 0);
    assert!(
        told["data"]["errorMessage"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    );
    for absent in ["outputUrl", "outputSize"] {
        assert!(told["data"].get(absent).is_none(), "{absent}: {told}");
    }
    let pauses: Vec<Duration> = deliveries
        .windows(2)
        .map(|pair| pair[1].at - pair[0].at)
        .collect();
    assert!(pauses[0] >= Duration::from_millis(950), "{pauses:?}");
    assert!(pauses[1] >= Duration::from_millis(1950), "{pauses:?}");
    for delivery in &deliveries {
        assert_eq!(
            delivery.body, deliveries[0].body,
            "the same bytes each time"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_survive_the_controller() {
    let mut farm = TestFarm::apart().postgres().start();
    let receiver = Receiver::start().await;
    let webhook = register(&farm, &receiver.url()).await;
    receiver.answer_with(&[500]);
    let job = farm.api.start(&plain(30)).await;
    // The first attempt has failed; the second is due in a second, but its controller dies.
    let first = receiver.wait_for(1).await.remove(0);
    farm.controller.as_mut().expect("apart").kill();
    farm.restart_controller();
    let deliveries = receiver.wait_for(2).await;
    assert_eq!(deliveries[1].body, first.body);
    let secret = webhook["secret"].as_str().expect("a secret");
    let expected = signature(secret, &deliveries[1].body);
    assert_eq!(
        deliveries[1].header("X-Service-Signature"),
        Some(expected.as_str()),
        "the secret was read back"
    );
    assert_eq!(deliveries[1].json()["data"]["jobId"], job.as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn registrations_are_listed_without_secrets_limited_and_removed() {
    let farm = TestFarm::serve();
    let stranger = farm.another_account();
    let mut ids = Vec::new();
    for number in 0..5 {
        let url = format!("https://hooks.example.com/{number}");
        let body = json!({"url": url, "events": ["render.failed"]});
        let (status, envelope) = farm.api.call(Method::POST, "/webhooks", body).await;
        assert_eq!(status, 201, "{envelope}");
        ids.push(envelope["data"]["id"].as_str().expect("id").to_owned());
    }
    let sixth = json!({"url": "https://hooks.example.com/6"});
    let (status, envelope) = farm
        .api
        .call(Method::POST, "/webhooks", sixth.clone())
        .await;
    assert_eq!(
        (status, &envelope["details"]["reason"]),
        (400, &json!("WEBHOOK_LIMIT"))
    );

    let listed = farm.api.data(Method::GET, "/webhooks", Value::Null).await;
    let listed = listed["webhooks"].as_array().expect("webhooks");
    assert_eq!(listed.len(), 5);
    for webhook in listed {
        assert_eq!(webhook["isActive"], true);
        assert_eq!(webhook["events"], json!(["render.failed"]));
        assert!(webhook.get("secret").is_none(), "{webhook}");
    }
    let path = format!("/webhooks?id={}", ids[0]);
    let (status, _) = stranger.call(Method::DELETE, &path, Value::Null).await;
    assert_eq!(status, 404, "somebody else's");
    let removed = farm.api.data(Method::DELETE, &path, Value::Null).await;
    assert_eq!(removed["id"], ids[0].as_str());
    let (status, _) = farm.api.call(Method::DELETE, &path, Value::Null).await;
    assert_eq!(status, 404);
    farm.api.data(Method::POST, "/webhooks", sixth).await;

    for bad in [
        json!({}),
        json!({"url": 7}),
        json!({"url": "ftp://x"}),
        json!({"url": "https://x.example", "events": ["render.started"]}),
        json!({"url": "https://x.example", "events": "render.failed"}),
    ] {
        let (status, envelope) = farm.api.call(Method::POST, "/webhooks", bad.clone()).await;
        assert_eq!(status, 400, "{bad}: {envelope}");
        assert!(
            envelope["details"]["issues"][0]["path"].is_string(),
            "{envelope}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_lies_in_the_data_folder() {
    let farm = TestFarm::serve();
    let webhook = register(&farm, "https://hooks.example.com/").await;
    let secret = webhook["secret"].as_str().expect("a secret").as_bytes();
    let key = farm.api.key.as_bytes();
    let mut files = Vec::new();
    files_in(farm.folder(), &mut files);
    assert!(!files.is_empty());
    for file in files {
        let bytes = std::fs::read(&file).unwrap_or_default();
        for hidden in [secret, key] {
            let found = bytes.windows(hidden.len()).any(|window| window == hidden);
            assert!(!found, "a secret is in {}", file.display());
        }
    }
}

fn files_in(folder: &std::path::Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_in(&path, files);
        } else {
            files.push(path);
        }
    }
}
