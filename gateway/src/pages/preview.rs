//! `GET /preview/{id}`: the public page of a preview, and the state that it polls.
//!
//! The page is the same for everyone who holds its address. It asks `/preview/{id}/state` with its own
//! query until what it shows is drawn; asking is also what has it drawn.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kinora_proto::v1::preview_view::JobState;
use kinora_proto::v1::problem::Kind;
use kinora_proto::v1::show_preview_request::Wanted;
use kinora_proto::v1::{PreviewView, Problem, ShowPreviewRequest};
use serde::{Deserialize, Serialize};

use super::fill::fill;
use super::message;
use crate::api::date;
use crate::envelope::ApiError;
use crate::server::App;

const PAGE: &str = include_str!("../../../web/preview/index.html");
const GONE: &str =
    "This preview has expired or never existed. Previews live for a day or so; ask for a new one.";

/// What a preview that has no name is called.
const UNNAMED: &str = "Preview";

#[derive(Deserialize)]
pub(super) struct PreviewQuery {
    mode: Option<String>,
    frame: Option<String>,
}

/// What the page shows, as its address says.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Player,
    Grid,
    Frame(u32),
}

/// What is known of the preview now. Addresses are relative to the page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StateView {
    /// waiting, drawing, ready or failed.
    state: &'static str,
    progress: u32,
    error: Option<String>,
    video_url: Option<String>,
    stills: Vec<StillView>,
    name: String,
    width: u32,
    height: u32,
    fps: u32,
    duration_in_frames: u32,
    duration_seconds: f64,
    expires_at: String,
}

#[derive(Serialize)]
struct StillView {
    frame: u32,
    seconds: f64,
    url: String,
}

type Address = (
    Result<Path<String>, PathRejection>,
    Result<Query<PreviewQuery>, QueryRejection>,
);

pub(super) async fn show(
    State(app): State<Arc<App>>,
    path: Result<Path<String>, PathRejection>,
    query: Result<Query<PreviewQuery>, QueryRejection>,
) -> Response {
    let looked_up = async {
        let (id, mode) = read((path, query))?;
        let view = look(&app, &id, mode).await?;
        Ok((id, mode, view))
    };
    match looked_up.await {
        Ok((id, mode, view)) => super::html(StatusCode::OK, page(&id, mode, &view)),
        Err(error) => refusal(&error),
    }
}

pub(super) async fn state(
    State(app): State<Arc<App>>,
    path: Result<Path<String>, PathRejection>,
    query: Result<Query<PreviewQuery>, QueryRejection>,
) -> Response {
    let looked_up = async {
        let (id, mode) = read((path, query))?;
        look(&app, &id, mode).await
    };
    let answer = match looked_up.await {
        Ok(view) => Json(StateView::from(view)).into_response(),
        Err(error) => error.into_response(),
    };
    ([(header::CACHE_CONTROL, "no-store")], answer).into_response()
}

fn read((path, query): Address) -> Result<(String, Mode), ApiError> {
    let Ok(Path(id)) = path else {
        return Err(Problem::new(Kind::NotFound, GONE).into());
    };
    let Ok(Query(query)) = query else {
        return Err(ApiError::parameter("The query", "cannot be read"));
    };
    Ok((id, query.mode()?))
}

async fn look(app: &App, id: &str, mode: Mode) -> Result<PreviewView, ApiError> {
    let wanted = match mode {
        Mode::Player => Wanted::Video(true),
        Mode::Grid => Wanted::Grid(true),
        Mode::Frame(frame) => Wanted::Frame(frame),
    };
    let asked = ShowPreviewRequest {
        preview_id: id.to_owned(),
        wanted: Some(wanted),
    };
    let found = app.controller.previews.clone().show(asked).await?;
    Ok(found.into_inner())
}

