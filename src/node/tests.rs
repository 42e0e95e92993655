//! A node whose graphics device is lost, as its status page and its exit code tell. The device is real.

use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use kinora_node::Patience;
use kinora_node::encode::Encoders;
use kinora_node::gpu::Gpu;
use object_store::memory::InMemory;
use serde_json::Value;
use tokio::net::TcpListener;

use super::*;
use crate::exit_code;

const SOON: Duration = Duration::from_secs(60);

/// A node that has lost its device, and the address of its status page.
async fn node_without_device() -> (Node, String) {
    // Another test of this process may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let work = temporary_folder().expect("a folder");
    let gpu = Gpu::open().await.expect("an adapter");
    let (encoders, device) = (Encoders::new(gpu.uuid()), gpu.device().clone());
    let config = EngineConfig {
        fonts: Some(concat!(env!("CARGO_MANIFEST_DIR"), "/fonts").into()),
        cache_dir: work.path().join("cache"),
        cache_bytes: 1 << 20,
        allow_private_urls: false,
        local_media: None,
        encoder: None,
        hardware_decoding: false,
    };
    let engine = Engine::start_with(config, gpu, encoders).expect("an engine");
    let args = NodeArgs {
        slots: 1,
        preview_slots: 0,
        name: Some("one".to_owned()),
    };
    let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let node = Node::on(engine, new_id(), objects, work, &args);

    let door = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
    let door = door.expect("a free port");
    let address = door.local_addr().expect("an address");
    let routes = status::routes("node", node.health(), node.metrics());
    tokio::spawn(async move { axum::serve(door, routes).await });
    let page = format!("http://{address}/healthz");
    assert_eq!(asked(&page).await.0, 200, "a device that draws");
    device.destroy();
    (node, page)
}

/// What the status page answers.
async fn asked(page: &str) -> (u16, Value) {
    let answer = reqwest::get(page).await.expect("an answer");
    let status = answer.status().as_u16();
    (status, answer.json().await.expect("JSON"))
}

/// Works for a controller that is away.
async fn work(node: Node, stop: &CancellationToken) -> Result<(), kinora_node::Error> {
    let nobody = "http://127.0.0.1:9".to_owned();
    node.work(nobody, ClientAccess::default(), stop.clone())
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_device_is_told_until_another_one_draws() {
    let (node, page) = node_without_device().await;
    let (status, told) = asked(&page).await;
    assert_eq!((status, told["status"].as_str()), (503, Some("failing")));
    let reason = told["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("graphics device was lost"), "{told}");

    let stop = CancellationToken::new();
    let asked_to_stop = stop.clone();
    let working = tokio::spawn(async move { work(node, &asked_to_stop).await });
    let began = Instant::now();
    loop {
        match asked(&page).await {
            (200, told) => break assert_eq!(told["status"], "ok"),
            (503, _) if began.elapsed() < SOON => {}
            other => panic!("{other:?}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.cancel();
    working.await.expect("no panic").expect("no error");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_stays_away_ends_the_process_with_a_code_of_its_own() {
    let (node, page) = node_without_device().await;
    // An idle node learns of it when somebody asks.
    assert_eq!(asked(&page).await.0, 503);
    let node = Node {
        // A driver that does not answer.
        recovery: Recovery {
            attempt: Duration::ZERO,
            patience: Patience {
                in_all: Duration::ZERO,
                ..node.recovery.patience
            },
        },
        ..node
    };
    let working = tokio::time::timeout(SOON, work(node, &CancellationToken::new())).await;
    let error = working.expect("it gives up").expect_err("no device");
    assert_eq!(asked(&page).await.0, 503, "and says so to the end");
    let error = anyhow::Error::from(error);
    assert_eq!(exit_code(&error), ExitCode::from(75), "{error:#}");
    // As in a process of several roles.
    let error = error.context("the node stopped");
    assert_eq!(exit_code(&error), ExitCode::from(75), "{error:#}");
    let other = anyhow::Error::from(kinora_node::Error::Cancelled);
    assert_eq!(exit_code(&other), ExitCode::FAILURE);
}
