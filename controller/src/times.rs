//! How often something took how long.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Where buckets end, in milliseconds; what takes longer has one of its own.
const ENDS: [u32; 21] = [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 200, 500, 1000, 5000,
];
const BUCKETS: usize = ENDS.len() + 1;

/// Counts times; anybody may count at once.
#[derive(Debug, Default)]
pub(crate) struct Times {
    buckets: [AtomicU64; BUCKETS],
    micros: AtomicU64,
}

/// What was counted at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    buckets: [u64; BUCKETS],
    micros: u64,
}

impl Times {
    /// Counts one.
    pub(crate) fn count(&self, time: Duration) {
        let is_within = |end: &u32| time <= Duration::from_millis((*end).into());
        let bucket = ENDS.iter().position(is_within).unwrap_or(ENDS.len());
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// What was counted so far.
    pub(crate) fn counted(&self) -> Counted {
        Counted {
            buckets: std::array::from_fn(|index| self.buckets[index].load(Ordering::Relaxed)),
            micros: self.micros.load(Ordering::Relaxed),
        }
    }
}

impl Counted {
    /// What was counted after an earlier moment.
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        let later = |index: usize| self.buckets[index].saturating_sub(earlier.buckets[index]);
        Self {
            buckets: std::array::from_fn(later),
            micros: self.micros.saturating_sub(earlier.micros),
        }
    }

    /// How many.
    pub(crate) fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// All of them together.
    pub(crate) fn sum(&self) -> Duration {
        Duration::from_micros(self.micros)
    }

    /// How many took no longer than each end; the last has none.
    pub(crate) fn cumulative(&self) -> impl Iterator<Item = (Option<Duration>, u64)> {
        let ends = ENDS
            .iter()
            .map(|end| Some(Duration::from_millis((*end).into())));
        let mut total = 0;
        ends.chain([None])
            .zip(&self.buckets)
            .map(move |(end, count)| {
                total += count;
                (end, total)
            })
    }

    /// The end that a share of all took no longer than; none when that is past the last, or nothing was counted.
    pub(crate) fn quantile(&self, share: f64) -> Option<Duration> {
        #[expect(clippy::cast_precision_loss, reason = "a share of a count")]
        let wanted = share * self.count() as f64;
        #[expect(clippy::cast_precision_loss, reason = "a count")]
        let found = self
            .cumulative()
            .find(|(_, total)| *total > 0 && *total as f64 >= wanted);
        found.and_then(|(end, _)| end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_ends_of_their_buckets() {
        let times = Times::default();
        for millis in 1..=100 {
            times.count(Duration::from_millis(millis));
        }
        let counted = times.counted();
        let quantile = |share| counted.quantile(share).map(|end| end.as_millis());
        assert_eq!((quantile(0.5), quantile(0.99)), (Some(50), Some(100)));
        assert_eq!(counted.sum(), Duration::from_millis(5050));
        times.count(Duration::from_secs(60));
        let later = times.counted().since(&counted);
        assert_eq!((later.count(), later.quantile(0.5)), (1, None));
        assert_eq!(Counted::default().quantile(0.5), None);
    }
}
