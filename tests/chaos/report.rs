//! What a run tells: its plan as it goes, and its figures at the end.

use std::time::{Duration, Instant};

use super::clients::{Clients, Ended};
use super::plan::{Fault, Form};

/// The figures of a run.
pub(crate) struct Report {
    started: Instant,
    faults: usize,
    slowest: Option<(Duration, String)>,
}

impl Report {
    /// A run that begins.
    pub(crate) fn of(form: Form, seed: u64) -> Self {
        say(&format!(
            "chaos, {form:?} form; repeat it with KINORA_CHAOS_SEED={seed}"
        ));
        Self {
            started: Instant::now(),
            faults: 0,
            slowest: None,
        }
    }

    /// Something goes wrong.
    pub(crate) fn befalls(&mut self, fault: &Fault) {
        self.faults += 1;
        say(&format!(
            "{:>6.1} s  {fault}",
            self.started.elapsed().as_secs_f64()
        ));
    }

    /// The farm works again, so long after the fault ended.
    pub(crate) fn recovered(&mut self, fault: &Fault, took: Duration) {
        if self.slowest.as_ref().is_none_or(|(most, _)| took > *most) {
            self.slowest = Some((took, fault.to_string()));
        }
    }

    /// Everything that was ordered has ended.
    pub(crate) fn finished(&self, ended: &[Ended], clients: &Clients) {
        let completed = ended.iter().filter(|ended| ended.is_completed()).count();
        say(&format!(
            "{:>6.1} s  {} renders ended: {completed} completed, {} failed; clients tried again {} times; {} faults",
            self.started.elapsed().as_secs_f64(),
            ended.len(),
            ended.len() - completed,
            clients.retries(),
            self.faults,
        ));
        if let Some((took, fault)) = &self.slowest {
            say(&format!(
                "          longest until all worked again: {:.1} s after {fault}",
                took.as_secs_f64()
            ));
        }
    }

    /// Everything has been looked at.
    pub(crate) fn checked(&self, parts: usize, memory: &[(String, u64)]) {
        say(&format!(
            "{:>6.1} s  all frames, charges, webhooks and objects are as they should be; {parts} parts of objects were sent; most memory in MiB: {}",
            self.started.elapsed().as_secs_f64(),
            memory
                .iter()
                .map(|(name, peak)| format!("{name} {peak}"))
                .collect::<Vec<_>>()
                .join(", ")
        ));
    }
}

#[expect(
    clippy::print_stderr,
    reason = "shown by make chaos, and with a failure"
)]
fn say(line: &str) {
    eprintln!("{line}");
}
