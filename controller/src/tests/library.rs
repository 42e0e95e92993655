//! Templates, projects, lists and the account over real gRPC: what a gateway sees.

use std::time::Duration;

use kinora_proto::v1::{
    DescribeAccountRequest, ListProjectsRequest, ListRendersRequest, ListTemplatesRequest,
    ListTransactionsRequest, Problem, ProjectVariablesRequest, Template, TemplateVariablesRequest,
    Variable, accounts_client::AccountsClient, problem::Kind, projects_client::ProjectsClient,
    renders_client::RendersClient, templates_client::TemplatesClient,
};
use object_store::{ObjectStoreExt, path::Path};
use serde_json::json;
use tonic::{Status, transport::Channel};

use super::{
    api::Running,
    documents::{composition, template},
    harness::{PUBLIC_URL, TestDb, body, on_both_databases},
};

async fn connect(running: &Running) -> Channel {
    let address = running.url.clone();
    let endpoint = Channel::from_shared(address).expect("an address");
    endpoint.connect().await.expect("connected")
}

async fn listed_templates(channel: &Channel) -> Vec<Template> {
    let request = ListTemplatesRequest {
        public_url: PUBLIC_URL.into(),
    };
    let answer = TemplatesClient::new(channel.clone()).list(request).await;
    answer.expect("a list").into_inner().templates
}

async fn variables(channel: &Channel, template_id: &str) -> Result<Vec<Variable>, Status> {
    let request = TemplateVariablesRequest {
        template_id: template_id.into(),
        public_url: PUBLIC_URL.into(),
    };
    let answer = TemplatesClient::new(channel.clone())
        .variables(request)
        .await?;
    Ok(answer.into_inner().variables)
}

fn kind(status: &Status) -> Kind {
    Problem::from_status(status).kind()
}

on_both_databases! {
    async fn built_in_templates_appear_by_themselves(db: TestDb) {
        let running = Running::start(&db).await;
        let channel = connect(&running).await;
        let mut templates = Vec::new();
        while templates.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
            templates = listed_templates(&channel).await;
        }
        let thumbnail = templates[0].thumbnail_url.as_deref().expect("a thumbnail");
        assert!(thumbnail.starts_with(&format!("{PUBLIC_URL}/files/templates/")), "{thumbnail}");

        // A picture in it is an object that is there, or soon will be.
        let described = variables(&channel, &templates[0].id).await.expect("variables");
        let media = described.iter().find(|variable| variable.r#type == "url");
        let source = &media.expect("a picture or a sound").default;
        let key = source.strip_prefix(&format!("{PUBLIC_URL}/files/")).expect("our own");
        while running.objects.head(&Path::from(key)).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        running.stop().await;
    }
}

