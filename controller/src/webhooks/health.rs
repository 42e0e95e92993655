//! When a registration that never answers is switched off.

use super::WebhookTerms;
use crate::clock::Timestamp;

/// How the deliveries of a registration have fared lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Health {
    pub(crate) is_active: bool,
    pub(crate) failures_in_a_row: u32,
    pub(crate) failing_since: Option<Timestamp>,
}

impl Health {
    /// Of a registration that nothing was sent to yet.
    pub(crate) const NEW: Self = Self {
        is_active: true,
        failures_in_a_row: 0,
        failing_since: None,
    };

    /// After a delivery that arrived.
    pub(super) fn after_success(self) -> Self {
        Self {
            failures_in_a_row: 0,
            failing_since: None,
            ..self
        }
    }

    /// After a delivery that was lost: many in a row over a long time switch it off. Either alone
    /// is a busy minute or a quiet receiver's bad day.
    pub(super) fn after_failure(self, terms: &WebhookTerms, now: Timestamp) -> Self {
        let failures_in_a_row = self.failures_in_a_row.saturating_add(1);
        let since = self.failing_since.unwrap_or(now);
        let spent = failures_in_a_row >= terms.failures && now.minus(terms.failing_for) >= since;
        Self {
            is_active: self.is_active && !spent,
            failures_in_a_row,
            failing_since: Some(since),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const START: Timestamp = Timestamp(1_800_000_000_000);
    const HOUR: Duration = Duration::from_secs(3600);

    fn failing(count: u32, every: Duration) -> Health {
        let terms = WebhookTerms::default();
        (0..count).fold(Health::NEW, |health, index| {
            health.after_failure(&terms, START.plus(every * index))
        })
    }

    #[test]
    fn both_many_failures_and_a_long_time_are_needed() {
        assert!(failing(1000, Duration::from_secs(1)).is_active, "only many");
        assert!(failing(19, 24 * HOUR).is_active, "only long");
        assert!(failing(24, HOUR).is_active, "not yet a day");
        assert!(!failing(25, HOUR).is_active, "24 h after the first");
    }

    #[test]
    fn one_success_starts_the_count_anew() {
        let terms = WebhookTerms::default();
        let recovered = failing(24, HOUR).after_success();
        assert_eq!(recovered, Health::NEW);
        assert!(
            recovered
                .after_failure(&terms, START.plus(24 * HOUR))
                .is_active
        );
    }
}
