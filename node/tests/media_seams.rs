//! Long files joined of many chunks: no trace of the seams in pictures, times or sound.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::sound::{clip, largest_step, left, mixed_stereo, sound, tone};
use common::{decoded_sound, ffprobe};
use kinora_node::audio::{AudioClip, Mixer};
use kinora_node::encode::EncoderSettings;
use kinora_node::mux::{ChunkEncoder, assemble};
use tokio_util::sync::CancellationToken;

const WIDTH: usize = 64;
const HEIGHT: usize = 36;
const FRAME_BYTES: usize = WIDTH * HEIGHT * 3 / 2;

/// A slope that drifts, a bright square that wanders, and colours that turn.
fn picture(frame: usize) -> Vec<u8> {
    let (left, top) = (frame * 3 % (WIDTH - 12), frame * 2 % (HEIGHT - 12));
    let luma = (0..WIDTH * HEIGHT).map(|at| {
        let (x, y) = (at % WIDTH, at / WIDTH);
        let is_inside = (left..left + 12).contains(&x) && (top..top + 12).contains(&y);
        if is_inside {
            220
        } else {
            40 + ((x * 2 + y + frame) % 96) as u8
        }
    });
    let turn = (frame as f64 / 50.0).sin();
    let chroma = [128.0 + 40.0 * turn, 128.0 - 40.0 * turn];
    let chroma = chroma
        .into_iter()
        .flat_map(|value| [value as u8; WIDTH * HEIGHT / 4]);
    luma.chain(chroma).collect()
}

fn chunk(folder: &Path, fps: u32, frames: Range<usize>) -> PathBuf {
    let path = folder.join(format!("{fps}-{}-{}.chunk", frames.start, frames.end));
    let settings = EncoderSettings::new(WIDTH as u32, HEIGHT as u32, fps);
    let mut encoder = ChunkEncoder::create(&path, &settings, Some("x264")).unwrap();
    for frame in frames {
        encoder.push(&picture(frame), frame as u64).unwrap();
    }
    encoder.finish().unwrap();
    path
}

/// A file of the frames up to the last of the seams, in one chunk for each.
fn joined(folder: &Path, fps: u32, seams: &[usize], clips: Vec<AudioClip>) -> PathBuf {
    let starts = std::iter::once(0).chain(seams.iter().copied());
    let chunks: Vec<_> = starts
        .zip(seams)
        .map(|(start, &end)| chunk(folder, fps, start..end))
        .collect();
    let frames = *seams.last().unwrap() as u64;
    let mixer = Mixer::open(clips, frames * 48_000 / u64::from(fps)).unwrap();
    let out = folder.join(format!("{fps}-{}-{frames}.mp4", seams.len()));
    let done = assemble(&chunks, Some(mixer), fps, &out, &CancellationToken::new()).unwrap();
    assert_eq!(done.frames, frames);
    out
}

/// What the ffmpeg command writes of a file; it must have nothing to complain about.
fn written(path: &Path, options: &[&str]) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-v", "warning", "-nostdin", "-i"])
        .arg(path)
        .args(options)
        .arg("-")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    output.stdout
}

/// The kinds of the units in which H.264 comes, in order of decoding.
fn units(path: &Path) -> Vec<u8> {
    let bytes = written(path, &["-map", "0:v", "-c", "copy", "-f", "data"]);
    let mut rest = bytes.as_slice();
    let mut kinds = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (unit, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        kinds.push(unit[0] & 31);
        rest = after;
    }
    kinds
}

/// Times of packets in ticks of the file, in order of decoding.
fn times(path: &Path, field: &str) -> Vec<i64> {
    let entries = format!("packet={field}");
    let text = ffprobe(path, &["-select_streams", "v", "-show_entries", &entries]);
    let lines = text.lines().map(|line| line.trim_end_matches(','));
    lines
        .filter(|line| !line.is_empty())
        .map(|line| line.parse().unwrap())
        .collect()
}

