//! Counts what a node does, for its metrics page.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use kinora_node::worker::{Executor, TaskOutput};
use kinora_node::{Error, Result};
use kinora_proto::v1::Lease;
use tokio_util::sync::CancellationToken;

/// An executor that counts the tasks that pass through it: renders and previews apart, since
/// previews rest beside renders and would spoil their figures.
pub(crate) struct Metered {
    inner: Arc<dyn Executor>,
    renders: Arc<Counts>,
    previews: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    work: Mutex<Work>,
    done: AtomicU64,
    bad_input: AtomicU64,
    cancelled: AtomicU64,
    device_lost: AtomicU64,
    failed: AtomicU64,
}

/// What tasks have come to. Those under way count too, so that figures grow evenly.
#[derive(Default)]
struct Work {
    running: Vec<Arc<Task>>,
    /// Of tasks that have ended.
    frames: u64,
    busy: Duration,
}

struct Task {
    frames: Arc<AtomicU32>,
    started: Instant,
}

impl Work {
    fn frames(&self) -> u64 {
        let under_way = self.running.iter().map(|task| task.frames());
        self.frames + under_way.sum::<u64>()
    }

    fn busy(&self) -> Duration {
        let under_way = self.running.iter().map(|task| task.started.elapsed());
        self.busy + under_way.sum::<Duration>()
    }
}

impl Task {
    fn frames(&self) -> u64 {
        self.frames.load(Ordering::Relaxed).into()
    }
}

impl Metered {
    pub(crate) fn new(inner: impl Executor) -> Self {
        Self {
            inner: Arc::new(inner),
            renders: Arc::default(),
            previews: Arc::default(),
        }
    }

    /// The counts in Prometheus' text format.
    pub(crate) fn render(&self) -> String {
        let mut text = String::new();
        for metric in &METRICS {
            let Metric {
                name, kind, help, ..
            } = metric;
            text += &format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
            for (lane, counts) in [("render", &self.renders), ("preview", &self.previews)] {
                for (label, value) in (metric.values)(counts) {
                    text += &format!("{name}{{lane=\"{lane}\"{label}}} {value}\n");
                }
            }
        }
        text
    }
}

/// A line of the metrics page for each lane, or several with labels of their own.
struct Metric {
    name: &'static str,
    kind: &'static str,
    help: &'static str,
    values: fn(&Counts) -> Vec<(&'static str, f64)>,
}

const METRICS: [Metric; 4] = [
    Metric {
        name: "kinora_node_tasks_running",
        kind: "gauge",
        help: "Tasks that the node works on now.",
        values: |counts| vec![("", counts.work().running.len() as f64)],
    },
    Metric {
        name: "kinora_node_tasks_total",
        kind: "counter",
        help: "Tasks that ended, by how they ended.",
        values: |counts| {
            vec![
                (",end=\"done\"", load(&counts.done)),
                (",end=\"bad_input\"", load(&counts.bad_input)),
                (",end=\"cancelled\"", load(&counts.cancelled)),
                (",end=\"device_lost\"", load(&counts.device_lost)),
                (",end=\"failed\"", load(&counts.failed)),
            ]
        },
    },
    Metric {
        name: "kinora_node_frames_total",
        kind: "counter",
        help: "Frames that were drawn and encoded.",
        values: |counts| vec![("", counts.work().frames() as f64)],
    },
    Metric {
        name: "kinora_node_busy_seconds_total",
        kind: "counter",
        help: "Time spent on tasks.",
        values: |counts| vec![("", counts.work().busy().as_secs_f64())],
    },
];

fn load(count: &AtomicU64) -> f64 {
    count.load(Ordering::Relaxed) as f64
}

impl Executor for Metered {
    fn execute(
        &self,
        lease: Lease,
        progress: Arc<AtomicU32>,
        cancel: CancellationToken,
    ) -> BoxFuture<'static, Result<TaskOutput>> {
        let counts = if lease.is_preview {
            &self.previews
        } else {
            &self.renders
        };
        let running = Running::begin(Arc::clone(counts), progress.clone());
        let task = self.inner.execute(lease, progress, cancel);
        Box::pin(async move {
            let ended = task.await;
            running.counts.count(&ended);
            ended
        })
    }
}

impl Counts {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, ended: &Result<TaskOutput>) {
        let count = match ended {
            Ok(_) => &self.done,
            Err(Error::BadInput(_)) => &self.bad_input,
            Err(Error::Cancelled) => &self.cancelled,
            Err(Error::DeviceLost(_)) => &self.device_lost,
            Err(Error::Internal { .. }) => &self.failed,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

/// A task under way; however it ends, panics included, it is not running afterwards.
struct Running {
    counts: Arc<Counts>,
    task: Arc<Task>,
}

impl Running {
    fn begin(counts: Arc<Counts>, frames: Arc<AtomicU32>) -> Self {
        let task = Arc::new(Task {
            frames,
            started: Instant::now(),
        });
        counts.work().running.push(Arc::clone(&task));
        Self { counts, task }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut work = self.counts.work();
        work.running.retain(|task| !Arc::ptr_eq(task, &self.task));
        work.frames += self.task.frames();
        work.busy += self.task.started.elapsed();
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
    async fn a_task_is_counted_in_its_lane_by_its_end_and_not_running_afterwards() {
        for (is_preview, lane, other) in [(false, "render", "preview"), (true, "preview", "render")]
        {
            let metered = Metered::new(Fails);
            let lease = Lease {
                is_preview,
                ..Lease::default()
            };
            let task = metered.execute(lease, Arc::default(), CancellationToken::new());
            let says = |line: String| {
                let text = metered.render();
                assert!(text.lines().any(|found| found == line), "{line}: {text}");
            };
            says(format!("kinora_node_tasks_running{{lane=\"{lane}\"}} 1"));
            says(format!("kinora_node_tasks_running{{lane=\"{other}\"}} 0"));
            says(format!("kinora_node_frames_total{{lane=\"{lane}\"}} 7"));
            assert!(task.await.is_err());
            says(format!("kinora_node_tasks_running{{lane=\"{lane}\"}} 0"));
            for (lane, count, frames) in [(lane, 1, 7), (other, 0, 0)] {
                says(format!(
                    "kinora_node_tasks_total{{lane=\"{lane}\",end=\"bad_input\"}} {count}"
                ));
                says(format!(
                    "kinora_node_frames_total{{lane=\"{lane}\"}} {frames}"
                ));
            }
        }
    }
}
