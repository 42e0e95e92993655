//! Templates and projects through the real roles: variables in, the right video out.

use reqwest::Method;
use serde_json::{Value, json};

use crate::farm::scene::{WIDTH, composition, overlay};
use crate::farm::{TestFarm, video};

/// A template whose only shape is a variable: a rectangle that a replacement can make a circle.
fn template_file(farm: &TestFarm) -> String {
    let shape = json!({"type": "shape", "content": "rectangle", "name": "mark", "isDynamic": true,
                       "styles": {"fill": "#ff0000"}});
    let title = json!({"type": "text", "content": "Hello", "name": "title", "isDynamic": true,
                       "styles": {"fontSize": "20px", "fontSizeFixed": true}});
    let inputs = composition(
        15,
        &[
            overlay(15, [60, 40, 100, 100], shape),
            overlay(15, [0, 0, 200, 24], title),
        ],
    );
    let template = json!({"name": "Mark", "description": "A mark", "category": "BRANDING",
                          "creditsPerMinute": 3, "inputProps": inputs});
    let file = farm.folder().join("template.json");
    std::fs::write(&file, template.to_string()).expect("write");
    file.display().to_string()
}

fn import(farm: &TestFarm, public: bool) -> String {
    let file = template_file(farm);
    let mut arguments = vec!["template", "import", &file];
    if public {
        arguments.push("--public");
    }
    farm.admin(&arguments)["id"]
        .as_str()
        .expect("id")
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_template_is_rendered_with_replacements_and_becomes_a_project() {
    let farm = TestFarm::serve();
    let id = import(&farm, true);
    let listed = farm.api.data(Method::GET, "/templates", Value::Null).await;
    let templates = listed["templates"].as_array().expect("templates");
    let ours = templates
        .iter()
        .find(|template| template["id"] == id.as_str());
    assert_eq!(ours.expect("listed")["creditsPerMinute"], 3);
    assert_eq!(listed["total"], templates.len());

    let path = format!("/templates/{id}/variables");
    let variables = farm.api.data(Method::GET, &path, Value::Null).await;
    let title = &variables["variables"][1];
    assert_eq!(title["name"], "title");
    assert_eq!(title["linesAvailable"], 1);
    assert_eq!(title["overflowBehavior"], "clipped");
    assert!(
        title["maxCharacters"]
            .as_u64()
            .is_some_and(|most| (10..40).contains(&most))
    );
    assert!(variables["variables"][0].get("maxCharacters").is_none());

    // A flat key is a replacement; an unknown one is ignored; the override wins.
    let body = json!({"templateId": id, "mark": "circle", "nonsense": "x", "fps": 15,
                      "replacements": {"title": 7}, "projectName": "My mark"});
    let created = farm.api.start_with(body).await;
    assert_eq!(created["mode"], "template");
    assert_eq!(created["creditsUsed"], 1);
    let project = created["projectId"].as_str().expect("a project").to_owned();
    let job = created["jobId"].as_str().expect("jobId");
    let finished = farm.api.follow(job).await.completed();
    assert_eq!(finished.job["fps"], 15);
    assert_eq!(finished.job["inputProps"]["overlays"][1]["content"], "7");
    assert_eq!(
        finished.job["project"],
        json!({"id": project, "name": "My mark", "templateId": id})
    );

    let folder = tempfile::tempdir().expect("temp folder");
    let file = folder.path().join("video.mp4");
    let bytes = farm.api.download(finished.output_url()).await;
    std::fs::write(&file, bytes).expect("write");
    let frame = video::Picture::of_video(&file, 5, WIDTH);
    frame.shows(110, 90, [255, 0, 0]);
    frame.shows(64, 44, [16, 32, 48]);

    // The project keeps its variables, with the values as their defaults.
    let path = format!("/projects/{project}/variables");
    let variables = farm.api.data(Method::GET, &path, Value::Null).await;
    assert_eq!(variables["variables"][0]["default"], "circle");
    let projects = farm
        .api
        .data(Method::GET, "/projects?dynamic=true", Value::Null)
        .await;
    assert_eq!(projects["total"], 1);
    assert_eq!(projects["projects"][0]["hasDynamicOverlays"], true);
    let again = json!({"projectId": project, "replacements": {"mark": "rectangle"}});
    let created = farm.api.start_with(again).await;
    assert_eq!(
        (&created["mode"], &created["projectId"]),
        (&json!("project"), &json!(project))
    );

    let stranger = farm.another_account();
    let theft = json!({"projectId": project});
    assert_eq!(
        stranger
            .call(Method::POST, "/renders", theft.clone())
            .await
            .0,
        403
    );
    assert_eq!(stranger.call(Method::POST, "/previews", theft).await.0, 403);
    assert_eq!(stranger.call(Method::GET, &path, Value::Null).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_public_or_not_there_is_not_found() {
    let farm = TestFarm::serve();
    let hidden = import(&farm, false);
    for id in [hidden.as_str(), "tpl_nothing"] {
        let path = format!("/templates/{id}/variables");
        assert_eq!(farm.api.call(Method::GET, &path, Value::Null).await.0, 404);
        let body = json!({ "templateId": id });
        assert_eq!(farm.api.call(Method::POST, "/renders", body).await.0, 404);
    }
    let body = json!({"projectId": "prj_nothing"});
    assert_eq!(farm.api.call(Method::POST, "/renders", body).await.0, 404);
    let two = json!({"projectId": "x", "templateId": "y"});
    assert_eq!(farm.api.call(Method::POST, "/renders", two).await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shipped_templates_cover_every_category_and_preview_without_a_warning() {
    let farm = TestFarm::serve();
    let listed = farm.api.data(Method::GET, "/templates", Value::Null).await;
    let templates = listed["templates"].as_array().expect("templates");
    let mut categories: Vec<&str> = templates
        .iter()
        .filter_map(|template| template["category"].as_str())
        .collect();
    categories.sort_unstable();
    assert_eq!(
        categories,
        [
            "BRANDING",
            "ECOMMERCE",
            "EDUCATIONAL",
            "EVENTS",
            "PERSONALIZED",
            "REAL_ESTATE",
            "SOCIAL_MEDIA",
            "SPORTS",
            "TRAVEL",
        ]
    );
    for template in templates {
        let id = template["id"].as_str().expect("id");
        let path = format!("/templates/{id}/variables");
        let variables = farm.api.data(Method::GET, &path, Value::Null).await;
        let variables = variables["variables"].as_array().expect("variables");
        assert!(
            variables.len() >= 4,
            "{id} has {} variables",
            variables.len()
        );
        for kind in ["text", "url"] {
            assert!(
                variables.iter().any(|variable| variable["type"] == kind),
                "{id}: no {kind}"
            );
        }
        let thumbnail = template["thumbnailUrl"].as_str().expect("a thumbnail");
        let answer = farm.api.anonymous(Method::GET, thumbnail).send().await;
        let answer = answer.expect("answer");
        assert_eq!(answer.status(), 200, "{thumbnail}");
        assert_eq!(answer.headers()["Content-Type"], "image/jpeg");
        let preview = farm
            .api
            .data(Method::POST, "/previews", json!({ "templateId": id }))
            .await;
        assert_eq!(preview["warnings"], json!([]), "{id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shipped_template_renders_with_its_artwork() {
    let farm = TestFarm::serve();
    let listed = farm.api.data(Method::GET, "/templates", Value::Null).await;
    let template = listed["templates"][0]["id"]
        .as_str()
        .expect("id")
        .to_owned();
    let body = json!({"templateId": template, "durationInFrames": 10, "createProject": false});
    let created = farm.api.start_with(body).await;
    assert_eq!(created["projectId"], Value::Null);
    let job = created["jobId"].as_str().expect("jobId");
    farm.api.follow(job).await.completed();
}
