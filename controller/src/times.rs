//! How often something took how long.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Counts times; anybody may count at once.
#[derive(Debug)]
pub(crate) struct Times {
    ends: &'static [u32],
    buckets: Vec<AtomicU64>,
    micros: AtomicU64,
}

/// What was counted at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    ends: &'static [u32],
    buckets: Vec<u64>,
    micros: u64,
}

impl Times {
    /// Counts in buckets that end at so many milliseconds, ascending; what takes longer has one of its own.
    pub(crate) fn new(ends: &'static [u32]) -> Self {
        Self {
            ends,
            buckets: (0..=ends.len()).map(|_| AtomicU64::default()).collect(),
            micros: AtomicU64::default(),
        }
    }

    /// Counts one.
    pub(crate) fn count(&self, time: Duration) {
        let is_past = |end: &u32| time > Duration::from_millis((*end).into());
        let bucket = self.ends.partition_point(is_past);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// What was counted so far.
    pub(crate) fn counted(&self) -> Counted {
        let buckets = self.buckets.iter();
        Counted {
            ends: self.ends,
            buckets: buckets.map(|it| it.load(Ordering::Relaxed)).collect(),
            micros: self.micros.load(Ordering::Relaxed),
        }
    }
}

impl Counted {
    /// What was counted after an earlier moment.
    pub(crate) fn since(&self, earlier: &Self) -> Self {
        let both = self.buckets.iter().zip(&earlier.buckets);
        Self {
            ends: self.ends,
            buckets: both.map(|(now, then)| now.saturating_sub(*then)).collect(),
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
        let ends = self.ends.iter();
        let ends = ends.map(|end| Some(Duration::from_millis((*end).into())));
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
        let times = Times::new(&[1, 50, 99, 100, 200]);
        for millis in 1..=100 {
            times.count(Duration::from_millis(millis));
        }
        let counted = times.counted();
        let quantile = |share| counted.quantile(share).map(|end| end.as_millis());
        assert_eq!((quantile(0.5), quantile(0.99)), (Some(50), Some(99)));
        assert_eq!((quantile(0.3), quantile(1.0)), (Some(50), Some(100)));
        assert_eq!(counted.sum(), Duration::from_millis(5050));
        times.count(Duration::from_secs(60));
        let later = times.counted().since(&counted);
        assert_eq!((later.count(), later.quantile(0.5)), (1, None));
        assert_eq!(Times::new(&[1]).counted().quantile(0.5), None);
    }
}
