//! One node's stream: leases out, heartbeats and results in.

use std::time::Duration;

use kinora_proto::v1::{
    AssembleTask, FromNode, Heartbeat, Lease, LeaseId, RenderTask, Revoke, StillsTask, TaskDone,
    TaskFailed, ToNode, Welcome, from_node, lease, to_node,
};
use tokio::{
    sync::mpsc,
    time::{Instant, timeout_at},
};
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};
use tracing::Instrument;

use super::to_status;
use crate::{
    Result,
    app::App,
    clock::Timestamp,
    ids::NodeId,
    metrics::Ending,
    scheduler::{self, Claim, Outcome, Work},
    state::Lane,
    store::Fence,
};

/// Why a session can't go on.
enum Ended {
    /// The node does not read any more.
    Gone,
    /// We can't do our part.
    Broken(Status),
}

impl From<crate::Error> for Ended {
    fn from(error: crate::Error) -> Self {
        Self::Broken(to_status(error))
    }
}

/// The controller's end of a node's stream. It holds no state: leases live in the database, and
/// outlast the stream until their deadline, so that a node may come back and go on.
pub(super) struct Session {
    app: App,
    node: NodeId,
    outbox: mpsc::Sender<Result<ToNode, Status>>,
    shutdown: CancellationToken,
}

impl Session {
    pub(super) fn new(
        app: App,
        node: NodeId,
        outbox: mpsc::Sender<Result<ToNode, Status>>,
        shutdown: CancellationToken,
    ) -> Self {
        Self {
            app,
            node,
            outbox,
            shutdown,
        }
    }

    /// Serves the node until either side ends it.
    pub(super) async fn run(self, inbound: Streaming<FromNode>) {
        match self.serve(inbound).await {
            Ok(()) => tracing::info!("node disconnected"),
            Err(Ended::Gone) => tracing::info!("node went away"),
            Err(Ended::Broken(status)) => {
                tracing::warn!(code = ?status.code(), "stream ended; the node will come back");
                // Nobody may be listening any more, and then nobody needs to know.
                let _ = self.outbox.send(Err(status)).await;
            }
        }
    }

    async fn serve(&self, mut inbound: Streaming<FromNode>) -> Result<(), Ended> {
        let timing = self.app.timing;
        self.send(to_node::Message::Welcome(Welcome {
            heartbeat_interval_ms: millis(timing.heartbeat),
            lease_ms: millis(timing.lease),
        }))
        .await?;
        let mut nudges = self.app.nudges();
        self.grant_leases().await?;
        let mut silent_until = Instant::now() + timing.lease;
        loop {
            tokio::select! {
                () = self.shutdown.cancelled() => return Ok(()),
                message = timeout_at(silent_until, inbound.message()) => match message {
                    Ok(Ok(Some(message))) => {
                        silent_until = Instant::now() + timing.lease;
                        self.handle(message).await?;
                    }
                    Ok(Ok(None)) => return self.release_drained().await,
                    Ok(Err(_)) => return Err(Ended::Gone),
                    Err(_) => return Err(Ended::Broken(Status::deadline_exceeded("no heartbeat"))),
                },
                changed = nudges.changed() => match changed {
                    Ok(()) => self.grant_leases().await?,
                    Err(_) => return Ok(()),
                },
            }
        }
    }

    async fn handle(&self, message: FromNode) -> Result<(), Ended> {
        match message.message {
            Some(from_node::Message::Heartbeat(heartbeat)) => self.heartbeat(heartbeat).await?,
            Some(from_node::Message::Done(done)) => {
                let Some(lease) = self.fence(done.lease.as_ref()) else {
                    return Ok(());
                };
                let span = task_span(&lease);
                self.done(lease, done).instrument(span).await?;
                self.grant_leases().await?;
            }
            Some(from_node::Message::Failed(failed)) => {
                let Some(lease) = self.fence(failed.lease.as_ref()) else {
                    return Ok(());
                };
                let span = task_span(&lease);
                self.failed(lease, failed).instrument(span).await?;
                self.app.nudge();
            }
            Some(from_node::Message::HandBack(back)) => {
                let Some(lease) = self.fence(back.lease.as_ref()) else {
                    return Ok(());
                };
                let span = task_span(&lease);
                self.hand_back(&lease).instrument(span).await?;
            }
            Some(from_node::Message::Drain(_)) => {
                self.app.store.drain_node(&self.node).await?;
                tracing::info!("node drains");
            }
            // A second hello changes nothing; what we don't know comes from a newer node.
            Some(from_node::Message::Hello(_)) | None => {}
        }
        Ok(())
    }

    /// Fills the node's free slots, those for renders first.
    async fn grant_leases(&self) -> Result<(), Ended> {
        self.grant_leases_in(Lane::Render).await?;
        self.grant_leases_in(Lane::Preview).await
    }

    async fn grant_leases_in(&self, lane: Lane) -> Result<(), Ended> {
        let (store, timing) = (&self.app.store, &self.app.timing);
        let sizing = self.app.terms.sizing;
        while let Some(claim) =
            scheduler::claim(store, &self.node, lane, timing, sizing, Timestamp::now()).await?
        {
            let (kind, waited) = (claim.work.kind(), claim.waited);
            let lease = claim.lease.clone();
            let span = tracing::info_span!(
                "task", job_id = %claim.job, task_id = %lease.task, attempt = lease.attempt
            );
            let sent = self
                .send(to_node::Message::Lease(lease_message(claim)))
                .await;
            if sent.is_err() {
                self.hand_back(&lease).instrument(span).await?;
                return sent;
            }
            self.app.counters.note_wait(lane, kind, waited);
            span.in_scope(|| tracing::info!("task leased"));
        }
        Ok(())
    }

