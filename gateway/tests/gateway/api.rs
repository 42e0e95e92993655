//! The interface under `/api/v1`, against a controller whose answers are scripted.

use std::collections::BTreeSet;

use crate::support::{Fixture, KEY, RESETS_AT, SPENT_KEY, STATUSES, envelope, running_job};
use kinora_proto::v1::{CreateRenderResponse, JobStatus, Problem};
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn creating_a_render_passes_the_body_on_and_answers_with_the_job() {
    let farm = Fixture::start().await;
    farm.script()
        .create_render
        .answers(Ok(CreateRenderResponse {
            job_id: "job_1".to_owned(),
            project_id: None,
            status: JobStatus::Pending.into(),
            credits_used: 2,
            estimated_duration_minutes: 1,
            mode: "direct".to_owned(),
        }));
    let response = farm
        .api(Method::POST, "/api/v1/renders")
        .header("Idempotency-Key", "once")
        .body("{\"inputProps\": {}}")
        .send()
        .await
        .expect("answer");
    let (status, headers, body) = envelope(response).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"jobId": "job_1", "projectId": null, "status": "PENDING", "creditsUsed": 2,
               "estimatedDurationMinutes": 1, "mode": "direct"})
    );
    assert_eq!(headers["RateLimit-Limit"], "120");
    assert_eq!(headers["X-RateLimit-Reset"], RESETS_AT.to_string().as_str());
    let script = farm.script();
    let asked = &script.create_render.asked[0];
    assert_eq!(asked.account_id, "acc_1");
    assert_eq!(asked.idempotency_key, "once");
    assert_eq!(asked.body_json, "{\"inputProps\": {}}");
    assert_eq!(asked.public_url, "https://render.example.com");
}

#[tokio::test]
async fn a_job_shows_every_field_and_null_where_there_is_nothing() {
    let farm = Fixture::start().await;
    farm.script().get_render.answers(Ok(running_job()));
    let response = farm.api(Method::GET, "/api/v1/renders/job_1").send().await;
    let (status, _, body) = envelope(response.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({
            "jobId": "job_1", "projectId": null,
            "inputProps": {"overlays": [], "durationInFrames": 30, "fps": 30},
            "status": "PROCESSING", "progressPercentage": 40, "creditsUsed": 1,
            "width": 320, "height": 180, "fps": 30, "durationInFrames": 30,
            "outputUrl": null, "outputSize": null, "errorMessage": null,
            "estimatedTimeRemaining": 3, "duration": null,
            "createdAt": "2026-01-31T12:00:00.000Z", "updatedAt": "2026-01-31T12:00:01.500Z",
            "completedAt": null, "project": null,
        })
    );
    let script = farm.script();
    assert_eq!(script.get_render.asked[0].job_id, "job_1");
    assert_eq!(script.get_render.asked[0].account_id, "acc_1");
}

#[tokio::test]
async fn a_finished_job_names_its_file_under_the_public_address() {
    let farm = Fixture::start().await;
    let mut job = running_job();
    job.status = JobStatus::Completed.into();
    job.output_key = Some("renders/job_1/1-abc/video.mp4".to_owned());
    job.output_size = Some(12_345);
    job.duration_ms = Some(900);
    job.completed_at_ms = Some(1_769_860_802_000);
    farm.script().get_render.answers(Ok(job));
    let response = farm.api(Method::GET, "/api/v1/renders/job_1").send().await;
    let (_, _, body) = envelope(response.expect("answer")).await;
    let job = &body["data"];
    assert_eq!(
        job["outputUrl"],
        "https://render.example.com/files/renders/job_1/1-abc/video.mp4"
    );
    assert_eq!(job["status"], "COMPLETED");
    assert_eq!(job["outputSize"], 12_345);
    assert_eq!(job["duration"], 900);
    assert_eq!(job["completedAt"], "2026-01-31T12:00:02.000Z");
}

#[tokio::test]
async fn every_kind_of_problem_has_its_status() {
    let farm = Fixture::start().await;
    for (kind, expected) in STATUSES {
        let problem = Problem::new(kind, "what went wrong").with_details(r#"{"reason":"WHY"}"#);
        farm.script().create_render.answers(Err(problem));
        let sent = farm.api(Method::POST, "/api/v1/renders").body("{}").send();
        let (status, headers, body) = envelope(sent.await.expect("answer")).await;
        assert_eq!(status, expected, "{kind:?}");
        assert_eq!(body["error"], "what went wrong");
        assert_eq!(body["details"], json!({"reason": "WHY"}));
        assert_eq!(headers.contains_key("Retry-After"), status == 429);
    }
}

#[tokio::test]
async fn internals_of_the_controller_are_not_shown() {
    let farm = Fixture::start().await;
    let sent = farm.api(Method::POST, "/api/v1/renders").body("{}").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 500);
    assert!(!body.to_string().contains("SELECT"), "{body}");
}

#[tokio::test]
async fn verify_tells_whose_key_it_is() {
    let farm = Fixture::start().await;
    let sent = farm.api(Method::POST, "/api/v1/auth/verify").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"userId": "acc_1", "email": "ada@example.com", "name": "Ada", "credits": 41,
               "apiKeyPrefix": "rnd_good", "apiKeyCreatedAt": "2026-01-31T12:00:00.000Z",
               "apiKeyLastUsed": null})
    );
}

