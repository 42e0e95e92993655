//! Uploads through the real roles, into a local folder and into an S3-compatible store.

use reqwest::Method;
use serde_json::{Value, json};

use crate::farm::scene::{HEIGHT, WIDTH, composition, overlay};
use crate::farm::{Api, TestFarm, media, video};

async fn upload_url(api: &Api, content_type: &str) -> Value {
    let body = json!({ "contentType": content_type });
    let upload = api.data(Method::POST, "/uploads", body).await;
    for field in ["id", "uploadUrl", "fileUrl", "expiresAt"] {
        assert!(upload[field].is_string(), "{upload}");
    }
    upload
}

async fn put(api: &Api, url: &str, content_type: &str, bytes: Vec<u8>) -> u16 {
    let request = api.anonymous(Method::PUT, url).body(bytes);
    let request = request.header("Content-Type", content_type);
    request.send().await.expect("answer").status().as_u16()
}

/// Brings a picture in, renders it, and looks at the video.
async fn an_uploaded_picture_is_rendered(farm: &TestFarm) {
    let api = &farm.api;
    let picture = std::fs::read(media::folder().join("halves.png")).expect("picture");
    let upload = upload_url(api, "image/png").await;
    let to = upload["uploadUrl"].as_str().expect("uploadUrl");
    assert_eq!(put(api, to, "image/png", picture.clone()).await, 200);

    let file_url = upload["fileUrl"].as_str().expect("fileUrl");
    let served = api.anonymous(Method::GET, file_url).send().await;
    let served = served.expect("answer");
    assert_eq!(served.status(), 200);
    assert_eq!(served.headers()["Content-Type"], "image/png");
    assert_eq!(served.bytes().await.expect("body"), picture);

    let image = json!({"type": "image", "src": file_url, "styles": {"objectFit": "fill"}});
    let whole = [0, 0, WIDTH as u32, HEIGHT as u32];
    let scene = composition(15, &[overlay(15, whole, image)]);
    let job = api.start(&scene).await;
    let finished = api.follow(&job).await.completed();
    let bytes = api.download(finished.output_url()).await;
    let folder = tempfile::tempdir().expect("temp folder");
    let file = folder.path().join("video.mp4");
    std::fs::write(&file, bytes).expect("write");
    let frame = video::Picture::of_video(&file, 7, WIDTH);
    frame.shows(60, 90, [0, 255, 0]);
    frame.shows(260, 90, [255, 255, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_to_the_local_folder_is_bounded_and_usable() {
    let folder = tempfile::tempdir().expect("temp folder");
    // The file is ours, so it may be rendered even where private addresses may not be fetched from.
    let variables = [
        ("KINORA_MAX_UPLOAD_BYTES", "100000"),
        ("KINORA_ALLOW_PRIVATE_URLS", "0"),
    ];
    let farm = TestFarm::serve_with(folder.path(), &variables);
    an_uploaded_picture_is_rendered(&farm).await;

    let api = &farm.api;
    let upload = upload_url(api, "image/png").await;
    let to = upload["uploadUrl"].as_str().expect("uploadUrl");
    let file_url = upload["fileUrl"].as_str().expect("fileUrl");
    assert_eq!(put(api, to, "video/mp4", vec![1; 10]).await, 400, "type");
    assert_eq!(
        put(api, to, "image/png", vec![1; 100_001]).await,
        413,
        "size"
    );
    let forged = to.replace("signature=", "signature=0");
    assert_eq!(
        put(api, &forged, "image/png", vec![1; 10]).await,
        403,
        "signature"
    );
    let longer = to.replace("expires=", "expires=9");
    assert_eq!(
        put(api, &longer, "image/png", vec![1; 10]).await,
        403,
        "expiry"
    );
    let missing = api.anonymous(Method::GET, file_url).send().await;
    assert_eq!(missing.expect("answer").status(), 404, "nothing was kept");

    for bad in [
        json!({}),
        json!({"contentType": 5}),
        json!({"contentType": "text/html"}),
        json!({"contentType": "application/x-msdownload"}),
    ] {
        let (status, envelope) = api.call(Method::POST, "/uploads", bad.clone()).await;
        assert_eq!(status, 400, "{bad}: {envelope}");
        assert_eq!(envelope["details"]["issues"][0]["path"], "contentType");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_url_expires() {
    let folder = tempfile::tempdir().expect("temp folder");
    let farm = TestFarm::serve_with(folder.path(), &[("KINORA_UPLOAD_SECONDS", "1")]);
    let upload = upload_url(&farm.api, "image/png").await;
    let to = upload["uploadUrl"].as_str().expect("uploadUrl");
    tokio::time::sleep(std::time::Duration::from_millis(2100)).await;
    assert_eq!(put(&farm.api, to, "image/png", vec![1; 10]).await, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_path_of_our_own_host_is_not_excepted_from_the_address_rule() {
    let folder = tempfile::tempdir().expect("temp folder");
    let farm = TestFarm::serve_with(folder.path(), &[("KINORA_ALLOW_PRIVATE_URLS", "0")]);
    for path in [
        "/healthz",
        "/files/renders/x.png",
        "/files/uploads/../../healthz",
    ] {
        let src = format!("{}{path}", farm.api.url);
        let image = json!({"type": "image", "src": src});
        let scene = composition(5, &[overlay(5, [0, 0, 320, 180], image)]);
        let body = json!({ "inputProps": scene });
        let (status, envelope) = farm.api.call(Method::POST, "/renders", body).await;
        if status == 400 {
            continue;
        }
        assert_eq!(status, 200, "{envelope}");
        let job = envelope["data"]["jobId"].as_str().expect("jobId");
        let finished = farm.api.follow(job).await;
        assert_eq!(finished.job["status"], "FAILED", "{path}");
        let message = finished.job["errorMessage"].as_str().expect("a message");
        assert!(message.contains("not on the public internet"), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_to_s3_is_presigned_for_its_type_and_usable() {
    let farm = TestFarm::apart().s3().start();
    an_uploaded_picture_is_rendered(&farm).await;

    let api = &farm.api;
    let upload = upload_url(api, "image/png").await;
    let to = upload["uploadUrl"].as_str().expect("uploadUrl");
    assert!(
        to.starts_with(farm.s3().endpoint()),
        "straight to the store: {to}"
    );
    assert_eq!(
        put(api, to, "video/mp4", vec![1; 10]).await,
        403,
        "another type"
    );
    let forged = to.replace("X-Amz-Signature=", "X-Amz-Signature=0");
    assert_ne!(
        put(api, &forged, "image/png", vec![1; 10]).await,
        200,
        "forged"
    );
    assert_eq!(put(api, to, "image/png", vec![1; 10]).await, 200);
}
