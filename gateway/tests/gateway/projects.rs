//! `GET /projects` and `GET /projects/{projectId}/variables`.

use crate::support::{Fixture, envelope};
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::{
    ListProjectsResponse, ListedVariable, Problem, Project, Variable, VariablesResponse,
};
use reqwest::Method;
use serde_json::json;

fn project() -> Project {
    Project {
        id: "prj_1".to_owned(),
        name: "Open house".to_owned(),
        description: None,
        width: 1920,
        height: 1080,
        fps: 30,
        duration_in_frames: Some(300),
        variables: vec![ListedVariable {
            name: "headline".to_owned(),
            default_json: "\"Welcome\"".to_owned(),
            r#type: "string".to_owned(),
        }],
        created_at_ms: 1_769_860_800_000,
        updated_at_ms: 1_769_860_801_500,
    }
}

#[tokio::test]
async fn a_list_shows_projects_and_whether_they_vary() {
    let farm = Fixture::start().await;
    let plain = Project {
        description: Some("no variables".to_owned()),
        duration_in_frames: None,
        variables: Vec::new(),
        ..project()
    };
    farm.script()
        .list_projects
        .answers(Ok(ListProjectsResponse {
            projects: vec![project(), plain],
        }));
    let sent = farm.api(Method::GET, "/api/v1/projects").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"total": 2, "projects": [
            {"id": "prj_1", "name": "Open house", "description": null,
             "width": 1920, "height": 1080, "fps": 30, "durationInFrames": 300,
             "hasDynamicOverlays": true,
             "variables": [{"name": "headline", "defaultValue": "Welcome", "type": "string"}],
             "createdAt": "2026-01-31T12:00:00.000Z", "updatedAt": "2026-01-31T12:00:01.500Z"},
            {"id": "prj_1", "name": "Open house", "description": "no variables",
             "width": 1920, "height": 1080, "fps": 30, "durationInFrames": null,
             "hasDynamicOverlays": false, "variables": [],
             "createdAt": "2026-01-31T12:00:00.000Z", "updatedAt": "2026-01-31T12:00:01.500Z"},
        ]})
    );
}

#[tokio::test]
async fn the_filter_is_passed_on_and_checked() {
    let farm = Fixture::start().await;
    farm.script()
        .list_projects
        .answers(Ok(ListProjectsResponse::default()));
    for (query, expected) in [
        ("", None),
        ("?dynamic=true", Some(true)),
        ("?dynamic=false", Some(false)),
    ] {
        let path = format!("/api/v1/projects{query}");
        let sent = farm.api(Method::GET, &path).send();
        let (status, _, body) = envelope(sent.await.expect("answer")).await;
        assert_eq!((status, &body["data"]["total"]), (200, &json!(0)));
        let asked = farm.script().list_projects.asked.remove(0);
        assert_eq!(
            (asked.account_id.as_str(), asked.dynamic),
            ("acc_1", expected)
        );
    }
    for value in ["", "1", "yes", "True"] {
        let path = format!("/api/v1/projects?dynamic={value}");
        let sent = farm.api(Method::GET, &path).send();
        let (status, _, body) = envelope(sent.await.expect("answer")).await;
        assert_eq!(status, 400, "{value:?}");
        assert_eq!(body["details"]["issues"][0]["path"], "dynamic");
    }
    assert!(farm.script().list_projects.asked.is_empty());
}

#[tokio::test]
async fn variables_have_a_capacity_only_where_they_have_one() {
    let farm = Fixture::start().await;
    let fixed = Variable {
        name: "headline".to_owned(),
        r#type: "text".to_owned(),
        label: "Headline".to_owned(),
        help: "The large text.".to_owned(),
        overlay_type: "text".to_owned(),
        field: "content".to_owned(),
        max_characters: Some(40),
        lines_available: Some(2),
        overflow_behavior: Some("clipped".to_owned()),
        default: "Welcome".to_owned(),
    };
    let photo = Variable {
        name: "photo".to_owned(),
        r#type: "url".to_owned(),
        overlay_type: "image".to_owned(),
        field: "src".to_owned(),
        max_characters: None,
        lines_available: None,
        overflow_behavior: None,
        ..fixed.clone()
    };
    farm.script()
        .project_variables
        .answers(Ok(VariablesResponse {
            variables: vec![fixed, photo],
        }));
    let path = "/api/v1/projects/prj_1/variables";
    let (status, _, body) =
        envelope(farm.api(Method::GET, path).send().await.expect("answer")).await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({"variables": [
            {"name": "headline", "type": "text", "label": "Headline", "help": "The large text.",
             "overlayType": "text", "field": "content", "maxCharacters": 40, "linesAvailable": 2,
             "overflowBehavior": "clipped", "default": "Welcome"},
            {"name": "photo", "type": "url", "label": "Headline", "help": "The large text.",
             "overlayType": "image", "field": "src", "default": "Welcome"},
        ]})
    );
    let asked = farm.script().project_variables.asked.remove(0);
    assert_eq!(
        (asked.account_id.as_str(), asked.project_id.as_str()),
        ("acc_1", "prj_1")
    );
}

#[tokio::test]
async fn a_project_that_is_not_there_is_404() {
    let farm = Fixture::start().await;
    let missing = Problem::new(Kind::NotFound, "there is no such project");
    farm.script().project_variables.answers(Err(missing));
    for path in [
        "/api/v1/projects/prj_2/variables",
        "/api/v1/projects/%ff/variables",
    ] {
        let sent = farm.api(Method::GET, path).send();
        let (status, _, _) = envelope(sent.await.expect("answer")).await;
        assert_eq!(status, 404, "{path}");
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_passed_on_is_500_and_shows_nothing() {
    let farm = Fixture::start().await;
    let mut broken = project();
    broken.variables[0].default_json = "{secret".to_owned();
    farm.script()
        .list_projects
        .answers(Ok(ListProjectsResponse {
            projects: vec![broken],
        }));
    let sent = farm.api(Method::GET, "/api/v1/projects").send();
    let (status, _, body) = envelope(sent.await.expect("answer")).await;
    assert_eq!(status, 500);
    assert!(!body.to_string().contains("secret"), "{body}");
}
