//! Numbers in the Prometheus text format.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering},
};

use crate::{
    state::{JobState, TaskKind, TaskState},
    store::Counts,
};

/// How a lease ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// With a result.
    Done,
    /// With a failure of its own.
    Failed,
    /// Lost or handed back.
    Requeued,
}

/// What this process has seen since it started.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    done: AtomicU64,
    failed: AtomicU64,
    requeued: AtomicU64,
}

impl Counters {
    /// Counts the end of a lease.
    pub(crate) fn count(&self, ending: Ending) {
        self.count_many(ending, 1);
    }

    /// Counts the ends of several leases.
    pub(crate) fn count_many(&self, ending: Ending, leases: usize) {
        let counter = match ending {
            Ending::Done => &self.done,
            Ending::Failed => &self.failed,
            Ending::Requeued => &self.requeued,
        };
        counter.fetch_add(leases as u64, Ordering::Relaxed);
    }
}

/// Writes everything down. Families without a row are written as zero, so that graphs have no gaps.
pub(crate) fn text(counts: &Counts, counters: &Counters) -> String {
    let mut page = Page::default();

    page.family("kinora_queue_depth", "gauge", "Tasks that wait for a node.");
    for &kind in TaskKind::ALL {
        let depth = tasks_in(counts, kind, TaskState::Ready);
        page.sample("kinora_queue_depth", &[("kind", kind.as_str())], depth);
    }
    page.family("kinora_tasks", "gauge", "Tasks by kind and state.");
    for &kind in TaskKind::ALL {
        for &state in TaskState::ALL {
            let labels = [("kind", kind.as_str()), ("state", state.as_str())];
            page.sample("kinora_tasks", &labels, tasks_in(counts, kind, state));
        }
    }
    page.family("kinora_jobs", "gauge", "Jobs by status.");
    for &state in JobState::ALL {
        let found = counts.jobs.iter().find(|(of, _)| *of == state);
        let jobs = found.map_or(0, |(_, jobs)| *jobs);
        page.sample("kinora_jobs", &[("status", state.as_str())], jobs);
    }
    page.family(
        "kinora_nodes_connected",
        "gauge",
        "Nodes that were seen lately.",
    );
    page.sample("kinora_nodes_connected", &[], counts.connected_nodes);

    page.family(
        "kinora_leases_ended_total",
        "counter",
        "Leases that ended, by how.",
    );
    for (outcome, counter) in [
        ("done", &counters.done),
        ("failed", &counters.failed),
        ("requeued", &counters.requeued),
    ] {
        let value = counter.load(Ordering::Relaxed);
        page.sample("kinora_leases_ended_total", &[("outcome", outcome)], value);
    }
    page.text
}

fn tasks_in(counts: &Counts, kind: TaskKind, state: TaskState) -> i64 {
    let found = counts
        .tasks
        .iter()
        .find(|(of, at, _)| (*of, *at) == (kind, state));
    found.map_or(0, |(_, _, tasks)| *tasks)
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string can't fail.
        let _ = write!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl std::fmt::Display) {
        let labels: Vec<_> = labels
            .iter()
            .map(|(label, value)| format!("{label}=\"{value}\""))
            .collect();
        let labels = match labels.len() {
            0 => String::new(),
            _ => format!("{{{}}}", labels.join(",")),
        };
        let _ = writeln!(self.text, "{name}{labels} {value}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_there_even_when_nothing_is() {
        let counters = Counters::default();
        counters.count(Ending::Done);
        counters.count_many(Ending::Requeued, 2);
        let counts = Counts {
            jobs: vec![(JobState::Pending, 3)],
            tasks: vec![(TaskKind::Render, TaskState::Ready, 7)],
            connected_nodes: 2,
        };
        let text = text(&counts, &counters);
        for line in [
            "# TYPE kinora_queue_depth gauge",
            "kinora_queue_depth{kind=\"render\"} 7",
            "kinora_queue_depth{kind=\"assemble\"} 0",
            "kinora_tasks{kind=\"render\",state=\"ready\"} 7",
            "kinora_jobs{status=\"pending\"} 3",
            "kinora_jobs{status=\"failed\"} 0",
            "kinora_nodes_connected 2",
            "kinora_leases_ended_total{outcome=\"done\"} 1",
            "kinora_leases_ended_total{outcome=\"requeued\"} 2",
        ] {
            assert!(
                text.lines().any(|written| written == line),
                "{line} is missing in\n{text}"
            );
        }
    }
}