fn page(id: &str, mode: Mode, view: &PreviewView) -> String {
    let (mode, frame) = match mode {
        Mode::Player => ("player", 0),
        Mode::Grid => ("grid", 0),
        Mode::Frame(frame) => (
            "frame",
            frame.min(view.duration_in_frames.saturating_sub(1)),
        ),
    };
    let current = |name| if name == mode { "page" } else { "false" };
    fill(
        PAGE,
        &[
            ("id", id),
            ("mode", mode),
            ("name", name_of(view)),
            ("width", &view.width.to_string()),
            ("height", &view.height.to_string()),
            ("fps", &view.fps.to_string()),
            ("frames", &view.duration_in_frames.to_string()),
            ("frame", &frame.to_string()),
            (
                "last",
                &view.duration_in_frames.saturating_sub(1).to_string(),
            ),
            ("expires", &date::from_unix_ms(view.expires_at_ms)),
            ("player-current", current("player")),
            ("grid-current", current("grid")),
            ("frame-current", current("frame")),
        ],
    )
}

fn refusal(error: &ApiError) -> Response {
    let status = error.status();
    match status {
        StatusCode::NOT_FOUND => message::page(status, "No preview here", GONE),
        StatusCode::SERVICE_UNAVAILABLE => message::page(
            status,
            "Not available right now",
            "The service is starting or restarting. Load this page again in a moment.",
        ),
        _ if status.is_client_error() => {
            message::page(status, "This address does not work", error.message())
        }
        _ => message::page(
            status,
            "Something went wrong",
            "This is a fault of the service. Load this page again later.",
        ),
    }
}

fn name_of(view: &PreviewView) -> &str {
    let name = view.name.trim();
    if name.is_empty() { UNNAMED } else { name }
}

impl PreviewQuery {
    fn mode(&self) -> Result<Mode, ApiError> {
        if let Some(frame) = self.frame.as_deref() {
            return frame_number(frame)
                .map(Mode::Frame)
                .ok_or_else(|| ApiError::parameter("frame", "must be a whole number from 0 on"));
        }
        match self.mode.as_deref() {
            None | Some("" | "player") => Ok(Mode::Player),
            Some("grid") => Ok(Mode::Grid),
            Some(_) => Err(ApiError::parameter("mode", "must be grid, or be left out")),
        }
    }
}

/// Numbers that are too large for a frame stand for the last one, as all past the end do.
fn frame_number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u32::MAX))
}

impl From<PreviewView> for StateView {
    fn from(view: PreviewView) -> Self {
        let seconds = |frames: u32| f64::from(frames) / f64::from(view.fps.max(1));
        let url = |key: &str| format!("../files/{key}");
        Self {
            state: match view.state() {
                JobState::Waiting => "waiting",
                JobState::Drawing => "drawing",
                JobState::Ready => "ready",
                JobState::Failed => "failed",
            },
            progress: view.progress_percentage,
            video_url: view.video_key.as_deref().map(url),
            stills: view
                .stills
                .iter()
                .map(|still| StillView {
                    frame: still.frame,
                    seconds: seconds(still.frame),
                    url: url(&still.key),
                })
                .collect(),
            name: name_of(&view).to_owned(),
            width: view.width,
            height: view.height,
            fps: view.fps,
            duration_in_frames: view.duration_in_frames,
            duration_seconds: seconds(view.duration_in_frames),
            expires_at: date::from_unix_ms(view.expires_at_ms),
            error: view.error_message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(mode: Option<&str>, frame: Option<&str>) -> Option<Mode> {
        let query = PreviewQuery {
            mode: mode.map(str::to_owned),
            frame: frame.map(str::to_owned),
        };
        query.mode().ok()
    }

    #[test]
    fn the_address_says_what_to_show() {
        assert_eq!(mode(None, None), Some(Mode::Player));
        assert_eq!(mode(Some("grid"), None), Some(Mode::Grid));
        assert_eq!(mode(None, Some("45")), Some(Mode::Frame(45)));
        assert_eq!(mode(Some("grid"), Some("45")), Some(Mode::Frame(45)));
        assert_eq!(mode(Some("tiles"), None), None);
    }

    #[test]
    fn frames_are_whole_numbers() {
        for text in ["", "x", "-1", "1.5", "+1", "1e3", "٣"] {
            assert_eq!(frame_number(text), None, "{text:?}");
        }
        assert_eq!(frame_number("007"), Some(7));
        assert_eq!(frame_number("99999999999999999999"), Some(u32::MAX));
    }
}
