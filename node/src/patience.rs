//! How long somebody who is away is waited for.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// How often something is tried again, and for how long: each rest is twice the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Before the second try.
    pub first_rest: Duration,
    /// The most between two tries.
    pub longest_rest: Duration,
    /// No rest ends later than this after the beginning.
    pub in_all: Duration,
}

impl Patience {
    /// Begins to wait.
    pub(crate) fn begin(&self) -> Rests {
        Rests {
            next: self.first_rest,
            longest: self.longest_rest,
            until: Instant::now() + self.in_all,
        }
    }
}

/// The rests that are left.
pub(crate) struct Rests {
    next: Duration,
    longest: Duration,
    until: Instant,
}

impl Rests {
    /// Rests before another try; false, at once, when there should be none.
    pub(crate) async fn rest(&mut self) -> bool {
        let Some(rest) = self.next() else {
            return false;
        };
        sleep(rest).await;
        true
    }

    /// How long to rest before another try, if there should be one.
    pub(crate) fn next(&mut self) -> Option<Duration> {
        self.next_at(Instant::now())
    }

    fn next_at(&mut self, now: Instant) -> Option<Duration> {
        if now + self.next > self.until {
            return None;
        }
        let longer = (self.next * 2).min(self.longest);
        Some(std::mem::replace(&mut self.next, longer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_and_all_of_them_are_as_long_as_patience() {
        let patience = Patience {
            first_rest: Duration::from_millis(200),
            longest_rest: Duration::from_secs(5),
            in_all: Duration::from_secs(180),
        };
        let (mut rests, began) = (patience.begin(), Instant::now());
        let (mut now, mut last, mut tries) = (began, Duration::ZERO, 1);
        while let Some(rest) = rests.next_at(now) {
            assert!(rest == (last * 2).clamp(patience.first_rest, patience.longest_rest));
            (now, last, tries) = (now + rest, rest, tries + 1);
        }
        let waited = now - began;
        assert!(waited > patience.in_all - patience.longest_rest && waited <= patience.in_all);
        assert!(tries > 30, "{tries}");
    }
}
