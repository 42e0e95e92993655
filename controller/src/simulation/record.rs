//! What simulated nodes have seen, and which rules of the queue it broke.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use kinora_proto::v1::{Lease, lease};

use crate::{ids::JobId, store::MEDIA_HELD};

/// Broken rules that are told; there may be as many as there are leases.
const PROBLEMS: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Record {
    heartbeats: AtomicU64,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Which account's each job is, and what it shows.
    jobs: HashMap<String, (usize, String)>,
    /// Who holds each task that is leased, and whether it was reported as done.
    held: HashMap<String, usize>,
    done: HashSet<String>,
    /// Tasks whose node was given something afterwards, and so was heard.
    acknowledged: usize,
    completed: usize,
    /// Nodes that have completed a job last, and were not given anything since.
    completers: HashSet<usize>,
    completions_heard: usize,
    /// The accounts of all leases, in order.
    leases: Vec<usize>,
    /// Leases after a node's first, and how many of them were of the media of an earlier one.
    later: usize,
    at_hand: usize,
    turnaround: Vec<Duration>,
    heartbeats_before: u64,
    problems: Vec<String>,
}

/// What was seen in a while.
pub(super) struct Seen {
    pub(super) heartbeats: u64,
    pub(super) turnaround: [Duration; 3],
}

impl Record {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job is in the queue.
    pub(super) fn expect(&self, job: &JobId, owner: usize, media: &str) {
        let job = job.to_string();
        self.inner().jobs.insert(job, (owner, media.to_owned()));
    }

    /// From now on it counts.
    pub(super) fn begin(&self) {
        let mut inner = self.inner();
        inner.turnaround.clear();
        inner.heartbeats_before = self.heartbeats.load(Ordering::Relaxed);
    }

    /// What was seen since it counts.
    pub(super) fn end(&self) -> Seen {
        let mut inner = self.inner();
        let mut times = std::mem::take(&mut inner.turnaround);
        times.sort_unstable();
        let at = |hundredths: usize| {
            let index = (times.len() * hundredths / 100).min(times.len().saturating_sub(1));
            times.get(index).copied().unwrap_or_default()
        };
        Seen {
            heartbeats: self.heartbeats.load(Ordering::Relaxed) - inner.heartbeats_before,
            turnaround: [at(50), at(99), at(100)],
        }
    }

    pub(super) fn heartbeat(&self) {
        self.heartbeats.fetch_add(1, Ordering::Relaxed);
    }

    /// A node was given a task, so long after it had reported the one before, and has these media, last used first.
    pub(super) fn leased(
        &self,
        node: usize,
        lease: &Lease,
        after: Option<Duration>,
        has: &mut VecDeque<String>,
    ) {
        let task = lease.id.clone().unwrap_or_default().task_id;
        let mut inner = self.inner();
        if let Some(other) = inner.held.insert(task.clone(), node) {
            inner.problem(format!("{task} is leased to {node} while {other} holds it"));
        }
        if inner.done.contains(&task) {
            inner.problem(format!("{task} is leased again after it was done"));
        }
        let Some((owner, media)) = inner.jobs.get(&lease.job_id).cloned() else {
            return inner.problem(format!("{task} belongs to nobody's job"));
        };
        inner.leases.push(owner);
        if let Some(after) = after {
            inner.turnaround.push(after);
            inner.acknowledged += 1;
            if inner.completers.remove(&node) {
                inner.completions_heard += 1;
            }
            inner.later += 1;
            inner.at_hand += usize::from(has.contains(&media));
        }
        has.retain(|had| *had != media);
        has.push_front(media);
        has.truncate(MEDIA_HELD);
    }

    /// A node has done a task.
    pub(super) fn done(&self, node: usize, lease: &Lease) {
        let task = lease.id.clone().unwrap_or_default().task_id;
        let mut inner = self.inner();
        inner.held.remove(&task);
        inner.done.insert(task);
        if let Some(lease::Task::Assemble(_)) = lease.task {
            inner.completed += 1;
            inner.completers.insert(node);
        }
    }

    /// How many jobs were completed by nodes that were heard for sure.
    pub(super) fn completions_heard(&self) -> usize {
        self.inner().completions_heard
    }

    /// A lease was taken back, though its node was well.
    pub(super) fn revoked(&self, task: &str) {
        self.inner()
            .problem(format!("{task} was taken from a node that was well"));
    }

    /// A session ended before its node did.
    pub(super) fn cut_off(&self, node: usize) {
        let problem = format!("the session of {node} ended: the database did not answer in time");
        self.inner().problem(problem);
    }

    /// Jobs of which the last task was done.
    pub(super) fn completed(&self) -> usize {
        self.inner().completed
    }

    pub(super) fn acknowledged(&self) -> usize {
        self.inner().acknowledged
    }

    pub(super) fn problems(&self) -> Vec<String> {
        self.inner().problems.clone()
    }

    /// Leases of each account in the first half of all.
    pub(super) fn shares(&self, accounts: usize) -> Vec<usize> {
        let inner = self.inner();
        let mut shares = vec![0; accounts.max(1)];
        for owner in &inner.leases[..inner.leases.len() / 2] {
            shares[*owner] += 1;
        }
        shares
    }

    /// The share of leases after a node's first whose media it had.
    #[expect(clippy::cast_precision_loss, reason = "a share of a count")]
    pub(super) fn at_hand(&self) -> f64 {
        let inner = self.inner();
        inner.at_hand as f64 / inner.later.max(1) as f64
    }
}

impl Inner {
    fn problem(&mut self, problem: String) {
        if self.problems.len() < PROBLEMS {
            self.problems.push(problem);
        }
    }
}
