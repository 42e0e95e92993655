//! The envelope around every answer, and what HTTP status each problem has.

use std::error::Error as _;

use axum::Json;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use kinora_proto::v1::Problem;
use kinora_proto::v1::problem::Kind;
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use tonic::Code;

/// `{success: true, data}`, with status 200.
pub(crate) struct Success<T>(pub(crate) T);

/// `{success: true, data}`, with status 201.
pub(crate) struct Created<T>(pub(crate) T);

#[derive(Serialize)]
struct SuccessBody<T> {
    success: bool,
    data: T,
}

impl<T: Serialize> IntoResponse for Success<T> {
    fn into_response(self) -> Response {
        Json(SuccessBody {
            success: true,
            data: self.0,
        })
        .into_response()
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Success(self.0)).into_response()
    }
}

/// An answer that is not a success: `{success: false, error, details}`.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
    details: Details,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Details {
    /// What the controller found, as JSON.
    Found(Box<RawValue>),
    /// What the caller can do about it.
    Hint(String),
}

#[derive(Serialize)]
struct ErrorBody {
    success: bool,
    error: String,
    details: Details,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>, hint: &str) -> Self {
        Self {
            status,
            message: message.into(),
            details: Details::Hint(hint.to_owned()),
        }
    }

    /// 400: one parameter of the address is wrong.
    pub(crate) fn parameter(name: &str, message: &str) -> Self {
        let issues = json!({"issues": [{"path": name, "message": message}]});
        Problem::new(Kind::Invalid, format!("{name} {message}"))
            .with_details(issues.to_string())
            .into()
    }

    /// 500: the controller answered with something that cannot be passed on.
    pub(crate) fn unreadable_answer(what: &str, error: &serde_json::Error) -> Self {
        tracing::error!(what, %error, "the controller's answer is not JSON");
        Problem::new(Kind::Internal, "internal error").into()
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The same error with another hint, unless the controller said something more exact.
    #[must_use]
    pub(crate) fn or_hint(mut self, hint: &str) -> Self {
        if let Details::Hint(said) = &mut self.details {
            hint.clone_into(said);
        }
        self
    }

    pub(crate) fn body_too_large(limit: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the request body is larger than {limit} bytes"),
            "Send less: upload media and refer to it by URL instead of embedding it.",
        )
    }

    pub(crate) fn body_not_received() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "the request body did not arrive whole",
            "Send the request again.",
        )
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        let kind = problem.kind();
        let (status, hint) = meaning(kind);
        let details = match RawValue::from_string(problem.details_json) {
            Ok(json) => Details::Found(json),
            Err(_) => Details::Hint(hint.to_owned()),
        };
        Self {
            status,
            message: problem.message,
            details,
        }
    }
}

impl From<tonic::Status> for ApiError {
    fn from(status: tonic::Status) -> Self {
        // A status with a source was made on this side: the connection broke under the call.
        let lost =
            matches!(status.code(), Code::Unknown | Code::Internal) && status.source().is_some();
        let problem = if lost {
            Problem::from_status(&tonic::Status::unavailable("connection lost"))
        } else {
            Problem::from_status(&status)
        };
        let is_refused = status.code() == Code::Unauthenticated && status.details().is_empty();
        match problem.kind() {
            _ if is_refused => tracing::error!("the controller refused: {}", status.message()),
            Kind::Internal => tracing::error!(%status, "the controller failed"),
            Kind::Unavailable => tracing::warn!(%status, "the controller could not be reached"),
            _ => {}
        }
        problem.into()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = ErrorBody {
            success: false,
            error: self.message,
            details: self.details,
        };
        (self.status, Json(body)).into_response()
    }
}

/// The HTTP status of a kind of problem, and what to do about it where the problem does not say.
fn meaning(kind: Kind) -> (StatusCode, &'static str) {
    match kind {
        Kind::Invalid => (
            StatusCode::BAD_REQUEST,
            "Correct the request and send it again.",
        ),
        Kind::Unrenderable => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "Change the composition and send it again.",
        ),
        Kind::Unauthenticated => (
            StatusCode::UNAUTHORIZED,
            "Send a valid API key: Authorization: Bearer rnd_…",
        ),
        Kind::InsufficientCredits => (StatusCode::PAYMENT_REQUIRED, "Add credits to the account."),
        Kind::Forbidden => (
            StatusCode::FORBIDDEN,
            "This belongs to another account; use that account's key.",
        ),
        Kind::NotFound => (StatusCode::NOT_FOUND, "Check the id."),
        Kind::Conflict => (
            StatusCode::CONFLICT,
            "Use a new Idempotency-Key for a different request.",
        ),
        Kind::RateLimited => (
            StatusCode::TOO_MANY_REQUESTS,
            "Wait for the number of seconds in Retry-After.",
        ),
        Kind::TooLarge => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "Send less, or ask the operator for a higher limit.",
        ),
        Kind::Unavailable => (
            StatusCode::SERVICE_UNAVAILABLE,
            "Try again in a moment; send an Idempotency-Key to be sure not to render twice.",
        ),
        Kind::Internal => (
            StatusCode::INTERNAL_SERVER_ERROR,
            "This is a fault of the service; try again later.",
        ),
    }
}

/// Answers paths that do not exist.
pub(crate) async fn unknown_path(uri: Uri) -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        format!("there is nothing at {}", uri.path()),
        "Check the path; all operations are under /api/v1.",
    )
}

/// Answers methods that a path does not have.
pub(crate) async fn method_not_allowed() -> ApiError {
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this path does not have that method",
        "The Allow header lists the methods that it has.",
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tonic::Status;

    use super::*;

    #[test]
    fn a_connection_that_breaks_under_a_call_says_to_try_again() {
        for code in [Code::Unknown, Code::Internal] {
            let mut status = Status::new(code, "h2 protocol error");
            status.set_source(Arc::new(std::io::Error::other("reset")));
            assert_eq!(ApiError::from(status).status(), 503, "{code}");
            let said_by_the_controller = Status::new(code, "a fault");
            assert_eq!(
                ApiError::from(said_by_the_controller).status(),
                500,
                "{code}"
            );
        }
    }
}
