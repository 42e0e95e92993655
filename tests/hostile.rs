//! Media that would bring a node down: each ends in a clear failure with a refund, and the same
//! process renders on, in the memory that it had.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};

use crate::farm::media;
use crate::farm::scene::{composition, overlay, plain};
use crate::farm::{Process, TestFarm};

/// Memory that a process may hold on to, above what it had.
const MOST_KEPT: u64 = 300 << 20;

/// A PNG header that claims 100,000 × 100,000 pixels.
fn wide_picture() -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    png.extend(100_000_u32.to_be_bytes());
    png.extend(100_000_u32.to_be_bytes());
    png.extend([8, 2, 0, 0, 0]);
    png.extend(0x2730_9c9f_u32.to_be_bytes());
    png.extend(4000_u32.to_be_bytes());
    png.extend(b"IDAT");
    png.extend([0; 4000]);
    png
}

/// Groups that hold the one before twice, forty times over.
fn doubling_drawing() -> Vec<u8> {
    let groups: String = (1..40)
        .map(|level| {
            let below = format!("<use href='#a{}'/>", level - 1);
            format!("<g id='a{level}'>{below}{below}</g>")
        })
        .collect();
    format!("<svg xmlns='http://www.w3.org/2000/svg'><g id='a0'><rect/></g>{groups}</svg>")
        .into_bytes()
}

/// A drawing whose one filter would take years.
fn slow_drawing() -> Vec<u8> {
    b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><filter id='f'>\
      <feTurbulence baseFrequency='.1' numOctaves='2000000000'/></filter>\
      <rect width='9' height='9' filter='url(#f)'/></svg>"
        .to_vec()
}

/// An animation of 60,000 × 60,000 pixels in a few bytes.
fn large_animation() -> Vec<u8> {
    let mut gif = b"GIF89a".to_vec();
    gif.extend([60_000_u16.to_le_bytes(), 60_000_u16.to_le_bytes()].concat());
    gif.extend(b"\x80\0\0\0\0\0\xff\xff\xff");
    for _ in 0..1000 {
        gif.extend(b"\x21\xf9\x04\0\x05\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0");
    }
    gif.push(0x3b);
    gif
}

/// A video of which the table of contents is missing.
fn cut_video() -> Vec<u8> {
    let whole = std::fs::read(media::folder().join("clip.mp4")).expect("a video");
    whole[..whole.len() / 2].to_vec()
}

type Files = Arc<HashMap<&'static str, Vec<u8>>>;

async fn serve(State(files): State<Files>, Path(name): Path<String>) -> Response {
    match name.as_str() {
        "larger.mp4" => {
            let length = [(header::CONTENT_LENGTH, "9999999999")];
            (length, drip()).into_response()
        }
        "drip.mp4" => drip().into_response(),
        name => match files.get(name) {
            Some(bytes) => bytes.clone().into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        },
    }
}

/// A byte at a time, for ever.
fn drip() -> Body {
    let bytes = futures::stream::unfold((), |()| async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        Some((Ok::<_, std::io::Error>(Bytes::from_static(b"x")), ()))
    });
    Body::from_stream(bytes)
}

async fn start_server() -> SocketAddr {
    let files = HashMap::from([
        ("wide.png", wide_picture()),
        ("doubling.svg", doubling_drawing()),
        ("slow.svg", slow_drawing()),
        ("large.gif", large_animation()),
        ("cut.mp4", cut_video()),
        ("page.wav", b"<html>not found</html>".to_vec()),
        (
            "list.mp4",
            b"#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n".to_vec(),
        ),
    ]);
    let routes = Router::new()
        .route("/{name}", get(serve))
        .with_state(Arc::new(files));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, routes).await });
    address
}

fn scene(kind: &str, url: &str) -> Value {
    let fields = json!({"type": kind, "src": url, "name": "suspect"});
    composition(30, &[overlay(30, [0, 0, 320, 180], fields)])
}

fn memory(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id()));
    let status = status.expect("the process lives");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number
        .and_then(|number| number.parse::<u64>().ok())
        .expect("a number")
        << 10
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_media_fail_their_jobs_are_refunded_and_leave_the_farm_as_it_was() {
    let server = start_server().await;
    let farm = TestFarm::serve();
    let warm_up = farm.api.start(&plain(30)).await;
    farm.api.follow(&warm_up).await.completed();
    let (credits, before) = (farm.api.credits().await, memory(&farm.front));

    let cases = [
        // The slowest first: it is given up when it has come too slowly for a while.
        ("video", "drip.mp4", "comes too slowly"),
        ("video", "larger.mp4", "is larger than"),
        ("image", "wide.png", "100000×100000 pixels"),
        ("image", "doubling.svg", "too much time or memory to draw"),
        ("image", "slow.svg", "too much time or memory to draw"),
        ("image", "large.gif", "60000×60000 pixels"),
        ("video", "cut.mp4", "is not a video that can be decoded"),
        ("video", "list.mp4", "is not a video that can be decoded"),
        ("sound", "page.wav", "has no sound that can be decoded"),
        ("image", "missing.png", "404 Not Found"),
    ];
    let mut jobs = Vec::new();
    for (kind, name, reason) in cases {
        let url = format!("http://{server}/{name}");
        let job = farm.api.start(&scene(kind, &url)).await;
        jobs.push((job, format!("{kind} \"suspect\": {url} "), reason));
    }
    for (job, named, reason) in jobs.iter().rev() {
        let finished = farm.api.follow(job).await;
        assert_eq!(finished.job["status"], "FAILED", "{}", finished.job);
        let message = finished.job["errorMessage"].as_str().expect("a message");
        assert!(message.starts_with(named), "{message}");
        assert!(message.contains(reason), "{message}");
        farm.audit_refunded(job).await;
    }
    assert_eq!(farm.api.credits().await, credits);

    let job = farm.api.start(&plain(30)).await;
    farm.api.follow(&job).await.completed();
    let after = memory(&farm.front);
    assert!(
        after < before + MOST_KEPT,
        "{} MiB before, {} MiB after",
        before >> 20,
        after >> 20
    );
}
