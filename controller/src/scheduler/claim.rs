//! Giving a task to a node.

use std::{ops::Range, time::Duration};

use super::{Sizing, Timing, keys};
use crate::{
    Result,
    clock::Timestamp,
    ids::JobId,
    state::{JobState, Lane, TaskKind},
    store::{Fence, Found, Looker, Store, Tx},
};

/// A lease, with everything that the node needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) lease: Fence,
    pub(crate) job: JobId,
    pub(crate) lane: Lane,
    /// Its place in the lane.
    pub(crate) turn: i64,
    /// The name of its media; empty for none.
    pub(crate) media: String,
    /// Files under this address are our own; empty when nobody said where it is.
    pub(crate) public_url: String,
    /// Each side of the picture is divided by this.
    pub(crate) reduce: u32,
    pub(crate) until: Timestamp,
    pub(crate) composition_json: String,
    pub(crate) output_key: String,
    /// What chunks are encoded with; what the node likes best where it is not said.
    pub(crate) encoder: Option<String>,
    pub(crate) work: Work,
    /// How long the task had been ready.
    pub(crate) waited: Duration,
    /// The span that the job began in.
    pub(crate) trace_parent: Option<String>,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Draw and encode these frames.
    Render(Range<u32>),
    /// Join these chunks.
    Assemble(Vec<String>),
    /// Draw each of these frames as a picture.
    Stills(Vec<u32>),
}

/// What came of a look at the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Looked {
    /// This lease.
    Leased(Box<Claim>),
    /// There is no task that the node may take.
    Nothing,
    /// The node has no room, is about to go, or is not known.
    NoRoom,
    /// The node has failed too often and gets no leases for a while.
    SetAside,
}

impl Work {
    /// The kind of task that it is.
    pub(crate) fn kind(&self) -> TaskKind {
        match self {
            Self::Render(_) => TaskKind::Render,
            Self::Assemble(_) => TaskKind::Assemble,
            Self::Stills(_) => TaskKind::Stills,
        }
    }
}

/// What came of one look of several in a transaction.
enum Step {
    /// This; the next one may follow.
    Looked(Looked),
    /// This, and its job has begun: others wait for the transaction to end.
    Begun(Looked, JobId),
    /// A task that another node has just made impossible for this one. The next look will pass it by.
    Again,
}

/// Leases the next task of its lane to each node that has a free slot for it, as far as there are tasks.
pub(crate) async fn claim_for_all(
    store: &Store,
    lookers: &[Looker<'_>],
    timing: &Timing,
    sizing: Sizing,
    now: Timestamp,
) -> Result<Vec<Looked>> {
    let mut all = Vec::with_capacity(lookers.len());
    while all.len() < lookers.len() {
        let mut tx = store.begin_relaxed().await?;
        let mut begun = None;
        while let Some(looker) = lookers.get(all.len()) {
            match step(&mut tx, looker, timing, sizing, now).await? {
                Step::Looked(looked) => all.push(looked),
                Step::Begun(looked, job) => {
                    all.push(looked);
                    begun = Some((looker, job));
                    break;
                }
                Step::Again => {}
            }
        }
        tx.commit().await?;
        if let Some((looker, job)) = begun {
            note_encoder(store, looker, &job, now.minus(timing.lease)).await;
        }
    }
    Ok(all)
}

async fn note_encoder(store: &Store, looker: &Looker<'_>, job: &JobId, seen_after: Timestamp) {
    if let Some(favourite) = looker.encoders.first()
        && let Err(error) = store
            .note_encoder(job, favourite, looker.encoders, seen_after)
            .await
    {
        tracing::debug!(%error, "claims will pass by tasks of the job that they could have left out");
    }
}

/// Leases the next task of a lane to a node that has a free slot for it, if there is one.
async fn step(
    tx: &mut Tx,
    looker: &Looker<'_>,
    timing: &Timing,
    sizing: Sizing,
    now: Timestamp,
) -> Result<Step> {
    let mut found = match tx.find_task(looker, now.minus(timing.lease), now).await? {
        Found::Task(found) => found,
        Found::Nothing => return Ok(Step::Looked(Looked::Nothing)),
        Found::NoRoom => return Ok(Step::Looked(Looked::NoRoom)),
        Found::SetAside => return Ok(Step::Looked(Looked::SetAside)),
    };
    let (kind, lane) = (found.task.kind, looker.lane);
    let lease = Fence {
        task: found.task.id.clone(),
        attempt: found.task.attempt + 1,
        node: looker.node.clone(),
    };
    let until = now.plus(timing.lease);
    let output_key = keys::output_key(kind, lane, &found.job, &lease.task, lease.attempt);
    let leased = tx.lease_task(&mut found, &lease, &output_key, until, now);
    if !leased.await? {
        return Ok(Step::Looked(Looked::NoRoom));
    }
    let mut is_first = false;
    if found.job_state == JobState::Pending {
        let favourite = looker.encoders.first();
        let encoder = favourite.map(String::as_str);
        is_first = tx
            .start_job(&found.job, found.job_state, encoder, now)
            .await?;
        if is_first {
            found.job_encoder = favourite.cloned();
        } else {
            // Another node has begun the job just now.
            found.job_encoder = tx.encoder_of(&found.job).await?;
            let can_encode = |name: &String| looker.encoders.contains(name);
            if kind == TaskKind::Render && !found.job_encoder.as_ref().is_none_or(can_encode) {
                tx.requeue_task(&found.task, &lease, now).await?;
                return Ok(Step::Again);
            }
        }
    }
    if kind == TaskKind::Render && lane == Lane::Render {
        let drawing = found.drawing();
        if let Some(frames) = sizing.cut(drawing, found.speed, found.ease) {
            tx.cut_task(&mut found.task, frames, drawing.pixels_of_frame)
                .await?;
        }
    }
    let work = match kind {
        TaskKind::Render => Work::Render(found.task.frames),
        TaskKind::Assemble => Work::Assemble(tx.chunk_keys(&found.job).await?),
        TaskKind::Stills => Work::Stills(found.stills),
    };
    let job = found.job.clone();
    let leased = Looked::Leased(Box::new(Claim {
        lease,
        job: found.job,
        lane,
        turn: found.turn,
        media: found.media,
        public_url: found.public_url,
        reduce: found.reduce,
        until,
        composition_json: found.composition_json,
        output_key,
        encoder: found.job_encoder,
        work,
        waited: now.since(found.task.updated_at),
        trace_parent: found.trace_parent,
    }));
    Ok(match is_first {
        true => Step::Begun(leased, job),
        false => Step::Looked(leased),
    })
}
