//! Numbers in the Prometheus text format.

mod work_times;

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use kinora_composition::price::HUNDREDTHS;

use crate::{
    state::{JobState, Lane, TaskKind, TaskState},
    store::{Counts, EntryKind},
    times::{Counted, Times},
};
use work_times::WorkTimes;

/// Where waiting times are told apart, in milliseconds: from a node that is idle to a queue that nobody works off.
const WAITS: [u32; 12] = [
    100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000, 180_000, 600_000, 1_800_000, 7_200_000,
];
/// The same of the times that tasks take: close together where those of renders are made to be.
const TASKS: [u32; 13] = [
    100, 500, 1_000, 2_500, 5_000, 7_500, 10_000, 15_000, 20_000, 30_000, 60_000, 300_000,
    1_200_000,
];
/// The same of claims, which should take few.
const CLAIMS: [u32; 21] = [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 200, 500, 1_000, 5_000,
];

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

/// How an attempt to deliver a webhook ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivered {
    /// The receiver answered.
    Acknowledged,
    /// It did not, and will be tried again.
    Retried,
    /// It did not, and that was the last attempt.
    Lost,
    /// The registration was gone or switched off.
    Dropped,
}

impl Delivered {
    const ALL: [Self; 4] = [Self::Acknowledged, Self::Retried, Self::Lost, Self::Dropped];

    fn as_str(self) -> &'static str {
        match self {
            Self::Acknowledged => "delivered",
            Self::Retried => "retried",
            Self::Lost => "failed",
            Self::Dropped => "dropped",
        }
    }
}

/// What this process has seen since it started.
#[derive(Debug)]
pub(crate) struct Counters {
    done: AtomicU64,
    failed: AtomicU64,
    requeued: AtomicU64,
    deliveries: [AtomicU64; Delivered::ALL.len()],
    claims: Times,
    waits: WorkTimes,
    tasks: WorkTimes,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            done: AtomicU64::default(),
            failed: AtomicU64::default(),
            requeued: AtomicU64::default(),
            deliveries: Default::default(),
            claims: Times::new(&CLAIMS),
            waits: WorkTimes::new(&WAITS),
            tasks: WorkTimes::new(&TASKS),
        }
    }
}

impl Counters {
    /// A task was leased that had been ready this long.
    pub(crate) fn note_wait(&self, lane: Lane, kind: TaskKind, waited: Duration) {
        self.waits.count(lane, kind, waited);
    }

    /// A task is done on which a node was busy this long.
    pub(crate) fn note_task(&self, lane: Lane, kind: TaskKind, busy: Duration) {
        self.tasks.count(lane, kind, busy);
    }

    /// Counts a lease that was given, and how long the database took for it.
    pub(crate) fn time_claim(&self, time: Duration) {
        self.claims.count(time);
    }

    /// How long leases have taken so far.
    pub(crate) fn claims(&self) -> Counted {
        self.claims.counted()
    }

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

    /// Counts the end of an attempt to deliver a webhook.
    pub(crate) fn count_delivery(&self, outcome: Delivered) {
        self.deliveries[outcome as usize].fetch_add(1, Ordering::Relaxed);
    }
}

