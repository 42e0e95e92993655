//! Chunks and finished files, checked by the ffprobe command and by reading them back.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::ops::Range;
use std::path::{Path, PathBuf};

use common::{HEIGHT, WIDTH, decoded_sound, ffmpeg, ffprobe, number_of, numbered_frame};
use kinora_node::Error;
use kinora_node::audio::{AudioClip, Mixer};
use kinora_node::encode::EncoderSettings;
use kinora_node::media::VideoReader;
use kinora_node::mux::{Assembled, ChunkEncoder, assemble};
use tokio_util::sync::CancellationToken;

fn settings(fps: u32) -> EncoderSettings {
    EncoderSettings {
        crf: 12,
        ..EncoderSettings::new(WIDTH as u32, HEIGHT as u32, fps)
    }
}

fn chunk(folder: &Path, settings: &EncoderSettings, frames: Range<usize>) -> PathBuf {
    let path = folder.join(format!("{}-{}.chunk", frames.start, frames.end));
    let mut encoder = ChunkEncoder::create(&path, settings, None).unwrap();
    assert_eq!(encoder.encoder_name(), "x264");
    let count = frames.len() as u64;
    for frame in frames {
        encoder.push(&numbered_frame(frame), frame as u64).unwrap();
    }
    assert_eq!(encoder.finish().unwrap(), count);
    path
}

fn joined(folder: &Path, fps: u32, ranges: &[Range<usize>], mixer: Option<Mixer>) -> PathBuf {
    let chunks: Vec<_> = ranges
        .iter()
        .map(|range| chunk(folder, &settings(fps), range.clone()))
        .collect();
    let out = folder.join(format!("{}-of-{fps}.mp4", ranges.len()));
    let done = assemble(&chunks, mixer, fps, &out, &CancellationToken::new()).unwrap();
    let frames = ranges.iter().map(|range| range.len() as u64).sum::<u64>();
    assert_eq!(
        done,
        Assembled {
            frames,
            samples: frames * 48_000 / u64::from(fps)
        }
    );
    out
}

/// Times of all packets of a stream, in order of decoding.
fn times(path: &Path, stream: &str, field: &str) -> Vec<f64> {
    let entries = format!("packet={field}");
    let text = ffprobe(
        path,
        &["-select_streams", stream, "-show_entries", &entries],
    );
    // Lines of side data, which some packets have, are empty but for separators.
    let lines = text
        .lines()
        .map(|line| line.trim_end_matches(','))
        .filter(|line| !line.is_empty());
    lines.map(|line| line.parse().unwrap()).collect()
}

fn assert_complete(path: &Path, fps: u32, frames: usize) {
    let dts = times(path, "v", "dts_time");
    assert_eq!(dts.len(), frames);
    assert!(dts.windows(2).all(|pair| pair[0] < pair[1]), "{dts:?}");
    let mut pts = times(path, "v", "pts_time");
    pts.sort_by(f64::total_cmp);
    for (frame, at) in pts.iter().enumerate() {
        assert!(
            (at - frame as f64 / f64::from(fps)).abs() < 1e-4,
            "{frame}: {at}"
        );
    }
    let mut reader = VideoReader::open(path).unwrap();
    for frame in 0..frames {
        let shown = reader.frame_at(frame as f64 / f64::from(fps)).unwrap();
        assert_eq!(number_of(&shown), frame);
    }
    let counted = [
        "-count_frames",
        "-select_streams",
        "v",
        "-show_entries",
        "stream=nb_read_frames",
    ];
    assert_eq!(ffprobe(path, &counted), frames.to_string());
}

#[test]
fn two_chunks_are_as_good_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let one = joined(folder.path(), 30, std::slice::from_ref(&(0..60)), None);
    let two = joined(folder.path(), 30, &[0..30, 30..60], None);
    assert_complete(&one, 30, 60);
    assert_complete(&two, 30, 60);
}

#[test]
fn chunks_of_any_length_and_rate_join() {
    let folder = tempfile::tempdir().unwrap();
    assert_complete(
        &joined(folder.path(), 24, &[0..1, 1..2, 2..5, 5..70, 70..71], None),
        24,
        71,
    );
    assert_complete(&joined(folder.path(), 60, &[0..7, 7..200], None), 60, 200);
    assert_complete(&joined(folder.path(), 7, &[0..20, 20..30], None), 7, 30);
}

#[test]
fn the_file_is_what_players_and_the_web_expect() {
    let folder = tempfile::tempdir().unwrap();
    let path = joined(folder.path(), 30, &[0..45, 45..90], None);
    let video = "stream=codec_name,profile,width,height,pix_fmt,color_range,color_space,\
                 color_transfer,color_primaries,avg_frame_rate";
    assert_eq!(
        ffprobe(&path, &["-select_streams", "v", "-show_entries", video]),
        "h264,High,160,32,yuv420p,tv,bt709,bt709,bt709,30/1"
    );
    let audio = "stream=codec_name,profile,sample_rate,channels,channel_layout,start_time";
    assert_eq!(
        ffprobe(&path, &["-select_streams", "a", "-show_entries", audio]),
        "aac,LC,48000,2,stereo,0.000000"
    );
    assert_eq!(
        ffprobe(&path, &["-show_entries", "format=duration"]),
        "3.000000"
    );
    let keyframes = [
        "-select_streams",
        "v",
        "-skip_frame",
        "nokey",
        "-show_entries",
        "frame=pts_time",
    ];
    let keyframes = ffprobe(&path, &keyframes);
    // Each chunk begins with one, and they come every eight seconds within it.
    assert_eq!(
        keyframes
            .replace(',', "")
            .split_whitespace()
            .collect::<Vec<_>>(),
        ["0.000000", "1.500000"]
    );

    let bytes = std::fs::read(&path).unwrap();
    let place = |kind: &[u8]| bytes.windows(4).position(|window| window == kind).unwrap();
    assert!(place(b"moov") < place(b"mdat"), "not made for fast start");
}

