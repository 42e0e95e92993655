//! The roles apart: controller, gateway and nodes as processes, on both databases.

use std::time::Duration;

use crate::farm::media::MediaServer;
use crate::farm::scene::{with_image, with_sound};
use crate::farm::{TestFarm, video};

/// Longer than one render task, so that several nodes have something to do.
const FRAMES: u32 = 120;

async fn downloaded_frames(farm: &TestFarm, url: &str) -> u64 {
    let folder = tempfile::tempdir().expect("temp folder");
    let file = folder.path().join("video.mp4");
    std::fs::write(&file, farm.api.download(url).await).expect("write");
    video::frame_count(&file)
}

/// Kills the node that holds leases while it works, and expects nobody to notice but by the delay.
async fn survives_the_loss_of_a_node(mut farm: TestFarm) {
    let media = MediaServer::start().await;
    let before = farm.api.credits().await;
    let job_id = farm
        .api
        .start(&with_image(FRAMES, &media.gated_url("halves.png")))
        .await;
    // Two nodes work on it, and both wait for the picture.
    media.wait_for_requests_at_gate(2).await;
    for node in &mut farm.nodes {
        node.wait_for(&job_id);
    }
    farm.nodes[0].kill();
    media.open_gate();

    let finished = farm.api.follow(&job_id).await.completed();
    assert_eq!(
        downloaded_frames(&farm, finished.output_url()).await,
        u64::from(FRAMES)
    );
    assert_eq!(finished.job["creditsUsed"], 1);
    assert_eq!(farm.api.credits().await, before - 1);
    farm.audit_charged_once(&job_id).await;
    farm.audit_objects(&job_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_node_delays_a_job_and_does_not_fail_it_on_sqlite() {
    survives_the_loss_of_a_node(TestFarm::apart().nodes(2).sqlite().start()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_node_delays_a_job_and_does_not_fail_it_on_postgres() {
    survives_the_loss_of_a_node(TestFarm::apart().nodes(2).postgres().start()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_node_may_die_and_another_finishes_its_work() {
    let media = MediaServer::start().await;
    let mut farm = TestFarm::apart().nodes(1).sqlite().start();
    // All frames are done when it dies; the next node only puts them together.
    let job_id = farm
        .api
        .start(&with_sound(FRAMES, &media.gated_url("tone.wav")))
        .await;
    media.wait_for_requests_at_gate(1).await;
    farm.nodes[0].kill();
    media.open_gate();
    farm.add_node();
    let finished = farm.api.follow(&job_id).await.completed();
    assert_eq!(
        downloaded_frames(&farm, finished.output_url()).await,
        u64::from(FRAMES)
    );
    farm.audit_charged_once(&job_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_asked_to_stop_hands_its_work_back() {
    let media = MediaServer::start().await;
    let mut farm = TestFarm::apart().nodes(1).sqlite().start();
    let job_id = farm
        .api
        .start(&with_image(FRAMES, &media.gated_url("halves.png")))
        .await;
    media.wait_for_requests_at_gate(1).await;
    farm.nodes[0].terminate();
    let (status, _) = farm.nodes[0].ended_within(Duration::from_secs(10));
    assert!(status.success(), "{status}");
    media.open_gate();
    farm.add_node();
    let finished = farm.api.follow(&job_id).await.completed();
    assert_eq!(
        downloaded_frames(&farm, finished.output_url()).await,
        u64::from(FRAMES)
    );
    farm.audit_charged_once(&job_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_role_tells_its_health_and_its_metrics() {
    let mut farm = TestFarm::apart().nodes(1).sqlite().start();
    let controller = farm.controller.as_mut().expect("controller");
    let pages = [
        (
            "controller",
            controller.wait_for("Status pages are at "),
            "kinora_jobs",
        ),
        (
            "node",
            farm.nodes[0].wait_for("Status pages are at "),
            "kinora_node",
        ),
        (
            "gateway",
            farm.front.wait_for("Status pages are at "),
            "kinora_http_request_seconds",
        ),
    ];
    for (role, url, metric) in pages {
        let health = farm.api.page(&format!("{url}/healthz")).await;
        assert!(
            health.contains("\"ok\"") && health.contains(role),
            "{health}"
        );
        let metrics = farm.api.page(&format!("{url}/metrics")).await;
        assert!(metrics.contains(metric), "{metric} is not in\n{metrics}");
    }
    let public = format!("{}/metrics", farm.api.url);
    let public = reqwest::get(public).await.expect("answer");
    assert_eq!(public.status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_without_its_controller_says_so_and_recovers() {
    let mut farm = TestFarm::apart().nodes(0).sqlite().start();
    farm.controller.as_mut().expect("controller").kill();
    let (status, envelope) = farm.api.post_render("{}").await;
    assert_eq!(status, 503, "{envelope}");
    assert_eq!(envelope["success"], false);
    assert!(
        envelope["error"]
            .as_str()
            .is_some_and(|text| text.contains("try again"))
    );
    let health = farm.api.page(&format!("{}/healthz", farm.api.url)).await;
    assert!(health.contains("\"ok\""), "{health}");
    farm.restart_controller();
    let (status, envelope) = farm.api.post_render("{}").await;
    assert_eq!(status, 400, "{envelope}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_goes_down_is_said_without_internals() {
    let mut farm = TestFarm::apart().nodes(0).postgres().start();
    let controller = farm.controller.as_mut().expect("controller");
    let status_pages = controller.wait_for("Status pages are at ");
    farm.stop_database();
    let (status, envelope) = farm.api.post_render("{}").await;
    assert_eq!(status, 503, "{envelope}");
    let text = envelope.to_string();
    assert!(
        !text.contains("5432") && !text.contains("postgres") && !text.contains("sqlx"),
        "{text}"
    );
    let health = reqwest::get(format!("{status_pages}/healthz"))
        .await
        .expect("answer");
    assert_eq!(health.status(), 503);
}
