//! Sources of pictures and sound: fetching, probing, decoding.
//!
//! [`MediaCache`] turns a URL into a local [`MediaFile`]; [`load_artwork`], [`Animation`] and
//! [`VideoReader`] turn that file into pixels. A message about a bad file starts with a verb ("is not
//! an image that can be decoded"), so that [`Named::named`] can put the name of the source in front
//! of it.

mod animation;
mod answer;
mod avif;
mod cache;
mod convert;
mod decoding;
mod fetch;
mod hardware;
mod image;
mod input;
mod orientation;
mod own;
mod partial;
mod patience;
mod picture;
mod profile;
mod stock;
mod svg;
mod svg_cost;
mod svg_sheet;
mod svg_weight;
mod timing;
mod tone;
mod traffic;
mod video;

pub use self::image::{Artwork, DecodedImage, load_artwork};
pub use animation::Animation;
pub use cache::{CacheConfig, CacheUse, MediaCache, MediaFile};
pub use decoding::Decoding;
pub use hardware::{frames_from_video_engine, video_engine};
pub use own::OwnFiles;
pub use picture::{ColorMatrix, Plane, VideoFrame};
pub use svg::{Vector, VectorFonts};
pub use timing::frame_times;
pub use video::{VideoInfo, VideoReader};

pub(crate) use input::{MAX_PIXELS, decoder_context, init, open_input, start_of, would_block};

use crate::{Error, Result};

/// Puts the name of a source in front of a message about it.
pub trait Named<T> {
    /// Turns "is not an image" into "https://…/a.png is not an image"; other errors pass unchanged.
    fn named(self, source: &str) -> Result<T>;
}

impl<T> Named<T> for Result<T> {
    fn named(self, source: &str) -> Result<T> {
        self.map_err(|error| match error {
            Error::BadInput(message) => Error::BadInput(format!("{source} {message}")),
            other => other,
        })
    }
}

/// Runs a decoder of somebody else's: where a damaged file makes it panic, the file is at fault.
fn unpanicked<T>(decode: impl FnOnce() -> Result<T>) -> Result<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(decode))
        .unwrap_or_else(|_| Err(Error::BadInput("can't be decoded".to_owned())))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::*;

    #[test]
    fn only_messages_for_the_caller_get_a_name() {
        let bad: Result<()> = Err(Error::BadInput("is empty".to_owned()));
        assert_eq!(
            bad.named("a.png").unwrap_err().to_string(),
            "a.png is empty"
        );
        let cancelled: Result<()> = Err(Error::Cancelled);
        assert_eq!(
            cancelled.named("a.png").unwrap_err().to_string(),
            "cancelled"
        );
    }
}
