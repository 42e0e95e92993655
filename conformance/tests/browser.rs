//! Draws every case and compares it with what a browser made of the equivalent page.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use kinora_conformance::{Bars, Exceptions, draw, judge, judge_all, read_all, write_evidence};

#[tokio::test(flavor = "multi_thread")]
async fn frames_look_as_a_browser_shows_them() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let references = here.join("references");
    let cases = read_all(&here.join("cases")).expect("cases");
    let bars = Bars::read(&here.join("bars.json")).expect("bars");
    let exceptions = Exceptions::read(&here.join("exceptions.json")).expect("exceptions");
    assert!(cases.len() >= 120, "only {} cases", cases.len());

    let got = tempfile::tempdir().expect("a folder");
    let failures = draw(&cases, here, Some(here.join("../fonts")), got.path())
        .await
        .expect("an engine");
    let frames = judge(&cases, &references, got.path(), &bars);
    let findings = judge_all(&frames, &exceptions);

    let out = evidence_folder();
    // What an earlier run left would be taken for this one's.
    let _ = std::fs::remove_dir_all(&out);
    let mut message = String::new();
    for failure in &failures {
        let _ = write!(message, "\ncan't be drawn: {failure:#}");
    }
    for finding in &findings {
        let _ = write!(message, "\n{}: {}", finding.key, finding.what);
        if finding.has_pictures {
            let file = out.join(format!("{}.png", finding.key));
            let _ = match write_evidence(&finding.key, &references, got.path(), &out) {
                Ok(()) => write!(message, "\n    look at {}", file.display()),
                Err(error) => write!(message, "\n    no pictures: {error:#}"),
            };
        }
    }
    assert!(
        findings.is_empty(),
        "{} of {} frames are not as they have to be (expected, actual, difference):{message}",
        findings.len(),
        frames.len(),
    );
}

fn evidence_folder() -> PathBuf {
    // The folder that cargo gives tests is target/tmp.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    target
        .parent()
        .unwrap_or(target)
        .join("conformance/failures")
}
