//! `POST /uploads`, and the signed URLs that take files.

use std::sync::Arc;
use std::time::Duration;

use crate::support::Fixture;
use crate::support::envelope;
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{AuthorizeUploadResponse, FinishUploadResponse, Problem, Upload};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use reqwest::{Body, Method, Response};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const KEY: &str = "uploads/upl_1/abc.mp4";
const URL: &str = "/uploads/upl_1?expires=4000000000&signature=5167";
const MIB: usize = 1024 * 1024;

/// A gateway whose controller lets a file of up to `max_bytes` pass.
async fn willing(max_bytes: usize) -> Fixture {
    let farm = Fixture::start().await;
    let_pass(&farm, max_bytes);
    farm
}

fn let_pass(farm: &Fixture, max_bytes: usize) {
    let mut script = farm.script();
    script.authorize_upload.answers(Ok(AuthorizeUploadResponse {
        object_key: KEY.to_owned(),
        max_bytes: max_bytes as u64,
    }));
    script.finish_upload.answers(Ok(FinishUploadResponse {}));
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|index| (index * 31 % 251) as u8).collect()
}

/// A body of unknown length.
fn chunked(bytes: &[u8]) -> Body {
    let pieces: Vec<Result<Vec<u8>, std::io::Error>> = bytes
        .chunks(100_000)
        .map(|piece| Ok(piece.to_vec()))
        .collect();
    Body::wrap_stream(tokio_stream::iter(pieces))
}

async fn put(farm: &Fixture, url: &str, body: impl Into<Body>) -> Response {
    let request = farm.anonymous(Method::PUT, url);
    let request = request.header("Content-Type", "video/mp4").body(body);
    request.send().await.expect("answer")
}

async fn refused(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    assert_eq!(response.headers()["Access-Control-Allow-Origin"], "*");
    let body: Value = response.json().await.expect("an envelope");
    assert_eq!(body["success"], false, "{body}");
    assert!(
        body["error"].is_string() && !body["details"].is_null(),
        "{body}"
    );
    (status, body)
}

/// Nothing is in the store, and nothing is on its way there.
async fn nothing_is_stored(farm: &Fixture) {
    let listed = farm
        .store
        .list_with_delimiter(Some(&Path::from("uploads/upl_1")))
        .await;
    assert!(listed.expect("list").objects.is_empty());
    assert!(farm.script().finish_upload.asked.is_empty());
}

#[tokio::test]
async fn an_upload_url_is_made_by_the_controller() {
    let farm = Fixture::start().await;
    farm.script().create_upload.answers(Ok(Upload {
        id: "upl_1".to_owned(),
        upload_url: "https://store.example.com/x?signature=1".to_owned(),
        file_url: "https://render.example.com/files/uploads/upl_1/abc.png".to_owned(),
        expires_at_ms: 1_769_860_800_000,
    }));
    let request = farm.api(Method::POST, "/api/v1/uploads");
    let sent = request.body("{\"contentType\": \"image/png\"}").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"id": "upl_1", "uploadUrl": "https://store.example.com/x?signature=1",
               "fileUrl": "https://render.example.com/files/uploads/upl_1/abc.png",
               "expiresAt": "2026-01-31T12:00:00.000Z"})
    );
    let asked = farm.script().create_upload.asked.remove(0);
    assert_eq!(asked.account_id, "acc_1");
    assert_eq!(asked.body_json, "{\"contentType\": \"image/png\"}");
    assert_eq!(asked.public_url, "https://render.example.com");
}

#[tokio::test]
async fn a_file_of_any_size_arrives_whole() {
    let farm = willing(64 * MIB).await;
    for length in [1, 100_000, 8 * MIB, 8 * MIB + 1, 21 * MIB] {
        for is_chunked in [false, true] {
            let file = bytes(length);
            let body = if is_chunked {
                chunked(&file)
            } else {
                Body::from(file.clone())
            };
            let response = put(&farm, URL, body).await;
            assert_eq!(response.status(), 200, "{length}");
            let answer: Value = response.json().await.expect("an envelope");
            assert_eq!(
                answer,
                json!({"success": true, "data": {
                    "id": "upl_1", "size": length,
                    "fileUrl": format!("https://render.example.com/files/{KEY}")}})
            );
            let stored = farm.store.get(&Path::from(KEY)).await.expect("object");
            assert!(stored.bytes().await.expect("bytes") == file, "{length}");
            let asked = farm.script().authorize_upload.asked.pop().expect("a call");
            assert_eq!(asked.upload_id, "upl_1");
            assert_eq!(
                (asked.expires, asked.signature.as_str()),
                (4_000_000_000, "5167")
            );
            assert_eq!(asked.content_type, "video/mp4");
            assert_eq!(asked.content_length, (!is_chunked).then_some(length as u64));
            let finished = farm.script().finish_upload.asked.pop().expect("a call");
            assert_eq!(
                (finished.upload_id.as_str(), finished.size),
                ("upl_1", length as u64)
            );
        }
    }
}

#[tokio::test]
async fn a_file_that_is_too_large_is_413_and_nothing_stays() {
    let farm = willing(9 * MIB).await;
    for body in [
        Body::from(bytes(9 * MIB + 1)),
        chunked(&bytes(9 * MIB + 1)),
        chunked(&bytes(40 * MIB)),
    ] {
        let (status, body) = refused(put(&farm, URL, body).await).await;
        assert_eq!(status, 413);
        assert!(body["error"].to_string().contains("9437184"), "{body}");
        nothing_is_stored(&farm).await;
    }
    // The bound itself passes, and a refusal does not take away what was there.
    assert_eq!(
        put(&farm, URL, chunked(&bytes(9 * MIB))).await.status(),
        200
    );
    farm.script().finish_upload.asked.clear();
    assert_eq!(
        put(&farm, URL, chunked(&bytes(10 * MIB))).await.status(),
        413
    );
    let kept = farm.store.head(&Path::from(KEY)).await.expect("object");
    assert_eq!(kept.size, 9 * MIB as u64);
}

