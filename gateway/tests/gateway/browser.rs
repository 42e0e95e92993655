//! Pages in a real Chromium: when a preview says that it is ready, when it gives up, and whether the
//! documentation draws itself.

use std::process::{Command, Stdio};

use crate::support::Fixture;
use kinora_proto::v1::preview_view::JobState;
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::show_preview_request::Wanted;
use kinora_proto::v1::{PreviewStill, PreviewView, Problem, ShowPreviewRequest};
use object_store::ObjectStoreExt;
use object_store::path::Path;
use serde_json::{Value, json};

const FPS: u32 = 30;
const FRAMES: u32 = 60;
const VIDEO: &str = "previews/prv_1/video.mp4";
const READY: &str = "data-preview-ready=\"true\"";
const ERROR: &str = "data-preview-error=\"";

/// What a drawn preview shows: a video, twelve stills, or one.
fn drawn(asked: &ShowPreviewRequest) -> PreviewView {
    let frames: Vec<u32> = match asked.wanted {
        Some(Wanted::Grid(_)) => (0..12).map(|index| index * (FRAMES - 1) / 11).collect(),
        Some(Wanted::Frame(frame)) => vec![frame.min(FRAMES - 1)],
        _ => Vec::new(),
    };
    let is_video = matches!(asked.wanted, Some(Wanted::Video(_)));
    PreviewView {
        name: "Spring sale".to_owned(),
        width: 1280,
        height: 720,
        fps: FPS,
        duration_in_frames: FRAMES,
        expires_at_ms: 4_000_000_000_000,
        state: JobState::Ready.into(),
        progress_percentage: 100,
        error_message: None,
        video_key: is_video.then(|| VIDEO.to_owned()),
        stills: frames
            .into_iter()
            .map(|frame| PreviewStill {
                frame,
                key: format!("previews/prv_1/{frame}.png"),
            })
            .collect(),
    }
}

fn ffmpeg(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-hide_banner", "-loglevel", "error"])
        .args(arguments)
        .arg("pipe:1")
        .stdin(Stdio::null())
        .output()
        .expect("ffmpeg runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    output.stdout
}

/// A gateway with a drawn preview in its store.
async fn with_preview() -> Fixture {
    let farm = Fixture::start().await;
    let source = format!("testsrc2=size=640x360:rate={FPS}:duration=2");
    let codec = [
        "-pix_fmt",
        "yuv420p",
        "-movflags",
        "frag_keyframe+empty_moov",
        "-f",
        "mp4",
    ];
    let video = ffmpeg(
        &[
            ["-f", "lavfi", "-i", &source, "-c:v", "libx264", "-bf", "0"].as_slice(),
            &codec,
        ]
        .concat(),
    );
    let key = Path::from(VIDEO);
    farm.store.put(&key, video.into()).await.expect("put");
    let still = [
        "-f",
        "lavfi",
        "-i",
        &source,
        "-frames:v",
        "1",
        "-f",
        "image2pipe",
        "-c:v",
        "png",
    ];
    let still = ffmpeg(&still);
    for frame in 0..FRAMES {
        let key = Path::from(format!("previews/prv_1/{frame}.png"));
        farm.store
            .put(&key, still.clone().into())
            .await
            .expect("put");
    }
    farm
}

/// The document when the page is ready or has given up.
async fn open(url: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let library = format!("{root}/target/tools/browser/node_modules/playwright-core/index.mjs");
    let output = tokio::process::Command::new("node")
        .arg(format!("{root}/gateway/tests/gateway/settled.mjs"))
        .arg(url)
        .env("PLAYWRIGHT", library)
        .kill_on_drop(true)
        .output()
        .await
        .expect("node runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{url}: {errors}");
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        found["foreign"],
        json!([]),
        "nothing is fetched from elsewhere"
    );
    found["dom"].as_str().expect("a document").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_view_is_ready_when_everything_in_it_can_be_seen() {
    let farm = with_preview().await;
    // The first look finds nothing drawn: the page has to ask again.
    let mut looks = 0;
    farm.script().show_preview.decides(move |asked| {
        looks += 1;
        let mut view = drawn(asked);
        if looks % 4 != 0 {
            view.state = JobState::Drawing.into();
            view.progress_percentage = looks * 7 % 100;
        }
        Ok(view)
    });
    for (query, sights) in [
        ("", ["<video", "Open this frame"]),
        ("?mode=grid", ["Frame 59", "0:01.97"]),
        ("?frame=45", ["Frame 45", "0:01.50"]),
    ] {
        let dom = open(&format!("{}/preview/prv_1{query}", farm.url)).await;
        assert!(dom.contains(READY), "{query}: {dom}");
        assert!(!dom.contains(ERROR), "{query}: {dom}");
        for sight in sights {
            assert!(dom.contains(sight), "{query}: {sight} is not in {dom}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_that_failed_says_why_and_is_never_ready() {
    let farm = with_preview().await;
    farm.script().show_preview.decides(|asked| {
        Ok(PreviewView {
            state: JobState::Failed.into(),
            error_message: Some("the image at overlay 3 could not be read".to_owned()),
            ..drawn(asked)
        })
    });
    let dom = open(&format!("{}/preview/prv_1", farm.url)).await;
    assert!(
        dom.contains(&format!("{ERROR}the image at overlay 3")),
        "{dom}"
    );
    assert!(!dom.contains(READY), "{dom}");
}

#[tokio::test(flavor = "multi_thread")]
async fn media_that_do_not_load_and_previews_that_vanish_are_errors() {
    let farm = Fixture::start().await;
    farm.script().show_preview.decides(|asked| Ok(drawn(asked)));
    for query in ["", "?mode=grid", "?frame=3"] {
        let dom = open(&format!("{}/preview/prv_1{query}", farm.url)).await;
        assert!(
            dom.contains(ERROR) && !dom.contains(READY),
            "{query}: {dom}"
        );
        assert!(dom.contains("could not be loaded"), "{query}: {dom}");
    }
    let mut looks = 0;
    farm.script().show_preview.decides(move |asked| {
        looks += 1;
        let waiting = PreviewView {
            state: JobState::Waiting.into(),
            ..drawn(asked)
        };
        (looks < 3)
            .then_some(waiting)
            .ok_or_else(|| Problem::new(Kind::NotFound, "there is no such preview"))
    });
    let dom = open(&format!("{}/preview/prv_1", farm.url)).await;
    assert!(
        dom.contains(&format!("{ERROR}there is no such preview")),
        "{dom}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documentation_draws_itself() {
    let farm = Fixture::without_controller().await;
    let page = open(&format!("{}/docs", farm.url)).await;
    assert!(page.contains("data-ready=\"true\""), "{page}");
    for part in [
        "id=\"createRender\"",
        "id=\"schema-TextOverlay\"",
        "Create a render job",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert!(!page.contains("[object "), "something was not drawn");
}
