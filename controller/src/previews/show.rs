//! What a preview's page shows, and starting to draw it when somebody looks for the first time.

use kinora_proto::trace;

use super::wanted::{FRAME, Wanted};
use crate::{
    Error, Result,
    app::App,
    clock::Timestamp,
    ids::{JobId, PreviewId, TaskId},
    jobs,
    ledger::Credits,
    scheduler::keys,
    state::{JobState, Lane, TaskKind, TaskState},
    store::{NewJob, NewTask, PreviewJob, PreviewRow, Store, TaskRow},
};

/// A preview's video is drawn in pieces of this many seconds, so that several nodes share it.
const SECONDS_PER_TASK: u32 = 2;
/// Each single frame is a job of its own; a page that asks for every frame wants the video.
const MAX_SINGLE_FRAMES: u32 = 50;

/// What is shown of a preview now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) preview: PreviewRow,
    pub(crate) state: JobState,
    /// 0 to 100; 100 only when everything is there.
    pub(crate) progress: u32,
    pub(crate) error_message: Option<String>,
    pub(crate) video_key: Option<String>,
    /// Frames and their pictures.
    pub(crate) stills: Vec<(u32, String)>,
}

/// Shows a preview to whoever knows its id.
///
/// # Errors
/// [`Error::NotFound`] when it is unknown or has expired, [`Error::Conflict`] when more single frames
/// were asked for than one preview draws.
pub(crate) async fn show(
    app: &App,
    id: &PreviewId,
    wanted: Wanted,
    now: Timestamp,
) -> Result<View> {
    let preview = current(app.store.preview(id).await?, now)?;
    let wanted = wanted.within(preview.frames);
    let job = match app.store.preview_job(id, &wanted.name()).await? {
        Some(job) => job,
        None => start(&app.store, id, wanted, now).await?,
    };
    let tasks = app.store.tasks_of(&job.id).await?;
    Ok(view(preview, wanted, job, &tasks))
}

fn current(preview: Option<PreviewRow>, now: Timestamp) -> Result<PreviewRow> {
    preview
        .filter(|preview| preview.expires_at > now)
        .ok_or_else(|| Error::NotFound("there is no such preview, or it has expired".into()))
}

/// Queues the job that draws what is wanted, unless somebody else has just done so.
async fn start(
    store: &Store,
    id: &PreviewId,
    wanted: Wanted,
    now: Timestamp,
) -> Result<PreviewJob> {
    let mut tx = store.begin().await?;
    let preview = current(tx.lock_preview(id).await?, now)?;
    if let Some(job) = tx.preview_job(id, &wanted.name()).await? {
        return Ok(job);
    }
    if let Wanted::Frame(_) = wanted
        && tx.count_preview_jobs(id, FRAME).await? >= MAX_SINGLE_FRAMES
    {
        return Err(Error::Conflict(format!(
            "one preview draws at most {MAX_SINGLE_FRAMES} single frames; look at the video or the \
             grid, or make a new preview"
        )));
    }
    let job = JobId::random();
    let new = NewJob {
        id: &job,
        account: &preview.account,
        mode: Lane::Preview.as_str(),
        // The preview has it; its jobs need no copies.
        composition_json: "",
        width: preview.width,
        height: preview.height,
        fps: preview.fps,
        frames: preview.frames,
        price: Credits::from_hundredths(0),
        webhook_url: None,
        project: None,
        public_url: &preview.public_url,
        lane: Lane::Preview,
        preview: Some(id.as_str()),
        estimated_minutes: 1,
        // Whoever has drawn something of it has all that it shows.
        media: id.as_str(),
        trace_parent: trace::current(),
    };
    tx.insert_job(&new, now).await?;
    let reduce = wanted.reduce(preview.width, preview.height);
    let stills = wanted.stills(preview.frames);
    tx.set_drawing(&job, &wanted.name(), reduce, &stills)
        .await?;
    let tasks = match wanted {
        Wanted::Video => {
            let frames_per_task = preview.fps.saturating_mul(SECONDS_PER_TASK);
            jobs::tasks(preview.frames, preview.fps, frames_per_task)
        }
        Wanted::Grid | Wanted::Frame(_) => vec![NewTask {
            id: TaskId::random(),
            kind: TaskKind::Stills,
            frames: 0..u32::try_from(stills.len()).unwrap_or(u32::MAX),
            state: TaskState::Ready,
        }],
    };
    tx.queue_tasks(&new, &tasks, now).await?;
    tx.commit().await?;
    tracing::info!(preview_id = %id, job_id = %job, wanted = wanted.name(), "preview queued");
    Ok(PreviewJob {
        id: job,
        state: JobState::Pending,
        output_key: None,
        error_message: None,
    })
}

fn view(preview: PreviewRow, wanted: Wanted, job: PreviewJob, tasks: &[TaskRow]) -> View {
    let (video_key, stills) = match (job.output_key, wanted) {
        (None, _) => (None, Vec::new()),
        (Some(key), Wanted::Video) => (Some(key), Vec::new()),
        (Some(folder), Wanted::Grid | Wanted::Frame(_)) => {
            let stills = wanted.stills(preview.frames).into_iter();
            let stills = stills.map(|frame| (frame, keys::still_key(&folder, frame)));
            (None, stills.collect())
        }
    };
    View {
        preview,
        state: job.state,
        progress: progress(job.state, tasks),
        error_message: job.error_message,
        video_key,
        stills,
    }
}

/// The share of frames that are drawn.
fn progress(state: JobState, tasks: &[TaskRow]) -> u32 {
    if state == JobState::Completed {
        return 100;
    }
    let drawing = || tasks.iter().filter(|task| task.kind != TaskKind::Assemble);
    let total: u64 = drawing().map(|task| task.frames.len() as u64).sum();
    let done: u64 = drawing().map(|task| u64::from(task.frames_done)).sum();
    let percentage = (done * 100).checked_div(total).unwrap_or(0).min(99);
    u32::try_from(percentage).unwrap_or(99)
}
