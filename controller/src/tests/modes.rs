//! The three modes of a render, and the projects that they make.

use kinora_composition::variables;
use serde_json::{Value, json};

use super::{
    documents::{composition, template},
    harness::{PUBLIC_URL, START, TestDb, body, later, on_both_databases},
};
use crate::{
    Error, documents,
    ids::{AccountId, ProjectId},
    jobs::Accepted,
    store::ProjectListing,
};

async fn projects(db: &TestDb, account: &AccountId) -> Vec<ProjectListing> {
    let listed = db.store.projects_of(account, None).await;
    listed.expect("a list")
}

/// The composition that a job renders.
async fn rendered(db: &TestDb, account: &AccountId, accepted: &Accepted) -> Value {
    let view = db.view(account, &accepted.job).await;
    serde_json::from_str(&view.job.composition_json).expect("JSON")
}

on_both_databases! {
    async fn a_template_is_rendered_at_its_own_price_and_becomes_a_project(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let id = db.seed(&[template("sprint")]).await;
        let request = json!({
            "templateId": id.as_str(), "durationInFrames": 1800,
            "replacements": { "title": "Ready", "nobody": "x" },
        });
        let accepted = db.try_create(&account, &request, "").await.expect("accepted");
        assert_eq!((accepted.price.rounded_up(), accepted.mode.as_str()), (4, "template"));

        let document = rendered(&db, &account, &accepted).await;
        assert_eq!(document["overlays"][0]["content"], "Ready");
        assert_eq!(document["durationInFrames"], 1800);
        assert_eq!(
            document["overlays"][1]["src"],
            format!("{PUBLIC_URL}/files/templates/sky.png")
        );

        let view = db.view(&account, &accepted.job).await;
        let project = view.project.expect("a project");
        assert_eq!(Some(&project.id), accepted.project.as_ref());
        assert_eq!(view.job.project, accepted.project);
        assert_eq!((project.name.as_str(), project.template), ("The sprint", Some(id)));

        // The project keeps its variables, with what was filled in as their defaults.
        let listed = projects(&db, &account).await;
        assert_eq!((listed.len(), listed[0].frames), (1, 1800));
        let kept = documents::listed(&listed[0].variables_json, PUBLIC_URL).expect("variables");
        let kept: Vec<_> = kept.iter().map(|kept| (kept.name.as_str(), &kept.default)).collect();
        let picture = json!(format!("{PUBLIC_URL}/files/templates/sky.png"));
        assert_eq!(kept, [("title", &json!("Ready")), ("picture", &picture)]);
    }
}

on_both_databases! {
    async fn a_project_can_be_rendered_with_other_words_and_makes_no_other(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let id = db.seed(&[template("sprint")]).await;
        let request = json!({ "templateId": id.as_str(), "projectName": "Mine", "title": "One" });
        let first = db.try_create(&account, &request, "").await.expect("accepted");
        let project = first.project.expect("a project");

        let request = json!({
            "projectId": project.as_str(), "createProject": true,
            "replacements": { "picture": "https://example.com/other.png" },
        });
        let second = db.try_create(&account, &request, "").await.expect("accepted");
        assert_eq!((second.mode.as_str(), second.price.rounded_up()), ("project", 1));
        assert_eq!(second.project.as_ref(), Some(&project));
        let document = rendered(&db, &account, &second).await;
        assert_eq!(document["overlays"][0]["content"], "One");
        assert_eq!(document["overlays"][1]["src"], "https://example.com/other.png");
        let listed = projects(&db, &account).await;
        assert_eq!((listed.len(), listed[0].name.as_str()), (1, "Mine"));
        // A project is what was saved, whatever it is rendered with.
        let saved = db.store.project(&project).await.expect("read").expect("a project");
        assert!(saved.composition_json.contains("asset:sky.png"));
    }
}

on_both_databases! {
    async fn direct_renders_make_a_project_only_when_asked(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let plain = db.try_create(&account, &body(30), "").await.expect("accepted");
        assert_eq!((plain.project, plain.mode.as_str()), (None, "direct"));
        assert_eq!(db.view(&account, &plain.job).await.project, None);
        assert!(projects(&db, &account).await.is_empty());

        let mut request = body(30);
        request["createProject"] = json!(true);
        let unnamed = db.try_create(&account, &request, "").await.expect("accepted");
        request["projectName"] = json!("Launch film");
        db.try_create(&account, &request, "").await.expect("accepted");
        let mut names: Vec<_> =
            projects(&db, &account).await.into_iter().map(|project| project.name).collect();
        names.sort();
        assert_eq!(names, ["Launch film", "Untitled project"]);
        let shown = db.view(&account, &unnamed.job).await.project.expect("a project");
        assert_eq!(shown.template, None);
    }
}

on_both_databases! {
    async fn a_template_render_can_do_without_a_project(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let id = db.seed(&[template("sprint")]).await;
        let request = json!({ "templateId": id.as_str(), "createProject": false });
        let accepted = db.try_create(&account, &request, "").await.expect("accepted");
        assert_eq!(accepted.project, None);
        assert!(projects(&db, &account).await.is_empty());
    }
}

on_both_databases! {
    async fn what_is_not_there_or_not_theirs_is_refused_and_free(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let other = db.account("bob@example.com", 5).await;
        let hidden = template("hidden").to_string();
        let hidden = db.admin().await.import_template(hidden.as_bytes(), false).await;
        let hidden = hidden.expect("imported");
        for id in ["tpl_nothing", hidden.as_str()] {
            let refused = db.try_create(&account, &json!({ "templateId": id }), "").await;
            assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
        }
        let unknown = db.try_create(&account, &json!({ "projectId": "prj_nothing" }), "").await;
        assert!(matches!(unknown, Err(Error::NotFound(_))), "{unknown:?}");

        let file = json!({ "name": "Theirs", "inputProps": composition() }).to_string();
        let theirs = db.admin().await.import_project("bob@example.com", file.as_bytes()).await;
        let theirs = json!({ "projectId": theirs.expect("imported").as_str() });
        let foreign = db.try_create(&account, &theirs, "").await;
        assert!(matches!(foreign, Err(Error::Forbidden(_))), "{foreign:?}");
        db.try_create(&other, &theirs, "").await.expect("their own");
        assert_eq!(db.balance(&account).await, 500);
    }
}

