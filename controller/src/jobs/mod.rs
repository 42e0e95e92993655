//! Accepting render requests, and reading jobs back.

mod progress;
mod split;

use std::time::Duration;

use kinora_composition::{document::Limits, price, request};

use crate::{
    Error, Result,
    clock::Timestamp,
    credential,
    ids::{AccountId, JobId, TaskId},
    ledger::{self, Credits},
    state::{TaskKind, TaskState},
    store::{IdempotentAnswer, JobRow, NewJob, NewTask, Store},
};

pub(crate) use progress::Progress;

/// Longer keys are a mistake of the caller.
const MAX_IDEMPOTENCY_KEY: usize = 255;
/// How long a retry with the same idempotency key gets the first answer.
pub(crate) const IDEMPOTENCY_MEMORY: Duration = Duration::from_secs(24 * 3600);

/// What decides whether, and at what price, a render is accepted.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub(crate) limits: Limits,
    pub(crate) credits_per_minute: u32,
    pub(crate) seconds_per_task: u32,
}

/// An accepted render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub(crate) job: JobId,
    pub(crate) price: Credits,
    pub(crate) video_minutes: i64,
    pub(crate) mode: String,
}

/// A job with what is known of its progress.
#[derive(Clone, Debug)]
pub(crate) struct JobView {
    pub(crate) job: JobRow,
    pub(crate) progress: Progress,
    pub(crate) cost: Credits,
    pub(crate) updated_at: Timestamp,
}

/// Accepts a render: charge, job and tasks in one transaction, or nothing at all.
///
/// An empty `idempotency_key` is none.
pub(crate) async fn create(
    store: &Store,
    terms: &Terms,
    account: &AccountId,
    body: &[u8],
    idempotency_key: &str,
    now: Timestamp,
) -> Result<Accepted> {
    if idempotency_key.len() > MAX_IDEMPOTENCY_KEY {
        return Err(Error::Invalid(format!(
            "the Idempotency-Key is longer than {MAX_IDEMPOTENCY_KEY} characters"
        )));
    }
    let resolved = request::resolve(body, &terms.limits)?;
    let composition = &resolved.composition;
    let (fps, frames) = (composition.fps, composition.duration_in_frames);
    let price = Credits::from_hundredths(price::credits_hundredths(
        terms.credits_per_minute,
        composition.width,
        composition.height,
        fps,
        frames,
    ));
    let composition_json = composition.to_json().to_string();
    let body_hash = credential::hash(body);

    let mut tx = store.begin().await?;
    if !tx.lock_account(account).await? {
        return Err(Error::NotFound("there is no such account".into()));
    }
    if !idempotency_key.is_empty()
        && let Some(first) = tx.idempotent_answer(account, idempotency_key).await?
    {
        if first.body_hash != body_hash {
            return Err(Error::Conflict(
                "this Idempotency-Key was used with another body; use a new key for a new request"
                    .into(),
            ));
        }
        let job = tx.job(&first.job).await?;
        let job = job.ok_or_else(|| Error::Corrupt(format!("no job {}", first.job)))?;
        return Ok(Accepted {
            job: job.id,
            price: job.price,
            video_minutes: video_minutes(job.frames, job.fps),
            mode: job.mode,
        });
    }

    let id = JobId::random();
    let job = NewJob {
        id: &id,
        account,
        mode: resolved.mode.as_str(),
        composition_json: &composition_json,
        width: composition.width,
        height: composition.height,
        fps,
        frames,
        price,
        webhook_url: resolved.webhook_url.as_deref(),
    };
    tx.insert_job(&job, now).await?;
    ledger::charge(&mut tx, account, &id, price, now).await?;
    tx.insert_tasks(&id, &tasks(frames, fps, terms.seconds_per_task), now)
        .await?;
    if !idempotency_key.is_empty() {
        let answer = IdempotentAnswer {
            body_hash,
            job: id.clone(),
        };
        tx.remember_idempotent_answer(account, idempotency_key, &answer, now)
            .await?;
    }
    tx.commit().await?;
    tracing::info!(job_id = %id, account_id = %account, frames, "render accepted");
    Ok(Accepted {
        job: id,
        price,
        video_minutes: video_minutes(frames, fps),
        mode: resolved.mode.as_str().into(),
    })
}

/// Reads a job for its owner.
pub(crate) async fn get(
    store: &Store,
    account: &AccountId,
    id: &JobId,
    now: Timestamp,
) -> Result<JobView> {
    let job = store.job(id).await?;
    let job = job.ok_or_else(|| Error::NotFound("there is no such render job".into()))?;
    if job.account != *account {
        return Err(Error::Forbidden(
            "this render job belongs to another account".into(),
        ));
    }
    let tasks = store.tasks_of(id).await?;
    let cost = store.net_cost(id).await?;
    let updated_at = tasks
        .iter()
        .map(|task| task.updated_at)
        .chain([job.updated_at])
        .max()
        .unwrap_or(now);
    let progress = progress::progress(&job, &tasks, now);
    Ok(JobView {
        job,
        progress,
        cost,
        updated_at,
    })
}

fn tasks(frames: u32, fps: u32, seconds_per_task: u32) -> Vec<NewTask> {
    let chunks = split::split(frames, fps, seconds_per_task)
        .into_iter()
        .map(|frames| NewTask {
            id: TaskId::random(),
            kind: TaskKind::Render,
            frames,
            state: TaskState::Ready,
        });
    let assembly = NewTask {
        id: TaskId::random(),
        kind: TaskKind::Assemble,
        frames: 0..frames,
        state: TaskState::Blocked,
    };
    chunks.chain([assembly]).collect()
}

/// Started minutes of video.
fn video_minutes(frames: u32, fps: u32) -> i64 {
    i64::from(frames.div_ceil(fps.max(1).saturating_mul(60)).max(1))
}
