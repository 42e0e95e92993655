//! How a [`Problem`] travels inside a gRPC status.

use prost::Message;
use tonic::{Code, Status};

use crate::v1::{Problem, problem::Kind};

impl Problem {
    /// A problem without details.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            message: message.into(),
            details_json: String::new(),
        }
    }

    /// The same problem with a JSON value as its details.
    #[must_use]
    pub fn with_details(mut self, details_json: impl Into<String>) -> Self {
        self.details_json = details_json.into();
        self
    }

    /// Wraps the problem for the wire.
    pub fn into_status(self) -> Status {
        let code = match self.kind() {
            Kind::Internal => Code::Internal,
            Kind::Invalid => Code::InvalidArgument,
            Kind::Unrenderable | Kind::InsufficientCredits => Code::FailedPrecondition,
            Kind::Unauthenticated => Code::Unauthenticated,
            Kind::Forbidden => Code::PermissionDenied,
            Kind::NotFound => Code::NotFound,
            Kind::Conflict => Code::Aborted,
            Kind::RateLimited | Kind::TooLarge => Code::ResourceExhausted,
            Kind::Unavailable => Code::Unavailable,
        };
        Status::with_details(code, self.message.clone(), self.encode_to_vec().into())
    }

    /// Reads the problem back; a status that carries none (a lost connection, a bug) becomes one.
    pub fn from_status(status: &Status) -> Self {
        if !status.details().is_empty()
            && let Ok(problem) = Self::decode(status.details())
        {
            return problem;
        }
        match status.code() {
            // Who is not let in by the controller can't serve anybody yet; its log says why.
            Code::Unavailable
            | Code::DeadlineExceeded
            | Code::Cancelled
            | Code::Unauthenticated => Self::new(
                Kind::Unavailable,
                "the service is starting or restarting; try again in a moment",
            ),
            _ => Self::new(Kind::Internal, "internal error"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_survives_the_wire() {
        let problem =
            Problem::new(Kind::Unrenderable, "unknown shape").with_details(r#"{"issues":[]}"#);
        assert_eq!(
            Problem::from_status(&problem.clone().into_status()),
            problem
        );
    }

    #[test]
    fn a_lost_connection_reads_as_unavailable_and_anything_else_hides_its_message() {
        let lost = Problem::from_status(&Status::unavailable("tcp connect error 127.0.0.1"));
        assert_eq!(lost.kind(), Kind::Unavailable);
        let bug = Problem::from_status(&Status::unknown("SELECT * FROM secrets"));
        assert_eq!(
            (bug.kind(), bug.message.as_str()),
            (Kind::Internal, "internal error")
        );
    }
}
