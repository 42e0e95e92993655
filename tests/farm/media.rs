//! Media for compositions: made by ffmpeg once, served over loopback, some of it only when told.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::watch;

/// The folder with the files: `clip.mp4` (320×180, 30 fps, one second of red, then two of blue, with
/// a tone), `halves.png` (160×90, left half green, right half yellow), `tone.wav` (4 s of 440 Hz),
/// `noise.mp4` (1280×320, two seconds that no encoder makes small), `text.png` (which is no picture).
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(make)
}

fn make() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("farm-media");
    std::fs::create_dir_all(&folder).expect("folder");
    let file = |name: &str| folder.join(name);
    let size = "s=320x180:r=30";
    ffmpeg(
        &[
            "-f",
            "lavfi",
            "-i",
            &format!("color=red:{size}:d=1"),
            "-f",
            "lavfi",
            "-i",
            &format!("color=blue:{size}:d=2"),
            "-f",
            "lavfi",
            "-i",
            "sine=frequency=300:duration=3",
            "-filter_complex",
            "[0][1]concat=n=2:v=1,format=yuv420p[v]",
            "-map",
            "[v]",
            "-map",
            "2:a",
            "-c:v",
            "libx264",
            "-c:a",
            "aac",
        ],
        &file("clip.mp4"),
    );
    ffmpeg(
        &[
            "-f",
            "lavfi",
            "-i",
            "color=0x00ff00:s=80x90",
            "-f",
            "lavfi",
            "-i",
            "color=0xffff00:s=80x90",
            "-filter_complex",
            "[0][1]hstack,format=rgb24",
            "-frames:v",
            "1",
        ],
        &file("halves.png"),
    );
    ffmpeg(
        &["-f", "lavfi", "-i", "sine=frequency=440:duration=4"],
        &file("tone.wav"),
    );
    ffmpeg(
        &[
            "-f",
            "lavfi",
            "-i",
            "color=gray:s=1280x320:r=30:d=2,noise=alls=100:allf=t",
            "-pix_fmt",
            "yuv420p",
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-qp",
            "24",
        ],
        &file("noise.mp4"),
    );
    std::fs::write(file("text.png"), "this is not a picture\n").expect("write");
    folder
}

fn ffmpeg(args: &[&str], out: &Path) {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-y"])
        .args(args)
        .arg(out)
        .output()
        .expect("ffmpeg runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A web server with the media. `/NAME` is served at once; `/gated/NAME` waits for the gate.
pub(crate) struct MediaServer {
    address: SocketAddr,
    gate: watch::Sender<bool>,
    asked: watch::Sender<usize>,
}

#[derive(Clone)]
struct Shared {
    folder: Arc<PathBuf>,
    gate: watch::Receiver<bool>,
    asked: watch::Sender<usize>,
}

impl MediaServer {
    /// Serves until the test's runtime ends.
    pub(crate) async fn start() -> Self {
        let (gate, opened) = watch::channel(false);
        let asked = watch::Sender::new(0);
        let shared = Shared {
            folder: Arc::new(folder().to_owned()),
            gate: opened,
            asked: asked.clone(),
        };
        let routes = Router::new()
            .route("/{name}", get(serve))
            .route("/gated/{name}", get(serve_gated))
            .with_state(shared);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("bind");
        let address = listener.local_addr().expect("address");
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self {
            address,
            gate,
            asked,
        }
    }

    /// The address of a file.
    pub(crate) fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// The address of a file that is not served before the gate opens.
    pub(crate) fn gated_url(&self, name: &str) -> String {
        self.url(&format!("gated/{name}"))
    }

    /// Lets waiting and later requests through.
    pub(crate) fn open_gate(&self) {
        self.gate.send_replace(true);
    }

    /// Waits until this many requests have come to the gate since the start.
    pub(crate) async fn wait_for_requests_at_gate(&self, count: usize) {
        let mut asked = self.asked.subscribe();
        let enough = asked.wait_for(|&seen| seen >= count);
        let waited = tokio::time::timeout(std::time::Duration::from_secs(60), enough).await;
        waited
            .expect("nobody fetches the gated media")
            .expect("server");
    }
}

async fn serve(State(shared): State<Shared>, UrlPath(name): UrlPath<String>) -> Response {
    match std::fs::read(shared.folder.join(&name)) {
        Ok(bytes) => ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn serve_gated(State(mut shared): State<Shared>, name: UrlPath<String>) -> Response {
    shared.asked.send_modify(|asked| *asked += 1);
    let opened = shared.gate.wait_for(|&open| open).await.is_ok();
    if !opened {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    serve(State(shared), name).await
}
