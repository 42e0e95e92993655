//! Stopping and dying in the middle of a render, and going on afterwards.

use std::time::Duration;

use crate::farm::command::kinora;
use crate::farm::media::MediaServer;
use crate::farm::scene::with_image;
use crate::farm::{Process, TestFarm, video};

const FRAMES: u32 = 90;

/// Starts again in the same folder and expects the job to be completed, whole and charged once.
async fn goes_on(folder: &std::path::Path, media: &MediaServer, job_id: &str, before: i64) {
    media.open_gate();
    let farm = TestFarm::serve_in(folder);
    let finished = farm.api.follow(job_id).await.completed();
    let file = folder.join("downloaded.mp4");
    let bytes = farm.api.download(finished.output_url()).await;
    std::fs::write(&file, bytes).expect("write");
    assert_eq!(video::frame_count(&file), u64::from(FRAMES));
    assert_eq!(farm.api.credits().await, before - 1);
    farm.audit_charged_once(job_id).await;
    farm.audit_objects(job_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_ends_a_render_within_ten_seconds_and_a_restart_completes_it() {
    let media = MediaServer::start().await;
    let folder = tempfile::tempdir().expect("temp folder");
    let mut farm = TestFarm::serve_in(folder.path());
    let before = farm.api.credits().await;
    let job_id = farm
        .api
        .start(&with_image(FRAMES, &media.gated_url("halves.png")))
        .await;
    media.wait_for_requests_at_gate(1).await;
    farm.front.terminate();
    let (status, _) = farm.front.ended_within(Duration::from_secs(10));
    assert!(status.success(), "{status}");
    goes_on(folder.path(), &media, &job_id, before).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sigkill_loses_nothing() {
    let media = MediaServer::start().await;
    let folder = tempfile::tempdir().expect("temp folder");
    let mut farm = TestFarm::serve_in(folder.path());
    let before = farm.api.credits().await;
    let job_id = farm
        .api
        .start(&with_image(FRAMES, &media.gated_url("halves.png")))
        .await;
    // Others are still in the queue when the process dies.
    media.wait_for_requests_at_gate(1).await;
    farm.front.kill();
    goes_on(folder.path(), &media, &job_id, before).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_service_stops_at_once() {
    let mut farm = TestFarm::serve();
    farm.front.terminate();
    let (status, took) = farm.front.ended_within(Duration::from_secs(10));
    assert!(status.success(), "{status}");
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_local_render_leaves_nothing_behind() {
    let media = MediaServer::start().await;
    let folder = tempfile::tempdir().expect("temp folder");
    let file = folder.path().join("scene.json");
    let scene = with_image(FRAMES, &media.gated_url("halves.png"));
    std::fs::write(&file, scene.to_string()).expect("write");
    let mut render = kinora();
    let out = folder.path().join("out.mp4");
    let mut render = Process::start(
        "render",
        render.arg("render").arg(&file).arg("-o").arg(&out),
    );
    media.wait_for_requests_at_gate(1).await;
    render.terminate();
    let (status, _) = render.ended_within(Duration::from_secs(10));
    assert_eq!(status.code(), Some(1));
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("list").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
