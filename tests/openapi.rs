//! A property-based run over the published interface: whatever is sent, nothing answers 5xx.

use std::process::Command;

use crate::farm::TestFarm;

const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_schema_conformance,response_headers_conformance";

#[test]
fn nothing_that_the_document_allows_or_forbids_makes_the_service_fail() {
    // Without a node: what is accepted need not be rendered.
    let farm = TestFarm::apart()
        .nodes(0)
        .setting("KINORA_REQUESTS_PER_MINUTE", "1000000,1000000,1000000")
        .start();
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/target/tools/python/bin/schemathesis"
    );
    let output = Command::new(program)
        .current_dir(farm.folder())
        .args(["run", &format!("{}/api/v1/openapi.json", farm.api.url)])
        .args(["--url", &format!("{}/api/v1", farm.api.url)])
        .args([
            "--header",
            &format!("Authorization: Bearer {}", farm.api.key),
        ])
        .args(["--checks", CHECKS])
        .args(["--max-examples", "40", "--seed", "7"])
        .args(["--no-color"])
        .output()
        .expect("schemathesis runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
