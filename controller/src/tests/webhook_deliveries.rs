//! Webhooks over real HTTP: what receivers on loopback see.

use std::time::{Duration, Instant};

use super::{
    api::Running,
    harness::{TestDb, on_both_databases},
    webhook_support::{
        Answer, TestReceiver, account_and_node, completed_job, delivery_states, failed_job,
        register, sql, until,
    },
};
use crate::{Config, SecretKey, clock::Timestamp, secret_key::hmac_hex};

async fn controller(db: &TestDb) -> Running {
    controller_with(db, |_| {}).await
}

async fn controller_with(db: &TestDb, configure: impl FnOnce(&mut Config)) -> Running {
    Running::start_with(db, |config| {
        config.allow_private_urls = true;
        configure(config);
    })
    .await
}

async fn all_ended(db: &TestDb) -> Vec<String> {
    until("the end of every delivery", async || {
        delivery_states(db)
            .await
            .iter()
            .all(|state| state != "pending")
    })
    .await;
    delivery_states(db).await
}

on_both_databases! {
    async fn a_delivery_is_signed_over_its_raw_bytes(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let receiver = TestReceiver::start(&[Answer::Status(204)]).await;
        let (_, secret) = register(&db, &account, &receiver.url, &[]).await;
        let running = controller_with(&db, |config| config.service_name = "Acme".into()).await;
        let view = completed_job(&db, &account, &node, None, Timestamp::now()).await;

        let request = receiver.wait_for(1).await.remove(0);
        let signature = hmac_hex(secret.as_bytes(), &request.body);
        assert_eq!(request.header("x-acme-signature"), Some(signature.as_str()));
        assert_eq!(request.header("content-type"), Some("application/json"));
        let body = request.json();
        assert_eq!(request.header("x-acme-delivery"), body["deliveryId"].as_str());
        assert!(body["deliveryId"].as_str().is_some_and(|id| id.starts_with("dlv_")));
        assert_eq!(body["data"]["jobId"], view.job.id.as_str());
        let sent: i64 = request.header("x-acme-timestamp").and_then(|text| text.parse().ok())
            .expect("a number of seconds");
        assert!((Timestamp::now().0 / 1000 - sent).abs() <= 60, "{sent}");

        assert_eq!(all_ended(&db).await, ["delivered"]);
        let page = running.controller.metrics().await.expect("metrics");
        assert!(page.contains("kinora_webhook_deliveries_total{outcome=\"delivered\"} 1"), "{page}");
        assert!(page.contains("kinora_webhook_deliveries_pending 0"), "{page}");
        running.stop().await;
    }
}

on_both_databases! {
    async fn failures_are_tried_again_after_one_and_two_seconds_with_the_same_bytes(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let answers = [Answer::Status(500), Answer::Status(404), Answer::Status(200)];
        let receiver = TestReceiver::start(&answers).await;
        register(&db, &account, &receiver.url, &[]).await;
        let running = controller(&db).await;
        let ended = Instant::now();
        completed_job(&db, &account, &node, None, Timestamp::now()).await;
        let requests = receiver.wait_for(3).await;
        let pauses = [
            requests[0].at - ended,
            requests[1].at - requests[0].at,
            requests[2].at - requests[1].at,
        ];
        // Never early; late by what a busy machine takes.
        for (pause, expected) in pauses.iter().zip([0, 1000, 2000]) {
            let expected = Duration::from_millis(expected);
            let late = pause.saturating_sub(expected);
            assert!(*pause >= expected && late < Duration::from_secs(2), "{pauses:?}");
        }
        assert!(requests.iter().all(|request| request.body == requests[0].body));
        assert_eq!(all_ended(&db).await, ["delivered"]);
        assert_eq!(receiver.received().len(), 3);
        running.stop().await;
    }
}

on_both_databases! {
    async fn one_off_callbacks_carry_a_signature_of_nobodys(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let receiver = TestReceiver::start(&[Answer::Status(200)]).await;
        let running = controller(&db).await;
        for _ in 0..2 {
            failed_job(&db, &account, &node, Some(&receiver.url), Timestamp::now()).await;
        }
        let requests = receiver.wait_for(2).await;
        for request in &requests {
            let signature = request.header("x-service-signature").expect("a signature");
            assert!(signature.len() == 64 && signature.bytes().all(|byte| byte.is_ascii_hexdigit()));
            assert!(request.header("x-service-timestamp").is_some());
            assert_eq!(request.header("x-service-delivery"), None);
            let body = request.json();
            assert_eq!(body.get("deliveryId"), None);
            assert_eq!(body["event"], "render.failed");
            assert!(!request.body.windows(4).any(|bytes| bytes == b"null"), "{body}");
        }
        running.stop().await;
    }
}

on_both_databases! {
    async fn neither_a_redirect_nor_silence_is_an_acknowledgement(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let answers = [Answer::Redirect, Answer::Redirect, Answer::Hang];
        let receiver = TestReceiver::start(&answers).await;
        register(&db, &account, &receiver.url, &[]).await;
        let running = controller_with(&db, |config| {
            config.webhooks.answer_within = Duration::from_millis(300);
        })
        .await;
        completed_job(&db, &account, &node, None, Timestamp::now()).await;
        assert_eq!(all_ended(&db).await, ["failed"]);
        let requests = receiver.received();
        assert_eq!(requests.len(), 3);
        assert!(requests.iter().all(|request| request.path == "/hook"), "{requests:?}");
        let waited = requests[2].at.elapsed();
        assert!(waited >= Duration::from_millis(300), "{waited:?}");
        let reason = sql(&db, "SELECT last_error FROM webhook_deliveries").await;
        assert_eq!(reason, [[Some("did not answer in time".into())]]);
        running.stop().await;
    }
}

