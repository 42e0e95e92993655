//! The tasks that run on this node, across streams.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use kinora_proto::trace;
use kinora_proto::v1::{Lease, LeaseId, Progress, from_node};
use tokio::{sync::mpsc, task::AbortHandle, time::Instant};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::{
    Executor,
    report::{self, Finished},
};

/// Results that wait to be told; tasks beyond that wait to finish.
const FINISHED: usize = 64;
/// How long cancelled tasks may take to stop before they are cut off.
const CANCEL_GRACE: Duration = Duration::from_secs(2);

struct Running {
    lease: LeaseId,
    progress: Arc<AtomicU32>,
    cancel: CancellationToken,
    abort: AbortHandle,
}

/// Running tasks, and reports that the controller may not have heard.
pub(super) struct Tasks {
    executor: Arc<dyn Executor>,
    running: HashMap<(String, u32), Running>,
    finished: mpsc::Receiver<Finished>,
    finish: mpsc::Sender<Finished>,
    /// Reports with the time they were last sent. Nothing acknowledges a report, so it is kept as
    /// long as its lease can be held: one that is told twice changes nothing the second time.
    reports: Vec<(Instant, from_node::Message)>,
    lease: Duration,
    renewed_at: Instant,
}

impl Tasks {
    pub(super) fn new(executor: Arc<dyn Executor>) -> Self {
        let (finish, finished) = mpsc::channel(FINISHED);
        Self {
            executor,
            running: HashMap::new(),
            finished,
            finish,
            reports: Vec::new(),
            lease: Duration::ZERO,
            renewed_at: Instant::now(),
        }
    }

    /// Starts what a lease asks for.
    pub(super) fn start(&mut self, lease: Lease) {
        let Some(id) = lease.id.clone() else {
            tracing::error!("a lease without an id can't be worked on");
            return;
        };
        let key = (id.task_id.clone(), id.attempt);
        if self.running.contains_key(&key) {
            return;
        }
        let span = tracing::info_span!(
            target: "kinora_node::traced",
            "task",
            job_id = lease.job_id,
            task_id = id.task_id,
            attempt = id.attempt
        );
        trace::hang_below(&span, &lease.trace_parent);
        span.in_scope(|| tracing::info!("task started"));
        let (progress, cancel) = (Arc::new(AtomicU32::new(0)), CancellationToken::new());
        let job_id = lease.job_id.clone();
        let work = self
            .executor
            .execute(lease, Arc::clone(&progress), cancel.clone());
        let work = tokio::spawn(work.instrument(span));
        let abort = work.abort_handle();
        let (finish, began) = (self.finish.clone(), Instant::now());
        let (lease, frames) = (id.clone(), Arc::clone(&progress));
        tokio::spawn(async move {
            let result = work.await;
            let busy_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
            let frames_done = frames.load(Ordering::Relaxed);
            // The other end lives as long as the worker; after it nobody wants to know.
            let _ = finish
                .send(Finished {
                    lease,
                    job_id,
                    result,
                    frames_done,
                    busy_ms,
                })
                .await;
        });
        self.running.insert(
            key,
            Running {
                lease: id,
                progress,
                cancel,
                abort,
            },
        );
    }

    /// The next task that ends and is still ours, or has left an object behind. Pends while none does.
    pub(super) async fn next_finished(&mut self) -> Finished {
        loop {
            match self.finished.recv().await {
                Some(finished) => {
                    let key = (finished.lease.task_id.clone(), finished.lease.attempt);
                    // One that was revoked and had its result stored before it could stop is told too: only the
                    // controller can delete that.
                    if self.running.remove(&key).is_some() || finished.has_stored() {
                        return finished;
                    }
                    // It was revoked; what it came to is nobody's business any more.
                }
                // We hold a sender ourselves.
                None => std::future::pending().await,
            }
        }
    }

    /// Turns the end of a task into a message, and keeps that in case it gets lost.
    pub(super) fn report(&mut self, finished: Finished) -> from_node::Message {
        let message = report::message(finished);
        self.reports.push((Instant::now(), message.clone()));
        message
    }

    /// Keeps the end of a task until there is a stream again.
    pub(super) fn keep_for_later(&mut self, finished: Finished) {
        self.report(finished);
    }

    /// Reports that a new stream should hear: those whose lease may still be ours.
    pub(super) fn reports_to_repeat(&mut self) -> Vec<from_node::Message> {
        self.forget_old_reports();
        self.reports
            .iter()
            .map(|(_, message)| message.clone())
            .collect()
    }

    /// What a heartbeat says.
    pub(super) fn progress(&mut self) -> Vec<Progress> {
        self.forget_old_reports();
        self.running
            .values()
            .map(|task| Progress {
                lease: Some(task.lease.clone()),
                frames_done: task.progress.load(Ordering::Relaxed),
            })
            .collect()
    }

    /// A heartbeat was sent: leases hold for this much longer.
    pub(super) fn renewed(&mut self, lease: Duration) {
        self.lease = lease;
        self.renewed_at = Instant::now();
    }

    /// When the leases of running tasks end, if nothing renews them.
    pub(super) fn leases_end_at(&self) -> Option<Instant> {
        (!self.running.is_empty()).then(|| self.renewed_at + self.lease)
    }

    /// Gives up tasks whose leases have run out: somebody else has them by now.
    pub(super) fn give_up_expired(&mut self) {
        if self
            .leases_end_at()
            .is_some_and(|end| Instant::now() >= end)
        {
            tracing::warn!(
                tasks = self.running.len(),
                "leases ran out: tasks are cancelled"
            );
            for (_, task) in self.running.drain() {
                stop(&task);
            }
        }
    }

    /// A lease is not ours any more.
    pub(super) fn revoke(&mut self, lease: &LeaseId) {
        if let Some(task) = self.running.remove(&(lease.task_id.clone(), lease.attempt)) {
            tracing::info!(
                task_id = lease.task_id,
                attempt = lease.attempt,
                "lease revoked: task stopped"
            );
            stop(&task);
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// Asks every task to stop.
    pub(super) fn cancel(&self) {
        for task in self.running.values() {
            task.cancel.cancel();
        }
    }

    /// Cuts every task off, and answers the leases they had.
    pub(super) fn abort_all(&mut self) -> Vec<LeaseId> {
        self.running
            .drain()
            .map(|(_, task)| {
                task.abort.abort();
                task.lease
            })
            .collect()
    }

    /// Stops every task and waits until all have stopped.
    pub(super) async fn cancel_all(&mut self) {
        self.cancel();
        let cut_off_at = Instant::now() + CANCEL_GRACE;
        while !self.is_idle() {
            if tokio::time::timeout_at(cut_off_at, self.next_finished())
                .await
                .is_err()
            {
                self.abort_all();
            }
        }
    }

    fn forget_old_reports(&mut self) {
        let lease = self.lease;
        self.reports.retain(|(sent, _)| sent.elapsed() < lease);
    }
}

/// Asks a task to stop, and cuts it off when it does not.
fn stop(task: &Running) {
    task.cancel.cancel();
    let abort = task.abort.clone();
    tokio::spawn(async move {
        tokio::time::sleep(CANCEL_GRACE).await;
        abort.abort();
    });
}
