//! Test media: made by the ffmpeg command, with frames that carry their number.
#![expect(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

pub mod corpus;
pub mod sound;
pub mod studio;
pub mod web;

use std::path::{Path, PathBuf};
use std::process::Command;

use kinora_node::media::VideoFrame;

/// Ten blocks in a row, black or white: the bits of the frame's number, lowest first.
pub const BITS: usize = 10;
pub const BLOCK: usize = 16;
pub const WIDTH: usize = BITS * BLOCK;
pub const HEIGHT: usize = 32;

/// Runs ffmpeg and expects it to succeed.
pub fn ffmpeg(arguments: &[&str]) {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-y"])
        .args(arguments)
        .output()
        .expect("the ffmpeg command is installed");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// What ffprobe prints, trimmed.
pub fn ffprobe(path: &Path, arguments: &[&str]) -> String {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-of", "csv=p=0"])
        .args(arguments)
        .arg(path)
        .output()
        .expect("the ffprobe command is installed");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout)
        .expect("ffprobe prints text")
        .trim()
        .to_owned()
}

/// A video of numbered frames in the given encoding.
pub fn numbered_video(
    folder: &Path,
    name: &str,
    rate: &str,
    frames: u32,
    encoding: &str,
) -> PathBuf {
    let path = folder.join(name);
    let source = format!(
        "color=black:s={WIDTH}x{HEIGHT}:r={rate},format=yuv444p,\
         geq=lum='16+219*mod(floor(N/pow(2,floor(X/{BLOCK}))),2)':cb=128:cr=128"
    );
    let count = frames.to_string();
    let mut arguments = vec!["-f", "lavfi", "-i", &source, "-frames:v", &count];
    arguments.extend(encoding.split_whitespace());
    arguments.push(path.to_str().expect("temporary paths are text"));
    ffmpeg(&arguments);
    path
}

/// A numbered frame as I420.
pub fn numbered_frame(number: usize) -> Vec<u8> {
    let mut i420 = vec![128; WIDTH * HEIGHT * 3 / 2];
    for (at, sample) in i420[..WIDTH * HEIGHT].iter_mut().enumerate() {
        let bit = at % WIDTH / BLOCK;
        *sample = if number >> bit & 1 == 1 { 235 } else { 16 };
    }
    i420
}

/// Reads the number off a frame.
pub fn number_of(frame: &VideoFrame) -> usize {
    let (plane, bytes) = match frame.rgba() {
        Some(pixels) => (pixels, 4),
        None => (frame.y(), 1),
    };
    let row = &plane.data[HEIGHT / 2 * plane.stride..];
    (0..BITS)
        .filter(|bit| row[(bit * BLOCK + BLOCK / 2) * bytes] > 128)
        .map(|bit| 1 << bit)
        .sum()
}

/// All samples of a file's sound as 48 kHz interleaved stereo, decoded by the ffmpeg command.
pub fn decoded_sound(path: &Path) -> Vec<f32> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-i"])
        .arg(path)
        .args(["-vn", "-ac", "2", "-ar", "48000", "-f", "f32le", "-"])
        .output()
        .expect("the ffmpeg command is installed");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let bytes = output.stdout.as_chunks::<4>().0;
    bytes
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}
