//! Nodes without credentials: objects through requests that the controller signs, on an S3-compatible store.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kinora_node::objects::{ObjectSource, SignedObjects};
use kinora_proto::access::ClientAccess;
use kinora_proto::v1::{
    FromNode, Heartbeat, Hello, Lease, Progress, TaskDone, ToNode, farm_client::FarmClient,
    from_node, lease, to_node,
};
use object_store::buffered::BufWriter;
use object_store::path::Path as Key;
use object_store::{Error, MultipartUpload, ObjectStore, ObjectStoreExt};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::farm::scene::{composition, overlay, plain};
use crate::farm::{TestFarm, media, video};

const PATIENCE: Duration = Duration::from_secs(60);
const MIB: usize = 1 << 20;

/// A node that only speaks: it takes leases, and keeps them until it is dropped.
struct SpeakingNode {
    leases: mpsc::Receiver<Lease>,
    reports: mpsc::Sender<FromNode>,
    objects: SignedObjects,
    gone: CancellationToken,
}

impl SpeakingNode {
    async fn connect(farm: &mut TestFarm, id: &str) -> Self {
        // Tests of one process share the provider; the first one sets it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let controller = farm.controller.as_mut().expect("the roles are apart");
        let url = controller.wait_for("Kinora's controller is at ");
        let (reports, messages) = mpsc::channel(16);
        let hello = Hello {
            node_id: id.to_owned(),
            name: id.to_owned(),
            slots: 1,
            encoders: vec!["x264".to_owned()],
            ..Hello::default()
        };
        reports
            .send(wrap(from_node::Message::Hello(hello)))
            .await
            .expect("open");
        let mut client = FarmClient::connect(url.clone()).await.expect("connected");
        let messages = futures::stream::unfold(messages, |mut messages| async {
            Some((messages.recv().await?, messages))
        });
        let mut inbox = client.work(messages).await.expect("a stream").into_inner();
        let (found, leases) = mpsc::channel(16);
        let gone = CancellationToken::new();
        let (heart, until) = (reports.clone(), gone.clone());
        let work = async move {
            let mut held = Vec::new();
            let mut beats = tokio::time::interval(Duration::from_secs(1));
            loop {
                tokio::select! {
                    _ = beats.tick() => {
                        let tasks = held.iter().map(|lease: &Lease| Progress { lease: lease.id.clone(), frames_done: 0 });
                        let beat = Heartbeat { tasks: tasks.collect() };
                        let _ = heart.send(wrap(from_node::Message::Heartbeat(beat))).await;
                    }
                    message = inbox.message() => match message {
                        Ok(Some(ToNode { message: Some(to_node::Message::Lease(lease)) })) => {
                            held.push(lease.clone());
                            let _ = found.send(lease).await;
                        }
                        Ok(Some(_)) => {}
                        Ok(None) | Err(_) => return,
                    },
                }
            }
        };
        tokio::spawn(async move { until.run_until_cancelled(work).await });
        let objects = SignedObjects::new(&url, &ClientAccess::default(), id).expect("objects");
        Self {
            leases,
            reports,
            objects,
            gone,
        }
    }

    async fn lease(&mut self) -> Lease {
        let lease = tokio::time::timeout(PATIENCE, self.leases.recv()).await;
        lease.expect("in time").expect("a lease")
    }

    fn store(&self, lease: &Lease) -> Arc<dyn ObjectStore> {
        self.objects.of_lease(lease).expect("a store")
    }

    async fn done(&self, lease: &Lease, size: usize) {
        let done = TaskDone {
            lease: lease.id.clone(),
            output_key: output(lease).to_string(),
            output_size: i64::try_from(size).expect("small"),
            frames_done: 1,
            busy_ms: 1,
        };
        self.reports
            .send(wrap(from_node::Message::Done(done)))
            .await
            .expect("open");
    }
}

impl Drop for SpeakingNode {
    fn drop(&mut self) {
        self.gone.cancel();
    }
}

fn wrap(message: from_node::Message) -> FromNode {
    FromNode {
        message: Some(message),
    }
}

fn output(lease: &Lease) -> Key {
    let key = match lease.task.as_ref().expect("a task") {
        lease::Task::Render(task) => &task.output_key,
        lease::Task::Assemble(task) => &task.output_key,
        lease::Task::Stills(task) => &task.output_key,
    };
    Key::from(key.as_str())
}

