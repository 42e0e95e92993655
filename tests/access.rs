//! Who may speak gRPC: tokens, certificates, and what refuses to start without.

use std::time::Duration;

use crate::farm::certificates::Certificates;
use crate::farm::command::{kinora, said};
use crate::farm::scene::plain;
use crate::farm::{Process, TestFarm};

const TOKEN: &str = "a-token-of-this-farm-0123456789";
const NEXT: &str = "the-next-token-of-the-farm-98765";
/// Longer than the roles keep what they have read from a file.
const READ_AGAIN: Duration = Duration::from_millis(1200);
const REFUSED: &str = "the farm token is missing or not one of the controller's";

/// A role beside the farm, with its own variables.
fn stranger(farm: &mut TestFarm, role: &str, variables: &[(&str, String)]) -> Process {
    let controller = farm.controller.as_mut().expect("the roles are apart");
    let url = controller.wait_for("Kinora's controller is at ");
    let mut command = kinora();
    command.envs(variables.iter().cloned());
    command.args([role, "--controller", &url]);
    command.arg("--data").arg(farm.folder().join("stranger"));
    if role == "gateway" {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    Process::start(role, &mut command)
}

async fn renders(farm: &TestFarm) {
    let job = farm.api.start(&plain(5)).await;
    farm.api.follow(&job).await.completed();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_lets_roles_in_can_be_replaced_and_keeps_others_out() {
    let folder = tempfile::tempdir().expect("temp folder");
    let file = folder.path().join("token");
    std::fs::write(&file, TOKEN).expect("written");
    let file_name = file.display().to_string();
    let farm = TestFarm::apart().setting("KINORA_FARM_TOKEN_FILE", &file_name);
    let mut farm = farm.start();
    renders(&farm).await;

    let wrong = [("KINORA_FARM_TOKEN", format!("{TOKEN}x"))];
    let mut node = stranger(&mut farm, "node", &wrong);
    let said = node.wait_for(REFUSED);
    assert!(said.contains("KINORA_FARM_TOKEN_FILE"), "{said}");
    assert!(!node.log().contains(TOKEN), "tokens are not logged");

    let mut gateway = stranger(&mut farm, "gateway", &[]);
    let url = gateway.wait_for("Kinora's gateway is at ");
    let answer = reqwest::Client::new()
        .post(format!("{url}/api/v1/renders"))
        .bearer_auth(&farm.api.key)
        .body("{}")
        .send()
        .await
        .expect("answer");
    assert_eq!(answer.status(), 503);
    let body = answer.text().await.expect("text");
    assert!(!body.contains("token"), "not the caller's business: {body}");
    gateway.wait_for(REFUSED);
    let controller = farm.controller.as_mut().expect("controller");
    controller.wait_for("a call without a token of this farm was refused");

    // The new one beside the old one, then alone; nothing is restarted.
    for tokens in [
        format!("{TOKEN}\n{NEXT}\n"),
        format!("{NEXT},{TOKEN}"),
        NEXT.to_owned(),
    ] {
        std::fs::write(&file, tokens).expect("written");
        std::thread::sleep(READ_AGAIN);
        renders(&farm).await;
    }
    let old = [("KINORA_FARM_TOKEN", TOKEN.to_owned())];
    stranger(&mut farm, "node", &old).wait_for(REFUSED);
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_of_one_authority_let_roles_in_and_those_of_another_do_not() {
    let folder = tempfile::tempdir().expect("temp folder");
    let ours = Certificates::make(&folder.path().join("ours"));
    let theirs = Certificates::make(&folder.path().join("theirs"));
    let mut apart = TestFarm::apart().setting("KINORA_FARM_TOKEN", TOKEN);
    for (name, value) in ours.environment() {
        apart = apart.setting(name, &value);
    }
    let mut farm = apart.start();
    renders(&farm).await;

    // It trusts the controller, and the controller does not trust it.
    let mut mixed = theirs.environment();
    mixed[2] = ours.environment()[2].clone();
    let mut variables = mixed.to_vec();
    variables.push(("KINORA_FARM_TOKEN", TOKEN.to_owned()));
    let mut node = stranger(&mut farm, "node", &variables);
    let reason = node.wait_for("no controller; trying again");
    assert!(
        reason.contains("KINORA_TLS_CA"),
        "what to look at: {reason}"
    );
    std::thread::sleep(Duration::from_secs(2));
    assert!(!node.log().contains("connected"), "{}", node.log());

    // It does not trust the controller.
    let mut node = stranger(&mut farm, "node", &theirs.environment());
    let reason = node.wait_for("no controller; trying again");
    assert!(reason.contains("certificate"), "{reason}");

    let controller = farm.controller.as_mut().expect("controller");
    let url = controller.wait_for("Kinora's controller is at ");
    assert!(url.starts_with("https://"), "{url}");
    let plain_url = url.replace("https:", "http:");
    let mut node = kinora();
    node.envs(ours.environment());
    said(node.args(["node", "--controller", &plain_url])).failed_with(&["https://"]);
    said(kinora().args(["node", "--controller", &url])).failed_with(&["KINORA_TLS_CERT"]);
}

#[test]
fn roles_that_leave_loopback_need_a_token_or_certificates() {
    let folder = tempfile::tempdir().expect("temp folder");
    let role = |arguments: &[&str]| {
        let mut command = kinora();
        command.args(arguments).arg("--data").arg(folder.path());
        command
    };
    let what_to_do = [
        "KINORA_FARM_TOKEN_FILE",
        "openssl rand -hex 32",
        "KINORA_TLS_CERT",
    ];
    let controller = [
        "controller",
        "--listen",
        "0.0.0.0:0",
        "--status-listen",
        "127.0.0.1:0",
    ];
    said(&mut role(&controller)).failed_with(&what_to_do);
    for client in ["gateway", "node"] {
        let client = [client, "--controller", "http://192.0.2.1:7070"];
        said(&mut role(&client)).failed_with(&what_to_do);
    }
    let mut short = role(&controller);
    short.env("KINORA_FARM_TOKEN", "hunter2");
    said(&mut short).failed_with(&["shorter", "openssl rand -hex 32"]);
    let mut incomplete = role(&controller);
    incomplete.env("KINORA_TLS_CERT", "/nowhere/tls.crt");
    said(&mut incomplete).failed_with(&["all three"]);

    let mut guarded = role(&controller);
    guarded.env("KINORA_FARM_TOKEN", TOKEN);
    let mut guarded = Process::start("controller", &mut guarded);
    guarded.wait_for("Kinora's controller is at http://127.0.0.1:");
}
