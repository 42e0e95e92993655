//! How long somebody who is away is waited for.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// Time alone bounds it: a task whose result can't be stored fails its job, and a store that restarts may refuse many
/// times in a moment.
const OUTAGE: Duration = Duration::from_secs(180);
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Waits longer each time, and in all as long as an outage may last.
pub(super) struct Patience {
    wait: Duration,
    until: Instant,
}

impl Patience {
    pub(super) fn new() -> Self {
        Self {
            wait: FIRST_WAIT,
            until: Instant::now() + OUTAGE,
        }
    }

    /// Waits before another try; false, at once, when there should be none.
    pub(super) async fn wait(&mut self) -> bool {
        let Some(wait) = self.next(Instant::now()) else {
            return false;
        };
        sleep(wait).await;
        true
    }

    fn next(&mut self, now: Instant) -> Option<Duration> {
        if now >= self.until {
            return None;
        }
        let longer = (self.wait * 2).min(LONGEST_WAIT);
        Some(std::mem::replace(&mut self.wait, longer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_waited_out_and_no_more() {
        let (mut patience, began) = (Patience::new(), Instant::now());
        let (mut now, mut tries) = (began, 1);
        while let Some(wait) = patience.next(now) {
            now += wait;
            tries += 1;
        }
        let waited = now - began;
        assert!(waited > OUTAGE - LONGEST_WAIT && waited <= OUTAGE + LONGEST_WAIT);
        assert!(tries > 30, "{tries}");
    }
}
