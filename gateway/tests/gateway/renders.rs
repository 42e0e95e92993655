//! Render jobs beyond the basics: lists, and the projects that jobs belong to.

use crate::support::{Fixture, envelope, running_job};
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{CreateRenderResponse, JobProject, JobStatus, ListRendersResponse, Problem};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn a_render_that_makes_a_project_names_it() {
    let farm = Fixture::start().await;
    farm.script()
        .create_render
        .answers(Ok(CreateRenderResponse {
            job_id: "job_1".to_owned(),
            project_id: Some("prj_1".to_owned()),
            status: JobStatus::Processing.into(),
            credits_used: 2,
            estimated_duration_minutes: 1,
            mode: "template".to_owned(),
        }));
    let sent = farm.api(Method::POST, "/api/v1/renders").body("{}").send();
    let (_, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(body["data"]["projectId"], "prj_1");
    assert_eq!(body["data"]["mode"], "template");
    assert_eq!(body["data"]["status"], "PROCESSING");
}

#[tokio::test]
async fn a_job_of_a_project_shows_the_project() {
    let farm = Fixture::start().await;
    let mut job = running_job();
    job.project_id = Some("prj_1".to_owned());
    job.project = Some(JobProject {
        id: "prj_1".to_owned(),
        name: "Spring sale".to_owned(),
        template_id: Some("tpl_sale".to_owned()),
    });
    farm.script().get_render.answers(Ok(job));
    let sent = farm.api(Method::GET, "/api/v1/renders/job_1").send();
    let (_, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(body["data"]["projectId"], "prj_1");
    assert_eq!(
        body["data"]["project"],
        json!({"id": "prj_1", "name": "Spring sale", "templateId": "tpl_sale"})
    );
}

#[tokio::test]
async fn a_list_has_whole_jobs_and_the_way_to_the_next_page() {
    let farm = Fixture::start().await;
    farm.script().list_renders.answers(Ok(ListRendersResponse {
        renders: vec![running_job(), running_job()],
        next_cursor: Some("abc".to_owned()),
    }));
    let path = "/api/v1/renders?limit=2&cursor=x%2By";
    let (status, _, body) =
        envelope(farm.api(Method::GET, path).send().await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(body["data"]["nextCursor"], "abc");
    assert_eq!(body["data"]["renders"].as_array().map(Vec::len), Some(2));
    assert_eq!(body["data"]["renders"][1]["jobId"], "job_1");
    assert_eq!(body["data"]["renders"][1]["inputProps"]["fps"], 30);
    let asked = farm.script().list_renders.asked.remove(0);
    assert_eq!(
        (
            asked.account_id.as_str(),
            asked.limit,
            asked.cursor.as_str()
        ),
        ("acc_1", 2, "x+y")
    );
}

#[tokio::test]
async fn the_last_page_says_null() {
    let farm = Fixture::start().await;
    farm.script()
        .list_renders
        .answers(Ok(ListRendersResponse::default()));
    let sent = farm.api(Method::GET, "/api/v1/renders").send();
    let (_, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(body["data"], json!({"renders": [], "nextCursor": null}));
    let asked = farm.script().list_renders.asked.remove(0);
    assert_eq!((asked.limit, asked.cursor.as_str()), (0, ""));
}

#[tokio::test]
async fn a_bad_limit_or_cursor_is_400_and_named() {
    let farm = Fixture::start().await;
    for query in ["limit=0", "limit=101", "limit=x", "limit=-1", "limit="] {
        let path = format!("/api/v1/renders?{query}");
        let sent = farm.api(Method::GET, &path).send();
        let (status, _, body) = envelope(sent.await.expect("answer")).await;
        assert_eq!(status, 400, "{query}");
        assert_eq!(body["details"]["issues"][0]["path"], "limit", "{body}");
    }
    let sent = farm
        .api(Method::GET, "/api/v1/renders?limit=1&limit=2")
        .send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 400);
    assert!(body["details"].to_string().contains("limit"), "{body}");
    assert!(farm.script().list_renders.asked.is_empty());

    let bad = Problem::new(Kind::Invalid, "cursor is not one of ours")
        .with_details(r#"{"issues":[{"path":"cursor","message":"is not one of ours"}]}"#);
    farm.script().list_renders.answers(Err(bad));
    let sent = farm.api(Method::GET, "/api/v1/renders?cursor=zzz").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 400);
    assert_eq!(body["details"]["issues"][0]["path"], "cursor");
}
