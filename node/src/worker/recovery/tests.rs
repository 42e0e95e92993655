//! Devices that are lost, and come back or not; the engine and its device are real.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use futures::future::BoxFuture;
use kinora_proto::access::ClientAccess;
use kinora_proto::v1::{Lease, LeaseId, RenderTask, from_node, lease, to_node};
use object_store::memory::InMemory;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::super::TaskOutput;
use super::super::tests::{FakeStream, fake_farm};
use super::*;
use crate::{EngineConfig, TaskRunner};

/// Long enough for a device to be lost in the middle.
const FRAMES: u32 = 300;
const OUTPUT: &str = "jobs/j/chunk.mp4";
const SOON: Duration = Duration::from_secs(60);

const HASTE: Recovery = Recovery {
    attempt: Duration::from_millis(50),
    patience: Patience {
        first_rest: Duration::from_millis(10),
        longest_rest: Duration::from_millis(40),
        in_all: Duration::from_secs(2),
    },
};

/// A device that opens at this attempt; what the attempts came to, and how many there were.
async fn recovered_at(attempt: u32) -> (Result<()>, u32) {
    let attempts = AtomicU32::new(0);
    let reopen = || async {
        match attempts.fetch_add(1, Ordering::Relaxed) + 1 {
            now if now == attempt => Ok(()),
            // Some drivers say nothing at all.
            now if now.is_multiple_of(2) => std::future::pending().await,
            _ => Err(Error::internal("opening", "no adapter")),
        }
    };
    let ended = recover(reopen, &HASTE).await;
    (ended, attempts.load(Ordering::Relaxed))
}

#[tokio::test]
async fn a_device_is_tried_until_it_opens() {
    let (ended, attempts) = recovered_at(3).await;
    ended.expect("recovered");
    assert_eq!(attempts, 3);
}

#[tokio::test]
async fn a_device_that_stays_away_is_given_up_in_words() {
    let began = Instant::now();
    let (ended, attempts) = recovered_at(u32::MAX).await;
    let error = ended.expect_err("given up");
    assert!(matches!(error, Error::DeviceLost(_)));
    assert!(error.to_string().contains("did not come back"), "{error}");
    assert!(attempts > 3, "{attempts}");
    assert!(began.elapsed() > HASTE.patience.in_all / 2, "too early");
}

/// An engine, and what runs tasks on it; the folder goes with it.
async fn node() -> (Arc<Engine>, TaskRunner, Arc<InMemory>, tempfile::TempDir) {
    // Another test of this process may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = Engine::start(EngineConfig {
        fonts: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fonts")),
        cache_dir: folder.path().join("cache"),
        cache_bytes: 1 << 20,
        allow_private_urls: false,
        local_media: None,
        encoder: None,
        hardware_decoding: false,
    })
    .await
    .expect("an engine");
    let (engine, store) = (Arc::new(engine), Arc::new(InMemory::new()));
    let work = folder.path().join("work");
    let objects: Arc<dyn ObjectStore> = store.clone();
    let runner = TaskRunner::new(Arc::clone(&engine), objects, work);
    (engine, runner, store, folder)
}

/// A square that turns all the time.
fn task(attempt: u32) -> Lease {
    let composition = json!({
        "durationInFrames": FRAMES, "fps": 30, "width": 128, "height": 72,
        "overlays": [{
            "id": 1, "type": "shape", "content": "rectangle", "from": 0, "durationInFrames": FRAMES, "row": 0,
            "left": 30, "top": 20, "width": 50, "height": 40,
            "styles": { "fill": "#e63", "animation": { "during": "spin" } }
        }]
    });
    Lease {
        id: Some(LeaseId {
            task_id: "turning".into(),
            attempt,
        }),
        job_id: "j".into(),
        task: Some(lease::Task::Render(RenderTask {
            composition_json: composition.to_string(),
            first_frame: 0,
            end_frame: FRAMES,
            output_key: OUTPUT.into(),
            reduce: 1,
        })),
        ..Lease::default()
    }
}

/// Loses the device of the first task once that has begun to draw.
struct Saboteur {
    engine: Arc<Engine>,
    runner: TaskRunner,
}

impl Executor for Saboteur {
    fn execute(
        &self,
        lease: Lease,
        progress: Arc<AtomicU32>,
        cancel: CancellationToken,
    ) -> BoxFuture<'static, Result<TaskOutput>> {
        let is_first = self.engine.losses() == 0;
        let (engine, frames) = (Arc::clone(&self.engine), Arc::clone(&progress));
        let task = self.runner.execute(lease, progress, cancel);
        Box::pin(async move {
            let losing = async {
                while is_first && frames.load(Ordering::Relaxed) == 0 {
                    sleep(Duration::from_millis(1)).await;
                }
                if is_first {
                    engine.lose_device();
                }
            };
            tokio::join!(task, losing).0
        })
    }
}

async fn bytes_of(store: &InMemory) -> Vec<u8> {
    let object = store.get(&Key::from(OUTPUT)).await.expect("an object");
    object.bytes().await.expect("bytes").to_vec()
}

