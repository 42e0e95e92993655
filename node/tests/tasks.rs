//! Leases, executed for real: objects in, objects out.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use common::studio::{Studio, document, moving, overlay};
use kinora_node::worker::{Executor, TaskOutput};
use kinora_node::{Error, Pace, Result, TaskRunner};
use kinora_proto::v1::{AssembleTask, Lease, RenderTask, StillsTask, lease::Task};
use object_store::memory::InMemory;
use object_store::path::Path as Key;
use object_store::{Attribute, ObjectStore, ObjectStoreExt};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// The farm's public address in these tests; nobody listens there.
const PUBLIC_URL: &str = "http://127.0.0.1:9";

struct Farm {
    runner: TaskRunner,
    store: Arc<InMemory>,
    _folder: tempfile::TempDir,
}

impl Farm {
    async fn open() -> Self {
        Self::of(Studio::open().await)
    }

    fn of(studio: Studio) -> Self {
        let Studio { engine, folder } = studio;
        let store = Arc::new(InMemory::new());
        let work = folder.path().join("work");
        Self {
            runner: TaskRunner::new(
                Arc::new(engine),
                store.clone() as Arc<dyn ObjectStore>,
                work,
            ),
            store,
            _folder: folder,
        }
    }

    /// Works on a lease; what it made, and the frames done.
    async fn work(&self, lease: Lease) -> Result<(TaskOutput, u32)> {
        let progress = Arc::new(AtomicU32::new(0));
        let never = CancellationToken::new();
        let output = self.runner.execute(lease, Arc::clone(&progress), never);
        Ok((output.await?, progress.load(Ordering::Relaxed)))
    }

    async fn size_of(&self, key: &str) -> i64 {
        let meta = self.store.head(&Key::from(key)).await.expect("an object");
        i64::try_from(meta.size).expect("a size")
    }
}

fn lease(task: Task) -> Lease {
    Lease {
        task: Some(task),
        public_url: PUBLIC_URL.into(),
        ..Lease::default()
    }
}

fn stills(scene: &Value, frames: &[u32]) -> Lease {
    lease(Task::Stills(StillsTask {
        composition_json: document(scene).to_string(),
        frames: frames.to_vec(),
        output_key: "previews/p/a1/stills".into(),
        reduce: 2,
    }))
}

#[tokio::test]
async fn stills_become_png_objects() {
    let farm = Farm::open().await;
    let (output, frames_done) = farm
        .work(stills(&moving(), &[30, 4, 4]))
        .await
        .expect("stills");
    assert_eq!(output.output_key, "previews/p/a1/stills");
    assert_eq!(frames_done, 2);
    let mut bytes = 0;
    for frame in [4, 30] {
        let key = format!("previews/p/a1/stills/{frame}.png");
        bytes += farm.size_of(&key).await;
        let object = farm.store.get(&Key::from(key)).await.expect("an object");
        let kind = object.attributes.get(&Attribute::ContentType).cloned();
        assert_eq!(kind, Some("image/png".into()));
        let png = object.bytes().await.expect("bytes");
        let picture = image::load_from_memory(&png).expect("a PNG");
        assert_eq!((picture.width(), picture.height()), (64, 36));
    }
    assert_eq!(output.output_size, bytes);
}

#[tokio::test]
async fn a_reduced_chunk_is_assembled_like_any_other() {
    let farm = Farm::open().await;
    let composition_json = document(&moving()).to_string();
    let mut chunk_keys = Vec::new();
    for (first_frame, end_frame) in [(0, 40), (40, 60)] {
        let key = format!("previews/p/{first_frame}.mp4");
        let task = RenderTask {
            composition_json: composition_json.clone(),
            first_frame,
            end_frame,
            output_key: key.clone(),
            reduce: 2,
        };
        let (output, frames_done) = farm.work(lease(Task::Render(task))).await.expect("a chunk");
        assert_eq!(output.output_size, farm.size_of(&key).await);
        assert_eq!(frames_done, end_frame - first_frame);
        chunk_keys.push(key);
    }
    let task = AssembleTask {
        composition_json,
        chunk_keys,
        output_key: "previews/p/final.mp4".into(),
    };
    let assembled = farm.work(lease(Task::Assemble(task))).await;
    assembled.expect("a video");
    let video = farm.store.get(&Key::from("previews/p/final.mp4")).await;
    let video = video.expect("an object").bytes().await.expect("bytes");
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), video).expect("written");
    let entries = "stream=width,height,nb_read_frames";
    let arguments = [
        "-select_streams",
        "v",
        "-count_frames",
        "-show_entries",
        entries,
    ];
    assert_eq!(common::ffprobe(file.path(), &arguments), "64,36,60");
}