fn assert_evenly_timed(path: &Path, frames: usize) {
    let dts = times(path, "dts");
    assert_eq!(dts.len(), frames);
    assert!(
        dts.windows(2).all(|pair| pair[0] < pair[1]),
        "decoding goes back"
    );
    let pts = times(path, "pts");
    assert!(
        dts.iter().zip(&pts).all(|(dts, pts)| dts <= pts),
        "shown before it is decoded"
    );
    let mut shown = pts;
    shown.sort_unstable();
    assert_eq!(shown[0], 0);
    let step = shown.get(1).copied().unwrap_or(1);
    let is_even = shown
        .iter()
        .enumerate()
        .all(|(frame, &at)| at == frame as i64 * step);
    assert!(is_even, "frames are missing, doubled or out of place");
}

/// Peak signal to noise, in decibels.
fn psnr(one: &[u8], other: &[u8]) -> f64 {
    let squares = one
        .iter()
        .zip(other)
        .map(|(&one, &other)| f64::from(one.abs_diff(other)).powi(2));
    let error = squares.sum::<f64>() / one.len() as f64;
    10.0 * (255.0 * 255.0 / error.max(1e-3)).log10()
}

#[test]
fn ten_minutes_in_twenty_chunks_are_as_good_as_in_one() {
    const FPS: u32 = 5;
    const FRAMES: usize = 3000;
    let folder = tempfile::tempdir().unwrap();
    // A hum over the first, the middle and the last seams; to encode one takes long.
    let hum = sound(
        folder.path(),
        "hum.wav",
        "0.5*sin(2*PI*440*t):s=8000",
        60.0,
        "-ar 8000",
    );
    let hums = [0, 270, 540];
    let clips = || {
        hums.map(|second| clip(&hum, f64::from(second), 60.0))
            .to_vec()
    };
    let seams = [
        1, 2, 150, 151, 320, 499, 500, 750, 888, 1050, 1200, 1450, 1550, 1666, 1950, 2100, 2375,
        2550, 2999, FRAMES,
    ];
    let one = joined(folder.path(), FPS, &[FRAMES], clips());
    let twenty = joined(folder.path(), FPS, &seams, clips());

    for path in [&one, &twenty] {
        assert_evenly_timed(path, FRAMES);
    }
    // One set of headers for all, and a picture that needs none before it at each seam.
    let kinds = units(&twenty);
    assert!(
        kinds.iter().all(|kind| ![7, 8].contains(kind)),
        "headers on the way"
    );
    let slices: Vec<_> = kinds
        .into_iter()
        .filter(|kind| [1, 5].contains(kind))
        .collect();
    assert_eq!(slices.len(), FRAMES);
    for &seam in &seams[..seams.len() - 1] {
        assert_eq!(slices[seam], 5, "frame {seam}");
    }

    let raw = ["-map", "0:v", "-fps_mode", "passthrough", "-f", "rawvideo"];
    let (whole, cut) = (written(&one, &raw), written(&twenty, &raw));
    assert_eq!(
        (whole.len(), cut.len()),
        (FRAMES * FRAME_BYTES, FRAMES * FRAME_BYTES)
    );
    let pictures = whole.chunks(FRAME_BYTES).zip(cut.chunks(FRAME_BYTES));
    for (frame, (whole, cut)) in pictures.enumerate() {
        let source = picture(frame);
        let (whole, cut) = (psnr(&source, whole), psnr(&source, cut));
        assert!(
            cut > 38.0 || cut > whole - 1.5,
            "frame {frame}: {cut} dB, {whole} dB in one piece"
        );
    }

    let (whole, cut) = (decoded_sound(&one), decoded_sound(&twenty));
    assert!(whole == cut, "the sound differs");
    assert!(whole.len().abs_diff(2 * 600 * 48_000) <= 2 * 1024);
    let cut = left(&cut);
    for second in hums {
        let hum = &cut[second as usize * 48_000 + 4800..][..59 * 48_000];
        assert!(largest_step(hum) < 0.035, "{}", largest_step(hum));
        for part in hum.chunks(48_000 * 10) {
            let (amplitude, rest) = tone(part, 440.0);
            assert!(
                (amplitude - 0.5).abs() < 0.01 && rest < 0.01,
                "{amplitude} and {rest}"
            );
        }
    }
}

