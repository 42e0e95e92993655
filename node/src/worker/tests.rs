//! The worker against a controller that does exactly what a test tells it.

use std::{
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use futures::{Stream, future::BoxFuture};
use kinora_proto::access::ClientAccess;
use kinora_proto::v1::{
    FromNode, Hello, Lease, LeaseId, RenderTask, Revoke, ToNode, Welcome,
    farm_server::{Farm, FarmServer},
    from_node, lease, to_node,
};
use tokio::{
    net::TcpListener,
    sync::{Notify, mpsc},
    task::JoinHandle,
    time::{Instant, timeout},
};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{
    Request, Response, Status, Streaming,
    transport::{Server, server::TcpIncoming},
};

use super::{Executor, TaskOutput, WorkerConfig, run};
use crate::{Error, Result};

const HEARTBEAT: Duration = Duration::from_millis(50);
const LEASE: Duration = Duration::from_millis(600);
const PATIENCE: Duration = Duration::from_secs(10);

/// The controller's end of one stream.
pub(super) struct FakeStream {
    hello: Hello,
    inbox: Streaming<FromNode>,
    outbox: mpsc::Sender<Result<ToNode, Status>>,
}

#[derive(Clone)]
struct FakeFarm {
    streams: mpsc::Sender<FakeStream>,
    away: Arc<AtomicBool>,
}

/// A controller that hands its streams to the test: its address, and the streams as they come.
pub(super) async fn fake_farm(away: Arc<AtomicBool>) -> (String, mpsc::Receiver<FakeStream>) {
    let (sender, streams) = mpsc::channel(4);
    let farm = FakeFarm {
        streams: sender,
        away,
    };
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))
        .await
        .expect("bound");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    tokio::spawn(
        Server::builder()
            .add_service(FarmServer::new(farm))
            .serve_with_incoming(TcpIncoming::from(listener)),
    );
    (url, streams)
}

#[tonic::async_trait]
impl Farm for FakeFarm {
    type WorkStream = Pin<Box<dyn Stream<Item = Result<ToNode, Status>> + Send>>;

    async fn work(
        &self,
        request: Request<Streaming<FromNode>>,
    ) -> Result<Response<Self::WorkStream>, Status> {
        if self.away.load(Ordering::SeqCst) {
            return Err(Status::unavailable("away"));
        }
        let mut inbox = request.into_inner();
        let first = inbox.message().await?.and_then(|first| first.message);
        let Some(from_node::Message::Hello(hello)) = first else {
            return Err(Status::invalid_argument("no hello"));
        };
        let (outbox, messages) = mpsc::channel(16);
        let stream = FakeStream {
            hello,
            inbox,
            outbox,
        };
        stream
            .send(to_node::Message::Welcome(Welcome {
                heartbeat_interval_ms: 50,
                lease_ms: 600,
            }))
            .await;
        self.streams
            .send(stream)
            .await
            .map_err(|_| Status::unavailable("test over"))?;
        Ok(Response::new(Box::pin(ReceiverStream::new(messages))))
    }
}

impl FakeStream {
    pub(super) async fn send(&self, message: to_node::Message) {
        self.outbox
            .send(Ok(ToNode {
                message: Some(message),
            }))
            .await
            .expect("an open stream");
    }

    async fn lease(&self, task: &str) {
        self.send(to_node::Message::Lease(Lease {
            id: Some(lease_id(task)),
            job_id: "job".into(),
            deadline_ms: 0,
            task: Some(lease::Task::Render(RenderTask {
                output_key: format!("{task}.mp4"),
                ..RenderTask::default()
            })),
            is_preview: task.ends_with("preview"),
            ..Lease::default()
        }))
        .await;
    }

    /// The next message, heartbeats included; none when the node has ended the stream.
    async fn next(&mut self) -> Option<from_node::Message> {
        let message = timeout(PATIENCE, self.inbox.message())
            .await
            .expect("a message in time");
        message.ok().flatten().map(|it| it.message.expect("one"))
    }

    /// The next message that is not a heartbeat.
    pub(super) async fn report(&mut self) -> Option<from_node::Message> {
        loop {
            match self.next().await {
                Some(from_node::Message::Heartbeat(_)) => {}
                other => return other,
            }
        }
    }

