//! What a run leaves in the store, in the logs and in memory.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use super::fleet::{Fleet, Way};

/// MiB that a process may have had at its peak. A node holds a device, fonts and a few small frames.
const MEMORY: [(&str, u64); 3] = [("gateway", 300), ("controller", 300), ("node", 1500)];
/// What the store holds that is nobody's job: artwork, and what clients brought.
const NOT_OF_JOBS: [&str; 2] = ["templates/", "uploads/"];

/// Waits until the store holds the files of completed jobs, and nothing else of any job.
pub(crate) async fn check_objects(fleet: &Fleet, keys: &[String], limit: Duration) {
    let root = fleet.store.root();
    let started = Instant::now();
    loop {
        let mut objects = BTreeSet::new();
        list(&root.join("kinora/farm"), "", &mut objects);
        objects.retain(|key| !NOT_OF_JOBS.iter().any(|folder| key.starts_with(folder)));
        let is_of = |object: &str, key: &str| {
            let rest = object.strip_prefix(key);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let left: Vec<&String> = objects
            .iter()
            .filter(|object| !keys.iter().any(|key| is_of(object, key)))
            .collect();
        let missing: Vec<&String> = keys
            .iter()
            .filter(|key| !objects.iter().any(|object| is_of(object, key)))
            .collect();
        assert!(missing.is_empty(), "lost from the store: {missing:#?}");
        if left.is_empty() {
            break;
        }
        assert!(
            started.elapsed() < limit,
            "left in the store: {left:#?} by {:#?}",
            told_of(fleet, &left)
        );
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Waits until no object in parts is unfinished in the store; answers how many parts were sent there.
///
/// Of what was begun while its controller died, the others learn from the store's list of such things. This store has none:
/// one that is killed between the store's answer and its own note leaves something here, but that moment is hard to meet.
pub(crate) async fn check_parts(fleet: &Fleet, at_least: usize, limit: Duration) -> usize {
    let links = fleet.links_to(Way::Store);
    let sent: usize = links.iter().map(|link| link.parts()).sum();
    assert!(sent >= at_least, "{sent} parts were sent, not {at_least}");
    let started = Instant::now();
    loop {
        let unfinished = unfinished(fleet);
        if unfinished.is_empty() {
            return sent;
        }
        assert!(
            started.elapsed() < limit,
            "uploads that nobody ended: {unfinished:#?} by {:#?}",
            fleet.lines_with(&["unfinished"])
        );
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// What the store has of objects in parts that are not ended: parts, and its own notes of them.
///
/// This server drops its note of an upload before it puts the parts together. One that is hung up on in between leaves parts
/// that nobody can ask it to drop: they are not counted, if it was asked to complete just that upload.
pub(crate) fn unfinished(fleet: &Fleet) -> BTreeSet<String> {
    let mut beside = BTreeSet::new();
    list(fleet.store.root(), "", &mut beside);
    beside.retain(|name| name.starts_with(".upload"));
    for link in fleet.links_to(Way::Store) {
        for upload in link.completions() {
            if !beside.contains(&format!(".upload-{upload}.json")) {
                beside.retain(|name| !name.starts_with(&format!(".upload_id-{upload}.")));
            }
        }
    }
    beside
}

/// What the logs say of the jobs that left something.
fn told_of(fleet: &Fleet, left: &[&String]) -> Vec<String> {
    let job = |key: &&String| key.split('/').nth(1).map(str::to_owned);
    let jobs: Vec<String> = left.iter().filter_map(job).collect();
    fleet.lines_with(&jobs)
}

/// Asserts that no process has panicked or grown without bound; answers the peak of each.
pub(crate) fn check_processes(fleet: &Fleet) -> Vec<(String, u64)> {
    fleet
        .members()
        .map(|member| {
            let log = member.log();
            let panics: Vec<&str> = log
                .lines()
                .filter(|line| line.contains("panicked"))
                .collect();
            assert!(panics.is_empty(), "{}: {panics:#?}", member.name);
            let peak = member.peak_memory();
            let (_, bound) = MEMORY
                .iter()
                .find(|(role, _)| member.name.starts_with(role))
                .expect("a role");
            assert!((1..=*bound).contains(&peak), "{}: {peak} MiB", member.name);
            (member.name.clone(), peak)
        })
        .collect()
}

fn list(folder: &Path, prefix: &str, keys: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let key = format!("{prefix}{}", name.to_string_lossy());
        if entry.path().is_dir() {
            list(&entry.path(), &format!("{key}/"), keys);
        } else {
            keys.insert(key);
        }
    }
}
