//! Video encoders behind one trait, chosen by probing.
//!
//! [`open_best`] gives the first encoder in order of preference that works here; [`probe`] says of
//! each whether it does and why not. Frames go in as I420, H.264 packets come out.

mod choice;
mod libav;
mod nvenc;

pub use choice::{EncoderReport, open_best, probe};

use ffmpeg_the_third as ffmpeg;

use ffmpeg::Packet;
use ffmpeg::codec::Parameters;

use crate::{Error, Result};

/// Seconds from one keyframe to the next. Of pictures that hardly move, keyframes are most of the
/// file: every two seconds they double the size of text on a still ground.
const KEYFRAME_SECONDS: u32 = 8;

/// What to encode, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct EncoderSettings {
    /// Width in pixels, even.
    pub width: u32,
    /// Height in pixels, even.
    pub height: u32,
    /// Frames a second.
    pub fps: u32,
    /// Quality, as x264 counts it: less is better.
    pub crf: u8,
    /// Effort, by x264's names.
    pub preset: String,
    /// Threads to encode on; 0 leaves it to the encoder.
    pub threads: usize,
}

impl EncoderSettings {
    /// The settings that renders use unless told otherwise.
    pub fn new(width: u32, height: u32, fps: u32) -> Self {
        Self {
            width,
            height,
            fps,
            crf: 23,
            preset: "veryfast".to_owned(),
            threads: 0,
        }
    }

    /// Bytes of one I420 frame.
    pub fn frame_bytes(&self) -> usize {
        self.width as usize * self.height as usize * 3 / 2
    }

    fn keyframe_interval(&self) -> u32 {
        self.fps * KEYFRAME_SECONDS
    }

    fn check(&self) -> Result<()> {
        let even = |side: u32| side > 0 && side.is_multiple_of(2);
        if even(self.width) && even(self.height) && self.fps > 0 {
            return Ok(());
        }
        let Self {
            width, height, fps, ..
        } = self;
        Err(Error::internal(
            "preparing an encoder",
            format!("can't encode {width}×{height} at {fps} fps"),
        ))
    }
}

/// Turns frames into H.264 High, yuv420p, BT.709 limited range, closed groups of pictures.
pub trait VideoEncoder: Send {
    /// The name that `wanted` and reports use.
    fn name(&self) -> &'static str;

    /// The stream's headers; equal for equal settings, so that chunks can be joined.
    fn parameters(&self) -> Parameters;

    /// Encodes a frame: Y, U and V planes without padding. `index` is its presentation time in
    /// frames and must grow by one each time. Finished packets are appended to `out`, with times
    /// in frames.
    fn push(&mut self, i420: &[u8], index: i64, out: &mut Vec<Packet>) -> Result<()>;

    /// Appends the packets still held back. Nothing may be pushed after.
    fn finish(&mut self, out: &mut Vec<Packet>) -> Result<()>;
}