#[test]
fn every_rate_of_frames_is_timed_evenly() {
    let folder = tempfile::tempdir().unwrap();
    for fps in [1, 7, 24, 25, 30, 50, 60, 120] {
        let path = joined(folder.path(), fps, &[1, 4, 60, 61], Vec::new());
        assert_evenly_timed(&path, 61);
        let rate = [
            "-select_streams",
            "v",
            "-show_entries",
            "stream=avg_frame_rate,nb_frames",
        ];
        assert_eq!(ffprobe(&path, &rate), format!("{fps}/1,61"));
        let seconds: f64 = ffprobe(&path, &["-show_entries", "format=duration"])
            .parse()
            .unwrap();
        assert!(
            (seconds - 61.0 / f64::from(fps)).abs() < 0.03,
            "{fps}: {seconds} s"
        );
        written(&path, &["-f", "null"]);
    }
}

#[test]
fn one_frame_is_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = joined(folder.path(), 30, &[1], Vec::new());
    assert_evenly_timed(&path, 1);
    written(&path, &["-f", "null"]);
}

#[test]
fn more_than_an_hour_is_timed_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let minute = chunk(folder.path(), 1, 0..60);
    let chunks = vec![minute; 61];
    let out = folder.path().join("long.mp4");
    assemble(&chunks, None, 1, &out, &CancellationToken::new()).unwrap();
    assert_evenly_timed(&out, 3660);
    let durations = ["-show_entries", "stream=duration"];
    assert_eq!(ffprobe(&out, &durations), "3660.000000\n3660.000000");
}

#[test]
fn tones_are_heard_in_the_file_when_the_timeline_says() {
    let folder = tempfile::tempdir().unwrap();
    let tones = [(700.0, 0.5, 0.25), (1100.0, 1.0, 0.5), (1900.0, 2.0, 0.7)];
    let clips: Vec<_> = tones
        .iter()
        .map(|&(hertz, starts_at, length)| {
            let formula = format!("0.4*sin(2*PI*{hertz}*t)");
            let path = sound(folder.path(), &format!("{hertz}.wav"), &formula, 1.0, "");
            clip(&path, starts_at, length)
        })
        .collect();
    let mix = left(&mixed_stereo(clips.clone(), 3.0));
    let path = joined(folder.path(), 30, &[1, 31, 90], clips);
    let heard = left(&decoded_sound(&path));
    assert!(heard.len().abs_diff(3 * 48_000) <= 1024, "{}", heard.len());
    for (hertz, starts_at, length) in tones {
        let at = |seconds: f64| (seconds * 48_000.0) as usize;
        let during = &heard[at(starts_at + 0.05)..at(starts_at + length - 0.05)];
        assert!((tone(during, hertz).0 - 0.4).abs() < 0.02);
        for elsewhere in [
            &heard[..at(starts_at - 0.05)],
            &heard[at(starts_at + length + 0.05)..],
        ] {
            assert!(tone(elsewhere, hertz).0 < 0.005);
        }
    }
    // Not a sample early or late.
    let likeness = |lag: usize| {
        let shifted = heard[lag..].iter().zip(&mix[4..]);
        shifted
            .map(|(heard, mixed)| f64::from(heard * mixed))
            .sum::<f64>()
    };
    let best = (0..=8).max_by(|&one, &other| likeness(one).total_cmp(&likeness(other)));
    assert_eq!(best, Some(4));
}
