//! Previews: what they answer, what they draw, and that they end without a trace.

use std::net::SocketAddr;

use axum::{Router, http::StatusCode, routing};
use futures::{TryStreamExt, future::join_all};
use kinora_composition::request::RefusalKind;
use object_store::{ObjectStore, ObjectStoreExt, path::Path};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Row};

use super::harness::{PUBLIC_URL, START, TestDb, body, later, on_both_databases};
use crate::{
    Error, Result,
    app::App,
    clock::Timestamp,
    ids::AccountId,
    previews::{self, Created, Wanted},
    scheduler,
    state::{JobState, Lane},
};

const DAY: u64 = 24 * 3600;

async fn try_create(app: &App, account: &AccountId, body: &Value) -> Result<Created> {
    let body = body.to_string();
    previews::create(app, account, body.as_bytes(), PUBLIC_URL, START).await
}

async fn create(app: &App, account: &AccountId, body: &Value) -> Created {
    try_create(app, account, body).await.expect("resolved")
}

/// An image for each URL.
fn pictures(urls: &[String]) -> Value {
    let mut body = body(30);
    let overlays: Vec<Value> = urls
        .iter()
        .enumerate()
        .map(|(index, url)| {
            let mut overlay = body["inputProps"]["overlays"][0].clone();
            overlay["id"] = index.into();
            overlay["type"] = "image".into();
            overlay["src"] = url.as_str().into();
            overlay
        })
        .collect();
    body["inputProps"]["overlays"] = overlays.into();
    body
}

impl TestDb {
    /// How many rows a table has, by way of SQL alone.
    async fn rows(&self, table: &str) -> i64 {
        let mut connection = sqlx::AnyConnection::connect(&self.url)
            .await
            .expect("connected");
        let sql = AssertSqlSafe(format!("SELECT COUNT(*) AS found FROM {table}"));
        let row = sqlx::query(sql).fetch_one(&mut connection).await;
        let found = row.expect("a row").try_get("found").expect("a number");
        connection.close().await.expect("closed");
        found
    }

    async fn stored_below(&self, folder: &str) -> usize {
        let found = self.objects.list(Some(&Path::from(folder)));
        found.try_collect::<Vec<_>>().await.expect("listed").len()
    }
}

on_both_databases! {
    async fn a_preview_is_quoted_resolved_and_kept_for_a_day(db: TestDb) {
        let (account, app) = (db.account("ada@example.com", 2).await, db.app());
        let mut request = body(30 * 90);
        request["width"] = 3840.into();
        request["height"] = 2160.into();
        let overlay = &mut request["inputProps"]["overlays"][0];
        overlay["isDynamic"] = true.into();
        overlay["name"] = "title".into();
        let mut second = overlay.clone();
        second["id"] = 2.into();
        second["content"] = "another".into();
        request["inputProps"]["overlays"].as_array_mut().expect("overlays").push(second);
        request["titel"] = "a slip".into();
        let created = create(&app, &account, &request).await;
        assert_eq!(created.expires_at, later(DAY));
        assert_eq!(created.quote, json!({
            "credits": 6, "creditsAvailable": 2, "sufficient": false, "creditsPerMinute": 1,
            "resolutionFactor": 4.0, "durationSeconds": 90.0,
            "width": 3840, "height": 2160, "fps": 30,
        }));
        assert_eq!(created.resolved, json!({ "title": {
            "value": "hello", "overlayId": 1, "overlayType": "text", "field": "content",
            "source": "default",
        } }), "the first of two overlays with one name");
        let codes: Vec<&str> = created.warnings.as_array().expect("warnings").iter()
            .filter_map(|warning| warning["code"].as_str()).collect();
        assert!(codes.contains(&"UNKNOWN_REPLACEMENT"), "{codes:?}");
        assert_eq!(created.ai_skipped, None);
        assert_eq!(db.rows("jobs").await, 0, "nothing is drawn until somebody looks");
        assert_eq!(db.balance(&account).await, 200);
    }
}

