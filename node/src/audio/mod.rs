//! The sound of a timeline, mixed at 48 kHz.
//!
//! [`AudioClip`]s say what sounds when; a [`Mixer`] made of them fills buffers with interleaved
//! stereo, in order, opening each file when its time comes and closing it after.

mod clip;
mod decode;
mod downmix;
mod envelope;
mod limiter;
mod mixer;
mod reader;
mod resample;
mod stretch;

pub use clip::AudioClip;
pub use mixer::Mixer;

/// Samples a second, everywhere in the mix and in the output.
pub const SAMPLE_RATE: u32 = 48_000;
/// Left and right, interleaved.
pub const CHANNELS: usize = 2;

/// The sample on which a moment of the timeline falls.
fn sample_at(seconds: f64) -> i64 {
    (seconds * f64::from(SAMPLE_RATE)).round() as i64
}