async fn next(streams: &mut mpsc::Receiver<FakeStream>) -> FakeStream {
    let stream = timeout(SOON, streams.recv()).await;
    stream.expect("a stream in time").expect("a farm")
}

/// Works for a farm, and loses the device of the first task.
fn work(
    engine: &Arc<Engine>,
    runner: TaskRunner,
    controller_url: String,
    recovery: Recovery,
    shutdown: &CancellationToken,
) -> JoinHandle<Result<()>> {
    let (engine, shutdown) = (Arc::clone(engine), shutdown.clone());
    let saboteur = Arc::new(Saboteur {
        engine: Arc::clone(&engine),
        runner,
    });
    let config = move |engine: &Engine| WorkerConfig {
        controller_url: controller_url.clone(),
        access: ClientAccess::default(),
        node_id: "node-1".into(),
        name: "one".into(),
        slots: 1,
        preview_slots: 0,
        adapter: engine.adapter(),
        encoders: engine.offered_encoders(),
        drain_grace: Duration::from_secs(2),
    };
    tokio::spawn(async move { run_on(&engine, saboteur, config, &recovery, shutdown).await })
}

/// Gives a node its first task, which must come back before the node says goodbye.
async fn hands_back(mut stream: FakeStream) {
    stream.send(to_node::Message::Lease(task(1))).await;
    let (mut drained, mut handed_back) = (false, 0);
    while let Some(report) = stream.report().await {
        match report {
            from_node::Message::HandBack(back) => {
                assert_eq!(back.lease, task(1).id);
                handed_back += 1;
            }
            from_node::Message::Drain(_) => drained = true,
            other => panic!("{other:?}"),
        }
    }
    assert!(drained && handed_back == 1, "{drained} {handed_back}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_loses_its_device_hands_its_task_back_and_then_renders_it() {
    let (engine, runner, store, _folder) = node().await;
    let undisturbed = runner.execute(task(0), Arc::default(), CancellationToken::new());
    undisturbed.await.expect("a chunk");
    let expected = bytes_of(&store).await;
    store.delete(&Key::from(OUTPUT)).await.expect("deleted");

    let (url, mut streams) = fake_farm(Arc::default()).await;
    let shutdown = CancellationToken::new();
    let worker = work(&engine, runner, url, Recovery::default(), &shutdown);
    hands_back(next(&mut streams).await).await;
    assert_eq!(engine.losses(), 1);

    let mut stream = next(&mut streams).await;
    assert_eq!(engine.loss(), None, "it connects with a device that works");
    stream.send(to_node::Message::Lease(task(2))).await;
    let report = timeout(SOON, stream.report()).await.expect("in time");
    let Some(from_node::Message::Done(done)) = report else {
        panic!("{report:?}")
    };
    assert_eq!((done.lease, done.frames_done), (task(2).id, FRAMES));
    assert!(
        bytes_of(&store).await == expected,
        "the new device draws the same"
    );
    shutdown.cancel();
    worker.await.expect("no panic").expect("no error");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_whose_device_stays_away_hands_its_task_back_and_ends() {
    let (engine, runner, _, _folder) = node().await;
    let (url, mut streams) = fake_farm(Arc::default()).await;
    let shutdown = CancellationToken::new();
    let silent_driver = Recovery {
        attempt: Duration::ZERO,
        patience: Patience {
            in_all: Duration::from_millis(100),
            ..HASTE.patience
        },
    };
    let worker = work(&engine, runner, url, silent_driver, &shutdown);
    hands_back(next(&mut streams).await).await;
    let ended = timeout(SOON, worker).await.expect("it gives up");
    let error = ended.expect("no panic").expect_err("no device");
    assert!(matches!(error, Error::DeviceLost(_)), "{error}");
    assert!(error.to_string().contains("does not answer"), "{error}");
    assert!(engine.loss().is_some(), "and did not use a device too late");
    assert!(streams.try_recv().is_err(), "it takes no more work");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_loses_a_device_twice_is_to_blame_itself() {
    let (engine, runner, _, _folder) = node().await;
    let cancel = CancellationToken::new();
    for (round, is_handed_back) in [true, false].into_iter().enumerate() {
        let progress = Arc::new(AtomicU32::new(0));
        let running = runner.execute(task(1), Arc::clone(&progress), cancel.clone());
        let running = tokio::spawn(running);
        while progress.load(Ordering::Relaxed) == 0 {
            sleep(Duration::from_millis(1)).await;
        }
        engine.lose_device();
        let error = running.await.expect("no panic").expect_err("lost");
        let is_lost = matches!(error, Error::DeviceLost(_));
        assert_eq!(is_lost, is_handed_back, "{round}: {error}");
        // What comes meanwhile did nothing.
        let refused = runner
            .execute(task(1), Arc::default(), cancel.clone())
            .await;
        assert!(matches!(refused, Err(Error::DeviceLost(_))), "{refused:?}");
        engine.reopen().await.expect("another device");
    }
}
