//! How the end of a task is told to the controller.

use kinora_proto::v1::{self, LeaseId, from_node};
use tokio::task::JoinError;

use super::TaskOutput;
use crate::{Error, Result};

/// How a task ended.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) lease: LeaseId,
    pub(super) job_id: String,
    pub(super) result: Result<Result<TaskOutput>, JoinError>,
    pub(super) frames_done: u32,
    pub(super) busy_ms: u32,
}

impl Finished {
    /// Whether the task's result lies in the store.
    pub(super) fn has_stored(&self) -> bool {
        matches!(self.result, Ok(Ok(_)))
    }
}

/// Puts the end of a task into a message, and into the log.
pub(super) fn message(finished: Finished) -> from_node::Message {
    let Finished {
        lease,
        job_id,
        result,
        frames_done,
        busy_ms,
    } = finished;
    let span = tracing::info_span!(
        "task",
        job_id,
        task_id = lease.task_id,
        attempt = lease.attempt
    );
    let _entered = span.enter();
    let lease = Some(lease);
    match result {
        Ok(Ok(TaskOutput {
            output_key,
            output_size,
        })) => {
            tracing::info!(frames_done, busy_ms, output_size, "task done");
            from_node::Message::Done(v1::TaskDone {
                lease,
                output_key,
                output_size,
                frames_done,
                busy_ms,
            })
        }
        Ok(Err(Error::BadInput(message))) => {
            tracing::info!(reason = message, "the input is at fault");
            from_node::Message::Failed(v1::TaskFailed {
                lease,
                bad_input: true,
                message,
            })
        }
        Ok(Err(Error::Cancelled)) => {
            tracing::info!("task handed back");
            from_node::Message::HandBack(v1::HandBack { lease })
        }
        Ok(Err(error @ Error::DeviceLost(_))) => {
            tracing::error!(%error, "task handed back");
            from_node::Message::HandBack(v1::HandBack { lease })
        }
        Ok(Err(error @ Error::Internal { .. })) => {
            tracing::error!(%error, "task failed");
            failed(lease, error.to_string())
        }
        Err(error) => {
            tracing::error!(%error, "task panicked");
            failed(lease, "the task panicked".into())
        }
    }
}

fn failed(lease: Option<LeaseId>, message: String) -> from_node::Message {
    from_node::Message::Failed(v1::TaskFailed {
        lease,
        bad_input: false,
        message,
    })
}
