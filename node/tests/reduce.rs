//! Smaller pictures: the same scene by the same renderer, each pixel the mean of a cell.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use common::studio::{HEIGHT, Studio, WIDTH, composition, moving, overlay, shape};
use image::RgbaImage;
use kinora_node::{Pace, PayingWork, RenderOptions};
use serde_json::{Value, json};

fn reduced(reduce: u32) -> RenderOptions {
    RenderOptions {
        reduce,
        ..RenderOptions::default()
    }
}

/// The mean of each cell of `by` × `by` pixels; a last odd row or column is dropped.
fn box_mean(full: &RgbaImage, by: u32) -> RgbaImage {
    let (width, height) = (full.width() / by / 2 * 2, full.height() / by / 2 * 2);
    RgbaImage::from_fn(width, height, |x, y| {
        let mut sums = [0; 4];
        for row in y * by..(y + 1) * by {
            for column in x * by..(x + 1) * by {
                for (sum, channel) in sums.iter_mut().zip(full.get_pixel(column, row).0) {
                    *sum += u32::from(channel);
                }
            }
        }
        image::Rgba(sums.map(|sum| ((sum + by * by / 2) / (by * by)) as u8))
    })
}

/// A video that fills the canvas, with something still and something moving over it: the scene
/// whose frames would go to the encoder past the canvas.
fn over_video() -> Value {
    json!([
        overlay(
            "video",
            [0, 0, 128, 72],
            &json!({ "src": "clip.mp4", "row": 9 })
        ),
        shape([8, 8, 100, 30], "#ff880077", &json!({ "row": 7 })),
        shape(
            [70, 40, 30, 20],
            "#fff",
            &json!({ "row": 1, "styles": { "animation": { "during": "spin" } } })
        ),
    ])
}

impl Studio {
    async fn stills(
        &self,
        scene: &Value,
        frames: &[u32],
        options: &RenderOptions,
    ) -> Vec<RgbaImage> {
        let folder = tempfile::tempdir_in(self.folder.path()).expect("a folder");
        self.engine
            .stills(&composition(scene), frames, options, folder.path())
            .await
            .expect("stills");
        let open = |frame: &u32| {
            let file = folder.path().join(format!("{frame}.png"));
            image::open(file).expect("a PNG").into_rgba8()
        };
        frames.iter().map(open).collect()
    }
}

#[tokio::test]
async fn a_smaller_still_is_the_mean_of_the_full_one() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    for scene in [moving(), over_video()] {
        let full = studio.frame(&scene, 9).await.expect("a frame");
        for by in [2, 3, 5] {
            let small = studio.stills(&scene, &[9], &reduced(by)).await.remove(0);
            assert!(small == box_mean(&full, by), "by {by}: {scene}");
        }
        for by in [0, 1] {
            let same = studio.stills(&scene, &[9], &reduced(by)).await.remove(0);
            assert!(same == full, "by {by}: {scene}");
        }
    }
}

#[tokio::test]
async fn smaller_frames_go_to_the_encoder_the_same_whole_or_in_chunks() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let (scene, options) = (over_video(), reduced(3));
    let whole = studio.frames_with(&scene, 0..20, &options).await;
    let mut parts = studio.frames_with(&scene, 0..7, &options).await;
    parts.extend(studio.frames_with(&scene, 7..20, &options).await);
    assert!(whole == parts, "a frame differs between whole and chunks");
    let (width, height) = (WIDTH / 3, HEIGHT / 3);
    let still = studio.stills(&scene, &[12], &options).await.remove(0);
    assert_eq!((still.width(), still.height()), (width, height));
    assert_eq!(whole[12].len() as u32, width * height * 3 / 2);
    for (x, y, pixel) in still.enumerate_pixels() {
        let [r, g, b, _] = pixel.0.map(f64::from);
        let luma = 16.0 + 219.0 / 255.0 * (0.2126 * r + 0.7152 * g + 0.0722 * b);
        let found = f64::from(whole[12][(y * width + x) as usize]);
        assert!(
            (found - luma).abs() <= 1.0,
            "luma of {x}, {y} is {found}, not {luma}"
        );
    }
    let unreduced = studio.frames(&scene, 0..20).await;
    for by in [0, 1] {
        let same = studio.frames_with(&scene, 0..20, &reduced(by)).await;
        assert!(same == unreduced, "by {by}");
    }
}

