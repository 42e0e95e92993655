//! What receivers of webhooks were told.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::clients::{Clients, Ended, REGISTERED};
use crate::farm::Receiver;

/// Asserts that everybody who wanted to know was told how each job ended, with a signature that holds.
pub(crate) fn check(clients: &Clients, ended: &[Ended]) {
    for ended in ended {
        if ended.order.account == REGISTERED {
            assert_told(&clients.registered, ended);
        }
        if ended.order.calls_back {
            assert_told(&clients.called, ended);
        }
    }
    for delivery in clients.registered.deliveries() {
        let signature = signature(&clients.secret, &delivery.body);
        assert_eq!(
            delivery.header("X-Service-Signature"),
            Some(signature.as_str())
        );
    }
}

fn assert_told(receiver: &Receiver, ended: &Ended) {
    let event = if ended.is_completed() {
        "render.completed"
    } else {
        "render.failed"
    };
    let told = receiver.deliveries().iter().any(|delivery| {
        let told = delivery.json();
        told["data"]["jobId"] == ended.job_id() && told["event"] == event
    });
    assert!(told, "nobody was told of {:?}", ended.order);
}

fn signature(secret: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any key");
    mac.update(body);
    let bytes = mac.finalize().into_bytes();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
