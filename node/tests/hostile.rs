//! Every file of a hostile corpus is shown as far as it goes or refused in words, soon and in
//! bounded memory; and what comes after it is drawn as if nothing had been.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::time::Duration;

use common::corpus::{self, Fate, Suspect};
use common::studio::{Kept, Studio, composition, overlay};
use common::web::{Web, answer};
use kinora_node::audio::{AudioClip, Mixer};
use kinora_node::{Error, RenderOptions, Result};
use serde_json::json;

/// No file may take more processor time.
const LONGEST: Duration = Duration::from_secs(10);
/// Nor more time in all, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// Nor more memory than this, the engine's own included.
const MOST_BYTES: u64 = 1536 << 20;

/// Draws a few frames of a composition that shows the file, from its beginning and further in.
async fn show(studio: &Studio, kind: &str, src: &str) -> Result<()> {
    let extra = json!({ "src": src, "name": "suspect" });
    let overlays = json!([overlay(kind, [0, 0, 128, 72], &extra)]);
    for range in [0..3, 40..42] {
        let sink = Box::new(Kept(std::sync::Arc::default()));
        let options = RenderOptions::default();
        studio
            .engine
            .profile(&composition(&overlays), range, &options, sink)
            .await?;
    }
    Ok(())
}

/// Mixes the sound of the file, as an overlay of a few seconds.
fn hear(path: &std::path::Path, optional: bool) -> Result<()> {
    let clip = AudioClip {
        path: path.to_owned(),
        label: "sound \"suspect\": x".to_owned(),
        starts_at: 0.0,
        length: 3.0,
        in_point: 0.0,
        speed: 1.0,
        volume: 1.0,
        fade_in: 0.0,
        fade_out: 0.0,
        optional,
    };
    let mut mixer = Mixer::open(vec![clip], 3 * 48_000)?;
    let mut samples = vec![0.0; 48_000];
    while mixer.fill(&mut samples)? > 0 {
        assert!(samples.iter().all(|sample| sample.is_finite()));
    }
    Ok(())
}

async fn tried(studio: &Studio, suspect: &Suspect) -> Result<()> {
    let path = studio.folder.path().join(&suspect.name);
    std::fs::write(&path, &suspect.bytes).unwrap();
    if suspect.overlay != "sound" {
        show(studio, suspect.overlay, &suspect.name).await?;
    }
    let optional = suspect.overlay == "video";
    match suspect.overlay {
        "image" => Ok(()),
        _ => tokio::task::spawn_blocking(move || hear(&path, optional))
            .await
            .unwrap(),
    }
}

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    let number = line.split_whitespace().nth(1).unwrap();
    number.parse::<u64>().unwrap() << 10
}

/// Processor time of this process.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The second column may hold spaces; those after it do not. Time is in hundredths of a second.
    let (_, rest) = stat.rsplit_once(')').unwrap();
    let ticks = rest.split_whitespace().skip(11).take(2);
    Duration::from_millis(ticks.map(|ticks| ticks.parse::<u64>().unwrap() * 10).sum())
}

/// Tests that measure this process run one at a time.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Tries all of them, one after another, and names every one that misbehaves.
async fn try_all(suspects: &[Suspect]) {
    let _alone = ALONE.lock().await;
    let studio = Studio::open().await;
    show(&studio, "image", "none.png").await.unwrap_err();
    let mut wrongs = Vec::new();
    for suspect in suspects {
        // Counts the peak of memory anew.
        std::fs::write("/proc/self/clear_refs", "5").unwrap();
        let before = processor_time();
        let outcome = tokio::time::timeout(PATIENCE, tried(&studio, suspect)).await;
        let (took, peak) = (processor_time() - before, status("VmHWM:"));
        let Ok(outcome) = outcome else {
            panic!("{} never ends", suspect.name);
        };
        let is_as_expected = match (&outcome, suspect.fate) {
            (Ok(()), Fate::Shown | Fate::Either) => true,
            (Err(Error::BadInput(message)), Fate::Refused | Fate::Either) => {
                message.starts_with(&format!("{} \"suspect\": ", suspect.overlay))
                    || message.starts_with("sound \"suspect\": ")
            }
            _ => false,
        };
        if !is_as_expected || took > LONGEST || peak > MOST_BYTES {
            wrongs.push(format!(
                "{} ({:?}): {outcome:?} in {took:?}, {} MiB",
                suspect.name,
                suspect.fate,
                peak >> 20
            ));
        }
    }
    assert!(wrongs.is_empty(), "{wrongs:#?}");
    studio.quarters("good.png");
    show(&studio, "image", "good.png").await.unwrap();
}

