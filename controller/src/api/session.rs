//! One node's stream: leases out, heartbeats and results in.

use std::{collections::VecDeque, future::Future, sync::Arc, time::Duration};

use futures::{Stream, StreamExt};
use kinora_proto::v1::{
    AssembleTask, FromNode, Heartbeat, Lease, LeaseId, RenderTask, Revoke, StillsTask, TaskDone,
    TaskFailed, ToNode, Welcome, from_node, lease, to_node,
};
use tokio::{
    sync::mpsc,
    time::{Instant, timeout, timeout_at},
};
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tracing::Instrument;

use super::to_status;
use crate::{
    Result,
    app::App,
    clock::Timestamp,
    ids::{NodeId, TaskId},
    metrics::Ending,
    scheduler::{self, BEGINNING, Claim, Look, Looked, Outcome, Search, Work},
    state::Lane,
    store::{Beat, Fence, MEDIA_HELD, NodeHello},
    wakeups::{Baton, Waiting},
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

/// How many lost leases may wait to be told to the node.
const LOST: usize = 64;

/// The controller's end of a node's stream. What it remembers makes it quicker and nothing else: leases live in the
/// database, and outlast the stream until their deadline, so that a node may come back and go on.
pub(crate) struct Session {
    app: App,
    node: NodeId,
    encoders: Arc<[String]>,
    /// Nodes that encode with the same wait together.
    kind: Arc<str>,
    outbox: mpsc::Sender<Result<ToNode, Status>>,
    shutdown: CancellationToken,
    renders: Slots,
    previews: Slots,
    /// Media of the tasks that the node was given last, which it will have at hand.
    media: VecDeque<String>,
    /// Leases that the node has reported on last. A heartbeat that it sent before may still find them gone.
    ended: VecDeque<Fence>,
    seen_at: Option<Instant>,
    lost: mpsc::Sender<Fence>,
}

/// A node's slots for one lane.
struct Slots {
    count: usize,
    state: Room,
    /// Tasks that this session has given it.
    given: Vec<TaskId>,
}

/// Whether slots are free.
enum Room {
    /// All are taken, or nothing may be put into them.
    None,
    /// There is room, but the node has failed too often lately.
    SetAside,
    /// There is room, and nothing to put there.
    Waiting(Waiting),
}

impl Slots {
    fn new(count: u32) -> Self {
        Self {
            count: count as usize,
            state: Room::None,
            given: Vec::new(),
        }
    }

    /// Until there may be something for a free slot.
    async fn baton(&mut self) -> Baton {
        match &mut self.state {
            Room::Waiting(waiting) => waiting.baton().await,
            Room::None | Room::SetAside => std::future::pending().await,
        }
    }

    fn is_waiting(&self) -> bool {
        matches!(self.state, Room::Waiting(_))
    }
}

impl Session {
    pub(crate) fn new(
        app: App,
        hello: NodeHello,
        outbox: mpsc::Sender<Result<ToNode, Status>>,
        shutdown: CancellationToken,
    ) -> (Self, mpsc::Receiver<Fence>) {
        let (lost, revocations) = mpsc::channel(LOST);
        let session = Self {
            app,
            node: hello.id,
            kind: hello.encoders.join(",").into(),
            encoders: hello.encoders.into(),
            outbox,
            shutdown,
            renders: Slots::new(hello.slots),
            previews: Slots::new(hello.preview_slots),
            media: VecDeque::new(),
            ended: VecDeque::new(),
            seen_at: None,
            lost,
        };
        (session, revocations)
    }

    /// Serves the node until either side ends it.
    pub(crate) async fn run(
        mut self,
        inbound: impl Stream<Item = Result<FromNode, Status>> + Unpin,
        revocations: mpsc::Receiver<Fence>,
    ) {
        match self.serve(inbound, revocations).await {
            Ok(()) => tracing::info!("node disconnected"),
            Err(Ended::Gone) => tracing::info!("node went away"),
            Err(Ended::Broken(status)) => {
                tracing::warn!(code = ?status.code(), "stream ended; the node will come back");
                // Nobody may be listening any more, and then nobody needs to know.
                let _ = self.outbox.send(Err(status)).await;
            }
        }
    }

    async fn serve(
        &mut self,
        mut inbound: impl Stream<Item = Result<FromNode, Status>> + Unpin,
        mut revocations: mpsc::Receiver<Fence>,
    ) -> Result<(), Ended> {
        let timing = self.app.timing;
        self.send(to_node::Message::Welcome(Welcome {
            heartbeat_interval_ms: millis(timing.heartbeat),
            lease_ms: millis(timing.lease),
        }))
        .await?;
        let limit = timing.lease;
        in_time(limit, self.fill()).await?;
        let shutdown = self.shutdown.clone();
        let mut silent_until = Instant::now() + timing.lease;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                message = timeout_at(silent_until, inbound.next()) => match message {
                    Ok(Some(Ok(message))) => {
                        silent_until = Instant::now() + timing.lease;
                        in_time(limit, self.handle(message)).await?;
                    }
                    Ok(None) => return in_time(limit, self.release_drained()).await,
                    Ok(Some(Err(_))) => return Err(Ended::Gone),
                    Err(_) => return Err(Ended::Broken(Status::deadline_exceeded("no heartbeat"))),
                },
                baton = self.renders.baton() => {
                    in_time(limit, self.look(Lane::Render, Some(baton))).await?;
                }
                baton = self.previews.baton() => {
                    in_time(limit, self.look(Lane::Preview, Some(baton))).await?;
                }
                Some(lease) = revocations.recv() => {
                    if !self.ended.contains(&lease) {
                        self.note_end(&lease);
                        self.revoke(&lease).await?;
                        in_time(limit, self.fill()).await?;
                    }
                }
            }
        }
    }

    async fn handle(&mut self, message: FromNode) -> Result<(), Ended> {
        match message.message {
            Some(from_node::Message::Heartbeat(heartbeat)) => self.heartbeat(heartbeat).await?,
            Some(from_node::Message::Done(done)) => {
                let Some(lease) = self.fence(done.lease.as_ref()) else {
                    return Ok(());
                };
                let span = task_span(&lease);
                self.note_end(&lease);
                self.done(lease, done).instrument(span).await?;
                self.fill().await?;
            }
            Some(from_node::Message::Failed(failed)) => {
                let Some(lease) = self.fence(failed.lease.as_ref()) else {
                    return Ok(());
                };
                let span = task_span(&lease);
                self.note_end(&lease);
                self.failed(lease, failed).instrument(span).await?;
                self.fill().await?;
            }
            Some(from_node::Message::HandBack(back)) => {
                let Some(lease) = self.fence(back.lease.as_ref()) else {
                    return Ok(());
                };
                let span = task_span(&lease);
                self.note_end(&lease);
                self.hand_back(&lease).instrument(span).await?;
                self.fill().await?;
            }
            Some(from_node::Message::Drain(_)) => {
                self.app.store.drain_node(&self.node).await?;
                for lane in Lane::ALL {
                    self.slots(*lane).state = Room::None;
                }
                tracing::info!("node drains");
            }
            // A second hello changes nothing; what we don't know comes from a newer node.
            Some(from_node::Message::Hello(_)) | None => {}
        }
        Ok(())
    }

    /// Fills slots that have become free, those for renders first. Where there was room before, nothing is to be had.
    async fn fill(&mut self) -> Result<(), Ended> {
        for lane in Lane::ALL {
            if !self.slots(*lane).is_waiting() {
                self.look(*lane, None).await?;
            }
        }
        Ok(())
    }

    /// Takes tasks of a lane until the node is full, or waits for more; with a baton, on behalf of all of its kind.
    async fn look(&mut self, lane: Lane, baton: Option<Baton>) -> Result<(), Ended> {
        if self.slots(lane).count == 0 {
            return Ok(());
        }
        let wakeups = Arc::clone(self.app.store.wakeups());
        let state = loop {
            let news = wakeups.news(lane);
            match self.claim(lane).await? {
                Looked::Leased(claim) => {
                    if let Some(baton) = &baton {
                        baton.found();
                    }
                    self.slots(lane).given.push(claim.lease.task.clone());
                    self.give(*claim).await?;
                    if self.slots(lane).given.len() >= self.slots(lane).count {
                        break Room::None;
                    }
                }
                Looked::NoRoom => break Room::None,
                Looked::SetAside => break Room::SetAside,
                Looked::Nothing => {
                    let store = &self.app.store;
                    if let Some(baton) = baton
                        && !store.has_ready_tasks_for(lane, &self.encoders).await?
                    {
                        baton.put_down(news);
                    }
                    break Room::Waiting(wakeups.wait(lane, &self.kind, news));
                }
            }
        };
        self.slots(lane).state = state;
        Ok(())
    }

    async fn claim(&mut self, lane: Lane) -> Result<Looked, Ended> {
        let began = Instant::now();
        let look = self.app.looks.next(lane, &self.kind, began.into_std());
        let (from_turn, media) = match look {
            Look::Strict(turn) => (turn, Vec::new()),
            Look::Quick(turn) => (turn, self.media.iter().cloned().collect()),
        };
        let search = Search {
            node: self.node.clone(),
            lane,
            encoders: Arc::clone(&self.encoders),
            media,
            from_turn,
        };
        let (store, timing, sizing) = (&self.app.store, &self.app.timing, self.app.terms.sizing);
        let looked = self.app.desk.claim(store, search, timing, sizing).await?;
        if let Looked::Leased(claim) = &looked {
            self.app.counters.time_claim(began.elapsed());
            if look == Look::Strict(BEGINNING) {
                let (looks, now) = (&self.app.looks, Instant::now().into_std());
                looks.note_first(lane, &self.kind, claim.turn, now);
            }
        }
        Ok(looked)
    }

    /// Sends a lease to the node.
    async fn give(&mut self, claim: Claim) -> Result<(), Ended> {
        if !claim.media.is_empty() {
            self.media.retain(|media| *media != claim.media);
            self.media.push_front(claim.media.clone());
            self.media.truncate(MEDIA_HELD);
        }
        let (lane, kind, waited) = (claim.lane, claim.work.kind(), claim.waited);
        let lease = claim.lease.clone();
        let span = tracing::info_span!(
            "task", job_id = %claim.job, task_id = %lease.task, attempt = lease.attempt
        );
        let message = lease_message(claim, self.app.signer.is_some());
        let sent = self.send(to_node::Message::Lease(message)).await;
        if sent.is_err() {
            self.hand_back(&lease).instrument(span).await?;
            return sent;
        }
        self.app.counters.note_wait(lane, kind, waited);
        span.in_scope(|| tracing::info!("task leased"));
        Ok(())
    }

    /// Notes that the node is there and what it works on. Leases that it has lost are told to it later.
    async fn heartbeat(&mut self, heartbeat: Heartbeat) -> Result<(), Ended> {
        let leases: Vec<Beat> = heartbeat
            .tasks
            .into_iter()
            .filter_map(|progress| {
                let lease = self.fence(progress.lease.as_ref())?;
                let frames_done = progress.frames_done;
                Some(Beat { lease, frames_done })
            })
            .collect();
        let named: Vec<TaskId> = leases.iter().map(|beat| beat.lease.task.clone()).collect();
        // A few times in the life of a lease is enough for others to see that the node is there.
        let seldom = self.app.timing.lease / 3;
        let is_sign_of_life = self.seen_at.is_none_or(|at| at.elapsed() >= seldom);
        if is_sign_of_life {
            self.seen_at = Some(Instant::now());
        }
        let heartbeat = scheduler::Heartbeat {
            leases,
            is_sign_of_life,
            lost: self.lost.clone(),
        };
        self.app.pulse.hear(&self.node, heartbeat);
        for lane in Lane::ALL {
            let slots = self.slots(*lane);
            let may_have_room = match slots.state {
                Room::SetAside => true,
                // It may have lost a lease without a word.
                Room::None => named.len() < slots.count,
                Room::Waiting(_) => false,
            };
            if may_have_room {
                // What it does not name any more does not fill a slot.
                slots.given.retain(|task| named.contains(task));
                self.look(*lane, None).await?;
            }
        }
        Ok(())
    }

    fn note_end(&mut self, lease: &Fence) {
        for lane in Lane::ALL {
            self.slots(*lane).given.retain(|task| *task != lease.task);
        }
        self.ended.push_front(lease.clone());
        self.ended.truncate(LOST);
    }

    fn slots(&mut self, lane: Lane) -> &mut Slots {
        match lane {
            Lane::Render => &mut self.renders,
            Lane::Preview => &mut self.previews,
        }
    }

    async fn done(&self, lease: Fence, done: TaskDone) -> Result<(), Ended> {
        let (store, timing) = (&self.app.store, &self.app.timing);
        let (key, size) = (&done.output_key, done.output_size);
        let busy = Duration::from_millis(done.busy_ms.into());
        let outcome =
            scheduler::finish(store, &lease, key, size, busy, timing, Timestamp::now()).await?;
        match outcome {
            Outcome::Done(lane, kind) => {
                tracing::info!(
                    frames = done.frames_done,
                    busy_ms = done.busy_ms,
                    "task done"
                );
                self.app.counters.count(Ending::Done);
                self.app.counters.note_task(lane, kind, busy);
            }
            Outcome::Applied => self.app.counters.count(Ending::Failed),
            Outcome::Known => {}
            Outcome::Stale(stale) => {
                tracing::info!("a result came too late and was dropped");
                self.revoke(&lease).await?;
                // The store may be slow or away, and the node's heartbeats must not wait for it.
                let objects = Arc::clone(&self.app.objects);
                let deletion = async move {
                    let key = &done.output_key;
                    scheduler::delete_stale_object(objects.as_ref(), &lease, &stale, key).await;
                };
                tokio::spawn(deletion.instrument(tracing::Span::current()));
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
            Outcome::Applied => self.app.counters.count(Ending::Failed),
            Outcome::Known | Outcome::Done(..) => {}
            Outcome::Stale(_) => self.revoke(&lease).await?,
        }
        Ok(())
    }

    async fn hand_back(&self, lease: &Fence) -> Result<(), Ended> {
        let outcome = scheduler::hand_back(&self.app.store, lease, Timestamp::now()).await?;
        if outcome == Outcome::Applied {
            tracing::info!("task handed back");
            self.app.counters.count(Ending::Requeued);
        }
        Ok(())
    }

    /// The node has ended its stream; if it drained, nothing it holds will be finished.
    async fn release_drained(&self) -> Result<(), Ended> {
        let released =
            scheduler::release_drained(&self.app.store, &self.node, Timestamp::now()).await?;
        if released > 0 {
            self.app.counters.count_many(Ending::Requeued, released);
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

/// Gives up what takes longer than a lease: leases run out meanwhile, and by another stream the
/// node may find a controller that is better off.
async fn in_time(
    limit: Duration,
    step: impl Future<Output = Result<(), Ended>>,
) -> Result<(), Ended> {
    timeout(limit, step).await.unwrap_or_else(|_| {
        let slow = Status::deadline_exceeded("the database does not answer");
        Err(Ended::Broken(slow))
    })
}

fn task_span(lease: &Fence) -> tracing::Span {
    // The job is looked up with the task.
    let job_id = tracing::field::Empty;
    tracing::info_span!("task", job_id, task_id = %lease.task, attempt = lease.attempt)
}

fn lease_message(claim: Claim, signs_objects: bool) -> Lease {
    let Claim {
        lease,
        job,
        lane,
        media: _,
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
        signs_objects,
        trace_parent: trace_parent.unwrap_or_default(),
    }
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
