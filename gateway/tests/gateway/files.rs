//! Downloads of finished files: whole, in parts, and those that must not be served.

use crate::support::Fixture;
use object_store::ObjectStoreExt;
use object_store::path::Path;
use reqwest::{Method, Response};

const KEY: &str = "renders/job_1/1-abc/video.mp4";

async fn with_object() -> (Fixture, Vec<u8>) {
    let farm = Fixture::start().await;
    let bytes: Vec<u8> = (0..100_000_u32).map(|index| (index % 251) as u8).collect();
    for key in [KEY, "jobs/job_1/chunks/1-1.mp4"] {
        let stored = farm.store.put(&Path::from(key), bytes.clone().into()).await;
        stored.expect("put");
    }
    (farm, bytes)
}

async fn get(farm: &Fixture, headers: &[(&str, &str)]) -> Response {
    let mut request = farm.anonymous(Method::GET, &format!("/files/{KEY}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.expect("answer")
}

#[tokio::test]
async fn a_file_is_served_whole_without_credentials() {
    let (farm, bytes) = with_object().await;
    let response = get(&farm, &[]).await;
    assert_eq!(response.status(), 200);
    let headers = response.headers();
    assert_eq!(headers["Content-Type"], "video/mp4");
    assert_eq!(headers["Content-Length"], "100000");
    assert_eq!(headers["Accept-Ranges"], "bytes");
    assert!(headers["ETag"].to_str().expect("text").starts_with('"'));
    assert!(
        headers["Last-Modified"]
            .to_str()
            .expect("text")
            .ends_with("GMT")
    );
    assert_eq!(response.bytes().await.expect("body"), bytes);
}

#[tokio::test]
async fn head_tells_the_same_without_a_body() {
    let (farm, _) = with_object().await;
    let path = format!("/files/{KEY}");
    let sent = farm.anonymous(Method::HEAD, &path).send().await;
    let response = sent.expect("answer");
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["Content-Length"], "100000");
    assert_eq!(response.bytes().await.expect("body").len(), 0);
}

#[tokio::test]
async fn parts_are_exact() {
    let (farm, bytes) = with_object().await;
    for (range, start, end) in [
        ("bytes=0-0", 0, 1),
        ("bytes=10-99", 10, 100),
        ("bytes=99990-", 99_990, 100_000),
        ("bytes=-5", 99_995, 100_000),
    ] {
        let response = get(&farm, &[("Range", range)]).await;
        assert_eq!(response.status(), 206, "{range}");
        let expected = format!("bytes {start}-{}/100000", end - 1);
        assert_eq!(response.headers()["Content-Range"], expected.as_str());
        let length = (end - start).to_string();
        assert_eq!(response.headers()["Content-Length"], length.as_str());
        assert_eq!(response.bytes().await.expect("body"), bytes[start..end]);
    }
}

#[tokio::test]
async fn a_part_outside_the_file_is_416() {
    let (farm, _) = with_object().await;
    let response = get(&farm, &[("Range", "bytes=100000-")]).await;
    assert_eq!(response.status(), 416);
    assert_eq!(response.headers()["Content-Range"], "bytes */100000");
}

#[tokio::test]
async fn a_known_tag_is_304_and_a_changed_file_is_sent_whole() {
    let (farm, _) = with_object().await;
    let first = get(&farm, &[]).await;
    let tag = first.headers()["ETag"].to_str().expect("text").to_owned();
    let again = get(&farm, &[("If-None-Match", &tag)]).await;
    assert_eq!(again.status(), 304);
    let same = get(&farm, &[("Range", "bytes=0-9"), ("If-Range", &tag)]).await;
    assert_eq!(same.status(), 206);
    let changed = get(&farm, &[("Range", "bytes=0-9"), ("If-Range", "\"old\"")]).await;
    assert_eq!(changed.status(), 200);
}

#[tokio::test]
async fn each_public_folder_has_its_own_caching() {
    let farm = Fixture::start().await;
    for (key, caching) in [
        ("renders/j/v.mp4", "public, max-age=31536000, immutable"),
        ("uploads/u/a.mp4", "public, max-age=60"),
        ("templates/a.mp4", "public, max-age=3600"),
        ("previews/p/v.mp4", "private, max-age=600"),
    ] {
        let stored = farm.store.put(&Path::from(key), vec![1].into()).await;
        stored.expect("put");
        let sent = farm.anonymous(Method::GET, &format!("/files/{key}")).send();
        let response = sent.await.expect("answer");
        assert_eq!(response.status(), 200, "{key}");
        assert_eq!(response.headers()["Cache-Control"], caching, "{key}");
        assert_eq!(response.headers()["Access-Control-Allow-Origin"], "*");
        assert_eq!(response.headers()["X-Content-Type-Options"], "nosniff");
    }
}

#[tokio::test]
async fn files_that_could_hold_scripts_cannot_run_them() {
    let farm = Fixture::start().await;
    for (name, content_type, is_confined, is_saved) in [
        ("a.png", "image/png", false, false),
        ("a.JPG", "image/jpeg", false, false),
        ("a.mp3", "audio/mpeg", false, false),
        ("a.svg", "image/svg+xml", true, false),
        ("a.html", "application/octet-stream", true, true),
        ("a", "application/octet-stream", true, true),
    ] {
        let key = format!("uploads/u/{name}");
        let stored = farm
            .store
            .put(&Path::from(key.as_str()), vec![1].into())
            .await;
        stored.expect("put");
        let sent = farm.anonymous(Method::GET, &format!("/files/{key}")).send();
        let response = sent.await.expect("answer");
        let headers = response.headers();
        assert_eq!(headers["Content-Type"], content_type, "{name}");
        let policy = headers.get("Content-Security-Policy");
        let policy = policy.map(|policy| policy.to_str().expect("text"));
        let expected = is_confined.then_some("sandbox; default-src 'none'");
        assert_eq!(policy, expected, "{name}");
        assert_eq!(
            headers.contains_key("Content-Disposition"),
            is_saved,
            "{name}"
        );
    }
}

#[tokio::test]
async fn other_sites_may_read_files() {
    let (farm, _) = with_object().await;
    let path = format!("/files/{KEY}");
    let sent = farm.anonymous(Method::OPTIONS, &path).send().await;
    let response = sent.expect("answer");
    assert_eq!(response.status(), 204);
    assert_eq!(
        response.headers()["Access-Control-Allow-Methods"],
        "GET, HEAD, OPTIONS"
    );
    let part = get(
        &farm,
        &[("Range", "bytes=0-9"), ("Origin", "https://example.com")],
    )
    .await;
    assert_eq!(part.status(), 206);
    let exposed = part.headers()["Access-Control-Expose-Headers"]
        .to_str()
        .expect("text");
    assert!(exposed.contains("Content-Range"), "{exposed}");
}

#[tokio::test]
async fn nothing_but_finished_files_is_served() {
    let (farm, _) = with_object().await;
    for path in [
        "/files/jobs/job_1/chunks/1-1.mp4",
        "/files/renders/%2e%2e/jobs/job_1/chunks/1-1.mp4",
        "/files/renders/..%2fjobs/job_1/chunks/1-1.mp4",
        "/files/renders%2f..%2fjobs%2fjob_1%2fchunks%2f1-1.mp4",
        "/files/renders/%ff",
        "/files/renders/nothing.mp4",
        "/files/",
    ] {
        let response = farm
            .anonymous(Method::GET, path)
            .send()
            .await
            .expect("answer");
        assert_eq!(response.status(), 404, "{path}");
    }
}
