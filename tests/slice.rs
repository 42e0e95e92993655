//! One render through every role: sent over HTTP, followed, downloaded and looked at.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::farm::media::MediaServer;
use crate::farm::scene::{HEIGHT, WIDTH, composition, overlay, plain, with_sound};
use crate::farm::{TestFarm, video};

const FRAMES: u32 = 90;

/// Every overlay type of the first version, each in a place of its own.
fn everything(media: &MediaServer) -> Value {
    let mut late = overlay(
        30,
        [0, 90, 80, 90],
        json!({"type": "shape", "content": "rectangle", "from": 30,
               "styles": {"fill": "#ffffff", "opacity": 0.5}}),
    );
    late["from"] = 30.into();
    let behind = json!({"type": "shape", "content": "rectangle", "row": 2,
                        "styles": {"fill": "#00ff00"}});
    let in_front = json!({"type": "shape", "content": "rectangle", "row": 0,
                          "styles": {"fill": "#ff00ff"}});
    let turned = json!({"type": "shape", "content": "rectangle", "rotation": 90,
                        "styles": {"fill": "#ff8000"}});
    composition(
        FRAMES,
        &[
            // The in-point skips the red second of the clip.
            overlay(
                FRAMES,
                [0, 0, 160, 90],
                json!({
                    "type": "video", "src": media.url("clip.mp4"), "videoStartTime": 1,
                    "styles": {"objectFit": "cover", "volume": 0},
                }),
            ),
            overlay(
                FRAMES,
                [160, 0, 160, 90],
                json!({
                    "type": "image", "src": media.url("halves.png"),
                    "styles": {"objectFit": "fill", "borderRadius": "30px"},
                }),
            ),
            late,
            overlay(FRAMES, [80, 90, 60, 40], behind),
            overlay(FRAMES, [100, 100, 60, 40], in_front),
            // 60 × 20 about its centre (200, 150): upright, it covers x 190–210, y 120–180.
            overlay(FRAMES, [170, 140, 60, 20], turned),
            overlay(
                FRAMES,
                [220, 100, 100, 70],
                json!({
                    "type": "text", "content": "MW",
                    "styles": {"fontFamily": "Inter", "fontSize": "48px", "fontWeight": "900",
                               "color": "#ffffff"},
                }),
            ),
            overlay(
                FRAMES,
                [0, 0, 0, 0],
                json!({
                    "id": 99, "type": "sound", "src": media.url("tone.wav"),
                    "styles": {"volume": 0.5},
                }),
            ),
        ],
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_composition_becomes_the_video_that_it_describes() {
    let media = MediaServer::start().await;
    let farm = TestFarm::serve();
    let before = farm.api.credits().await;
    let job_id = farm.api.start(&everything(&media)).await;
    let finished = farm.api.follow(&job_id).await.completed();

    let job = &finished.job;
    assert_eq!(job["jobId"], job_id.as_str());
    assert_eq!(job["progressPercentage"], 100);
    assert_eq!(job["creditsUsed"], 1);
    assert_eq!(
        job["inputProps"]["overlays"].as_array().map(Vec::len),
        Some(8)
    );
    assert_eq!(job["durationInFrames"], FRAMES);
    assert!(job["duration"].as_u64().is_some_and(|ms| ms > 0), "{job}");
    assert!(
        job["completedAt"]
            .as_str()
            .is_some_and(|date| date.ends_with('Z')),
        "{job}"
    );
    assert_eq!(farm.api.credits().await, before - 1);

    let bytes = farm.api.download(finished.output_url()).await;
    assert_eq!(job["outputSize"], bytes.len());
    assert!(video::is_faststart(&bytes));
    let folder = tempfile::tempdir().expect("temp folder");
    let file = folder.path().join("video.mp4");
    std::fs::write(&file, &bytes).expect("write");

    let probed = video::probe(&file);
    let picture = video::stream(&probed, "video");
    assert_eq!(picture["codec_name"], "h264");
    assert_eq!(picture["profile"], "High");
    assert_eq!(picture["pix_fmt"], "yuv420p");
    assert_eq!(picture["color_space"], "bt709");
    assert_eq!(picture["r_frame_rate"], "30/1");
    assert_eq!(
        (&picture["width"], &picture["height"]),
        (&json!(WIDTH), &json!(HEIGHT))
    );
    assert_eq!(picture["nb_read_frames"], FRAMES.to_string());
    let sound = video::stream(&probed, "audio");
    assert_eq!(sound["codec_name"], "aac");
    assert_eq!(sound["sample_rate"], "48000");
    assert_eq!(sound["channels"], 2);
    let length: f64 = probed["format"]["duration"]
        .as_str()
        .and_then(|s| s.parse().ok())
        .unwrap_or(0.0);
    assert!((2.95..3.1).contains(&length), "{length} s");
    // ffmpeg's tone has an amplitude of 1/8: -21 dB; half of that is 6 dB less.
    let loudness = video::mean_volume(&file, 0.5, 2.0);
    assert!((-29.0..-25.0).contains(&loudness), "{loudness} dB");

    let first = video::Picture::of_video(&file, 0, WIDTH);
    first.shows(80, 45, [0, 0, 255]);
    first.shows(200, 45, [0, 255, 0]);
    first.shows(280, 45, [255, 255, 0]);
    // A rounded corner of the image shows the background.
    first.shows(162, 2, [16, 32, 48]);
    // Row 0 is in front of row 2.
    first.shows(90, 95, [0, 255, 0]);
    first.shows(120, 115, [255, 0, 255]);
    first.shows(200, 125, [255, 128, 0]);
    first.shows(200, 175, [255, 128, 0]);
    first.shows(175, 150, [16, 32, 48]);
    let text = first.count(220..320, 100..170, [255, 255, 255]);
    assert!((300..5_000).contains(&text), "{text} white pixels of text");
    // The translucent square is there from frame 30 to frame 59.
    first.shows(40, 135, [16, 32, 48]);
    for (frame, colour) in [
        (29, [16, 32, 48]),
        (30, [136, 144, 152]),
        (59, [136, 144, 152]),
        (60, [16, 32, 48]),
    ] {
        video::Picture::of_video(&file, frame, WIDTH).shows(40, 135, colour);
    }
    farm.audit_charged_once(&job_id).await;
    farm.audit_objects(&job_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_grows_and_is_100_only_at_the_end() {
    let media = MediaServer::start().await;
    let farm = TestFarm::serve();
    // All frames are drawn while the sound, which is needed last, is held back.
    let scene = with_sound(150, &media.gated_url("tone.wav"));
    let job_id = farm.api.start(&scene).await;
    media.wait_for_requests_at_gate(1).await;
    let job = farm.api.job(&job_id).await;
    assert_eq!(job["status"], "PROCESSING", "{job}");
    let percentage = job["progressPercentage"].as_u64().expect("percentage");
    assert!((80..100).contains(&percentage), "{job}");
    assert_eq!(job["outputUrl"], Value::Null);
    assert_eq!(job["completedAt"], Value::Null);
    media.open_gate();
    let finished = farm.api.follow(&job_id).await.completed();
    let percentages: Vec<u64> = finished
        .seen
        .iter()
        .map(|(_, percentage)| *percentage)
        .collect();
    assert!(percentages.is_sorted(), "{:?}", finished.seen);
    for (status, percentage) in &finished.seen {
        assert_eq!(
            *percentage == 100,
            status == "COMPLETED",
            "{:?}",
            finished.seen
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_is_one_job() {
    let farm = TestFarm::serve();
    let before = farm.api.credits().await;
    let body = json!({"inputProps": plain(30)}).to_string();
    let send = |body: String| async {
        let request = farm.api.request(reqwest::Method::POST, "/renders");
        let request = request.header("Idempotency-Key", "order-17").body(body);
        let response = request.send().await.expect("answer");
        let status = response.status().as_u16();
        (status, response.json::<Value>().await.expect("JSON"))
    };
    let (first, second) = (send(body.clone()).await, send(body).await);
    assert_eq!((first.0, second.0), (200, 200));
    assert_eq!(first.1["data"]["jobId"], second.1["data"]["jobId"]);
    let (status, _) = send(json!({"inputProps": plain(31)}).to_string()).await;
    assert_eq!(status, 409);
    assert_eq!(farm.api.credits().await, before - 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_tells_its_health_and_its_metrics() {
    let mut farm = TestFarm::serve();
    let id = farm.api.start(&plain(10)).await;
    farm.api.follow(&id).await.completed();
    let status_pages = farm.front.wait_for("Status pages are at ");
    for url in [&status_pages, &farm.api.url] {
        let health = farm.api.page(&format!("{url}/healthz")).await;
        assert!(health.contains("\"ok\""), "{health}");
    }
    let expected = [
        "kinora_nodes_connected 1",
        "kinora_jobs{status=\"completed\"} 1",
        "kinora_task_wait_seconds_count{lane=\"render\",kind=\"render\"} 1",
        "kinora_task_seconds_count{lane=\"render\",kind=\"assemble\"} 1",
        "kinora_credits_total{kind=\"grant\"} 1000000",
        "kinora_node_frames_total{lane=\"render\"} 10",
        "kinora_node_tasks_total{lane=\"render\",end=\"done\"} 2",
        "kinora_node_cache_requests_total{outcome=\"miss\"} 0",
        "kinora_node_gpu_lost_total 0",
    ];
    // What a job's last task took is counted a moment after the job has ended.
    let began = Instant::now();
    let metrics = loop {
        let metrics = farm.api.page(&format!("{status_pages}/metrics")).await;
        let is_there = |line: &&&str| metrics.lines().any(|written| written == **line);
        let Some(missing) = expected.iter().find(|line| !is_there(line)) else {
            break metrics;
        };
        let is_over = began.elapsed() > Duration::from_secs(10);
        assert!(!is_over, "{missing} is not in\n{metrics}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(metrics.contains("kinora_http_request_seconds_count"));
    let greeting = farm.api.page(&farm.api.url).await;
    assert!(greeting.contains("/api/v1/renders"), "{greeting}");
}
