//! Counts what a node does, for its metrics page.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use futures::future::BoxFuture;
use kinora_node::worker::{Executor, TaskOutput};
use kinora_node::{Error, Result};
use kinora_proto::v1::Lease;
use tokio_util::sync::CancellationToken;

/// An executor that counts the tasks that pass through it.
pub(crate) struct Metered {
    inner: Arc<dyn Executor>,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    running: AtomicI64,
    done: AtomicU64,
    bad_input: AtomicU64,
    cancelled: AtomicU64,
    failed: AtomicU64,
    frames: AtomicU64,
    busy_ms: AtomicU64,
}

impl Metered {
    pub(crate) fn new(inner: impl Executor) -> Self {
        Self {
            inner: Arc::new(inner),
            counts: Arc::default(),
        }
    }

    /// The counts in Prometheus' text format.
    pub(crate) fn render(&self) -> String {
        let counts = &self.counts;
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        format!(
            "# HELP kinora_node_tasks_running Tasks that the node works on now.\n\
             # TYPE kinora_node_tasks_running gauge\n\
             kinora_node_tasks_running {}\n\
             # HELP kinora_node_tasks_total Tasks that ended, by how they ended.\n\
             # TYPE kinora_node_tasks_total counter\n\
             kinora_node_tasks_total{{end=\"done\"}} {}\n\
             kinora_node_tasks_total{{end=\"bad_input\"}} {}\n\
             kinora_node_tasks_total{{end=\"cancelled\"}} {}\n\
             kinora_node_tasks_total{{end=\"failed\"}} {}\n\
             # HELP kinora_node_frames_total Frames that were drawn and encoded.\n\
             # TYPE kinora_node_frames_total counter\n\
             kinora_node_frames_total {}\n\
             # HELP kinora_node_busy_seconds_total Time spent on tasks.\n\
             # TYPE kinora_node_busy_seconds_total counter\n\
             kinora_node_busy_seconds_total {}\n",
            counts.running.load(Ordering::Relaxed),
            load(&counts.done),
            load(&counts.bad_input),
            load(&counts.cancelled),
            load(&counts.failed),
            load(&counts.frames),
            load(&counts.busy_ms) as f64 / 1000.0,
        )
    }
}

impl Executor for Metered {
    fn execute(
        &self,
        lease: Lease,
        progress: Arc<AtomicU32>,
        cancel: CancellationToken,
    ) -> BoxFuture<'static, Result<TaskOutput>> {
        let running = Running::begin(self.counts.clone(), progress.clone());
        let task = self.inner.execute(lease, progress, cancel);
        Box::pin(async move {
            let ended = task.await;
            running.counts.count(&ended);
            ended
        })
    }
}

impl Counts {
    fn count(&self, ended: &Result<TaskOutput>) {
        let count = match ended {
            Ok(_) => &self.done,
            Err(Error::BadInput(_)) => &self.bad_input,
            Err(Error::Cancelled) => &self.cancelled,
            Err(Error::Internal { .. }) => &self.failed,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// A task under way; however it ends, panics included, it is not running afterwards.
struct Running {
    counts: Arc<Counts>,
    frames: Arc<AtomicU32>,
    started: Instant,
}

impl Running {
    fn begin(counts: Arc<Counts>, frames: Arc<AtomicU32>) -> Self {
        counts.running.fetch_add(1, Ordering::Relaxed);
        Self {
            counts,
            frames,
            started: Instant::now(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let counts = &self.counts;
        counts.running.fetch_sub(1, Ordering::Relaxed);
        let frames = u64::from(self.frames.load(Ordering::Relaxed));
        counts.frames.fetch_add(frames, Ordering::Relaxed);
        let busy = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        counts.busy_ms.fetch_add(busy, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fails;

    impl Executor for Fails {
        fn execute(
            &self,
            _: Lease,
            progress: Arc<AtomicU32>,
            _: CancellationToken,
        ) -> BoxFuture<'static, Result<TaskOutput>> {
            progress.store(7, Ordering::Relaxed);
            Box::pin(async { Err(Error::BadInput("a bad picture".to_owned())) })
        }
    }

    #[tokio::test]
    async fn a_task_is_counted_by_its_end_and_not_running_afterwards() {
        let metered = Metered::new(Fails);
        let task = metered.execute(Lease::default(), Arc::default(), CancellationToken::new());
        assert!(metered.render().contains("kinora_node_tasks_running 1"));
        assert!(task.await.is_err());
        let text = metered.render();
        assert!(text.contains("kinora_node_tasks_running 0"), "{text}");
        assert!(
            text.contains("kinora_node_tasks_total{end=\"bad_input\"} 1"),
            "{text}"
        );
        assert!(text.contains("kinora_node_frames_total 7"), "{text}");
    }
}
