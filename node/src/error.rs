//! Why a piece of work on a node did not succeed.

/// Distinguishes what the caller can mend from what the farm should try again.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The composition or its media are at fault. The message names the overlay or the source and
    /// is fit for the caller's eyes: no local path, no internals.
    #[error("{0}")]
    BadInput(String),
    /// The work was stopped from outside.
    #[error("cancelled")]
    Cancelled,
    /// The graphics device was lost under the work. Another may do it; nothing speaks against the work itself.
    #[error("the graphics device was lost: {0}")]
    DeviceLost(String),
    /// The node is at fault: device, disk, store, encoder. Another attempt may succeed.
    #[error("{context}: {source}")]
    Internal {
        /// What was being done.
        context: String,
        /// What went wrong.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// A result with this crate's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Wraps an error that the caller can do nothing about.
    pub fn internal(
        context: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Internal {
            context: context.into(),
            source: source.into(),
        }
    }
}

/// Adds context to foreign errors on their way out.
pub trait Context<T> {
    /// Turns a foreign error into [`Error::Internal`].
    fn context(self, context: impl Into<String>) -> Result<T>;
}

impl<T, E: Into<Box<dyn std::error::Error + Send + Sync>>> Context<T> for Result<T, E> {
    fn context(self, context: impl Into<String>) -> Result<T> {
        self.map_err(|source| Error::internal(context, source))
    }
}
