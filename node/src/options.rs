//! How work is done, beside what it is.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::encode::Codec;
use crate::media::OwnFiles;
use crate::pace::Pace;

/// What a render is told beside its composition and frames. By default it is drawn at full size and
/// speed, nobody hears of it and nobody stops it.
#[derive(Clone)]
pub struct RenderOptions {
    /// How pictures are encoded.
    pub codec: Codec,
    /// Each side of the picture is divided by this; 0 and 1 leave it as it is.
    pub reduce: u32,
    /// How fast frames are drawn.
    pub pace: Pace,
    /// What to encode with, in place of what the engine was told or finds best.
    pub encoder: Option<String>,
    /// Media that lie in our own store.
    pub own_files: Option<OwnFiles>,
    /// Told the frames done.
    pub progress: Arc<dyn Fn(u32) + Send + Sync>,
    /// Stops the work.
    pub cancel: CancellationToken,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            codec: Codec::H264,
            reduce: 1,
            pace: Pace::Full,
            encoder: None,
            own_files: None,
            progress: Arc::new(|_| ()),
            cancel: CancellationToken::new(),
        }
    }
}
