//! How long things took, by lane and kind of task.

use std::time::Duration;

use super::{Page, work};
use crate::{
    state::{Lane, TaskKind},
    times::Times,
};

/// Times of each kind of task. All kinds are there from the beginning, so that graphs have no gaps.
#[derive(Debug)]
pub(super) struct WorkTimes(Vec<(Lane, TaskKind, Times)>);

impl WorkTimes {
    /// Counts in buckets that end at so many milliseconds.
    pub(super) fn new(ends: &'static [u32]) -> Self {
        Self(
            work()
                .map(|(lane, kind)| (lane, kind, Times::new(ends)))
                .collect(),
        )
    }

    pub(super) fn count(&self, lane: Lane, kind: TaskKind, took: Duration) {
        let is_meant = |(of, what, _): &&(Lane, TaskKind, Times)| (*of, *what) == (lane, kind);
        if let Some((.., times)) = self.0.iter().find(is_meant) {
            times.count(took);
        }
    }

    pub(super) fn write(&self, page: &mut Page, family: &str, help: &str) {
        page.family(family, "histogram", help);
        for (lane, kind, times) in &self.0 {
            let labels = [("lane", lane.as_str()), ("kind", kind.as_str())];
            page.times(family, &labels, &times.counted());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_counted_in_every_bound_that_holds_it_and_in_no_other_kind() {
        let times = WorkTimes::new(&[500, 2000]);
        for millis in [500, 700, 60_000] {
            let took = Duration::from_millis(millis);
            times.count(Lane::Render, TaskKind::Assemble, took);
        }
        let mut page = Page::default();
        times.write(&mut page, "times", "Times.");
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