fn picture(src: &str) -> Value {
    json!([overlay(
        "image",
        [0, 0, 128, 72],
        &json!({ "src": src, "name": "hero" })
    )])
}

#[tokio::test]
async fn uploads_are_read_from_the_store_and_nothing_else_of_our_host_is() {
    let farm = Farm::open().await;
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_pixel(16, 16, image::Rgba([255, 0, 0, 255]))
        .write_to(&mut png, image::ImageFormat::Png)
        .expect("a PNG");
    for key in ["uploads/u/red.png", "renders/j/red.png"] {
        let (key, bytes) = (Key::from(key), png.get_ref().clone());
        farm.store.put(&key, bytes.into()).await.expect("stored");
    }
    let uploaded = format!("{PUBLIC_URL}/files/uploads/u/red.png");
    let drawn = farm.work(stills(&picture(&uploaded), &[0])).await;
    drawn.expect("the upload is drawn");
    let drawn = farm
        .store
        .get(&Key::from("previews/p/a1/stills/0.png"))
        .await;
    let drawn = drawn.expect("an object").bytes().await.expect("bytes");
    let drawn = image::load_from_memory(&drawn).expect("a PNG").into_rgba8();
    assert!(drawn.pixels().all(|pixel| pixel.0 == [255, 0, 0, 255]));

    for (path, says) in [
        ("files/uploads/u/blue.png", "was not uploaded"),
        ("files/renders/j/red.png", "not on the public internet"),
        ("api/v1/account", "not on the public internet"),
    ] {
        let src = format!("{PUBLIC_URL}/{path}");
        let error = farm.work(stills(&picture(&src), &[0])).await;
        let error = error.expect_err(path);
        assert!(matches!(error, Error::BadInput(_)), "{error}");
        let message = error.to_string();
        assert!(
            message.contains("hero") && message.contains(&src),
            "{message}"
        );
        assert!(message.ends_with(says), "{message}");
    }

    // Without a public address there are no files of our own.
    let elsewhere = Lease {
        public_url: String::new(),
        ..stills(&picture(&format!("{uploaded}?again")), &[0])
    };
    let error = farm.work(elsewhere).await.expect_err("a private address");
    assert!(error.to_string().ends_with("not on the public internet"));
}

#[tokio::test]
async fn a_preview_rests_between_frames_while_a_paying_task_runs() {
    let farm = Farm::of(Studio::open_with(true).await);
    // A paying task that waits for its media for as long as the test lasts.
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("bound");
    let address = silent.local_addr().expect("bound");
    let paying = stills(&picture(&format!("http://{address}/slow.png")), &[0]);
    let preview = Lease {
        is_preview: true,
        ..stills(&moving(), &[1, 2, 3])
    };
    let stop = CancellationToken::new();
    let paying = farm.runner.execute(paying, Arc::default(), stop.clone());
    let preview = async {
        let connection = silent.accept().await.expect("the paying task has begun");
        let began = Instant::now();
        farm.work(preview).await.expect("stills");
        let took = began.elapsed();
        stop.cancel();
        drop(connection);
        took
    };
    let (paying, took) = tokio::join!(paying, preview);
    assert!(matches!(paying, Err(Error::Cancelled)), "{paying:?}");
    assert!(took >= 3 * Pace::PREVIEW_REST, "{took:?}");
}