/// Sends `sent` of `promised` bytes, ends the connection and waits until the gateway has done so too.
async fn break_off(farm: &Fixture, sent: usize, promised: usize) {
    let address = farm.url.trim_start_matches("http://");
    let connection = tokio::net::TcpStream::connect(address).await;
    let mut connection = connection.expect("connect");
    let head = format!(
        "PUT {URL} HTTP/1.1\r\nHost: x\r\nContent-Type: video/mp4\r\nContent-Length: {promised}\r\n\r\n"
    );
    connection.write_all(head.as_bytes()).await.expect("send");
    connection.write_all(&bytes(sent)).await.expect("send");
    connection.shutdown().await.expect("close");
    let mut answer = String::new();
    // Whether there is an answer or the connection breaks is up to the timing.
    let _ = connection.read_to_string(&mut answer).await;
    assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn a_file_that_breaks_off_leaves_nothing() {
    let farm = willing(64 * MIB).await;
    break_off(&farm, 20 * MIB, 30 * MIB).await;
    nothing_is_stored(&farm).await;
    // The same URL works for a second try.
    assert_eq!(put(&farm, URL, bytes(10)).await.status(), 200);
}

#[tokio::test]
async fn nothing_half_done_stays_in_a_folder() {
    let folder = tempfile::tempdir().expect("temp folder");
    let store = LocalFileSystem::new_with_prefix(folder.path()).expect("store");
    let farm = Fixture::start_with_store(Arc::new(store)).await;
    let_pass(&farm, 25 * MIB);
    let files = || {
        let place = folder.path().join("uploads/upl_1");
        std::fs::read_dir(place).map_or(0, Iterator::count)
    };
    break_off(&farm, 20 * MIB, 24 * MIB).await;
    assert_eq!(
        put(&farm, URL, chunked(&bytes(26 * MIB))).await.status(),
        413
    );
    // The broken one is cleared away by a task of its own, after the connection has ended.
    let cleared = async {
        while files() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(20), cleared).await;
    in_time.expect("half a file stays");
    assert_eq!(
        put(&farm, URL, chunked(&bytes(20 * MIB))).await.status(),
        200
    );
    assert_eq!(files(), 1);
    let stored = std::fs::read(folder.path().join(KEY)).expect("file");
    assert!(stored == bytes(20 * MIB));
}

#[tokio::test]
async fn what_the_controller_refuses_is_not_read() {
    let farm = Fixture::start().await;
    for (kind, expected) in [
        (Kind::Forbidden, 403),
        (Kind::Invalid, 400),
        (Kind::TooLarge, 413),
        (Kind::NotFound, 404),
        (Kind::Unavailable, 503),
    ] {
        farm.script()
            .authorize_upload
            .answers(Err(Problem::new(kind, "no")));
        let (status, body) = refused(put(&farm, URL, bytes(3 * MIB)).await).await;
        assert_eq!(status, expected);
        let names_another = body["details"].to_string().contains("/api/v1/uploads");
        assert_eq!(names_another, matches!(status, 403 | 404), "{body}");
        nothing_is_stored(&farm).await;
    }
    for url in [
        "/uploads/upl_1",
        "/uploads/upl_1?expires=x&signature=1",
        "/uploads/%ff?expires=1&signature=1",
    ] {
        let (status, _) = refused(put(&farm, url, bytes(10)).await).await;
        assert_eq!(status, 403, "{url}");
    }
    assert_eq!(farm.script().authorize_upload.asked.len(), 5);
}

#[tokio::test]
async fn an_empty_file_is_refused() {
    let farm = willing(MIB).await;
    let (status, _) = refused(put(&farm, URL, Vec::new()).await).await;
    assert_eq!(status, 400);
    nothing_is_stored(&farm).await;
}

#[tokio::test]
async fn a_file_that_the_controller_does_not_want_in_the_end_is_deleted() {
    let farm = willing(MIB).await;
    let gone = Problem::new(Kind::NotFound, "there is no such upload");
    farm.script().finish_upload.answers(Err(gone));
    let (status, _) = refused(put(&farm, URL, bytes(10)).await).await;
    assert_eq!(status, 404);
    farm.script().finish_upload.asked.clear();
    nothing_is_stored(&farm).await;
}

#[tokio::test]
async fn browsers_of_other_sites_may_upload() {
    let farm = willing(MIB).await;
    let preflight = farm
        .anonymous(Method::OPTIONS, URL)
        .header("Origin", "https://app.example.com")
        .header("Access-Control-Request-Method", "PUT")
        .header("Access-Control-Request-Headers", "content-type")
        .timeout(Duration::from_secs(5));
    let answer = preflight.send().await.expect("answer");
    assert_eq!(answer.status(), 204);
    let headers = answer.headers();
    assert_eq!(headers["Access-Control-Allow-Origin"], "*");
    assert_eq!(headers["Access-Control-Allow-Methods"], "PUT, OPTIONS");
    assert_eq!(headers["Access-Control-Allow-Headers"], "*");
    assert!(farm.script().authorize_upload.asked.is_empty());
    let answer = put(&farm, URL, bytes(10)).await;
    assert_eq!(answer.headers()["Access-Control-Allow-Origin"], "*");
    let other = farm
        .anonymous(Method::GET, URL)
        .send()
        .await
        .expect("answer");
    assert_eq!(other.headers()["Allow"], "PUT");
    assert_eq!(refused(other).await.0, 405);
}