#[tokio::test]
async fn damaged_files_play_as_far_as_they_go_or_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let good = corpus::good(folder.path());
    let damaged = good.iter().flat_map(corpus::damaged);
    let all: Vec<Suspect> = damaged.chain(corpus::impostors()).collect();
    assert!(all.len() > 200);
    try_all(&good).await;
    try_all(&all).await;
}

#[tokio::test]
async fn files_that_claim_too_much_are_refused_before_they_take_it() {
    let folder = tempfile::tempdir().unwrap();
    let good = corpus::good(folder.path());
    let bytes = |name: &str| &good.iter().find(|file| file.name == name).unwrap().bytes;
    let mut all = corpus::pictures::all(bytes("a.jpg"));
    all.extend(corpus::streams::all(bytes("a.mp4"), bytes("a.png")));
    all.extend(corpus::vectors::all());
    try_all(&all).await;
}

#[tokio::test]
async fn a_sound_that_begins_or_goes_on_after_ages_is_silence_until_then() {
    let _alone = ALONE.lock().await;
    let folder = tempfile::tempdir().unwrap();
    for (name, jump) in [("gap.mkv", "N,20"), ("late.mkv", "N,0")] {
        let path = folder.path().join(name);
        // A hundred days.
        let filter = format!("asetpts='PTS+if(gte({jump}),8640000/TB,0)'");
        let arguments = [
            "-f",
            "lavfi",
            "-i",
            "sine=d=2",
            "-af",
            &filter,
            "-c:a",
            "pcm_s16le",
        ];
        common::ffmpeg(&[&arguments[..], &[path.to_str().unwrap()]].concat());
        std::fs::write("/proc/self/clear_refs", "5").unwrap();
        hear(&path, false).unwrap();
        assert!(status("VmHWM:") < MOST_BYTES, "{name}");
    }
}

#[tokio::test]
async fn names_that_are_no_names_of_media_are_refused() {
    let studio = Studio::open().await;
    for src in [
        "a\0b.mp4",
        "data:video/mp4;base64,AAAA",
        "file:///etc",
        "http://[::1",
        "concat:a.mp4|b.mp4",
        "/dev/zero",
        "..",
        "pipe:0",
    ] {
        for kind in ["image", "video"] {
            let refused = show(&studio, kind, src).await.unwrap_err();
            assert!(
                matches!(refused, Error::BadInput(_)),
                "{src:?}: {refused:?}"
            );
            let message = refused.to_string();
            assert!(
                message.starts_with(&format!("{kind} \"suspect\": ")),
                "{message}"
            );
        }
    }
}

#[tokio::test]
async fn one_source_in_fifty_overlays_is_fetched_once() {
    let studio = Studio::open_with(true).await;
    let picture = std::fs::read(studio.quarters("good.png")).unwrap();
    let web = Web::start(move |_, _| answer("200 OK", &[], &picture)).await;
    let src = json!({ "src": web.url("/a.png") });
    let many: Vec<_> = (0..50)
        .map(|at| overlay("image", [at, 0, 64, 64], &src))
        .collect();
    let many = json!(many);
    let (one, two) = tokio::join!(studio.frames(&many, 0..1), studio.frames(&many, 1..2));
    assert_eq!(one, two);
    assert_eq!(web.asked().len(), 1);
}
