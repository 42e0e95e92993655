//! What can go wrong in the controller, without knowing how it travels.

use kinora_composition::{document::Issue, request::Refusal};

use crate::ledger::Credits;

/// Everything that ends an operation early. Only `api` knows what each means to a caller.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The process can't start as configured. The message says what to do.
    #[error("{0}")]
    Setup(String),
    /// The database did not do what was asked of it.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// The object store did not do what was asked of it.
    #[error("object store: {0}")]
    Objects(#[from] object_store::Error),
    /// A row holds something that no version of this program wrote.
    #[error("corrupt row: {0}")]
    Corrupt(String),
    /// The gRPC server stopped by itself.
    #[error("gRPC server: {0}")]
    Serve(#[from] tonic::transport::Error),
    /// The body of a request is not accepted.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An argument is not acceptable.
    #[error("{0}")]
    Invalid(String),
    /// The account can't pay for it.
    #[error("insufficient credits: {} needed, {} available", needed.rounded_up(), available.rounded_down())]
    InsufficientCredits {
        /// The price.
        needed: Credits,
        /// The balance.
        available: Credits,
    },
    /// It exists, and belongs to somebody else.
    #[error("{0}")]
    Forbidden(String),
    /// There is no such thing.
    #[error("{0}")]
    NotFound(String),
    /// It contradicts something that was done before.
    #[error("{0}")]
    Conflict(String),
    /// A file is larger than it may be.
    #[error("{0}")]
    TooLarge(String),
    /// The object store did not do what was asked of it.
    #[error("object store: {0}")]
    Store(String),
}

/// A result with this crate's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// One part of a request, named as its sender knows it, is not acceptable.
    pub(crate) fn at(path: &str, message: impl Into<String>) -> Self {
        Self::Refused(Refusal::invalid(&[Issue {
            path: path.to_owned(),
            message: message.into(),
        }]))
    }

    /// Whether trying again in a moment may help: the database is away or busy.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Database(sqlx::Error::Database(error)) => {
                error.code().is_some_and(|code| passes_by_itself(&code))
            }
            Self::Database(error) => matches!(
                error,
                sqlx::Error::Io(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::PoolClosed
                    | sqlx::Error::WorkerCrashed
            ),
            _ => false,
        }
    }
}

/// Whether Postgres says by its code that the same may work later: the connection is lost, resources are
/// short, somebody was in the way, or the server goes down or comes up. Codes of SQLite are shorter.
fn passes_by_itself(code: &str) -> bool {
    const CLASSES: [&str; 5] = ["08", "25P03", "40", "53", "57P"];
    code.len() == 5 && CLASSES.iter().any(|class| code.starts_with(class))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_goes_down_is_away_and_a_wrong_query_is_our_fault() {
        for code in [
            "08006", "25P03", "40001", "40P01", "53300", "57P01", "57P03",
        ] {
            assert!(passes_by_itself(code), "{code}");
        }
        for code in ["23505", "42601", "22P02", "57014", "5", "517", "5386"] {
            assert!(!passes_by_itself(code), "{code}");
        }
    }
}