#[tokio::test]
async fn smaller_chunks_become_one_video() {
    let studio = Studio::open().await;
    let scene = composition(&moving());
    // The second is as small as pictures get.
    for (by, size) in [(3, "42,24"), (64, "2,2")] {
        let options = reduced(by);
        let mut chunks = Vec::new();
        for (index, frames) in [0..25, 25..60].into_iter().enumerate() {
            let chunk = studio.folder.path().join(format!("{index}.mp4"));
            let rendered = studio
                .engine
                .render_chunk(&scene, frames, &options, &chunk)
                .await;
            rendered.expect("a chunk");
            chunks.push(chunk);
        }
        let video = studio.folder.path().join("video.mp4");
        let assembled = studio
            .engine
            .assemble(&scene, 0..60, &options, &chunks, &video)
            .await;
        assembled.expect("a video");
        let entries = "stream=width,height,nb_read_frames";
        let arguments = [
            "-select_streams",
            "v",
            "-count_frames",
            "-show_entries",
            entries,
        ];
        assert_eq!(common::ffprobe(&video, &arguments), format!("{size},60"));
    }
}

#[tokio::test]
async fn stills_are_exact_in_any_order() {
    let studio = Studio::open().await;
    studio.clip("clip.mp4");
    let scene = over_video();
    let done = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&done);
    let options = RenderOptions {
        progress: Arc::new(move |frames| counted.store(frames, Ordering::SeqCst)),
        ..RenderOptions::default()
    };
    let frames = [41, 0, 7, 41, 8];
    let stills = studio.stills(&scene, &frames, &options).await;
    for (frame, still) in frames.into_iter().zip(stills) {
        let alone = studio.frame(&scene, frame).await.expect("a frame");
        assert!(still == alone, "frame {frame}");
    }
    assert_eq!(done.load(Ordering::SeqCst), 4, "one is asked for twice");
}

fn yielding(to: &PayingWork, rest: Duration) -> RenderOptions {
    let to = to.clone();
    RenderOptions {
        pace: Pace::Yielding { to, rest },
        ..RenderOptions::default()
    }
}

#[tokio::test]
async fn a_preview_rests_before_each_frame_that_it_draws_beside_paying_work() {
    const REST: Duration = Duration::from_millis(40);
    let (studio, paying) = (Studio::open().await, PayingWork::default());
    let _task = paying.begin();
    let options = yielding(&paying, REST);
    let began = Instant::now();
    studio.frames_with(&moving(), 0..5, &options).await;
    assert!(began.elapsed() >= 5 * REST);
    let began = Instant::now();
    studio.stills(&moving(), &[1, 2, 3], &options).await;
    assert!(began.elapsed() >= 3 * REST);
}

#[tokio::test]
async fn a_preview_goes_on_at_full_speed_once_paying_work_has_ended() {
    const FOREVER: Duration = Duration::from_secs(3600);
    const PATIENCE: Duration = Duration::from_secs(60);
    let (studio, paying) = (Studio::open().await, PayingWork::default());
    let task = paying.begin();
    let options = yielding(&paying, FOREVER);
    let scene = moving();
    let preview = async { studio.frames_with(&scene, 0..5, &options).await.len() };
    let other = async { drop(task) };
    let both = async { tokio::join!(preview, other) };
    let (frames, ()) = tokio::time::timeout(PATIENCE, both).await.expect("in time");
    assert_eq!(frames, 5);
}
