//! Finished videos, looked at frame by frame.

use std::path::Path;
use std::process::Command;

use super::clients::{Clients, Ended};
use super::orders::{FPS, HEIGHT, Media, WIDTH, numbers, shows_upload};
use crate::farm::video;

/// What is larger than this goes into the store in parts.
const ONE_PIECE: usize = 10 * 1024 * 1024;
/// An AAC frame is 1024 samples; sound is this much longer than its video at most.
const SOUND_TOLERANCE: f64 = 0.05;

/// Asserts that a job ended as it had to, and that its video shows every frame once, in order.
pub(crate) async fn check(clients: &Clients, ended: &Ended, folder: &Path) {
    let Ended { order, job } = ended;
    if order.media == Media::Broken {
        assert_eq!(job["status"], "FAILED", "{order:?} {job}");
        assert!(job["errorMessage"].is_string(), "{job}");
        return;
    }
    assert!(ended.is_completed(), "{order:?} {job}");
    let url = job["outputUrl"].as_str().expect("outputUrl");
    let bytes = clients.anyone().download(url).await;
    assert_eq!(job["outputSize"], bytes.len(), "{job}");
    if order.media == Media::Noise {
        assert!(bytes.len() > ONE_PIECE, "{order:?} is small: {job}");
    }
    let file = folder.join(format!("{}.mp4", order.number));
    std::fs::write(&file, bytes).expect("write");

    let pictures = brightness(&file);
    let shown: Vec<Vec<usize>> = pictures.chunks(WIDTH * HEIGHT).map(numbers).collect();
    let expected: Vec<Vec<usize>> = (0..order.frames as usize).map(|n| vec![n]).collect();
    assert_eq!(shown, expected, "{order:?}");
    if order.media == Media::Upload {
        let all = pictures.chunks(WIDTH * HEIGHT).all(shows_upload);
        assert!(all, "{order:?} lacks its picture");
    }
    if order.media == Media::Sound {
        let probed = video::probe(&file);
        let length = video::stream(&probed, "audio")["duration"].as_str();
        let length: f64 = length.and_then(|s| s.parse().ok()).expect("a duration");
        let expected = f64::from(order.frames) / f64::from(FPS);
        assert!(
            (length - expected).abs() < SOUND_TOLERANCE,
            "{order:?} sounds for {length} s"
        );
    }
    std::fs::remove_file(&file).expect("remove");
}

/// All frames of a file, brought to one size, one byte for each pixel.
fn brightness(file: &Path) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(file)
        .args(["-vf", &format!("scale={WIDTH}:{HEIGHT}:flags=area")])
        .args(["-pix_fmt", "gray", "-f", "rawvideo", "-"])
        .output()
        .expect("ffmpeg runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    output.stdout
}
