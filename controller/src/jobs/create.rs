//! Accepting render requests: charge, job, tasks and project in one transaction, or nothing.

use std::{collections::BTreeSet, time::Duration};

use kinora_composition::{
    document::Composition,
    media_url, price,
    request::{Ai, RenderRequest},
};
use kinora_proto::trace;

use super::{Resolved, Terms, resolve, split::split};
use crate::{
    Error, Result,
    clock::Timestamp,
    credential,
    documents::Saved,
    ids::{AccountId, JobId, ProjectId, TaskId, TemplateId},
    ledger::{self, Credits},
    scheduler::Drawing,
    state::{Lane, TaskKind, TaskState},
    store::{IdempotentAnswer, JobRow, NewJob, NewProject, NewTask, Store},
    uploads::OwnFiles,
};

/// Longer keys are a mistake of the caller.
const MAX_IDEMPOTENCY_KEY: usize = 255;
/// How long a retry with the same idempotency key gets the first answer.
pub(crate) const IDEMPOTENCY_MEMORY: Duration = Duration::from_secs(24 * 3600);
/// Nothing is known of a new job's frames yet.
const USUAL_EASE: i64 = 1000;
/// What a project is called whose maker did not say.
const UNNAMED_PROJECT: &str = "Untitled project";

/// A render that somebody asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Submission<'a> {
    pub(crate) account: &'a AccountId,
    /// The body as it was sent.
    pub(crate) body: &'a [u8],
    /// Empty when there is none.
    pub(crate) idempotency_key: &'a str,
    /// Where the caller reached the service; no final slash.
    pub(crate) public_url: &'a str,
    /// Where uploads lie that the request may name.
    pub(crate) uploads: OwnFiles<'a>,
}

/// An accepted render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub(crate) job: JobId,
    pub(crate) project: Option<ProjectId>,
    pub(crate) price: Credits,
    pub(crate) estimated_minutes: i64,
    pub(crate) mode: String,
}

impl Accepted {
    /// The answer that a job was accepted with.
    fn again(job: JobRow) -> Self {
        Self {
            job: job.id,
            project: job.project,
            price: job.price,
            estimated_minutes: job.estimated_minutes,
            mode: job.mode,
        }
    }
}

/// Accepts a render, or answers what the same request was answered before.
pub(crate) async fn create(
    store: &Store,
    terms: &Terms,
    submission: &Submission<'_>,
    now: Timestamp,
) -> Result<Accepted> {
    let &Submission {
        account,
        body,
        idempotency_key: key,
        public_url,
        uploads,
    } = submission;
    if key.len() > MAX_IDEMPOTENCY_KEY {
        let message = format!("is longer than {MAX_IDEMPOTENCY_KEY} characters");
        return Err(Error::at("Idempotency-Key", message));
    }
    // Before anything else: what was accepted once is not refused later because a template or a
    // price has changed.
    if !key.is_empty()
        && let Some(first) = store.idempotent_answer(account, key).await?
    {
        let job = store.job(same_request(&first, body)?).await?;
        return job.map(Accepted::again).ok_or_else(|| lost(&first));
    }
    let request = RenderRequest::parse(body)?;
    let resolved = resolve(store, terms, account, public_url, &request, Ai::Refuse).await?;
    uploads.check(&resolved.resolution, public_url).await?;
    let composition = &resolved.resolution.composition;
    let (fps, frames) = (composition.fps, composition.duration_in_frames);
    let composition_json = composition.to_json().to_string();
    let media = name_of_media(composition);
    let price = price(&resolved);
    let new_project = ProjectDraft::of(&request, &resolved, public_url)?;
    let project = match &new_project {
        Some(draft) => Some(&draft.id),
        None => resolved.project.as_ref().map(|project| &project.id),
    };

    let drawing = Drawing {
        frames,
        fps,
        pixels_of_frame: i64::from(composition.width) * i64::from(composition.height),
    };
    let capacity = terms.capacity(store, now).await?;
    let frames_per_task = terms.sizing.frames_per_task(drawing, &capacity);
    let estimated_minutes = started_minutes(capacity.time_for(drawing, USUAL_EASE));

    let mut tx = store.begin().await?;
    if !tx.lock_account(account).await? {
        return Err(Error::NotFound("there is no such account".into()));
    }
    // Two requests with one key may have come this far together; the second finds the first's.
    if !key.is_empty()
        && let Some(first) = tx.idempotent_answer(account, key).await?
    {
        let job = tx.job(same_request(&first, body)?).await?;
        return job.map(Accepted::again).ok_or_else(|| lost(&first));
    }
    if let Some(draft) = &new_project {
        tx.insert_project(&draft.row(account, public_url), now)
            .await?;
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
        webhook_url: request.webhook_url.as_deref(),
        project,
        public_url,
        lane: Lane::Render,
        preview: None,
        estimated_minutes,
        media: &media,
        trace_parent: trace::current(),
    };
    tx.insert_job(&job, now).await?;
    ledger::charge(&mut tx, account, &id, price, now).await?;
    tx.queue_tasks(&job, &tasks(frames, fps, frames_per_task), now)
        .await?;
    if !key.is_empty() {
        let answer = IdempotentAnswer {
            body_hash: credential::hash(body),
            job: id.clone(),
        };
        tx.remember_idempotent_answer(account, key, &answer, now)
            .await?;
    }
    tx.commit().await?;
    tracing::info!(job_id = %id, account_id = %account, frames, "render accepted");
    Ok(Accepted {
        project: project.cloned(),
        job: id,
        price,
        estimated_minutes,
        mode: resolved.mode.as_str().into(),
    })
}

