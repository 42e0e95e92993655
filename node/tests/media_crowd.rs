//! Many videos at once: memory and threads stay within bounds.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use common::ffmpeg;
use common::studio::{Studio, composition, overlay};
use kinora_node::{FrameSink, RenderOptions};
use serde_json::{Value, json};

const CLIPS: usize = 20;
const MIB: u64 = 1 << 20;

/// A number that the kernel keeps of this process.
fn kept(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Counts threads whenever a frame arrives.
struct Counting(Arc<AtomicU64>);

impl FrameSink for Counting {
    fn push(&mut self, _i420: &[u8], _index: u64) -> kinora_node::Result<()> {
        self.0.fetch_max(kept("Threads:"), Ordering::Relaxed);
        Ok(())
    }

    fn finish(self: Box<Self>) -> kinora_node::Result<()> {
        Ok(())
    }
}

/// The most threads while overlays were drawn.
async fn most_threads(studio: &Studio, overlays: &Value, frames: u32) -> u64 {
    let most = Arc::new(AtomicU64::new(0));
    let sink = Box::new(Counting(Arc::clone(&most)));
    let options = RenderOptions::default();
    studio
        .engine
        .draw_frames(&composition(overlays), 0..frames, &options, sink)
        .await
        .unwrap();
    most.load(Ordering::Relaxed)
}

#[tokio::test]
async fn twenty_videos_share_the_threads_and_the_memory_of_a_machine() {
    let studio = Studio::open().await;
    for index in 0..CLIPS {
        let path = studio.folder.path().join(format!("{index}.mp4"));
        if index == 0 {
            let arguments = "-f lavfi -i testsrc2=s=640x360:r=30:d=2 -c:v libx264 -preset ultrafast \
                             -bf 3 -refs 4 -pix_fmt yuv420p";
            let mut arguments: Vec<&str> = arguments.split_whitespace().collect();
            arguments.push(path.to_str().unwrap());
            ffmpeg(&arguments);
        } else {
            std::fs::copy(studio.folder.path().join("0.mp4"), path).unwrap();
        }
    }
    let clip = |index: usize, from: usize, length: usize| {
        let (x, y) = ((index % 5) as i32 * 25, (index / 5) as i32 * 18);
        overlay(
            "video",
            [x, y, 25, 18],
            &json!({ "id": index, "src": format!("{index}.mp4"), "from": from, "durationInFrames": length, "row": index }),
        )
    };
    let alone = most_threads(&studio, &json!([clip(0, 0, 60)]), 10).await;

    // One after another: each is closed before the next is opened.
    let queue: Vec<Value> = (0..CLIPS).map(|index| clip(index, index * 3, 3)).collect();
    let queued = most_threads(&studio, &json!(queue), 60).await;
    assert!(
        queued <= alone + 4,
        "{queued} threads, {alone} for one video"
    );

    let before = kept("VmHWM:") * 1024;
    let all: Vec<Value> = (0..CLIPS).map(|index| clip(index, 0, 60)).collect();
    let together = most_threads(&studio, &json!(all), 20).await;
    assert!(
        together <= alone + CLIPS as u64,
        "{together} threads, {alone} for one video"
    );
    let each = (kept("VmHWM:") * 1024).saturating_sub(before) / CLIPS as u64;
    // A picture is a third of a MiB; decoders keep some for reference.
    assert!(each < 16 * MIB, "{} KiB for each video", each / 1024);
}
