//! Drives a real Chromium through a script in `web/tests`.

use std::process::Command;

use serde_json::Value;

/// Runs a script with these arguments; it prints one JSON object, which is returned.
pub(crate) fn run(script: &str, arguments: &[&str]) -> Value {
    let root = env!("CARGO_MANIFEST_DIR");
    let library = format!("{root}/target/tools/browser/node_modules/playwright-core/index.mjs");
    let output = Command::new("node")
        .arg(format!("{root}/web/tests/{script}"))
        .args(arguments)
        .env("PLAYWRIGHT", library)
        .output()
        .expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}: {said}\n{errors}");
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
}