    /// Waits for a heartbeat that names exactly these tasks with these frames.
    async fn heartbeat_with(&mut self, expected: &[(&str, u32)]) {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let Some(from_node::Message::Heartbeat(heartbeat)) = self.next().await else {
                continue;
            };
            let mut seen: Vec<_> = heartbeat
                .tasks
                .into_iter()
                .map(|task| (task.lease.expect("an id").task_id, task.frames_done))
                .collect();
            seen.sort();
            if seen
                .iter()
                .map(|(task, frames)| (task.as_str(), *frames))
                .eq(expected.iter().copied())
            {
                return;
            }
        }
        panic!("no heartbeat with {expected:?}");
    }
}

fn lease_id(task: &str) -> LeaseId {
    LeaseId {
        task_id: task.into(),
        attempt: 3,
    }
}

/// What a task does is in its name.
#[derive(Default)]
struct Script {
    cancelled: Arc<AtomicU32>,
    go: Arc<Notify>,
}

impl Executor for Script {
    fn execute(
        &self,
        lease: Lease,
        progress: Arc<AtomicU32>,
        cancel: CancellationToken,
    ) -> BoxFuture<'static, Result<TaskOutput>> {
        let (cancelled, go) = (Arc::clone(&self.cancelled), Arc::clone(&self.go));
        let task = lease.id.expect("an id").task_id;
        Box::pin(async move {
            match task.split('-').next().expect("a name") {
                "good" => {}
                "wait" => {
                    progress.store(7, Ordering::SeqCst);
                    tokio::select! {
                        () = go.notified() => {}
                        () = cancel.cancelled() => {
                            cancelled.fetch_add(1, Ordering::SeqCst);
                            return Err(Error::Cancelled);
                        }
                    }
                }
                // Its result is on its way into the store when it is cancelled.
                "storing" => {
                    progress.store(7, Ordering::SeqCst);
                    cancel.cancelled().await;
                }
                "deaf" => std::future::pending().await,
                "bad" => return Err(Error::BadInput("overlay 1 can't be decoded".into())),
                "broken" => return Err(Error::internal("device", "lost")),
                "lost" => return Err(Error::DeviceLost("by its driver".into())),
                "panic" => panic!("on purpose"),
                other => unreachable!("{other}"),
            }
            Ok(TaskOutput {
                output_key: format!("{task}.mp4"),
                output_size: 42,
            })
        })
    }
}

struct Bench {
    streams: mpsc::Receiver<FakeStream>,
    away: Arc<AtomicBool>,
    shutdown: CancellationToken,
    worker: JoinHandle<Result<()>>,
    cancelled: Arc<AtomicU32>,
    go: Arc<Notify>,
}

impl Bench {
    async fn start() -> Self {
        let away = Arc::new(AtomicBool::new(false));
        let (controller_url, streams) = fake_farm(Arc::clone(&away)).await;
        let script = Script::default();
        let (cancelled, go) = (Arc::clone(&script.cancelled), Arc::clone(&script.go));
        let shutdown = CancellationToken::new();
        let config = WorkerConfig {
            controller_url,
            access: ClientAccess::default(),
            node_id: "node-1".into(),
            name: "one".into(),
            slots: 2,
            preview_slots: 1,
            adapter: "llvmpipe".into(),
            encoders: vec!["x264".into()],
            drain_grace: Duration::from_millis(300),
        };
        let worker = tokio::spawn(run(config, Arc::new(script), shutdown.clone()));
        Self {
            streams,
            away,
            shutdown,
            worker,
            cancelled,
            go,
        }
    }

    async fn stream(&mut self) -> FakeStream {
        let stream = timeout(PATIENCE, self.streams.recv()).await;
        stream.expect("a stream in time").expect("a farm")
    }
}

fn done(task: &str) -> impl Fn(&from_node::Message) -> bool {
    move |message| {
        matches!(message, from_node::Message::Done(done)
            if done.lease == Some(lease_id(task))
                && done.output_key == format!("{task}.mp4")
                && done.output_size == 42)
    }
}