on_both_databases! {
    async fn a_slow_receiver_does_not_delay_another(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let slow = TestReceiver::start(&[Answer::Hang]).await;
        let fast = TestReceiver::start(&[Answer::Status(200)]).await;
        register(&db, &account, &slow.url, &[]).await;
        register(&db, &account, &fast.url, &[]).await;
        let jobs = 20;
        for _ in 0..jobs {
            completed_job(&db, &account, &node, None, Timestamp::now()).await;
        }
        let running = controller(&db).await;
        let first = slow.wait_for(1).await.remove(0);
        fast.wait_for(jobs).await;
        // Nothing that the slow one was sent has ended yet.
        assert!(first.at.elapsed() < Duration::from_secs(9), "{:?}", first.at.elapsed());
        assert!(slow.received().len() <= 8, "{}", slow.received().len());
        running.stop().await;
    }
}

on_both_databases! {
    async fn what_a_stopped_controller_left_is_delivered_by_the_next(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let receiver = TestReceiver::start(&[Answer::Status(500), Answer::Status(200)]).await;
        let (_, secret) = register(&db, &account, &receiver.url, &[]).await;
        let first = controller(&db).await;
        completed_job(&db, &account, &node, None, Timestamp::now()).await;
        receiver.wait_for(1).await;
        first.stop().await;
        // Nobody runs while another job ends.
        completed_job(&db, &account, &node, None, Timestamp::now()).await;
        let second = controller(&db).await;
        assert_eq!(all_ended(&db).await, ["delivered", "delivered"]);
        let requests = receiver.received();
        assert_eq!(requests.len(), 3);
        let again = requests[1..].iter().filter(|request| request.body == requests[0].body);
        assert_eq!(again.count(), 1, "the first was sent again as it was");
        for request in &requests {
            let signature = hmac_hex(secret.as_bytes(), &request.body);
            assert_eq!(request.header("x-service-signature"), Some(signature.as_str()));
        }
        second.stop().await;
    }
}

on_both_databases! {
    async fn two_healthy_controllers_deliver_each_row_once(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let receiver = TestReceiver::start(&[Answer::Status(200)]).await;
        register(&db, &account, &receiver.url, &[]).await;
        let (one, other) = (controller(&db).await, controller(&db).await);
        let jobs = 15;
        for _ in 0..jobs {
            completed_job(&db, &account, &node, None, Timestamp::now()).await;
        }
        assert_eq!(all_ended(&db).await.len(), jobs);
        let mut deliveries: Vec<_> = receiver.received().iter()
            .map(|request| request.header("x-service-delivery").expect("an id").to_owned())
            .collect();
        deliveries.sort();
        deliveries.dedup();
        assert_eq!((receiver.received().len(), deliveries.len()), (jobs, jobs));
        one.stop().await;
        other.stop().await;
    }
}

on_both_databases! {
    async fn private_addresses_are_refused_when_they_are_connected_to(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let receiver = TestReceiver::start(&[Answer::Status(200)]).await;
        let named = receiver.url.replace("127.0.0.1", "localhost");
        register(&db, &account, &named, &[]).await;
        completed_job(&db, &account, &node, Some(&receiver.url), Timestamp::now()).await;
        let running = controller_with(&db, |config| config.allow_private_urls = false).await;
        assert_eq!(all_ended(&db).await, ["failed", "failed"]);
        let reasons = sql(&db, "SELECT last_error FROM webhook_deliveries").await;
        let refused = "was refused: its address is not on the public internet".to_owned();
        assert_eq!(reasons, [[Some(refused.clone())], [Some(refused)]]);
        assert_eq!(receiver.received().len(), 0);
        running.stop().await;
    }
}

on_both_databases! {
    async fn a_farm_with_another_secret_key_sends_nothing_unsigned(db: TestDb) {
        let (account, node) = account_and_node(&db).await;
        let receiver = TestReceiver::start(&[Answer::Status(200)]).await;
        register(&db, &account, &receiver.url, &[]).await;
        completed_job(&db, &account, &node, None, Timestamp::now()).await;
        let running = controller_with(&db, |config| config.secret_key = SecretKey::random()).await;
        assert_eq!(all_ended(&db).await, ["failed"]);
        assert_eq!(receiver.received().len(), 0);
        let failures = "SELECT CAST(failures_in_a_row AS TEXT) FROM webhooks";
        assert_eq!(sql(&db, failures).await, [[Some("0".into())]], "it is not the receiver's fault");
        running.stop().await;
    }
}

on_both_databases! {
    async fn a_service_name_that_no_header_can_have_is_refused_at_the_start(db: TestDb) {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let objects = std::sync::Arc::new(object_store::memory::InMemory::new());
        let mut config = Config::new(&db.url, objects, SecretKey::random());
        config.service_name = "Our Service".into();
        let refused = crate::Controller::start(config).await.err().expect("refused");
        assert!(refused.to_string().contains("KINORA_SERVICE_NAME"), "{refused}");
    }
}

#[test]
fn a_receiver_has_ten_seconds() {
    let terms = crate::WebhookTerms::default();
    assert_eq!(terms.answer_within, Duration::from_secs(10));
}
