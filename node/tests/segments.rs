//! Segments of a video, by the numbers on its frames and by tones in its sound.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::path::Path;
use std::sync::Arc;

use common::studio::Studio;
use common::{BITS, BLOCK, HEIGHT, WIDTH, decoded_sound, ffmpeg, numbered_video};
use kinora_composition::document::Composition;
use kinora_node::RenderOptions;
use serde_json::{Value, json};

/// A composition of as many pixels as a numbered video has, showing one.
fn showing(src: &str, fps: u32, fields: &Value) -> Arc<Composition> {
    let mut video = json!({ "id": 1, "type": "video", "src": src, "from": 0, "durationInFrames": 60,
        "row": 0, "left": 0, "top": 0, "width": WIDTH, "height": HEIGHT });
    let object = video.as_object_mut().unwrap();
    object.extend(fields.as_object().unwrap().clone());
    let document = json!({ "overlays": [video], "durationInFrames": 60, "fps": fps,
        "width": WIDTH, "height": HEIGHT });
    Arc::new(Composition::from_json(&document).unwrap().0)
}

/// The number that a raw frame shows.
fn number(i420: &[u8]) -> usize {
    let row = &i420[HEIGHT / 2 * WIDTH..];
    (0..BITS)
        .filter(|bit| row[bit * BLOCK + BLOCK / 2] > 128)
        .map(|bit| 1 << bit)
        .sum()
}

async fn numbers(studio: &Studio, composition: &Arc<Composition>, frames: u32) -> Vec<usize> {
    let drawn = studio.frames_of(composition, 0..frames).await;
    drawn.iter().map(|frame| number(frame)).collect()
}

#[tokio::test]
async fn frames_of_the_source_follow_the_segments() {
    let studio = Studio::open().await;
    let encoding = "-c:v libx264 -pix_fmt yuv420p -crf 10 -bf 2 -g 12";
    for (name, rate) in [("same.mp4", "30"), ("film.mp4", "24"), ("fast.mkv", "60")] {
        numbered_video(studio.folder.path(), name, rate, 120, encoding);
    }
    let segments = json!({ "segments": [
        { "startFrame": 90, "endFrame": 94 }, { "startFrame": 10, "endFrame": 12 },
        { "startFrame": 10, "endFrame": 12 }, { "startFrame": 40, "endFrame": 48, "speed": 4 },
        { "startFrame": 7, "endFrame": 9, "speed": 0.5 } ] });
    assert_eq!(
        numbers(&studio, &showing("same.mp4", 30, &segments), 16).await,
        [90, 91, 92, 93, 10, 11, 10, 11, 40, 44, 7, 7, 8, 8, 8, 8]
    );
    assert_eq!(
        numbers(&studio, &showing("film.mp4", 48, &segments), 8).await,
        [90, 90, 91, 91, 92, 92, 93, 93],
        "24 frames a second in 48"
    );
    assert_eq!(
        numbers(&studio, &showing("fast.mkv", 30, &segments), 5).await,
        [90, 92, 10, 10, 40],
        "60 frames a second in 30"
    );
}

/// Loudness of a tone in a stretch of one channel.
fn strength(sound: &[f32], seconds: std::ops::Range<f64>, frequency: f64) -> f64 {
    let rate = 48_000.0;
    let part = &sound[(seconds.start * rate) as usize * 2..(seconds.end * rate) as usize * 2];
    let (mut sine, mut cosine) = (0.0, 0.0);
    for (at, sample) in part.iter().step_by(2).enumerate() {
        let phase = std::f64::consts::TAU * frequency * at as f64 / rate;
        sine += f64::from(*sample) * phase.sin();
        cosine += f64::from(*sample) * phase.cos();
    }
    2.0 * sine.hypot(cosine) / (part.len() as f64 / 2.0)
}

fn with_tones(folder: &Path, pictures: &Path, name: &str) {
    let out = folder.join(name);
    let tones = "aevalsrc=0.5*sin(2*PI*t*(400+400*floor(t))):d=4:s=48000";
    ffmpeg(&[
        "-i",
        pictures.to_str().unwrap(),
        "-f",
        "lavfi",
        "-i",
        tones,
        "-c:v",
        "copy",
        "-c:a",
        "aac",
        "-b:a",
        "192k",
        "-shortest",
        out.to_str().unwrap(),
    ]);
}

#[tokio::test]
async fn the_sound_of_the_source_follows_the_segments() {
    let studio = Studio::open().await;
    let folder = studio.folder.path();
    let pictures = numbered_video(
        folder,
        "mute.mp4",
        "25",
        100,
        "-c:v libx264 -pix_fmt yuv420p -g 10",
    );
    // 400 Hz in the first second, 800 in the second, and so on.
    with_tones(folder, &pictures, "tones.mp4");
    let composition = showing(
        "tones.mp4",
        30,
        &json!({ "segments": [
        { "startFrame": 75, "endFrame": 87.5 }, { "startFrame": 25, "endFrame": 50, "speed": 2 },
        { "startFrame": 0, "endFrame": 12.5 } ] }),
    );
    let (chunk, out) = (folder.join("chunk.mp4"), folder.join("out.mp4"));
    let options = RenderOptions::default();
    let engine = &studio.engine;
    engine
        .render_chunk(&composition, 0..60, &options, &chunk)
        .await
        .unwrap();
    engine
        .assemble(&composition, 0..60, &options, &[chunk], &out)
        .await
        .unwrap();
    let sound = decoded_sound(&out);
    for (seconds, heard) in [
        (0.05..0.45, 1600.0),
        (0.55..0.95, 800.0),
        (1.05..1.45, 400.0),
    ] {
        for tone in [400.0, 800.0, 1200.0, 1600.0] {
            let strength = strength(&sound, seconds.clone(), tone);
            if tone == heard {
                assert!(strength > 0.35, "{tone} Hz at {seconds:?}: {strength}");
            } else {
                assert!(strength < 0.05, "{tone} Hz at {seconds:?}: {strength}");
            }
        }
    }
    let after = &sound[(1.55 * 48_000.0) as usize * 2..];
    assert!(
        after.iter().all(|sample| sample.abs() < 1e-3),
        "silence in the end"
    );
}
