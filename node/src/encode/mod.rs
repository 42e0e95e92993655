//! Video encoders behind one trait, chosen by probing.
//!
//! [`Encoders`] are those of a machine: [`Encoders::open`] gives the first in order of preference that
//! works, [`Encoders::probe`] says of each whether it does and why not. Frames go in from the host as
//! I420, or from memory of the GPU that encodes; packets of H.264 or HEVC come out.

mod choice;
mod headers;
mod libav;
mod nvenc;

pub use choice::{EncoderReport, Encoders};
pub use nvenc_sys::{Context as CudaContext, Libraries as NvidiaLibraries};

use std::sync::Arc;

use ffmpeg_the_third as ffmpeg;

use ffmpeg::Packet;
use ffmpeg::codec::Parameters;

use crate::gpu::SharedFrame;
use crate::{Error, Result};

/// Seconds from one keyframe to the next. Of pictures that hardly move, keyframes are most of the
/// file: every two seconds they double the size of text on a still ground.
const KEYFRAME_SECONDS: u32 = 8;

/// How pictures are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Codec {
    /// H.264, which plays everywhere.
    #[default]
    H264,
    /// HEVC, which is smaller.
    Hevc,
}

/// What to encode, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct EncoderSettings {
    /// The codec.
    pub codec: Codec,
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
            codec: Codec::H264,
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

/// A frame for an encoder.
#[derive(Clone, Copy)]
pub enum Frame<'a> {
    /// Y, U and V planes without padding.
    Planes(&'a [u8]),
    /// Where it lies on the device.
    Shared(&'a Arc<SharedFrame>),
}

impl<'a> Frame<'a> {
    /// Its planes on the host; those of a shared frame are copied to `room`.
    fn planes(self, room: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        match self {
            Self::Planes(planes) => Ok(planes),
            Self::Shared(frame) => {
                frame.read(room)?;
                Ok(room)
            }
        }
    }
}

/// Turns frames into H.264 High or HEVC Main, yuv420p, BT.709 limited range, closed groups of pictures.
pub trait VideoEncoder: Send {
    /// The name that `wanted` and reports use.
    fn name(&self) -> &'static str;

    /// The stream's headers; equal for equal settings, so that chunks can be joined.
    fn parameters(&self) -> Parameters;

    /// The GPU that it encodes on and whose memory it reads frames from, if it does.
    fn device(&self) -> Option<&Arc<CudaContext>> {
        None
    }

    /// Encodes a frame. `index` is its presentation time in frames and must grow by one each time.
    /// Finished packets are appended to `out`, with times in frames.
    fn push(&mut self, frame: Frame<'_>, index: i64, out: &mut Vec<Packet>) -> Result<()>;

    /// Appends the packets still held back. Nothing may be pushed after.
    fn finish(&mut self, out: &mut Vec<Packet>) -> Result<()>;
}
