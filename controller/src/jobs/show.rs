//! Reading jobs back, one or a page of them.

use super::{
    Terms,
    progress::{Progress, progress},
};
use crate::{
    Error, Result,
    clock::Timestamp,
    ids::{AccountId, JobId},
    ledger::Credits,
    paging::{Cursor, Page},
    scheduler::Capacity,
    store::{JobRow, ShownJob, ShownProject, Store, WorkDone},
};

/// A job with what is known of its progress.
#[derive(Clone, Debug)]
pub(crate) struct JobView {
    pub(crate) job: JobRow,
    pub(crate) project: Option<ShownProject>,
    pub(crate) progress: Progress,
    pub(crate) cost: Credits,
    pub(crate) updated_at: Timestamp,
}

impl JobView {
    fn new(shown: ShownJob, work: &[WorkDone], capacity: &Capacity, now: Timestamp) -> Self {
        let ShownJob { job, project, cost } = shown;
        let own = || work.iter().filter(|work| work.job == job.id);
        let last_report = own().map(|work| work.updated_at).max();
        Self {
            progress: progress(&job, own(), capacity, now),
            updated_at: last_report.map_or(job.updated_at, |at| at.max(job.updated_at)),
            project,
            cost,
            job,
        }
    }
}

/// Reads a job for its owner.
pub(crate) async fn get(
    store: &Store,
    terms: &Terms,
    account: &AccountId,
    id: &JobId,
    now: Timestamp,
) -> Result<JobView> {
    let shown = store.shown_job(id).await?;
    let shown = shown.ok_or_else(|| Error::NotFound("there is no such render job".into()))?;
    if shown.job.account != *account {
        return Err(Error::Forbidden(
            "this render job belongs to another account".into(),
        ));
    }
    let work = store.work_done(&[id]).await?;
    let capacity = terms.capacity(store, now).await?;
    Ok(JobView::new(shown, &work, &capacity, now))
}

/// A page of an account's jobs, newest first, and where the next one begins.
pub(crate) async fn list(
    store: &Store,
    terms: &Terms,
    account: &AccountId,
    page: &Page,
    now: Timestamp,
) -> Result<(Vec<JobView>, Option<Cursor>)> {
    let (shown, next) = store.shown_jobs(account, page).await?;
    let ids: Vec<&JobId> = shown.iter().map(|shown| &shown.job.id).collect();
    let work = store.work_done(&ids).await?;
    let capacity = terms.capacity(store, now).await?;
    let views = shown
        .into_iter()
        .map(|shown| JobView::new(shown, &work, &capacity, now))
        .collect();
    Ok((views, next))
}