    async fn heartbeat(&self, heartbeat: Heartbeat) -> Result<(), Ended> {
        let now = Timestamp::now();
        self.app.store.touch_node(&self.node, now).await?;
        for progress in heartbeat.tasks {
            let Some(lease) = self.fence(progress.lease.as_ref()) else {
                continue;
            };
            let (store, timing) = (&self.app.store, &self.app.timing);
            if !scheduler::heartbeat(store, &lease, progress.frames_done, timing, now).await? {
                self.revoke(&lease).await?;
            }
        }
        Ok(())
    }

    async fn done(&self, lease: Fence, done: TaskDone) -> Result<(), Ended> {
        let (store, timing) = (&self.app.store, &self.app.timing);
        let (key, size) = (&done.output_key, done.output_size);
        let busy = Duration::from_millis(done.busy_ms.into());
        let outcome =
            scheduler::finish(store, &lease, key, size, busy, timing, Timestamp::now()).await?;
        match outcome {
            Outcome::Applied => {
                tracing::info!(
                    frames = done.frames_done,
                    busy_ms = done.busy_ms,
                    "task done"
                );
                self.app.counters.count(Ending::Done);
                if let Some((lane, kind)) = store.work_of(&lease.task).await? {
                    self.app.counters.note_task(lane, kind, busy);
                }
                // The assembly may be ready, for any node, or the job may have ended.
                self.app.nudge();
                self.app.webhooks.wake();
            }
            Outcome::Known => {}
            Outcome::Stale(stale) => {
                tracing::info!("a result came too late and was dropped");
                self.revoke(&lease).await?;
                let objects = self.app.objects.as_ref();
                scheduler::delete_stale_object(objects, &lease, &stale, key).await;
            }
        }
        Ok(())
    }

    async fn failed(&self, lease: Fence, failed: TaskFailed) -> Result<(), Ended> {
        let (store, timing, now) = (&self.app.store, &self.app.timing, Timestamp::now());
        let outcome = if failed.bad_input {
            scheduler::reject(store, &lease, &failed.message, now).await?
        } else {
            scheduler::fail(store, &lease, &failed.message, timing, now).await?
        };
        match outcome {
            Outcome::Applied => {
                self.app.counters.count(Ending::Failed);
                self.app.webhooks.wake();
            }
            Outcome::Known => {}
            Outcome::Stale(_) => self.revoke(&lease).await?,
        }
        Ok(())
    }

    async fn hand_back(&self, lease: &Fence) -> Result<(), Ended> {
        let outcome = scheduler::hand_back(&self.app.store, lease, Timestamp::now()).await?;
        if outcome == Outcome::Applied {
            tracing::info!("task handed back");
            self.app.counters.count(Ending::Requeued);
            self.app.nudge();
        }
        Ok(())
    }

    /// The node has ended its stream; if it drained, nothing it holds will be finished.
    async fn release_drained(&self) -> Result<(), Ended> {
        let released =
            scheduler::release_drained(&self.app.store, &self.node, Timestamp::now()).await?;
        if released > 0 {
            self.app.counters.count_many(Ending::Requeued, released);
            self.app.nudge();
        }
        Ok(())
    }

    async fn revoke(&self, lease: &Fence) -> Result<(), Ended> {
        let lease = LeaseId {
            task_id: lease.task.to_string(),
            attempt: lease.attempt,
        };
        self.send(to_node::Message::Revoke(Revoke { lease: Some(lease) }))
            .await
    }

    async fn send(&self, message: to_node::Message) -> Result<(), Ended> {
        let message = ToNode {
            message: Some(message),
        };
        self.outbox.send(Ok(message)).await.map_err(|_| Ended::Gone)
    }

    fn fence(&self, lease: Option<&LeaseId>) -> Option<Fence> {
        let lease = lease?;
        Some(Fence {
            task: lease.task_id.as_str().into(),
            attempt: lease.attempt,
            node: self.node.clone(),
        })
    }
}

fn task_span(lease: &Fence) -> tracing::Span {
    // The job is looked up with the task.
    let job_id = tracing::field::Empty;
    tracing::info_span!("task", job_id, task_id = %lease.task, attempt = lease.attempt)
}

fn lease_message(claim: Claim) -> Lease {
    let Claim {
        lease,
        job,
        lane,
        public_url,
        reduce,
        until,
        composition_json,
        output_key,
        encoder,
        work,
        trace_parent,
        ..
    } = claim;
    let task = match work {
        Work::Render(frames) => lease::Task::Render(RenderTask {
            composition_json,
            first_frame: frames.start,
            end_frame: frames.end,
            output_key,
            reduce,
        }),
        Work::Assemble(chunk_keys) => lease::Task::Assemble(AssembleTask {
            composition_json,
            chunk_keys,
            output_key,
        }),
        Work::Stills(frames) => lease::Task::Stills(StillsTask {
            composition_json,
            frames,
            output_key,
            reduce,
        }),
    };
    Lease {
        id: Some(LeaseId {
            task_id: lease.task.to_string(),
            attempt: lease.attempt,
        }),
        job_id: job.to_string(),
        deadline_ms: until.0,
        task: Some(task),
        public_url,
        is_preview: lane == Lane::Preview,
        encoder: encoder.unwrap_or_default(),
        trace_parent: trace_parent.unwrap_or_default(),
    }
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