#[test]
fn keyframes_come_every_eight_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let path = chunk(folder.path(), &settings(10), 0..170);
    let flags = ffprobe(
        &path,
        &[
            "-select_streams",
            "v",
            "-show_entries",
            "packet=pts_time,flags",
        ],
    );
    let keys: Vec<_> = flags
        .lines()
        .filter(|line| line.contains('K'))
        .map(|line| line.split(',').next().unwrap())
        .collect();
    assert_eq!(keys, ["0.000000", "8.000000", "16.000000"]);
}

fn step_mixer(folder: &Path, seconds: u64) -> Mixer {
    let path = folder.join("step.wav");
    let source = "aevalsrc='if(lt(t,0.5),0,0.5)|if(lt(t,0.5),0,0.5)':s=48000:d=2";
    ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        source,
        "-c:a",
        "pcm_f32le",
        path.to_str().unwrap(),
    ]);
    let clip = AudioClip {
        path,
        label: "step".to_owned(),
        starts_at: 0.0,
        length: 2.0,
        in_point: 0.0,
        speed: 1.0,
        volume: 1.0,
        fade_in: 0.0,
        fade_out: 0.0,
        optional: false,
    };
    Mixer::open(vec![clip], seconds * 48_000).unwrap()
}

#[test]
fn sound_starts_with_the_pictures_and_lasts_as_long() {
    let folder = tempfile::tempdir().unwrap();
    let mixer = step_mixer(folder.path(), 2);
    let path = joined(folder.path(), 30, &[0..30, 30..60], Some(mixer));
    let sound = decoded_sound(&path);
    let found = sound
        .iter()
        .step_by(2)
        .position(|&sample| sample > 0.25)
        .unwrap();
    assert!(found.abs_diff(24_000) <= 24, "the step is at {found}");
    assert!(
        sound.len().abs_diff(2 * 96_000) <= 2 * 1024,
        "{}",
        sound.len()
    );
    let dts = times(&path, "a", "dts_time");
    assert!(dts.windows(2).all(|pair| pair[0] < pair[1]));
    let durations = ["-show_entries", "stream=duration"];
    assert_eq!(ffprobe(&path, &durations), "2.000000\n2.000000");
}

#[test]
fn a_mixer_shorter_than_the_pictures_is_followed_by_silence() {
    let folder = tempfile::tempdir().unwrap();
    let mixer = step_mixer(folder.path(), 1);
    let path = joined(
        folder.path(),
        30,
        std::slice::from_ref(&(0..60)),
        Some(mixer),
    );
    let sound = decoded_sound(&path);
    assert!(sound[2 * 40_000] > 0.25);
    assert!(sound[2 * 60_000..].iter().all(|sample| sample.abs() < 0.01));
}

#[test]
fn chunks_that_differ_are_not_joined() {
    let folder = tempfile::tempdir().unwrap();
    let one = chunk(folder.path(), &settings(30), 0..5);
    let other = EncoderSettings {
        preset: "ultrafast".to_owned(),
        ..settings(30)
    };
    let two = chunk(folder.path(), &other, 5..10);
    let out = folder.path().join("out.mp4");
    let error = assemble(&[one, two], None, 30, &out, &CancellationToken::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("chunk 1 was encoded differently"),
        "{error}"
    );
}

#[test]
fn cancelling_stops_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let chunk = chunk(folder.path(), &settings(30), 0..5);
    let cancel = CancellationToken::new();
    cancel.cancel();
    let out = folder.path().join("out.mp4");
    assert!(matches!(
        assemble(&[chunk], None, 30, &out, &cancel),
        Err(Error::Cancelled)
    ));
}

#[test]
fn frames_must_follow_one_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.chunk");
    let mut encoder = ChunkEncoder::create(&path, &settings(30), None).unwrap();
    encoder.push(&numbered_frame(0), 120).unwrap();
    let error = encoder.push(&numbered_frame(1), 122).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("frame 122 came where 121 was due"),
        "{error}"
    );
}

#[test]
fn equal_settings_give_equal_headers_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = [1, 2, 4]
        .map(|threads| {
            let settings = EncoderSettings {
                threads,
                ..settings(30)
            };
            chunk(folder.path(), &settings, threads * 10..threads * 10 + 10)
        })
        .into();
    let out = folder.path().join("out.mp4");
    assert!(assemble(&paths, None, 30, &out, &CancellationToken::new()).is_ok());
}
