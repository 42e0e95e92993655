//! Work on a graphics device that may be lost: what runs is handed back, and no lease is taken before another device
//! has drawn a good frame.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{Executor, WorkerConfig, run};
use crate::{Engine, Error, Patience, Result};

/// How a device that is lost is opened anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// How long one attempt may take; a driver may hang.
    pub attempt: Duration,
    /// With all of them.
    pub patience: Patience,
}

impl Default for Recovery {
    /// Drivers reset a GPU in seconds. After minutes a new process, or a new machine, is the better hope.
    fn default() -> Self {
        Self {
            attempt: Duration::from_secs(60),
            patience: Patience {
                first_rest: Duration::from_secs(1),
                longest_rest: Duration::from_secs(30),
                in_all: Duration::from_secs(300),
            },
        }
    }
}

/// Works for a controller as [`run`] does, with an executor that draws on `engine`. When its device is lost, the
/// node drains, opens a device anew and connects again, as `config` says it then is.
///
/// # Errors
/// As [`run`]; and [`Error::DeviceLost`] when no device comes back while there is patience.
pub async fn run_on(
    engine: &Engine,
    executor: Arc<dyn Executor>,
    config: impl Fn(&Engine) -> WorkerConfig,
    recovery: &Recovery,
    shutdown: CancellationToken,
) -> Result<()> {
    loop {
        let (lost, stop) = (engine.lost(), shutdown.child_token());
        let worker = run(config(engine), Arc::clone(&executor), stop.clone());
        tokio::pin!(worker);
        tokio::select! {
            ended = &mut worker => return ended,
            () = lost.cancelled() => {}
        }
        engine.note_loss();
        let reason = engine.loss().map_or_else(String::new, |loss| loss.reason);
        tracing::error!(reason, "the graphics device is lost; work is handed back");
        stop.cancel();
        worker.await?;
        let reopen = || engine.reopen();
        match shutdown
            .run_until_cancelled(recover(reopen, recovery))
            .await
        {
            None => return Ok(()),
            Some(recovered) => recovered?,
        }
    }
}

/// Opens a device anew, again and again while there is patience.
async fn recover<F>(reopen: impl Fn() -> F, recovery: &Recovery) -> Result<()>
where
    F: Future<Output = Result<()>>,
{
    let mut rests = recovery.patience.begin();
    loop {
        let reason = match timeout(recovery.attempt, reopen()).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the driver does not answer".to_owned(),
        };
        let Some(rest) = rests.next() else {
            let seconds = recovery.patience.in_all.as_secs();
            return Err(Error::DeviceLost(format!(
                "it did not come back in {seconds} seconds: {reason}"
            )));
        };
        let retry_ms = rest.as_millis();
        tracing::warn!(reason, retry_ms, "no graphics device; trying again");
        sleep(rest).await;
    }
}
