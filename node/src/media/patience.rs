//! How long a decoder may take to come to one frame.

use std::time::{Duration, Instant};

use crate::{Error, Result};

/// Enough to decode through minutes of video from its last keyframe, on a busy machine.
const LONGEST: Duration = Duration::from_secs(300);

/// Patience with a file that has begun to be decoded.
pub(super) struct Patience {
    until: Instant,
}

impl Patience {
    pub(super) fn begin() -> Self {
        Self {
            until: Instant::now() + LONGEST,
        }
    }

    /// Blames the file once patience has run out.
    pub(super) fn check(&self) -> Result<()> {
        if Instant::now() < self.until {
            return Ok(());
        }
        Err(Error::BadInput(format!(
            "takes more than {} s to decode",
            LONGEST.as_secs()
        )))
    }
}
