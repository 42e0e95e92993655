//! Ctrl-C and SIGTERM: the first asks everything to stop, a second ends the process at once.

use std::process;
use std::time::Duration;

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::terminal;

/// However badly something hangs, the process is gone this long after it was asked to stop.
const GRACE: Duration = Duration::from_millis(9_500);
/// What shells report for a command that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A token that is cancelled when the process is asked to stop.
pub(crate) fn on_signal() -> anyhow::Result<CancellationToken> {
    let mut interrupt = signal(SignalKind::interrupt()).context("can't listen for Ctrl-C")?;
    let mut terminate = signal(SignalKind::terminate()).context("can't listen for SIGTERM")?;
    let stop = CancellationToken::new();
    let asked = stop.clone();
    tokio::spawn(async move {
        either(&mut interrupt, &mut terminate).await;
        tracing::info!("stopping; once more to stop at once");
        asked.cancel();
        tokio::select! {
            () = either(&mut interrupt, &mut terminate) => process::exit(INTERRUPTED),
            () = tokio::time::sleep(GRACE) => {
                terminal::note("error: some work did not stop in time and was abandoned");
                process::exit(1);
            }
        }
    });
    Ok(stop)
}

async fn either(interrupt: &mut Signal, terminate: &mut Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
