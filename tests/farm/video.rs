//! Looks into finished files with ffprobe and ffmpeg.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What ffprobe says of a file, with every video frame counted.
pub(crate) fn probe(file: &Path) -> Value {
    let output = Command::new("ffprobe")
        .args([
            "-v",
            "error",
            "-count_frames",
            "-show_streams",
            "-show_format",
        ])
        .args(["-of", "json"])
        .arg(file)
        .output()
        .expect("ffprobe runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The stream of a kind, `video` or `audio`.
pub(crate) fn stream<'a>(probed: &'a Value, kind: &str) -> &'a Value {
    let streams = probed["streams"].as_array().expect("streams");
    let mut of_kind = streams.iter().filter(|stream| stream["codec_type"] == kind);
    let stream = of_kind.next().expect("a stream of the kind");
    assert!(of_kind.next().is_none(), "two {kind} streams");
    stream
}

/// How many video frames a file really has.
pub(crate) fn frame_count(file: &Path) -> u64 {
    let probed = probe(file);
    let count = stream(&probed, "video")["nb_read_frames"].as_str();
    count.and_then(|count| count.parse().ok()).expect("a count")
}

/// Whether the index stands before the media, so that playing can begin before all is loaded.
pub(crate) fn is_faststart(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(head) = bytes.get(at..at + 8) {
        match &head[4..8] {
            b"moov" => return true,
            b"mdat" => return false,
            _ => {}
        }
        at += u32::from_be_bytes([head[0], head[1], head[2], head[3]]).max(8) as usize;
    }
    false
}

/// One frame as RGB.
pub(crate) struct Picture {
    width: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// Frame `index` of a file that is `width` pixels wide.
    pub(crate) fn of_video(file: &Path, index: u32, width: usize) -> Self {
        Self::read(file, &format!("select=eq(n\\,{index}),"), width)
    }

    /// A picture file.
    pub(crate) fn of_image(file: &Path, width: usize) -> Self {
        Self::read(file, "", width)
    }

    fn read(file: &Path, select: &str, width: usize) -> Self {
        let output = Command::new("ffmpeg")
            .args(["-v", "error", "-i"])
            .arg(file)
            .args(["-vf", &format!("{select}format=rgb24"), "-frames:v", "1"])
            .args(["-f", "rawvideo", "-"])
            .output()
            .expect("ffmpeg runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        assert!(!output.stdout.is_empty(), "there is no such frame");
        Self {
            width,
            pixels: output.stdout,
        }
    }

    /// The colour at a place.
    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let start = (y * self.width + x) * 3;
        [
            self.pixels[start],
            self.pixels[start + 1],
            self.pixels[start + 2],
        ]
    }

    /// Asserts a colour, within what 4:2:0 video and its quantiser do to flat areas.
    pub(crate) fn shows(&self, x: usize, y: usize, colour: [u8; 3]) {
        let found = self.at(x, y);
        let near = found.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 10);
        assert!(near, "at ({x}, {y}) is {found:?}, not {colour:?}");
    }

    /// How many pixels of a rectangle have a colour, roughly.
    pub(crate) fn count(
        &self,
        xs: std::ops::Range<usize>,
        ys: std::ops::Range<usize>,
        colour: [u8; 3],
    ) -> usize {
        let near = |found: [u8; 3]| found.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 40);
        ys.flat_map(|y| xs.clone().map(move |x| (x, y)))
            .filter(|&(x, y)| near(self.at(x, y)))
            .count()
    }
}

/// The mean loudness of a stretch of the sound, in dBFS.
pub(crate) fn mean_volume(file: &Path, from: f64, length: f64) -> f64 {
    let output = Command::new("ffmpeg")
        .args([
            "-hide_banner",
            "-ss",
            &from.to_string(),
            "-t",
            &length.to_string(),
            "-i",
        ])
        .arg(file)
        .args(["-vn", "-af", "volumedetect", "-f", "null", "-"])
        .output()
        .expect("ffmpeg runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let (_, rest) = said.split_once("mean_volume: ").expect("a volume");
    let number = rest.split_whitespace().next().expect("a number");
    number.parse().expect("a number")
}
