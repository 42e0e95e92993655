//! Jobs whose encoder is gone from the farm: their chunks are drawn anew with another.

use std::time::Duration;

use crate::{Result, clock::Timestamp, state::JobState, store::Store};

/// A node that was away this long is not waited for.
const ABSENCE: Duration = Duration::from_secs(60);
/// How many jobs one step looks at.
const BATCH: i64 = 20;

/// Begins jobs anew that nobody could finish; answers how many.
pub(crate) async fn rescue_once(store: &Store, now: Timestamp) -> Result<usize> {
    let mut rescued = 0;
    for id in store.jobs_without_encoder(ABSENCE, now, BATCH).await? {
        let mut tx = store.begin().await?;
        let Some(job) = tx.lock_job(&id).await? else {
            continue;
        };
        let Some(encoder) = tx.encoder_at_hand(ABSENCE, now).await? else {
            continue;
        };
        if job.state != JobState::Processing || job.encoder.as_ref() == Some(&encoder) {
            continue;
        }
        tx.begin_anew(&job, &encoder, now).await?;
        tx.commit().await?;
        tracing::warn!(
            job_id = %id,
            was = job.encoder,
            encoder,
            "no node is left that encodes as the job began: it is drawn anew"
        );
        rescued += 1;
    }
    Ok(rescued)
}