on_both_databases! {
    async fn what_no_render_would_accept_is_refused_alike(db: TestDb) {
        let (account, app) = (db.account("ada@example.com", 1).await, db.app());
        let mut odd = body(30);
        odd["width"] = 33.into();
        for refused in [json!({}), odd, json!({ "inputProps": { "overlays": [] } })] {
            let preview = try_create(&app, &account, &refused).await.expect_err("refused");
            let render = db.try_create(&account, &refused, "").await.expect_err("refused");
            let (Error::Refused(preview), Error::Refused(render)) = (&preview, &render) else {
                panic!("{preview} {render}");
            };
            assert_eq!(preview, render);
        }
        let unknown = json!({ "templateId": "tpl_unknown" });
        let unknown = try_create(&app, &account, &unknown).await.expect_err("unknown");
        assert!(matches!(unknown, Error::NotFound(_)), "{unknown}");
    }
}

async fn media_server() -> String {
    let router = Router::new()
        .route("/a.png", routing::get(async || "a picture"))
        .route(
            "/get-only.png",
            routing::get(async || "a picture").head(async || StatusCode::METHOD_NOT_ALLOWED),
        )
        .route(
            "/broken.png",
            routing::get(async || StatusCode::INTERNAL_SERVER_ERROR),
        );
    let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await;
    let listener = listener.expect("bound");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// Which of the sources are said to be unreachable, with the message.
fn unreachable(created: &Created) -> Vec<String> {
    let warnings = created.warnings.as_array().expect("warnings");
    let unreachable = warnings
        .iter()
        .filter(|warning| warning["code"] == "MEDIA_UNREACHABLE");
    unreachable
        .map(|warning| {
            assert_eq!(warning["severity"], "error");
            warning.to_string()
        })
        .collect()
}

on_both_databases! {
    async fn media_that_do_not_answer_are_told(db: TestDb) {
        let account = db.account("ada@example.com", 1).await;
        let server = media_server().await;
        let app = db.app_with(|config| config.allow_private_urls = true);
        let upload = format!("{PUBLIC_URL}/files/uploads/upl_1/a.png");
        let absent = format!("{PUBLIC_URL}/files/uploads/upl_2/a.png");
        db.objects.put(&Path::from("uploads/upl_1/a.png"), "a picture".into()).await.expect("stored");
        let sources = [
            format!("{server}/a.png"),
            format!("{server}/get-only.png"),
            format!("{server}/broken.png"),
            format!("{server}/missing.png"),
            format!("{server}/missing.png"),
            "http://127.0.0.1:1/closed.png".to_owned(),
            upload,
            absent.clone(),
        ];
        let created = create(&app, &account, &pictures(&sources)).await;
        let told = unreachable(&created);
        for (source, why) in [
            (&sources[2], "500"),
            (&sources[3], "404"),
            (&sources[5], "could not be connected to"),
            (&absent, "was not uploaded"),
        ] {
            let found = told.iter().filter(|text| text.contains(source.as_str()));
            let found: Vec<_> = found.collect();
            assert!(!found.is_empty() && found.iter().all(|text| text.contains(why)), "{told:#?}");
        }
        for fine in [&sources[0], &sources[1], &sources[6]] {
            assert!(!told.iter().any(|text| text.contains(fine.as_str())), "{fine}: {told:#?}");
        }
    }
}

on_both_databases! {
    async fn private_addresses_are_unreachable_where_they_are_not_allowed(db: TestDb) {
        let (account, app) = (db.account("ada@example.com", 1).await, db.app());
        let server = media_server().await;
        let created = create(&app, &account, &pictures(&[format!("{server}/a.png")])).await;
        let told = unreachable(&created);
        assert!(told.len() == 1 && told[0].contains("not on the public internet"), "{told:?}");
    }
}

on_both_databases! {
    async fn stills_are_drawn_once_for_everybody_who_looks(db: TestDb) {
        let account = db.account("ada@example.com", 1).await;
        let preview = db.preview(&account, 60, START).await;
        let looks = (0..16).map(|index| {
            let frame = Wanted::Frame(if index % 2 == 0 { 59 } else { 1000 });
            db.look(&preview, frame, START)
        });
        for view in join_all(looks).await {
            assert_eq!((view.state, view.progress), (JobState::Pending, 0));
            assert_eq!((view.stills.len(), view.video_key), (0, None));
        }
        assert_eq!(db.rows("jobs").await, 1, "past the end is the last frame");
        assert_eq!(db.rows("tasks").await, 1);

        db.look(&preview, Wanted::Grid, later(1)).await;
        let node = db.node_with_previews("n1", 1, 2, START).await;
        let frame = db.claim_in(Lane::Preview, &node, later(2)).await.expect("a frame");
        let grid = db.claim_in(Lane::Preview, &node, later(2)).await.expect("a grid");
        assert_eq!(frame.work, scheduler::Work::Stills(vec![59]));
        assert_eq!((frame.reduce, grid.reduce), (1, 4));
        assert_eq!(db.look(&preview, Wanted::Grid, later(2)).await.state, JobState::Processing);
        assert!(db.renew(&grid.lease, 6, later(3)).await);
        assert_eq!(db.look(&preview, Wanted::Grid, later(3)).await.progress, 50);
        db.finish(&grid, later(4)).await;
        let view = db.look(&preview, Wanted::Grid, later(4)).await;
        assert_eq!((view.state, view.progress, view.stills.len()), (JobState::Completed, 100, 12));
        let last = (59, format!("{}/59.png", grid.output_key));
        assert_eq!(view.stills.last(), Some(&last));
        assert!(last.1.starts_with("previews/"), "{}", last.1);
    }
}

on_both_databases! {
    async fn one_preview_draws_a_bounded_number_of_single_frames(db: TestDb) {
        let account = db.account("ada@example.com", 1).await;
        let preview = db.preview(&account, 300, START).await;
        for frame in 0..50 {
            db.look(&preview, Wanted::Frame(frame), START).await;
        }
        let refused = previews::show(&db.app(), &preview, Wanted::Frame(50), START).await;
        assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
        db.look(&preview, Wanted::Frame(7), START).await;
        db.look(&preview, Wanted::Grid, START).await;
        db.look(&preview, Wanted::Video, START).await;
    }
}

on_both_databases! {
    async fn previews_are_free_and_nobody_is_called(db: TestDb) {
        let (account, app) = (db.account("ada@example.com", 1).await, db.app());
        let mut request = body(30);
        request["webhookUrl"] = "https://example.com/hook".into();
        let ledger = db.rows("ledger").await;
        let (drawn, failed) =
            (create(&app, &account, &request).await.id, create(&app, &account, &request).await.id);
        let node = db.node_with_previews("n1", 1, 1, START).await;
        db.look(&drawn, Wanted::Grid, START).await;
        let claim = db.claim_in(Lane::Preview, &node, START).await.expect("a preview");
        db.finish(&claim, later(1)).await;
        db.look(&failed, Wanted::Grid, START).await;
        let claim = db.claim_in(Lane::Preview, &node, later(1)).await.expect("a preview");
        let why = "overlay 1: the image can't be decoded";
        scheduler::reject(&db.store, &claim.lease, why, later(2)).await.expect("rejected");
        let view = db.look(&failed, Wanted::Grid, later(3)).await;
        assert_eq!((view.state, view.error_message.as_deref()), (JobState::Failed, Some(why)));

        assert_eq!(db.rows("ledger").await, ledger);
        assert_eq!(db.rows("webhook_deliveries").await, 0);
        assert_eq!(db.rows("projects").await, 0);
    }
}

on_both_databases! {
    async fn an_expired_preview_goes_objects_first_then_rows(db: TestDb) {
        let account = db.account("ada@example.com", 2).await;
        let preview = db.preview(&account, 60, START).await;
        let render = db.job(&account, 1).await;
        let node = db.node_with_previews("n1", 1, 3, START).await;
        for (second, wanted) in (0..).zip([Wanted::Grid, Wanted::Video, Wanted::Frame(3)]) {
            db.look(&preview, wanted, later(second)).await;
        }
        let grid = db.claim_in(Lane::Preview, &node, later(2)).await.expect("a grid");
        let still = Path::from(format!("{}/0.png", grid.output_key));
        db.objects.put(&still, "a picture".into()).await.expect("stored");
        db.finish(&grid, later(2)).await;
        let cleaned = scheduler::clean_once(&db.store, db.objects.as_ref(), later(2)).await;
        assert_eq!(cleaned.expect("cleaned"), 1);
        assert!(db.objects.head(&still).await.is_ok(), "what is shown stays");
        // A lease that is held, and tasks that nobody took.
        let held = db.claim_in(Lane::Preview, &node, later(DAY - 5)).await.expect("a task");
        let chunk = Path::from(held.output_key.clone());
        db.objects.put(&chunk, "a chunk".into()).await.expect("stored");

        let expire = async |at: Timestamp| {
            previews::expire_once(&db.store, db.objects.as_ref(), at).await.expect("a step")
        };
        assert_eq!(expire(later(DAY - 1)).await, 0);
        assert!(db.objects.head(&still).await.is_ok());
        db.look(&preview, Wanted::Grid, later(DAY - 1)).await;
        let gone = previews::show(&db.app(), &preview, Wanted::Grid, later(DAY)).await;
        assert!(matches!(gone, Err(Error::NotFound(_))), "{gone:?}");

        assert_eq!(expire(later(DAY)).await, 0);
        assert_eq!((db.stored_below("previews").await, db.stored_below("jobs").await), (0, 0));
        assert_eq!(db.claim_in(Lane::Preview, &node, later(DAY)).await, None, "nothing is drawn any more");
        assert!(!db.renew(&held.lease, 1, later(DAY)).await, "the node is told to stop");
        // A straggler writes all the same.
        db.objects.put(&chunk, "a chunk".into()).await.expect("stored");
        assert_eq!(expire(later(DAY + 599)).await, 0);
        assert_eq!(expire(later(DAY + 600)).await, 1);
        assert_eq!((db.stored_below("previews").await, db.stored_below("jobs").await), (0, 0));
        assert_eq!((db.rows("previews").await, db.rows("jobs").await), (0, 1), "the render stays");
        assert!(db.claim(&node, later(DAY)).await.is_some_and(|claim| claim.job == render));
        assert_eq!(expire(later(9 * DAY)).await, 0);
    }
}

on_both_databases! {
    async fn ai_values_are_skipped_unless_their_cost_is_confirmed(db: TestDb) {
        let (account, app) = (db.account("ada@example.com", 1).await, db.app());
        let mut file = body(30);
        file["name"] = "Narrated".into();
        let overlays = file["inputProps"]["overlays"].as_array_mut().expect("overlays");
        let mut sound = overlays[0].clone();
        sound["id"] = 2.into();
        sound["type"] = "sound".into();
        sound["src"] = "".into();
        sound["isDynamic"] = true.into();
        sound["name"] = "voice".into();
        overlays.push(sound);
        let admin = db.admin().await;
        let file = file.to_string();
        let project = admin.import_project("ada@example.com", file.as_bytes()).await;
        let mut request = json!({
            "projectId": project.expect("imported").as_str(),
            "replacements": { "voice": { "tts": { "text": "Good morning." } } },
        });
        let created = create(&app, &account, &request).await;
        let skipped = created.ai_skipped.expect("told");
        assert_eq!((&skipped["keys"], &skipped["estimatedCredits"]), (&json!(["voice"]), &json!(0.5)));
        assert_eq!(created.resolved["voice"]["source"], "skipped");
        let view = db.look(&created.id, Wanted::Video, START).await;
        assert_eq!(view.preview.name, "Narrated");

        request["confirmAiCost"] = true.into();
        let refused = try_create(&app, &account, &request).await.expect_err("refused");
        let Error::Refused(refusal) = refused else { panic!("{refused}") };
        assert_eq!(refusal.kind, RefusalKind::Unrenderable);
        assert_eq!(refusal.details["issues"][0]["path"], "replacements.voice");
    }
}

on_both_databases! {
    async fn stills_of_a_lost_attempt_are_deleted_and_no_others(db: TestDb) {
        let account = db.account("ada@example.com", 1).await;
        let preview = db.preview(&account, 30, START).await;
        db.look(&preview, Wanted::Grid, START).await;
        let node = db.node_with_previews("n1", 1, 1, START).await;
        let lost = db.claim_in(Lane::Preview, &node, START).await.expect("a grid");
        scheduler::reap_once(&db.store, later(11)).await.expect("reaped");
        let held = db.claim_in(Lane::Preview, &node, later(11)).await.expect("again");
        let still = |claim: &scheduler::Claim| Path::from(format!("{}/0.png", claim.output_key));
        for claim in [&lost, &held] {
            db.objects.put(&still(claim), "a picture".into()).await.expect("stored");
        }
        let scheduler::Outcome::Stale(stale) = db.finish(&lost, later(12)).await else {
            panic!("the lease was lost");
        };
        for key in [&held.output_key, &lost.output_key] {
            scheduler::delete_stale_object(db.objects.as_ref(), &lost.lease, &stale, key).await;
        }
        assert!(db.objects.head(&still(&lost)).await.is_err());
        assert!(db.objects.head(&still(&held)).await.is_ok());
    }
}
