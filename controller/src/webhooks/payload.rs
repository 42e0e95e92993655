//! What a receiver is told, in bytes. Fields that do not apply are left out.

use kinora_outbound::file_url;
use serde::Serialize;
use time::{OffsetDateTime, macros::format_description};

use super::Event;
use crate::{
    clock::Timestamp,
    ids::{DeliveryId, JobId, ProjectId},
    ledger::Credits,
    store::JobRow,
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Payload<'a> {
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery_id: Option<&'a str>,
    timestamp: String,
    data: Data<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    job_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    project_id: Option<&'a str>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_size: Option<i64>,
    duration_in_frames: u32,
    width: u32,
    height: u32,
    fps: u32,
    credits_used: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_message: Option<&'a str>,
}

/// The body that tells of a job's end. One-off callbacks have no delivery id.
pub(super) fn body(
    event: Event,
    delivery: Option<&DeliveryId>,
    job: &JobRow,
    cost: Credits,
    now: Timestamp,
) -> serde_json::Result<String> {
    let completed = event == Event::Completed;
    let output_key = job.output_key.as_ref().filter(|_| completed);
    let rendering = job
        .completed_at
        .zip(job.started_at)
        .map(|(end, start)| (end.0 - start.0).max(0));
    serde_json::to_string(&Payload {
        event: event.as_str(),
        delivery_id: delivery.map(DeliveryId::as_str),
        timestamp: date_time(now),
        data: Data {
            job_id: JobId::as_str(&job.id),
            project_id: job.project.as_ref().map(ProjectId::as_str),
            status: if completed { "COMPLETED" } else { "FAILED" },
            output_url: output_key.map(|key| file_url(&job.public_url, key)),
            output_size: job.output_size.filter(|_| completed),
            duration_in_frames: job.frames,
            width: job.width,
            height: job.height,
            fps: job.fps,
            credits_used: cost.rounded_up(),
            duration: rendering,
            completed_at: job.completed_at.map(date_time),
            error_message: job.error_message.as_deref().filter(|_| !completed),
        },
    })
}

fn date_time(at: Timestamp) -> String {
    let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let form =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    moment
        .format(form)
        .unwrap_or_else(|_| "1970-01-01T00:00:00.000Z".to_owned())
}
