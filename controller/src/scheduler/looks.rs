//! How the looks of a controller's nodes at the queue differ: which may prefer media, and where each begins.
//!
//! What was leased leaves dead entries at the front of an index until the database cleans up. Under load there are
//! thousands, and a look that begins behind them is several times cheaper.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::state::Lane;

/// One look in so many takes what is first in the queue, whoever has its media.
const STRICT_EVERY: u64 = 8;
/// How long it counts where the queue began. What comes back to a place before that is passed over for as long, and only
/// while there is something behind it.
const FRESH: Duration = Duration::from_millis(200);
/// After how long a strict look begins at the beginning again: before looks at the queue do without knowing where that is.
const STALE: Duration = Duration::from_millis(100);

/// The first turn of any queue.
pub(crate) const BEGINNING: i64 = i64::MIN;

/// How a look is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// From this turn on, and whatever is first: no task is passed over for long.
    Strict(i64),
    /// From this turn on, and what the node has the media of goes first.
    Quick(i64),
}

/// What looks of nodes that encode with the same have shown lately.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    count: AtomicU64,
    heads: Mutex<HashMap<(Lane, Arc<str>), Head>>,
}

/// Where a queue began, and when.
#[derive(Clone, Copy, Debug)]
struct Head {
    turn: i64,
    seen_at: Instant,
}

impl Looks {
    /// How the next look of a node of this kind is made.
    pub(crate) fn next(&self, lane: Lane, kind: &Arc<str>, now: Instant) -> Look {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let head = self.heads().get(&(lane, Arc::clone(kind))).copied();
        let known_for = |limit: Duration| {
            let head = head.filter(|head| now.duration_since(head.seen_at) < limit);
            head.map_or(BEGINNING, |head| head.turn)
        };
        match number.is_multiple_of(STRICT_EVERY) {
            true => Look::Strict(known_for(STALE)),
            false => Look::Quick(known_for(FRESH)),
        }
    }

    /// A strict look from the beginning has found a task of this turn.
    pub(crate) fn note_first(&self, lane: Lane, kind: &Arc<str>, turn: i64, now: Instant) {
        let head = Head { turn, seen_at: now };
        self.heads().insert((lane, Arc::clone(kind)), head);
    }

    fn heads(&self) -> MutexGuard<'_, HashMap<(Lane, Arc<str>), Head>> {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_in_eight_takes_what_is_first() {
        let (looks, kind) = (Looks::default(), Arc::from("x264"));
        let now = Instant::now();
        let made: Vec<Look> = (0..80)
            .map(|_| looks.next(Lane::Render, &kind, now))
            .collect();
        let is_strict = |look: &&Look| matches!(look, Look::Strict(_));
        let strict = made.iter().filter(is_strict).count();
        assert_eq!(
            strict, 10,
            "so that no task is passed over more than seven times"
        );
    }

    #[test]
    fn looks_begin_where_a_strict_one_has_found_the_first_task_lately() {
        let (looks, kind, other) = (Looks::default(), Arc::from("x264"), Arc::from("nvenc"));
        let start = Instant::now();
        let next = |lane, kind| looks.next(lane, kind, start + STALE / 2);
        let much_later = |kind| looks.next(Lane::Render, kind, start + FRESH);
        assert_eq!(next(Lane::Render, &kind), Look::Strict(BEGINNING));
        assert_eq!(next(Lane::Render, &kind), Look::Quick(BEGINNING));
        looks.note_first(Lane::Render, &kind, 7, start);
        assert_eq!(next(Lane::Render, &kind), Look::Quick(7));
        assert_eq!(next(Lane::Preview, &kind), Look::Quick(BEGINNING));
        let of_others = next(Lane::Render, &other);
        assert_eq!(of_others, Look::Quick(BEGINNING), "its tasks may be others");
        for _ in 5..8 {
            assert_eq!(next(Lane::Render, &kind), Look::Quick(7));
        }
        assert_eq!(next(Lane::Render, &kind), Look::Strict(7));
        for _ in 9..16 {
            assert_eq!(much_later(&kind), Look::Quick(BEGINNING), "long ago");
        }
        assert_eq!(much_later(&kind), Look::Strict(BEGINNING));
    }
}