/// Writes everything down. Families without a row are written as zero, so that graphs have no gaps.
pub(crate) fn text(counts: &Counts, counters: &Counters) -> String {
    let mut page = Page::default();

    page.family("kinora_queue_depth", "gauge", "Tasks that wait for a node.");
    for (lane, kind) in work() {
        let labels = [("lane", lane.as_str()), ("kind", kind.as_str())];
        let depth = tasks_in(counts, lane, kind, TaskState::Ready);
        page.sample("kinora_queue_depth", &labels, depth);
    }
    page.family("kinora_tasks", "gauge", "Tasks by lane, kind and state.");
    for (lane, kind) in work() {
        for &state in TaskState::ALL {
            let labels = [
                ("lane", lane.as_str()),
                ("kind", kind.as_str()),
                ("state", state.as_str()),
            ];
            let tasks = tasks_in(counts, lane, kind, state);
            page.sample("kinora_tasks", &labels, tasks);
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
    counters.waits.write(
        &mut page,
        "kinora_task_wait_seconds",
        "Time from when a task could be leased until it was.",
    );
    counters.tasks.write(
        &mut page,
        "kinora_task_seconds",
        "Time that nodes were busy on tasks that are done.",
    );

    let family = "kinora_claim_seconds";
    page.family(
        family,
        "histogram",
        "How long it took to lease a task to a node that asked.",
    );
    page.times(family, &[], &counters.claims());

    let family = "kinora_webhook_deliveries_total";
    page.family(
        family,
        "counter",
        "Attempts to deliver a webhook, by how they ended.",
    );
    for outcome in Delivered::ALL {
        let value = counters.deliveries[outcome as usize].load(Ordering::Relaxed);
        page.sample(family, &[("outcome", outcome.as_str())], value);
    }
    let family = "kinora_webhook_deliveries_pending";
    page.family(family, "gauge", "Webhooks that are still to be delivered.");
    page.sample(family, &[], counts.pending_deliveries);

    let family = "kinora_credits_total";
    page.family(
        family,
        "counter",
        "Credits that were given, spent on renders and given back.",
    );
    for kind in EntryKind::ALL {
        let found = counts.credits.iter().find(|(of, _)| *of == kind);
        let moved = found.map_or(0, |(_, moved)| moved.hundredths().abs());
        let credits = moved as f64 / HUNDREDTHS as f64;
        page.sample(family, &[("kind", kind.as_str())], credits);
    }
    page.text
}

/// Every kind of task in every lane that has it; renders have no stills.
fn work() -> impl Iterator<Item = (Lane, TaskKind)> {
    let all = |&lane| TaskKind::ALL.iter().map(move |&kind| (lane, kind));
    Lane::ALL
        .iter()
        .flat_map(all)
        .filter(|work| *work != (Lane::Render, TaskKind::Stills))
}

fn tasks_in(counts: &Counts, lane: Lane, kind: TaskKind, state: TaskState) -> i64 {
    let found = counts
        .tasks
        .iter()
        .find(|(of, what, at, _)| (*of, *what, *at) == (lane, kind, state));
    found.map_or(0, |(.., tasks)| *tasks)
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

    /// The samples of a histogram.
    fn times(&mut self, name: &str, labels: &[(&str, &str)], times: &Counted) {
        for (end, total) in times.cumulative() {
            let end = end.map_or_else(|| "+Inf".to_owned(), |end| end.as_secs_f64().to_string());
            let labels = [labels, &[("le", &end)]].concat();
            self.sample(&format!("{name}_bucket"), &labels, total);
        }
        self.sample(&format!("{name}_sum"), labels, times.sum().as_secs_f64());
        self.sample(&format!("{name}_count"), labels, times.count());
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
    use crate::ledger::Credits;

    #[test]
    fn every_family_is_there_even_when_nothing_is() {
        let counters = Counters::default();
        counters.count(Ending::Done);
        counters.count_many(Ending::Requeued, 2);
        counters.count_delivery(Delivered::Lost);
        for millis in [3, 30, 60_000] {
            counters.time_claim(Duration::from_millis(millis));
        }
        counters.note_wait(Lane::Render, TaskKind::Render, Duration::from_secs(4));
        counters.note_task(Lane::Preview, TaskKind::Stills, Duration::from_millis(400));
        let counts = Counts {
            jobs: vec![(JobState::Pending, 3)],
            tasks: vec![(Lane::Render, TaskKind::Render, TaskState::Ready, 7)],
            connected_nodes: 2,
            pending_deliveries: 4,
            credits: vec![(EntryKind::Render, Credits::from_hundredths(-250))],
        };
        let text = text(&counts, &counters);
        for line in [
            "# TYPE kinora_queue_depth gauge",
            "kinora_queue_depth{lane=\"render\",kind=\"render\"} 7",
            "kinora_queue_depth{lane=\"render\",kind=\"assemble\"} 0",
            "kinora_queue_depth{lane=\"preview\",kind=\"stills\"} 0",
            "kinora_tasks{lane=\"render\",kind=\"render\",state=\"ready\"} 7",
            "kinora_jobs{status=\"pending\"} 3",
            "kinora_jobs{status=\"failed\"} 0",
            "kinora_nodes_connected 2",
            "kinora_leases_ended_total{outcome=\"done\"} 1",
            "kinora_leases_ended_total{outcome=\"requeued\"} 2",
            "kinora_claim_seconds_bucket{le=\"0.001\"} 0",
            "kinora_claim_seconds_bucket{le=\"0.05\"} 2",
            "kinora_claim_seconds_bucket{le=\"+Inf\"} 3",
            "kinora_claim_seconds_sum 60.033",
            "kinora_claim_seconds_count 3",
            "kinora_webhook_deliveries_total{outcome=\"delivered\"} 0",
            "kinora_webhook_deliveries_total{outcome=\"failed\"} 1",
            "kinora_webhook_deliveries_pending 4",
            "kinora_task_wait_seconds_bucket{lane=\"render\",kind=\"render\",le=\"2.5\"} 0",
            "kinora_task_wait_seconds_bucket{lane=\"render\",kind=\"render\",le=\"5\"} 1",
            "kinora_task_wait_seconds_count{lane=\"preview\",kind=\"render\"} 0",
            "kinora_task_seconds_sum{lane=\"preview\",kind=\"stills\"} 0.4",
            "kinora_credits_total{kind=\"grant\"} 0",
            "kinora_credits_total{kind=\"render\"} 2.5",
        ] {
            assert!(
                text.lines().any(|written| written == line),
                "{line} is missing in\n{text}"
            );
        }
    }
}
