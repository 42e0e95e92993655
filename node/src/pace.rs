//! Keeps previews out of the way of paying work.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::{Error, Result};

/// How many paying tasks run on this machine. Clones share the count.
#[derive(Clone, Default)]
pub struct PayingWork(Arc<Count>);

#[derive(Default)]
struct Count {
    tasks: Mutex<usize>,
    none_left: Condvar,
}

/// A paying task that runs while this lives.
pub struct PayingTask(PayingWork);

impl PayingWork {
    /// Counts a task until the answer is dropped.
    pub fn begin(&self) -> PayingTask {
        *self.0.tasks() += 1;
        PayingTask(self.clone())
    }

    /// Waits until no paying task runs, at most so long.
    fn give_way(&self, longest: Duration) {
        let tasks = self.0.tasks();
        // Timed out or not, the caller goes on.
        let _ = self
            .0
            .none_left
            .wait_timeout_while(tasks, longest, |tasks| *tasks > 0);
    }
}

impl Count {
    fn tasks(&self) -> MutexGuard<'_, usize> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PayingTask {
    fn drop(&mut self) {
        let count = &self.0.0;
        let mut tasks = count.tasks();
        *tasks -= 1;
        if *tasks == 0 {
            count.none_left.notify_all();
        }
    }
}

/// How fast frames are drawn.
#[derive(Clone, Default)]
pub enum Pace {
    /// One after the other.
    #[default]
    Full,
    /// With a rest before each frame while paying tasks run.
    Yielding {
        /// Those tasks.
        to: PayingWork,
        /// How long to rest.
        rest: Duration,
    },
}

impl Pace {
    /// Between two frames of a preview: four frames a second at most.
    pub const PREVIEW_REST: Duration = Duration::from_millis(250);

    /// Waits at a frame boundary as long as this pace demands; then asks whether to go on at all.
    pub(crate) fn before_frame(&self, cancel: &CancellationToken) -> Result<()> {
        if let Self::Yielding { to, rest } = self {
            to.give_way(*rest);
        }
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{TryRecvError, sync_channel};
    use std::time::Instant;

    use super::*;

    const FOREVER: Duration = Duration::from_secs(3600);
    const PATIENCE: Duration = Duration::from_secs(10);

    #[test]
    fn without_paying_work_nothing_waits() {
        let (to, never) = (PayingWork::default(), CancellationToken::new());
        drop(to.begin());
        for pace in [Pace::Full, Pace::Yielding { to, rest: FOREVER }] {
            assert!(pace.before_frame(&never).is_ok());
        }
    }

    #[test]
    fn a_preview_rests_before_each_frame_while_paying_work_runs() {
        let (to, never) = (PayingWork::default(), CancellationToken::new());
        let _paying = to.begin();
        let rest = Duration::from_millis(30);
        let pace = Pace::Yielding { to, rest };
        let began = Instant::now();
        for _ in 0..3 {
            assert!(pace.before_frame(&never).is_ok());
        }
        assert!(began.elapsed() >= 3 * rest);
    }

    #[test]
    fn the_end_of_the_last_paying_task_ends_the_rest() {
        let to = PayingWork::default();
        let (first, last) = (to.begin(), to.begin());
        let pace = Pace::Yielding { to, rest: FOREVER };
        let (awake, drawn) = sync_channel(1);
        std::thread::spawn(move || {
            awake.send(pace.before_frame(&CancellationToken::new()).is_ok())
        });
        drop(first);
        assert_eq!(drawn.try_recv(), Err(TryRecvError::Empty));
        drop(last);
        assert_eq!(drawn.recv_timeout(PATIENCE), Ok(true));
    }

    #[test]
    fn cancelled_work_draws_nothing_after_its_rest() {
        let (to, cancel) = (PayingWork::default(), CancellationToken::new());
        let _paying = to.begin();
        cancel.cancel();
        let rest = Duration::from_millis(1);
        for pace in [Pace::Full, Pace::Yielding { to, rest }] {
            assert!(matches!(pace.before_frame(&cancel), Err(Error::Cancelled)));
        }
    }
}
