//! One render seen as a trace, from the caller's request to every node that works on it.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::farm::TestFarm;
use crate::farm::collector::{Collector, Span};
use crate::farm::media::MediaServer;
use crate::farm::scene::with_image;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";
/// Two render tasks and the assembly.
const FRAMES: u32 = 60;
const TASKS: usize = 3;

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

fn only<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let found = named(spans, name);
    assert_eq!(found.len(), 1, "{name} in {spans:#?}");
    found[0]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_is_one_trace_through_all_roles_and_nothing_of_it_is_lost_at_the_end() {
    let media = MediaServer::start().await;
    let collector = Collector::start().await;
    // Spans are sent when the processes end, and not before.
    let mut farm = TestFarm::apart()
        .nodes(1)
        .sqlite()
        .setting("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url)
        .setting("OTEL_BSP_SCHEDULE_DELAY", "3600000")
        .start();
    let body = json!({"inputProps": with_image(FRAMES, &media.url("halves.png"))});
    let request = farm.api.request(Method::POST, "/renders");
    let request = request.header("traceparent", format!("00-{TRACE}-{CALLER}-01"));
    let answer = request.body(body.to_string()).send().await.expect("answer");
    let answer: Value = answer.json().await.expect("JSON");
    let job_id = answer["data"]["jobId"].as_str().expect("jobId").to_owned();
    farm.api.follow(&job_id).await.completed();
    assert!(collector.spans().is_empty(), "{:?}", collector.spans());

    for role in [
        &mut farm.front,
        &mut farm.nodes[0],
        farm.controller.as_mut().expect("controller"),
    ] {
        role.terminate();
        let (status, _) = role.ended_within(Duration::from_secs(10));
        assert!(status.success(), "{status}");
    }

    let all = collector.spans();
    let spans: Vec<Span> = all.into_iter().filter(|span| span.trace == TRACE).collect();
    let http = only(&spans, "http");
    assert_eq!(http.service, "kinora-gateway");
    assert_eq!(http.parent, CALLER);
    let calls = named(&spans, "call");
    let call = calls
        .iter()
        .find(|call| call.attribute("path").ends_with("Renders/Create"));
    let call = call.expect("the call that creates the job");
    assert_eq!(
        (call.service.as_str(), &call.parent),
        ("kinora-controller", &http.id)
    );
    let job = only(&spans, "create_render");
    assert_eq!(
        (job.service.as_str(), &job.parent),
        ("kinora-controller", &call.id)
    );

    let tasks = named(&spans, "task");
    assert_eq!(tasks.len(), TASKS, "{spans:#?}");
    for task in &tasks {
        assert_eq!(
            (task.service.as_str(), &task.parent),
            ("kinora-node", &job.id)
        );
        assert_eq!(task.attribute("job_id"), job_id);
    }
    let is_task = |id: &String| tasks.iter().any(|task| task.id == *id);
    for (name, times) in [("fetch", 3), ("draw", 2), ("upload", 3), ("assemble", 1)] {
        let found = named(&spans, name);
        assert_eq!(found.len(), times, "{name} in {spans:#?}");
        assert!(found.iter().all(|span| is_task(&span.parent)), "{found:#?}");
    }
    let draws = named(&spans, "draw");
    let encodes = named(&spans, "encode");
    assert_eq!(encodes.len(), draws.len());
    for encode in encodes {
        assert!(draws.iter().any(|draw| draw.id == encode.parent));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_not_there_keeps_nobody_from_working_or_ending() {
    let folder = tempfile::tempdir().expect("temp folder");
    let nobody = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
    let mut farm = TestFarm::serve_with(folder.path(), &[nobody]);
    assert_eq!(farm.api.post_render("{}").await.0, 400);
    farm.front.terminate();
    let (status, _) = farm.front.ended_within(Duration::from_secs(10));
    assert!(status.success(), "{status}");
}
