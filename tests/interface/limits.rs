//! What is refused: beyond the configured limits, and what is not there yet.

use reqwest::Method;
use serde_json::{Value, json};

use super::{check, import, issue_paths, sent};
use crate::farm::command::kinora;
use crate::farm::scene::{composition, overlay, plain};
use crate::farm::{Api, Process, TestFarm};

#[tokio::test(flavor = "multi_thread")]
async fn limits_and_the_price_of_a_minute_are_configured() {
    let farm = TestFarm::apart()
        .nodes(0)
        .setting("KINORA_MAX_SIDE", "640")
        .setting("KINORA_MAX_FPS", "30")
        .setting("KINORA_MAX_SECONDS", "10")
        .setting("KINORA_MAX_OVERLAYS", "2")
        .setting("KINORA_CREDITS_PER_MINUTE", "60")
        .start();
    let most = json!({"inputProps": plain(300), "width": 640, "height": 360, "fps": 30});
    let made = farm.api.start_with(most.clone()).await;
    assert_eq!(made["creditsUsed"], 5, "a sixth of a minute at half price");
    for (name, value) in [
        ("width", 642),
        ("height", 642),
        ("fps", 31),
        ("durationInFrames", 301),
    ] {
        let mut over = most.clone();
        over[name] = value.into();
        let (status, refused) = farm.api.call(Method::POST, "/renders", over).await;
        assert!(
            status == 422 && issue_paths(&refused).contains(&name),
            "{refused}"
        );
    }
    let text = || overlay(30, [0, 0, 9, 9], json!({"type": "text", "content": ""}));
    let crowd = json!({"inputProps": composition(30, &[text(), text(), text()])});
    let (status, refused) = farm.api.call(Method::POST, "/renders", crowd).await;
    assert_eq!((status, issue_paths(&refused)), (422, vec!["overlays"]));
    let nothing = json!({"inputProps": composition(30, &[])});
    farm.api.start_with(nothing).await;
    let empty = json!({"inputProps": composition(30, &[text()])});
    farm.api.start_with(empty).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_yet_is_refused_in_words() {
    let farm = TestFarm::apart().nodes(0).start();
    let api = &farm.api;
    let before = api.credits().await;
    let shape = |animation: Value| json!({"type": "shape", "content": "circle", "styles": {"animation": animation}});
    for (fields, paths, word) in [
        (
            shape(json!({"enter": "unroll"})),
            vec!["overlays[0].styles.animation.enter"],
            "fade",
        ),
        (
            shape(json!({"exit": "tremble"})),
            vec!["overlays[0].styles.animation.exit"],
            "fade",
        ),
        (
            json!({"type": "sticker", "content": "star"}),
            vec!["overlays[0].content"],
            "shape-star",
        ),
        (
            json!({"type": "effect", "content": "snow"}),
            vec!["overlays[0].type"],
            "effect",
        ),
        (
            json!({"type": "effect", "content": "hail"}),
            vec!["overlays[0].content", "overlays[0].type"],
            "scrolling-columns",
        ),
    ] {
        let body = json!({"inputProps": composition(30, &[overlay(30, [0, 0, 9, 9], fields)])});
        for path in ["/renders", "/previews"] {
            let (status, refused) = api.call(Method::POST, path, body.clone()).await;
            assert_eq!(
                (status, issue_paths(&refused)),
                (422, paths.clone()),
                "{path}"
            );
            assert!(refused.to_string().contains(word), "{refused}");
        }
    }

    let voice = json!({"type": "sound", "src": "", "name": "voice", "isDynamic": true});
    let words = json!({"type": "caption", "captions": [], "name": "words", "isDynamic": true});
    let overlays = [voice, words].map(|fields| overlay(30, [0, 0, 9, 9], fields));
    let file = json!({"name": "Narrated", "inputProps": composition(30, &overlays)});
    let project = import(&farm, "project", &file);
    let mut body = json!({"projectId": project, "replacements": {
        "voice": {"tts": {"text": "Good morning."}}, "words": {"transcribe": {"source": "voice"}},
    }});
    let (status, refused) = api.call(Method::POST, "/renders", body.clone()).await;
    let paths = vec!["replacements.voice", "replacements.words"];
    assert_eq!((status, issue_paths(&refused)), (422, paths.clone()));
    let preview = api.data(Method::POST, "/previews", body.clone()).await;
    assert_eq!(preview["aiSkipped"]["keys"], json!(["voice", "words"]));
    assert_eq!(
        preview["aiSkipped"]["estimatedCredits"], 0.5,
        "captions of narration are free"
    );
    assert_eq!(preview["resolved"]["voice"]["source"], "skipped");
    assert_eq!(preview["quote"]["credits"], 1, "without AI charges");
    body["confirmAiCost"] = true.into();
    let (status, refused) = api.call(Method::POST, "/previews", body).await;
    assert_eq!((status, issue_paths(&refused)), (422, paths));
    assert_eq!(api.credits().await, before);

    for path in ["/voiceovers", "/captions"] {
        check(sent(api.request(Method::POST, path)).await, 404).await;
    }
    for path in [
        "/api/v2/renders",
        "/api/mcp",
        "/.well-known/oauth-protected-resource",
    ] {
        let answer = sent(api.anonymous(Method::GET, &format!("{}{path}", api.url))).await;
        assert_eq!(answer.status(), 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn roles_keep_to_public_addresses_unless_told_otherwise() {
    let farm = TestFarm::apart().nodes(0).start();
    let hook = json!({"url": "http://127.0.0.1:9/hook"});
    farm.api.data(Method::POST, "/webhooks", hook.clone()).await;

    let start = |role: &str, arguments: &[&str]| {
        let mut command = kinora();
        command.arg(role).arg("--data").arg(farm.folder());
        Process::start(
            role,
            command.args(["--listen", "127.0.0.1:0"]).args(arguments),
        )
    };
    let database = ["--database-url", farm.database_url()];
    let mut controller = start(
        "controller",
        &[&database[..], &["--status-listen", "127.0.0.1:0"]].concat(),
    );
    let address = controller.wait_for("Kinora's controller is at ");
    let mut gateway = start("gateway", &["--controller", &address]);
    let api = Api::new(&gateway.wait_for("Kinora's gateway is at "), &farm.api.key);
    let (status, refused) = api.call(Method::POST, "/webhooks", hook).await;
    assert_eq!((status, issue_paths(&refused)), (400, vec!["url"]));
}