on_both_databases! {
    async fn a_template_tells_what_can_be_replaced_in_it(db: TestDb) {
        let admin = db.admin().await;
        let public = admin.import_template(template("own").to_string().as_bytes(), true).await;
        let public = public.expect("imported");
        let hidden = admin.import_template(template("own").to_string().as_bytes(), false).await;
        let hidden = hidden.expect("imported");
        let running = Running::start(&db).await;
        let channel = connect(&running).await;

        let listed = listed_templates(&channel).await;
        let listed = listed.iter().find(|template| template.id == public.as_str());
        let listed = listed.expect("listed");
        assert_eq!((listed.category.as_str(), listed.credits_per_minute), ("SPORTS", 4));
        let shown: Vec<_> = listed
            .variables
            .iter()
            .map(|variable| (variable.name.as_str(), variable.default_json.as_str()))
            .collect();
        let picture = format!("\"{PUBLIC_URL}/files/templates/sky.png\"");
        assert_eq!(shown, [("title", "\"Hello\""), ("picture", picture.as_str())]);
        assert!(listed.variables.iter().all(|variable| variable.r#type == "string"));

        let described = variables(&channel, public.as_str()).await.expect("variables");
        let (title, picture) = (&described[0], &described[1]);
        assert_eq!((title.r#type.as_str(), title.field.as_str()), ("text", "content"));
        assert_eq!((title.overlay_type.as_str(), title.default.as_str()), ("text", "Hello"));
        // 640 × 200 pixels hold 40 px letters of about half an em on four lines.
        let lines = title.lines_available.expect("fixed-size text");
        assert!((3..=5).contains(&lines), "{lines}");
        let most = title.max_characters.expect("fixed-size text");
        assert!((20 * lines..40 * lines).contains(&most), "{most} in {lines} lines");
        assert_eq!(title.overflow_behavior.as_deref(), Some("clipped"));
        assert_eq!((picture.r#type.as_str(), picture.field.as_str()), ("url", "src"));
        assert_eq!((picture.max_characters, &picture.overflow_behavior), (None, &None));

        for id in [hidden.as_str(), "tpl_nothing"] {
            let refused = variables(&channel, id).await.expect_err("not found");
            assert_eq!(kind(&refused), Kind::NotFound);
        }
        running.stop().await;
    }
}

on_both_databases! {
    async fn projects_are_shown_to_their_owner_only(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let other = db.account("bob@example.com", 5).await;
        let file = json!({ "name": "Mine", "inputProps": composition() }).to_string();
        let imported = db.admin().await.import_project("ada@example.com", file.as_bytes()).await;
        let project = imported.expect("imported");
        let running = Running::start(&db).await;
        let mut projects = ProjectsClient::new(connect(&running).await);

        for (account, dynamic, count) in [
            (&account, None, 1),
            (&account, Some(true), 1),
            (&account, Some(false), 0),
            (&other, None, 0),
        ] {
            let request = ListProjectsRequest { account_id: account.to_string(), dynamic };
            let listed = projects.list(request).await.expect("a list").into_inner().projects;
            assert_eq!(listed.len(), count, "{account} {dynamic:?}");
        }
        let ask = |account: &str, project: &str| ProjectVariablesRequest {
            account_id: account.into(),
            project_id: project.into(),
        };
        let own = projects.variables(ask(account.as_str(), project.as_str())).await;
        let own = own.expect("variables").into_inner().variables;
        assert_eq!((own.len(), own[0].name.as_str()), (2, "title"));
        for (account, project) in
            [(other.as_str(), project.as_str()), (account.as_str(), "prj_nothing")]
        {
            let refused = projects.variables(ask(account, project)).await;
            assert_eq!(kind(&refused.expect_err("not found")), Kind::NotFound);
        }
        running.stop().await;
    }
}

on_both_databases! {
    async fn an_account_sees_its_renders_usage_and_transactions(db: TestDb) {
        let account = db.account("ada@example.com", 5).await;
        let running = Running::start(&db).await;
        let channel = connect(&running).await;
        let mut request = body(30);
        request["createProject"] = json!(true);
        running.create(account.as_str(), &request).await.expect("accepted");
        running.create(account.as_str(), &body(30)).await.expect("accepted");

        let mut renders = RendersClient::new(channel.clone());
        let page = |cursor: &str, limit| ListRendersRequest {
            account_id: account.to_string(),
            cursor: cursor.into(),
            limit,
        };
        let first = renders.list(page("", 1)).await.expect("a list").into_inner();
        let cursor = first.next_cursor.expect("another page");
        let second = renders.list(page(&cursor, 1)).await.expect("a list").into_inner();
        assert_eq!(second.next_cursor, None);
        let jobs = [&first.renders[0], &second.renders[0]];
        let with_project = jobs.iter().find(|job| job.project.is_some()).expect("one of them");
        let project = with_project.project.as_ref().expect("a project");
        assert_eq!((project.name.as_str(), &project.template_id), ("Untitled project", &None));
        assert_eq!(with_project.project_id.as_ref(), Some(&project.id));
        for wrong in [page("nonsense", 1), page("", 101)] {
            let refused = renders.list(wrong).await.expect_err("refused");
            assert_eq!(kind(&refused), Kind::Invalid);
        }

        let mut accounts = AccountsClient::new(channel);
        let request = DescribeAccountRequest { account_id: account.to_string() };
        let told = accounts.describe(request).await.expect("described").into_inner();
        assert_eq!((told.email.as_str(), told.plan.as_str()), ("ada@example.com", "none"));
        assert_eq!((told.credits, told.requests_per_minute), (3, 60));
        assert_eq!((told.renders, told.renders_completed, told.credits_used), (2, 0, 2));
        assert!(told.month_started_at_ms <= told.created_at_ms);
        let request = ListTransactionsRequest {
            account_id: account.to_string(),
            cursor: String::new(),
            limit: 0,
        };
        let listed = accounts.list_transactions(request).await.expect("a list").into_inner();
        let only = &listed.transactions[0];
        assert_eq!((only.r#type.as_str(), only.status.as_str()), ("CREDIT_PURCHASE", "COMPLETED"));
        assert_eq!((only.credits, only.currency.as_str()), (5, "usd"));
        running.stop().await;
    }
}