#[tokio::test]
async fn a_lease_is_worked_on_and_reported() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    assert_eq!(
        (stream.hello.node_id.as_str(), stream.hello.slots),
        ("node-1", 2)
    );
    assert_eq!(stream.hello.preview_slots, 1);
    stream.lease("good-1").await;
    assert!(done("good-1")(&stream.report().await.expect("a report")));

    stream.lease("wait-1").await;
    stream.lease("wait-2").await;
    stream.heartbeat_with(&[("wait-1", 7), ("wait-2", 7)]).await;
    bench.go.notify_waiters();
    for _ in 0..2 {
        let report = stream.report().await.expect("a report");
        let from_node::Message::Done(done) = report else {
            panic!("{report:?}")
        };
        assert_eq!(done.frames_done, 7);
    }
    stream.heartbeat_with(&[]).await;
}

#[tokio::test]
async fn previews_run_beside_as_many_paying_tasks_as_there_are_slots() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    for task in ["wait-1", "wait-2", "wait-preview"] {
        stream.lease(task).await;
    }
    stream
        .heartbeat_with(&[("wait-1", 7), ("wait-2", 7), ("wait-preview", 7)])
        .await;
    bench.go.notify_waiters();
    let mut ended = Vec::new();
    for _ in 0..3 {
        let report = stream.report().await.expect("a report");
        let from_node::Message::Done(done) = report else {
            panic!("{report:?}")
        };
        ended.push(done.output_key);
    }
    ended.sort();
    assert_eq!(ended, ["wait-1.mp4", "wait-2.mp4", "wait-preview.mp4"]);
}

#[tokio::test]
async fn failures_say_whose_fault_they_are_and_a_panic_kills_nothing() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    for (task, bad_input, says) in [
        ("bad", true, "overlay 1 can't be decoded"),
        ("broken", false, "device: lost"),
        ("panic", false, "panicked"),
    ] {
        stream.lease(task).await;
        let report = stream.report().await.expect("a report");
        let from_node::Message::Failed(failed) = report else {
            panic!("{report:?}")
        };
        assert_eq!(
            (failed.lease, failed.bad_input),
            (Some(lease_id(task)), bad_input)
        );
        assert!(failed.message.contains(says), "{}", failed.message);
    }
    stream.lease("good-1").await;
    assert!(done("good-1")(&stream.report().await.expect("a report")));
}

#[tokio::test]
async fn a_task_that_lost_its_device_is_handed_back() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    stream.lease("lost").await;
    let report = stream.report().await.expect("a report");
    let from_node::Message::HandBack(back) = report else {
        panic!("{report:?}")
    };
    assert_eq!(back.lease, Some(lease_id("lost")));
}

#[tokio::test]
async fn a_revoked_task_is_stopped_and_never_heard_of_again() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    stream.lease("wait-1").await;
    stream.heartbeat_with(&[("wait-1", 7)]).await;
    stream
        .send(to_node::Message::Revoke(Revoke {
            lease: Some(lease_id("wait-1")),
        }))
        .await;
    stream.heartbeat_with(&[]).await;
    stream.lease("good-1").await;
    assert!(done("good-1")(&stream.report().await.expect("a report")));
    assert_eq!(bench.cancelled.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_revoked_task_that_stored_its_result_is_told_so_that_somebody_deletes_it() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    stream.lease("storing-1").await;
    stream.heartbeat_with(&[("storing-1", 7)]).await;
    stream
        .send(to_node::Message::Revoke(Revoke {
            lease: Some(lease_id("storing-1")),
        }))
        .await;
    assert!(done("storing-1")(&stream.report().await.expect("a report")));
}

#[tokio::test]
async fn what_finished_without_a_controller_is_reported_to_the_next() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    stream.lease("wait-1").await;
    stream.lease("wait-2").await;
    stream.heartbeat_with(&[("wait-1", 7), ("wait-2", 7)]).await;
    drop(stream);
    bench.go.notify_one();

    let mut stream = bench.stream().await;
    assert_eq!(stream.hello.node_id, "node-1");
    let report = stream.report().await.expect("a report");
    assert!(
        done("wait-1")(&report) || done("wait-2")(&report),
        "{report:?}"
    );
    bench.go.notify_one();
    let report = stream.report().await.expect("the other goes on");
    assert!(
        done("wait-1")(&report) || done("wait-2")(&report),
        "{report:?}"
    );
    assert_eq!(bench.cancelled.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_result_whose_stream_broke_is_told_again() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    stream.lease("good-1").await;
    assert!(done("good-1")(&stream.report().await.expect("a report")));
    drop(stream);
    let mut stream = bench.stream().await;
    assert!(done("good-1")(&stream.report().await.expect("told again")));
    tokio::time::sleep(LEASE + HEARTBEAT).await;
    drop(stream);
    let mut stream = bench.stream().await;
    stream.lease("good-2").await;
    let report = stream.report().await.expect("a report");
    assert!(
        done("good-2")(&report),
        "the old one is too old to matter: {report:?}"
    );
}

