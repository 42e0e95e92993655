//! Giving a task to a node.

use std::{ops::Range, time::Duration};

use super::{Drawing, Sizing, Timing, keys};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{JobId, NodeId},
    state::{Lane, TaskKind},
    store::{Fence, Store},
};

/// A lease, with everything that the node needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) lease: Fence,
    pub(crate) job: JobId,
    pub(crate) lane: Lane,
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

/// Leases the next task of a lane to a node that has a free slot for it, if there is one.
pub(crate) async fn claim(
    store: &Store,
    node: &NodeId,
    lane: Lane,
    timing: &Timing,
    sizing: Sizing,
    now: Timestamp,
) -> Result<Option<Claim>> {
    // Most looks find nothing, and then no transaction is needed.
    if !store.has_ready_tasks(lane).await? {
        return Ok(None);
    }
    let mut tx = store.begin().await?;
    let Some(row) = tx.lock_node(node).await? else {
        return Ok(None);
    };
    let is_full = tx.leases_of(node, lane).await? >= row.slots(lane);
    if row.draining || row.set_aside_until > now || is_full {
        return Ok(None);
    }
    let seen_after = now.minus(timing.lease);
    let Some(mut task) = tx
        .lock_next_ready_task(node, &row.encoders, lane, seen_after, now)
        .await?
    else {
        return Ok(None);
    };
    let job = tx.job(&task.job).await?;
    let job = job.ok_or_else(|| Error::Corrupt(format!("no job {}", task.job)))?;
    let encoder = tx
        .start_job(&job, row.encoders.first().map(String::as_str), now)
        .await?;
    if task.kind == TaskKind::Render
        && encoder
            .as_ref()
            .is_some_and(|name| !row.encoders.contains(name))
    {
        // Another node has begun the job just now, with what this one does not have.
        return Ok(None);
    }
    if task.kind == TaskKind::Render && lane == Lane::Render {
        let drawing = Drawing {
            frames: task.frames.end - task.frames.start,
            ..job.drawing()
        };
        if let Some(frames) = sizing.cut(drawing, row.speed, job.ease) {
            tx.cut_task(&mut task, frames, drawing.pixels_of_frame)
                .await?;
        }
    }

    let lease = Fence {
        task: task.id.clone(),
        attempt: task.attempt + 1,
        node: node.clone(),
    };
    let until = now.plus(timing.lease);
    let output_key = keys::output_key(task.kind, lane, &job.id, &task.id, lease.attempt);
    if !tx
        .lease_task(&task, &lease, &output_key, until, now)
        .await?
    {
        return Ok(None);
    }
    // The jobs of one preview share its composition.
    let (composition_json, reduce, stills) = match lane {
        Lane::Render => (job.composition_json, 1, Vec::new()),
        Lane::Preview => {
            let drawing = tx.preview_drawing(&job.id).await?;
            let drawing =
                drawing.ok_or_else(|| Error::Corrupt(format!("no preview of {}", job.id)))?;
            (drawing.composition_json, drawing.reduce, drawing.stills)
        }
    };
    let work = match task.kind {
        TaskKind::Render => Work::Render(task.frames),
        TaskKind::Assemble => Work::Assemble(tx.chunk_keys(&job.id).await?),
        TaskKind::Stills => Work::Stills(stills),
    };
    tx.commit().await?;
    Ok(Some(Claim {
        lease,
        job: job.id,
        lane,
        public_url: job.public_url,
        reduce,
        until,
        composition_json,
        output_key,
        encoder,
        work,
        waited: now.since(task.updated_at),
        trace_parent: job.trace_parent,
    }))
}