/// Files of the S3 server whose path contains this.
fn stored(farm: &TestFarm, part: &str) -> Vec<PathBuf> {
    fn list(folder: &Path, part: &str, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                list(&path, part, found);
            } else if path.display().to_string().contains(part) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    list(&farm.folder().join("s3"), part, &mut found);
    found
}

fn is_refused<T>(answer: &Result<T, Error>) -> bool {
    matches!(answer, Err(Error::PermissionDenied { .. }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_without_credentials_renders_uploads_and_previews() {
    let farm = TestFarm::apart().s3().start();
    let variables = std::fs::read(format!("/proc/{}/environ", farm.nodes[0].id()));
    let variables = String::from_utf8_lossy(&variables.expect("its environment")).into_owned();
    for name in ["AWS_", "KINORA_STORE_URL"] {
        assert!(!variables.contains(name), "the node has {name}");
    }
    let api = &farm.api;
    let picture = std::fs::read(media::folder().join("halves.png")).expect("picture");
    let asked = json!({"contentType": "image/png"});
    let upload = api.data(Method::POST, "/uploads", asked).await;
    let to = upload["uploadUrl"].as_str().expect("uploadUrl");
    let sent = api
        .anonymous(Method::PUT, to)
        .header("Content-Type", "image/png");
    let sent = sent.body(picture).send().await.expect("answer");
    assert_eq!(sent.status(), 200);

    let image = json!({"type": "image", "src": upload["fileUrl"], "styles": {"objectFit": "fill"}});
    let scene = composition(15, &[overlay(15, [0, 0, 320, 180], image)]);
    let job = api.start(&scene).await;
    let finished = api.follow(&job).await.completed();
    let folder = tempfile::tempdir().expect("temp folder");
    let file = folder.path().join("video.mp4");
    std::fs::write(&file, api.download(finished.output_url()).await).expect("write");
    let frame = video::Picture::of_video(&file, 7, 320);
    frame.shows(60, 90, [0, 255, 0]);
    frame.shows(260, 90, [255, 255, 0]);

    let preview = api
        .data(Method::POST, "/previews", json!({"inputProps": scene}))
        .await;
    let page = preview["previewUrl"].as_str().expect("previewUrl");
    let still = still_of(&farm, page, 7).await;
    let answer = api
        .anonymous(Method::GET, &still)
        .send()
        .await
        .expect("answer");
    assert_eq!(answer.headers()["Content-Type"], "image/png");
    let png = answer.bytes().await.expect("body");
    assert!(png.starts_with(b"\x89PNG"), "{} bytes", png.len());
}

/// Asks a preview for one frame, as its page does, until it is drawn.
async fn still_of(farm: &TestFarm, page: &str, frame: u32) -> String {
    let started = Instant::now();
    loop {
        let url = format!("{page}/state?frame={frame}");
        let answer = farm.api.anonymous(Method::GET, &url).send().await;
        let text = answer.expect("answer").text().await.expect("text");
        let state: Value = serde_json::from_str(&text).expect("JSON");
        if let Some(relative) = find_png(&state) {
            let page = url::Url::parse(page).expect("a URL");
            return page.join(&relative).expect("a URL").into();
        }
        assert!(started.elapsed() < PATIENCE, "no frame: {text}");
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

fn find_png(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.ends_with(".png") => Some(text.clone()),
        Value::Array(values) => values.iter().find_map(find_png),
        Value::Object(fields) => fields.values().find_map(find_png),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn large_objects_go_in_parts_and_come_back_whole() {
    let mut farm = TestFarm::apart().nodes(0).s3().start();
    let mut node = SpeakingNode::connect(&mut farm, "node_speaking").await;
    let job = farm.api.start(&plain(5)).await;
    let lease = node.lease().await;
    assert_eq!(
        (lease.job_id.as_str(), lease.signs_objects),
        (job.as_str(), true)
    );
    let (store, key) = (node.store(&lease), output(&lease));
    let bytes: Vec<u8> = (0..23 * MIB).map(|at| (at % 251) as u8).collect();
    let mut writer = BufWriter::new(Arc::clone(&store), key.clone());
    writer.write_all(&bytes).await.expect("written");
    writer.shutdown().await.expect("complete");
    assert_eq!(
        stored(&farm, "upload").len(),
        0,
        "{:?}",
        stored(&farm, "upload")
    );
    node.done(&lease, bytes.len()).await;

    // The assembly reads it.
    let assembly = node.lease().await;
    let store = node.store(&assembly);
    let whole = store.get(&key).await.expect("found");
    assert_eq!(whole.meta.size, bytes.len() as u64);
    assert!(
        whole.bytes().await.expect("read") == bytes,
        "the bytes are the same"
    );
    let part = store.get_range(&key, 7..4_000_007).await.expect("a range");
    assert!(part == bytes[7..4_000_007], "a part of them");
    assert_eq!(
        store.head(&key).await.expect("known").size,
        bytes.len() as u64
    );

    let video = output(&assembly);
    store
        .put(&video, b"short".to_vec().into())
        .await
        .expect("put");
    node.done(&assembly, 5).await;
    let finished = farm.api.follow(&job).await.completed();
    assert_eq!(farm.api.download(finished.output_url()).await, b"short");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_gets_nothing_of_other_jobs_and_nothing_after_its_lease() {
    let mut farm = TestFarm::apart().nodes(0).s3().start();
    let mut one = SpeakingNode::connect(&mut farm, "node_one").await;
    farm.api.start(&plain(5)).await;
    let mine = one.lease().await;
    let mut two = SpeakingNode::connect(&mut farm, "node_two").await;
    farm.api.start(&plain(5)).await;
    let theirs = two.lease().await;
    let (store, key) = (one.store(&mine), output(&mine));
    store
        .put(&key, b"chunk".to_vec().into())
        .await
        .expect("put");
    let other = output(&theirs);
    let foreign = [
        other.clone(),
        Key::from("templates/x.png"),
        Key::from("uploads/u/x.png"),
    ];
    for key in &foreign {
        assert!(is_refused(&store.get(key).await), "{key}");
        assert!(
            is_refused(&store.put(key, b"x".to_vec().into()).await),
            "{key}"
        );
        assert!(is_refused(&store.put_multipart(key).await), "{key}");
    }
    // A lease is its holder's alone.
    assert!(is_refused(
        &one.store(&theirs).put(&other, b"x".to_vec().into()).await
    ));

    one.gone.cancel();
    let lost = Instant::now();
    while !is_refused(&store.put(&key, b"late".to_vec().into()).await) {
        assert!(lost.elapsed() < PATIENCE, "the lease never ends");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_store_no_longer_has_in_parts_is_there_or_lost_and_never_waited_for() {
    let mut farm = TestFarm::apart().nodes(0).s3().start();
    let mut node = SpeakingNode::connect(&mut farm, "node_unlucky").await;
    farm.api.start(&plain(5)).await;
    let lease = node.lease().await;
    let (store, key) = (node.store(&lease), output(&lease));
    let begin = async || {
        let mut begun = store.put_multipart(&key).await.expect("begun");
        begun.put_part(vec![7; 5 * MIB].into()).await.expect("sent");
        // As when the store was told to complete it, and nobody heard its answer.
        for note in stored(&farm, ".upload-") {
            std::fs::remove_file(note).expect("removed");
        }
        begun
    };

    let asked = Instant::now();
    let lost = begin().await.complete().await;
    assert!(matches!(lost, Err(Error::NotFound { .. })), "{lost:?}");
    assert!(asked.elapsed() < PATIENCE, "after {:?}", asked.elapsed());

    store.put(&key, b"all".to_vec().into()).await.expect("put");
    begin().await.complete().await.expect("it is there");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_node_had_begun_is_dropped() {
    let mut farm = TestFarm::apart().nodes(0).s3().start();
    let mut node = SpeakingNode::connect(&mut farm, "node_mortal").await;
    farm.api.start(&plain(5)).await;
    let lease = node.lease().await;
    let mut begun: Box<dyn MultipartUpload> = node
        .store(&lease)
        .put_multipart(&output(&lease))
        .await
        .expect("begun");
    begun.put_part(vec![7; 5 * MIB].into()).await.expect("sent");
    assert!(!stored(&farm, "upload").is_empty(), "the part is there");
    drop((begun, node));
    let died = Instant::now();
    while !stored(&farm, "upload").is_empty() {
        assert!(died.elapsed() < PATIENCE, "{:?}", stored(&farm, "upload"));
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    let controller = farm.controller.as_mut().expect("controller");
    controller.wait_for("an unfinished object was dropped");
    // This server has no list of what is unfinished, but knows who asks for it: others get 403.
    let log = controller.log();
    let asked = log.lines().find(|line| line.contains("does not list"));
    assert!(asked.is_some_and(|line| line.contains("501")), "{log}");
}
