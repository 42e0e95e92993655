//! How long things took, by lane and kind of task.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use super::{Page, work};
use crate::state::{Lane, TaskKind};

/// Times sorted by what they are at most. Every kind of task is there from the beginning, so that graphs have no gaps.
#[derive(Debug)]
pub(super) struct Histogram {
    /// Upper bounds in seconds, ascending.
    bounds: &'static [f64],
    tallies: Mutex<Vec<(Lane, TaskKind, Tally)>>,
}

#[derive(Debug)]
struct Tally {
    count: u64,
    seconds: f64,
    /// How many were within each bound.
    within: Vec<u64>,
}

impl Histogram {
    pub(super) fn new(bounds: &'static [f64]) -> Self {
        let empty = |(lane, kind)| {
            let tally = Tally {
                count: 0,
                seconds: 0.0,
                within: vec![0; bounds.len()],
            };
            (lane, kind, tally)
        };
        Self {
            bounds,
            tallies: Mutex::new(work().map(empty).collect()),
        }
    }

    pub(super) fn record(&self, lane: Lane, kind: TaskKind, took: Duration) {
        let seconds = took.as_secs_f64();
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        let found = tallies
            .iter_mut()
            .find(|(of, what, _)| (*of, *what) == (lane, kind));
        let Some((.., tally)) = found else {
            return;
        };
        tally.count += 1;
        tally.seconds += seconds;
        for (count, bound) in tally.within.iter_mut().zip(self.bounds) {
            *count += u64::from(seconds <= *bound);
        }
    }

    pub(super) fn write(&self, page: &mut Page, family: &str, help: &str) {
        page.family(family, "histogram", help);
        let tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        for (lane, kind, tally) in &*tallies {
            let labels = [("lane", lane.as_str()), ("kind", kind.as_str())];
            let bucket = format!("{family}_bucket");
            let bounds = self.bounds.iter().map(f64::to_string);
            let within = bounds.zip(tally.within.iter().copied());
            for (bound, count) in within.chain([("+Inf".to_owned(), tally.count)]) {
                let labels = [labels[0], labels[1], ("le", bound.as_str())];
                page.sample(&bucket, &labels, count);
            }
            page.sample(&format!("{family}_sum"), &labels, tally.seconds);
            page.sample(&format!("{family}_count"), &labels, tally.count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_counted_in_every_bound_that_holds_it_and_in_no_other_kind() {
        let histogram = Histogram::new(&[0.5, 2.0]);
        for millis in [500, 700, 60_000] {
            let took = Duration::from_millis(millis);
            histogram.record(Lane::Render, TaskKind::Assemble, took);
        }
        let mut page = Page::default();
        histogram.write(&mut page, "times", "Times.");
        for line in [
            "# TYPE times histogram",
            "times_bucket{lane=\"render\",kind=\"assemble\",le=\"0.5\"} 1",
            "times_bucket{lane=\"render\",kind=\"assemble\",le=\"2\"} 2",
            "times_bucket{lane=\"render\",kind=\"assemble\",le=\"+Inf\"} 3",
            "times_sum{lane=\"render\",kind=\"assemble\"} 61.2",
            "times_count{lane=\"render\",kind=\"assemble\"} 3",
            "times_count{lane=\"preview\",kind=\"assemble\"} 0",
            "times_bucket{lane=\"preview\",kind=\"stills\",le=\"+Inf\"} 0",
        ] {
            assert!(
                page.text.lines().any(|written| written == line),
                "{line} is missing in\n{}",
                page.text
            );
        }
    }
}
