//! The three modes: what they make by themselves, and what they tell.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::{check, greeting, import, issue_paths, keys, sent, template_file};
use crate::farm::TestFarm;
use crate::farm::scene::plain;

#[tokio::test(flavor = "multi_thread")]
async fn each_mode_has_its_defaults_and_every_override_wins() {
    let farm = TestFarm::apart().nodes(0).start();
    let api = &farm.api;
    let template = import(&farm, "template", &template_file());
    let project = import(
        &farm,
        "project",
        &json!({"name": "Own", "inputProps": greeting()}),
    );

    // Direct: replacements are ignored, and no project is made unless one is asked for.
    let direct = json!({"inputProps": greeting(), "replacements": {"title": "X"}, "note": "Y"});
    let made = api.start_with(direct.clone()).await;
    assert_eq!(
        (&made["mode"], &made["projectId"]),
        (&json!("direct"), &Value::Null)
    );
    let job = api.job(made["jobId"].as_str().expect("jobId")).await;
    assert_eq!(job["inputProps"]["overlays"][0]["content"], "Hello");
    assert_eq!(job["inputProps"]["overlays"][1]["content"], "to all");
    let mut asked = direct;
    asked["createProject"] = true.into();
    asked["projectName"] = "Saved".into();
    let made = api.start_with(asked).await;
    assert!(made["projectId"].is_string(), "{made}");

    // Template: a project is made unless told otherwise, and then a name has no use.
    let quiet = json!({"templateId": template, "createProject": false, "projectName": "Never"});
    let made = api.start_with(quiet).await;
    assert_eq!(
        (&made["mode"], &made["projectId"]),
        (&json!("template"), &Value::Null)
    );
    let made = api
        .start_with(json!({"templateId": template, "title": "Welcome"}))
        .await;
    let of_template = made["projectId"].as_str().expect("a project").to_owned();
    // Project: it is rendered as it is; nothing new is made of it.
    let body = json!({"projectId": project, "createProject": true, "projectName": "Copy"});
    let made = api.start_with(body).await;
    assert_eq!(
        (&made["mode"], &made["projectId"]),
        (&json!("project"), &json!(project))
    );
    let listed = api.data(Method::GET, "/projects", Value::Null).await;
    let names = listed["projects"].as_array().expect("projects").iter();
    let names: BTreeSet<_> = names.filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(
        (&listed["total"], names),
        (&json!(3), BTreeSet::from(["Greeting", "Own", "Saved"]))
    );
    let of_template = format!("/projects/{of_template}/variables");
    let kept = api.data(Method::GET, &of_template, Value::Null).await;
    assert_eq!(kept["variables"][0]["default"], "Welcome");

    // Top-level values win in every mode, and decide the price: three minutes at full HD.
    let size = json!({"width": 1920, "height": 1080, "fps": 25, "durationInFrames": 4500});
    for (mode, credits) in [
        (json!({"inputProps": greeting()}), 3),
        (json!({"templateId": template, "createProject": false}), 9),
        (json!({"projectId": project}), 3),
    ] {
        let mut body = mode;
        for (name, value) in size.as_object().expect("an object") {
            body[name] = value.clone();
        }
        let quote = api.data(Method::POST, "/previews", body.clone()).await["quote"].take();
        let made = api.start_with(body).await;
        assert_eq!(made["creditsUsed"], credits);
        assert!(
            made["estimatedDurationMinutes"].as_i64() >= Some(1),
            "{made}"
        );
        let job = api.job(made["jobId"].as_str().expect("jobId")).await;
        for (name, value) in size.as_object().expect("an object") {
            assert_eq!(
                (&job[name], &job["inputProps"][name]),
                (value, value),
                "{name}"
            );
        }
        assert_eq!(quote["credits"], credits);
        assert_eq!(quote["durationSeconds"], 180.0);
        let own = ["width", "height", "fps"].map(|name| quote[name].clone());
        assert_eq!(own, [json!(1920), json!(1080), json!(25)]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn templates_and_projects_tell_their_variables_and_a_repeat_is_one_render() {
    let farm = TestFarm::apart().nodes(0).start();
    let api = &farm.api;
    let template = import(&farm, "template", &template_file());
    let moving = json!({"name": "Moving", "description": "It varies", "inputProps": greeting()});
    let moving = import(&farm, "project", &moving);
    import(
        &farm,
        "project",
        &json!({"name": "Still", "inputProps": plain(30)}),
    );

    let names = async |query: &str| -> BTreeSet<String> {
        let path = format!("/projects{query}");
        let listed = api.data(Method::GET, &path, Value::Null).await;
        let projects = listed["projects"].as_array().expect("projects");
        assert_eq!(listed["total"], projects.len());
        let name = |project: &Value| project["name"].as_str().map(str::to_owned);
        projects.iter().filter_map(name).collect()
    };
    let both = BTreeSet::from(["Moving".to_owned(), "Still".to_owned()]);
    assert_eq!(names("").await, both);
    assert_eq!(
        names("?dynamic=true").await,
        BTreeSet::from(["Moving".to_owned()])
    );
    assert_eq!(
        names("?dynamic=false").await,
        BTreeSet::from(["Still".to_owned()])
    );
    let (status, refused) = api
        .call(Method::GET, "/projects?dynamic=yes", Value::Null)
        .await;
    assert_eq!((status, issue_paths(&refused)), (400, vec!["dynamic"]));

    // Lists say what can be replaced; only the variables of one document say how much fits.
    let listed = api.data(Method::GET, "/templates", Value::Null).await;
    let templates = listed["templates"].as_array().expect("templates").iter();
    let ours = templates.clone().find(|one| one["id"] == template.as_str());
    let ours = ours.expect("listed");
    let fields = [
        "id",
        "name",
        "description",
        "category",
        "thumbnailUrl",
        "previewVideoUrl",
        "creditsPerMinute",
        "createdAt",
        "variables",
    ];
    assert_eq!(keys(ours), BTreeSet::from(fields));
    let photo = "http://127.0.0.1:1/p.png";
    let variables = json!([
        {"name": "title", "defaultValue": "Hello", "type": "string"},
        {"name": "note", "defaultValue": "to all", "type": "string"},
        {"name": "photo", "defaultValue": photo, "type": "string"},
    ]);
    assert_eq!(ours["variables"], variables);
    let of_project = format!("/projects/{moving}/variables");
    let told = api.data(Method::GET, &of_project, Value::Null).await;
    let of_template = format!("/templates/{template}/variables");
    assert_eq!(
        told,
        api.data(Method::GET, &of_template, Value::Null).await,
        "one shape"
    );
    let told = told["variables"].as_array().expect("variables");
    let plain_fields = [
        "name",
        "type",
        "label",
        "help",
        "overlayType",
        "field",
        "default",
    ];
    let capacity = ["maxCharacters", "linesAvailable", "overflowBehavior"];
    let with_capacity = plain_fields.into_iter().chain(capacity).collect();
    assert_eq!(keys(&told[0]), with_capacity);
    // 60 px hold two lines of 20 px at 1.2.
    assert_eq!(
        (&told[0]["linesAvailable"], &told[0]["overflowBehavior"]),
        (&json!(2), &json!("clipped"))
    );
    assert_eq!(
        keys(&told[1]),
        BTreeSet::from(plain_fields),
        "fitted text has no capacity"
    );
    assert_eq!(keys(&told[2]), BTreeSet::from(plain_fields));
    assert_eq!(
        (&told[2]["type"], &told[2]["field"]),
        (&json!("url"), &json!("src"))
    );
    assert_eq!(
        (&told[2]["overlayType"], &told[2]["default"]),
        (&json!("image"), &json!(photo))
    );

    // A preview resolves like a render and leaves nothing behind.
    let before = api.credits().await;
    let body = json!({"templateId": template, "title": 7, "webhookUrl": "https://x.example.com"});
    let preview = api.data(Method::POST, "/previews", body.clone()).await;
    let source = |name: &str| preview["resolved"][name]["source"].clone();
    assert_eq!(preview["resolved"]["title"]["value"], "7");
    assert_eq!(
        [source("title"), source("note")],
        [json!("replacement"), json!("default")]
    );
    assert_eq!(names("").await, both, "no project");
    assert_eq!(api.credits().await, before);

    // The same key and body are one render and one project, however often they are sent.
    let mut answers = BTreeSet::new();
    for _ in 0..3 {
        let request = api.request(Method::POST, "/renders").body(body.to_string());
        let answer = sent(request.header("Idempotency-Key", "order-9")).await;
        assert_eq!(answer.status(), 200);
        answers.insert(answer.text().await.expect("body"));
    }
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(names("").await.len(), 3, "one project more");
    assert_eq!(api.credits().await, before - 1);
    let other = json!({"templateId": template}).to_string();
    let request = api.request(Method::POST, "/renders").body(other);
    let answer = sent(request.header("Idempotency-Key", "order-9")).await;
    check(answer, 409).await;
}