/// The same for jobs that show the same media, in whatever order; empty for none.
fn name_of_media(composition: &Composition) -> String {
    let sources = media_url::sources(composition);
    let urls: BTreeSet<&str> = sources.iter().map(|source| source.url.as_str()).collect();
    match urls.is_empty() {
        true => String::new(),
        false => credential::hash(urls.into_iter().collect::<Vec<_>>().join("\n").as_bytes()),
    }
}

/// The job that a key stands for, if it was used with this very body.
fn same_request<'a>(first: &'a IdempotentAnswer, body: &[u8]) -> Result<&'a JobId> {
    if first.body_hash == credential::hash(body) {
        Ok(&first.job)
    } else {
        Err(Error::Conflict(
            "this Idempotency-Key was used with another body; use a new key for a new request"
                .into(),
        ))
    }
}

fn lost(answer: &IdempotentAnswer) -> Error {
    Error::Corrupt(format!("no job {}", answer.job))
}

/// What a resolved request costs.
fn price(resolved: &Resolved) -> Credits {
    let composition = &resolved.resolution.composition;
    Credits::from_hundredths(price::credits_hundredths(
        resolved.credits_per_minute,
        composition.width,
        composition.height,
        composition.fps,
        composition.duration_in_frames,
    ))
}

/// A project that is made along with a render.
struct ProjectDraft<'a> {
    id: ProjectId,
    name: &'a str,
    template: Option<&'a TemplateId>,
    saved: Saved,
}

impl<'a> ProjectDraft<'a> {
    /// The project that a request wants made of what it renders, if it does.
    fn of(
        request: &'a RenderRequest,
        resolved: &'a Resolved,
        public_url: &str,
    ) -> Result<Option<Self>> {
        if !request.creates_project() {
            return Ok(None);
        }
        let template = resolved.template.as_ref();
        let asked = request.project_name.as_deref();
        let name = asked
            .filter(|name| !name.trim().is_empty())
            .or(template.map(|template| template.name.as_str()))
            .unwrap_or(UNNAMED_PROJECT);
        Ok(Some(Self {
            id: ProjectId::random(),
            name,
            template: template.map(|template| &template.id),
            saved: Saved::new(&resolved.resolution.composition, public_url)?,
        }))
    }

    fn row<'b>(&'b self, account: &'b AccountId, public_url: &'b str) -> NewProject<'b> {
        NewProject {
            id: &self.id,
            account,
            name: self.name,
            description: None,
            template: self.template,
            saved: &self.saved,
            public_url,
        }
    }
}

/// The tasks of a video: chunks to draw, and the assembly that waits for them.
pub(crate) fn tasks(frames: u32, fps: u32, frames_per_task: u32) -> Vec<NewTask> {
    let chunks = split(frames, fps, frames_per_task)
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

/// Started minutes of a time; one where nobody can say.
fn started_minutes(time: Option<Duration>) -> i64 {
    let seconds = time.unwrap_or_default().as_secs();
    i64::try_from(seconds.div_ceil(60).max(1)).unwrap_or(i64::MAX)
}