#[tokio::test]
async fn a_missing_malformed_or_unknown_key_is_401() {
    let farm = Fixture::start().await;
    for authorization in [
        None,
        Some("Basic abc"),
        Some("Bearer"),
        Some("Bearer rnd_bad"),
    ] {
        let mut request = farm.anonymous(Method::POST, "/api/v1/renders");
        if let Some(value) = authorization {
            request = request.header("Authorization", value);
        }
        let sent = request.body("not JSON").send();
        let (status, headers, body) = envelope(sent.await.expect("answer")).await;
        assert_eq!(status, 401, "{authorization:?}");
        assert_eq!(headers["WWW-Authenticate"], "Bearer");
        assert_eq!(headers["RateLimit-Limit"], "60");
        assert!(
            body["details"]
                .as_str()
                .is_some_and(|hint| hint.contains("Bearer"))
        );
    }
    assert!(farm.script().create_render.asked.is_empty());
}

#[tokio::test]
async fn the_401_does_not_wait_for_the_body() {
    let farm = Fixture::start().await;
    let address = farm.url.trim_start_matches("http://");
    let mut connection = tokio::net::TcpStream::connect(address)
        .await
        .expect("connect");
    let head = "POST /api/v1/renders HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{";
    connection.write_all(head.as_bytes()).await.expect("send");
    let mut answer = [0; 12];
    connection.read_exact(&mut answer).await.expect("answer");
    assert_eq!(&answer, b"HTTP/1.1 401");
}

#[tokio::test]
async fn a_spent_window_is_429_and_says_when_to_come_back() {
    let farm = Fixture::start().await;
    let request = farm.anonymous(Method::GET, "/api/v1/renders/job_1");
    let sent = request.bearer_auth(SPENT_KEY).send();
    let (status, headers, _) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 429);
    assert_eq!(headers["RateLimit-Remaining"], "0");
    assert_eq!(headers["Retry-After"], headers["RateLimit-Reset"]);
    assert!(farm.script().get_render.asked.is_empty());
}

#[tokio::test]
async fn unknown_paths_and_methods_are_answered_in_the_envelope() {
    let farm = Fixture::start().await;
    for path in [
        "/api/v1/nothing",
        "/api/v1/renders/a/b",
        "/api/v1/",
        "/api/v1",
    ] {
        let sent = farm.api(Method::GET, path).send();
        let (status, _, _) = envelope(sent.await.expect("answer")).await;
        assert_eq!(status, 404, "{path}");
    }
    let sent = farm.api(Method::DELETE, "/api/v1/renders").send();
    let (status, headers, _) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 405);
    let allowed = headers["Allow"].to_str().expect("text");
    let allowed: BTreeSet<_> = allowed.split(',').collect();
    assert_eq!(allowed, BTreeSet::from(["GET", "HEAD", "POST"]));
}

#[tokio::test]
async fn a_body_at_the_limit_passes_and_one_over_it_is_413() {
    let farm = Fixture::start().await;
    let limit = kinora_gateway::Config::DEFAULT_BODY_LIMIT;
    farm.script().create_render.answers(Err(Problem::new(
        kinora_proto::v1::problem::Kind::Invalid,
        "not JSON",
    )));
    for (size, expected) in [(limit, 400), (limit + 1, 413), (limit * 4, 413)] {
        let request = farm.api(Method::POST, "/api/v1/renders");
        let sent = request.body(vec![b' '; size]).send();
        let (status, _, _) = envelope(sent.await.expect("answer")).await;
        assert_eq!(status, expected, "{size}");
    }
    assert_eq!(farm.script().create_render.asked.len(), 1);
}

#[tokio::test]
async fn a_job_larger_than_the_body_limit_can_still_be_read() {
    let farm = Fixture::start().await;
    let mut job = running_job();
    let source = "x".repeat(6 << 20);
    job.input_props_json =
        format!("{{\"overlays\":[],\"durationInFrames\":30,\"src\":\"{source}\"}}");
    farm.script().get_render.answers(Ok(job));
    let sent = farm.api(Method::GET, "/api/v1/renders/job_1").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"]["inputProps"]["src"].as_str().map(str::len),
        Some(6 << 20)
    );
}

#[tokio::test]
async fn without_a_controller_every_answer_is_503_in_the_envelope() {
    let farm = Fixture::without_controller().await;
    let sent = farm.api(Method::GET, "/api/v1/renders/job_1").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 503);
    assert!(
        body["error"]
            .as_str()
            .is_some_and(|text| text.contains("try again"))
    );
    let health = farm.anonymous(Method::GET, "/healthz").send().await;
    assert_eq!(health.expect("answer").status(), 200);
}

#[tokio::test]
async fn metrics_count_requests_by_route_and_are_not_for_the_public() {
    let farm = Fixture::start().await;
    farm.script().get_render.answers(Ok(running_job()));
    let job = farm.api(Method::GET, "/api/v1/renders/job_1").send().await;
    assert_eq!(job.expect("answer").status(), 200);
    let text = (farm.metrics)().await;
    let expected = concat!(
        r#"kinora_http_request_seconds_count{method="GET",route="/api/v1/renders/{jobId}","#,
        r#"status="200"} 1"#
    );
    assert!(text.contains(expected), "{text}");
    assert!(!text.contains(KEY));
    let response = farm.anonymous(Method::GET, "/metrics").send().await;
    assert_eq!(response.expect("answer").status(), 404);
}

#[tokio::test]
async fn a_stop_ends_the_gateway_well() {
    let farm = Fixture::start().await;
    let health = farm.anonymous(Method::GET, "/healthz").send().await;
    assert_eq!(health.expect("answer").status(), 200);
    assert!(farm.stop().await);
}