on_both_databases! {
    async fn media_that_nobody_supplied_are_refused_and_free(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let mut file = template("empty");
        file["inputProps"]["overlays"][1]["src"] = json!("");
        let id = db.seed(&[file]).await;
        let request = json!({ "templateId": id.as_str() });
        match db.try_create(&account, &request, "").await {
            Err(Error::Refused(refusal)) => {
                assert_eq!(refusal.details["reason"], "MISSING_MEDIA_SOURCE");
                assert_eq!(refusal.details["missing"][0]["name"], "picture");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(db.balance(&account).await, 500);
        let request =
            json!({ "templateId": id.as_str(), "picture": "https://example.com/a.png" });
        db.try_create(&account, &request, "").await.expect("accepted");
    }
}

on_both_databases! {
    async fn a_refused_charge_leaves_no_project(db: TestDb) {
        let account = db.account("ada@example.com", 3).await;
        let id = db.seed(&[template("sprint")]).await;
        let request = json!({ "templateId": id.as_str(), "durationInFrames": 1800 });
        let short = db.try_create(&account, &request, "").await;
        assert!(matches!(short, Err(Error::InsufficientCredits { .. })), "{short:?}");
        assert!(projects(&db, &account).await.is_empty());
        assert_eq!(db.store.audit().await, [""; 0]);
    }
}

on_both_databases! {
    async fn a_repeat_is_answered_though_its_template_is_gone(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let id = db.seed(&[template("sprint")]).await;
        let request = json!({ "templateId": id.as_str() });
        let first = db.try_create(&account, &request, "order-1").await.expect("accepted");
        db.seed(&[template("other")]).await;
        let again = db.try_create(&account, &request, "order-1").await.expect("the same answer");
        assert_eq!(first, again);
        assert!(again.project.is_some());
        let fresh = db.try_create(&account, &request, "order-2").await;
        assert!(matches!(fresh, Err(Error::NotFound(_))), "{fresh:?}");
        assert_eq!(projects(&db, &account).await.len(), 1);
    }
}

on_both_databases! {
    async fn lists_tell_projects_with_variables_from_those_without(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let other = db.account("bob@example.com", 50).await;
        let admin = db.admin().await;
        let moving = json!({ "name": "Moving", "description": "d", "inputProps": composition() });
        let still = json!({ "name": "Still", "inputProps": body(45)["inputProps"] });
        for file in [&moving, &still] {
            let imported =
                admin.import_project(" ADA@example.com", file.to_string().as_bytes()).await;
            imported.expect("imported");
        }
        let names = async |account: &AccountId, dynamic| {
            let listed = db.store.projects_of(account, dynamic).await.expect("a list");
            let mut names: Vec<_> = listed.into_iter().map(|project| project.name).collect();
            names.sort();
            names
        };
        assert_eq!(names(&account, None).await, ["Moving", "Still"]);
        assert_eq!(names(&account, Some(true)).await, ["Moving"]);
        assert_eq!(names(&account, Some(false)).await, ["Still"]);
        assert_eq!(names(&other, None).await, [""; 0]);

        let listed = projects(&db, &account).await;
        let still = listed.iter().find(|project| project.name == "Still").expect("listed");
        assert_eq!((still.width, still.height, still.fps, still.frames), (1920, 1080, 30, 45));
        assert_eq!((still.variables_json.as_str(), &still.description), ("[]", &None));
    }
}

on_both_databases! {
    async fn what_is_wrong_with_an_import_is_said_and_nothing_is_kept(db: TestDb) {
        db.account("ada@example.com", 1).await;
        let admin = db.admin().await;
        let mut bad = composition();
        bad["fps"] = json!(1000);
        bad["overlays"][2]["durationInFrames"] = json!("long");
        let file = json!({ "inputProps": bad }).to_string();
        let refused = admin.import_project("ada@example.com", file.as_bytes()).await;
        let message = refused.expect_err("refused").to_string();
        for part in ["name is required", "inputProps.overlays[2].durationInFrames"] {
            assert!(message.contains(part), "{part} is missing in {message}");
        }
        let file = json!({ "name": "Mine", "inputProps": composition() }).to_string();
        let nobody = admin.import_project("bob@example.com", file.as_bytes()).await;
        assert!(matches!(nobody, Err(Error::NotFound(_))), "{nobody:?}");
        let refused = admin.import_template(b"{", true).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
        assert!(db.store.public_templates().await.expect("a list").is_empty());
    }
}

on_both_databases! {
    async fn a_saved_project_still_reads_as_a_composition(db: TestDb) {
        let account = db.account("ada@example.com", 50).await;
        let mut request = body(30);
        request["createProject"] = json!(true);
        let accepted = db.submit(&db.store, &account, &request, "", START).await;
        let project: ProjectId = accepted.expect("accepted").project.expect("a project");
        let saved = db.store.project(&project).await.expect("read").expect("a project");
        let read = documents::composition(&saved.composition_json, PUBLIC_URL).expect("readable");
        assert_eq!(read.overlays.len(), 1);
        assert!(variables::listed(&read).is_empty());
        assert_eq!(projects(&db, &account).await[0].created_at, later(0));
    }
}
