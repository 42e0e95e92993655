//! The node's side of the farm stream: leases, heartbeats, drain.
//!
//! [`run`] keeps one stream to a controller open. Leases flow in and each is handed to an
//! [`Executor`]; progress and results flow out. Running tasks outlive a broken stream for as long
//! as their leases do, so a controller can restart without any work being lost. [`run_on`] does the same on an
//! engine whose graphics device may be lost and come back.

mod recovery;
mod report;
mod session;
mod tasks;
#[cfg(test)]
mod tests;

use std::{
    sync::{Arc, atomic::AtomicU32},
    time::Duration,
};

use futures::future::BoxFuture;
use kinora_proto::{access::ClientAccess, v1};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tonic::transport::Endpoint;

use crate::{Context, Result};
pub use recovery::{Recovery, run_on};
use session::Ended;
use tasks::Tasks;

const FIRST_BACKOFF: Duration = Duration::from_millis(200);
/// Well below a lease, so that a controller that restarts finds its nodes still at work.
const LONGEST_BACKOFF: Duration = Duration::from_secs(3);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A controller that does not answer a ping this long is gone.
const KEEPALIVE: Duration = Duration::from_secs(5);

/// Everything a worker is told.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// The controller's gRPC address, such as `http://127.0.0.1:7070`.
    pub controller_url: String,
    /// What to show the controller.
    pub access: ClientAccess,
    /// Names this process; a new one for each start.
    pub node_id: String,
    /// What people call the node.
    pub name: String,
    /// How many paying tasks run at once.
    pub slots: u32,
    /// How many previews run beside them.
    pub preview_slots: u32,
    /// The graphics adapter, in words.
    pub adapter: String,
    /// The encoders that work here.
    pub encoders: Vec<String>,
    /// How long running tasks may go on after shutdown before they are handed back.
    pub drain_grace: Duration,
}

impl WorkerConfig {
    /// Five seconds to finish in leave five to hand back in.
    pub const DEFAULT_DRAIN_GRACE: Duration = Duration::from_secs(5);

    fn hello(&self) -> v1::Hello {
        v1::Hello {
            node_id: self.node_id.clone(),
            name: self.name.clone(),
            slots: self.slots.max(1),
            adapter: self.adapter.clone(),
            encoders: self.encoders.clone(),
            version: env!("CARGO_PKG_VERSION").into(),
            preview_slots: self.preview_slots,
        }
    }
}

/// Does what a lease asks for.
pub trait Executor: Send + Sync + 'static {
    /// Executes one task. Frames done are stored in `progress`; when `cancel` fires, the task
    /// should end soon with [`crate::Error::Cancelled`], leaving nothing behind.
    fn execute(
        &self,
        lease: v1::Lease,
        progress: Arc<AtomicU32>,
        cancel: CancellationToken,
    ) -> BoxFuture<'static, Result<TaskOutput>>;
}

/// What a finished task has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskOutput {
    /// The object, or what the keys of several begin with, as the lease named it.
    pub output_key: String,
    /// Bytes in all.
    pub output_size: i64,
}

/// Works for a controller until shutdown; then drains and returns within 10 s.
///
/// A controller that is not there, or goes away, is tried again and again.
///
/// # Errors
/// When the controller's address can't be one.
pub async fn run(
    config: WorkerConfig,
    executor: Arc<dyn Executor>,
    shutdown: CancellationToken,
) -> Result<()> {
    let endpoint = endpoint(&config)?;
    let mut tasks = Tasks::new(executor);
    let mut backoff = FIRST_BACKOFF;
    loop {
        let ended = match shutdown.run_until_cancelled(endpoint.connect()).await {
            Some(Ok(channel)) => session::serve(&config, channel, &mut tasks, &shutdown).await,
            Some(Err(error)) => Ended::lost(&error),
            None => Ended::Drained,
        };
        match ended {
            Ended::Drained => break,
            Ended::Lost { welcomed, reason } => {
                if welcomed {
                    backoff = FIRST_BACKOFF;
                }
                let advice = advice(&config, &reason).filter(|_| !welcomed);
                tracing::warn!(
                    controller = config.controller_url,
                    reason,
                    advice,
                    retry_ms = backoff.as_millis(),
                    "no controller; trying again"
                );
            }
        }
        wait(backoff, &mut tasks, &shutdown).await;
        if shutdown.is_cancelled() {
            break;
        }
        backoff = (backoff * 2).min(LONGEST_BACKOFF);
    }
    // Without a stream nothing can be handed back: the leases run out by themselves.
    tasks.cancel_all().await;
    Ok(())
}

/// What to look at when the two sides may not trust each other: who is not trusted hears why, or is just cut off.
fn advice(config: &WorkerConfig, reason: &str) -> Option<&'static str> {
    const SIGNS: [&str; 5] = ["certificate", "alert", "closed", "reset", "broken pipe"];
    let is_of_tls = SIGNS.iter().any(|sign| reason.contains(sign));
    (config.access.tls.is_some() && is_of_tls).then_some(
        "both certificates must be of the authority in KINORA_TLS_CA, and the controller's for this address",
    )
}

/// Waits while tasks go on, and gives them up when their leases have run out.
async fn wait(backoff: Duration, tasks: &mut Tasks, shutdown: &CancellationToken) {
    let retry_at = Instant::now() + backoff;
    loop {
        let give_up_at = tasks.leases_end_at();
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep_until(retry_at) => return,
            () = tokio::time::sleep_until(give_up_at.unwrap_or(retry_at)) => {
                tasks.give_up_expired();
            }
            finished = tasks.next_finished() => tasks.keep_for_later(finished),
        }
    }
}

fn endpoint(config: &WorkerConfig) -> Result<Endpoint> {
    let endpoint = config.access.endpoint(&config.controller_url);
    Ok(endpoint
        .context("the controller address")?
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_keep_alive_interval(KEEPALIVE)
        .keep_alive_timeout(KEEPALIVE)
        .keep_alive_while_idle(true)
        .tcp_nodelay(true))
}