#[tokio::test]
async fn tasks_are_given_up_when_the_controller_stays_away_longer_than_the_lease() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    stream.lease("wait-1").await;
    stream.heartbeat_with(&[("wait-1", 7)]).await;
    bench.away.store(true, Ordering::SeqCst);
    drop(stream);
    let began = Instant::now();
    while bench.cancelled.load(Ordering::SeqCst) == 0 {
        assert!(began.elapsed() < PATIENCE, "never given up");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(
        began.elapsed() >= LEASE / 2,
        "given up too early: {:?}",
        began.elapsed()
    );
    bench.away.store(false, Ordering::SeqCst);
    let mut stream = bench.stream().await;
    stream.lease("good-1").await;
    assert!(
        done("good-1")(&stream.report().await.expect("a report")),
        "and it works on"
    );
}

#[tokio::test]
async fn a_shutdown_finishes_what_it_can_and_hands_back_the_rest() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    stream.lease("wait-1").await;
    stream.lease("deaf").await;
    stream.heartbeat_with(&[("deaf", 0), ("wait-1", 7)]).await;
    bench.shutdown.cancel();
    let began = Instant::now();
    assert!(matches!(
        stream.report().await,
        Some(from_node::Message::Drain(_))
    ));
    stream.lease("good-late").await;
    let mut handed_back = Vec::new();
    while let Some(report) = stream.report().await {
        match report {
            from_node::Message::HandBack(back) => {
                handed_back.push(back.lease.expect("an id").task_id);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(handed_back, ["good-late", "wait-1", "deaf"]);
    drop(stream);
    let ended = timeout(PATIENCE, bench.worker)
        .await
        .expect("ended")
        .expect("no panic");
    ended.expect("no error");
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_task_that_finishes_while_draining_is_done() {
    let mut bench = Bench::start().await;
    let mut stream = bench.stream().await;
    stream.lease("wait-1").await;
    stream.heartbeat_with(&[("wait-1", 7)]).await;
    bench.shutdown.cancel();
    assert!(matches!(
        stream.report().await,
        Some(from_node::Message::Drain(_))
    ));
    bench.go.notify_waiters();
    assert!(done("wait-1")(&stream.report().await.expect("a report")));
    assert_eq!(stream.report().await, None, "the node ends the stream");
    drop(stream);
    timeout(PATIENCE, bench.worker)
        .await
        .expect("ended")
        .expect("no panic")
        .expect("no error");
}

#[tokio::test]
async fn a_shutdown_without_a_controller_ends_at_once_and_a_bad_address_at_the_start() {
    let config = |controller_url: &str| WorkerConfig {
        controller_url: controller_url.into(),
        access: ClientAccess::default(),
        node_id: "n".into(),
        name: "n".into(),
        slots: 1,
        preview_slots: 0,
        adapter: String::new(),
        encoders: Vec::new(),
        drain_grace: WorkerConfig::DEFAULT_DRAIN_GRACE,
    };
    let shutdown = CancellationToken::new();
    let script = Arc::new(Script::default());
    let worker = tokio::spawn(run(
        config("http://127.0.0.1:1"),
        script.clone(),
        shutdown.clone(),
    ));
    tokio::time::sleep(Duration::from_millis(100)).await;
    shutdown.cancel();
    timeout(PATIENCE, worker)
        .await
        .expect("ended")
        .expect("no panic")
        .expect("no error");

    for address in ["", "controller:7070", "ftp://controller"] {
        let error = run(config(address), script.clone(), CancellationToken::new()).await;
        assert!(
            error
                .expect_err("not an address")
                .to_string()
                .contains("controller address")
        );
    }
}
