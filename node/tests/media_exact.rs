//! Frame-exactness of hard cases: uneven times, open groups of pictures, cut files, lost indexes, and
//! the way from a source to the finished video.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::studio::Studio;
use common::{HEIGHT, WIDTH, ffmpeg, number_of, numbered_video};
use kinora_composition::document::Composition;
use kinora_node::media::VideoReader;
use kinora_node::{Error, RenderOptions};
use serde_json::{Value, json};

const PLAIN: &str = "-c:v libx264 -pix_fmt yuv420p -crf 10 -bf 3 -g 12";

fn number_at(reader: &mut VideoReader, seconds: f64) -> usize {
    number_of(&reader.frame_at(seconds).unwrap())
}

/// All numbers up to a count, far apart from one another.
fn scattered(count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |index| index * 37 % count)
}

fn copied(from: &Path, name: &str, before: &str, after: &str) -> PathBuf {
    let to = from.with_file_name(name);
    let mut arguments: Vec<&str> = before.split_whitespace().collect();
    arguments.extend(["-i", from.to_str().unwrap(), "-c", "copy"]);
    arguments.extend(after.split_whitespace());
    arguments.push(to.to_str().unwrap());
    ffmpeg(&arguments);
    to
}

#[test]
fn every_codec_is_exact_in_its_containers() {
    let folder = tempfile::tempdir().unwrap();
    let hevc = "-c:v libx265 -pix_fmt yuv420p10le -crf 10 -g 12 -x265-params log-level=none";
    let vp8 = "-c:v libvpx -pix_fmt yuv420p -crf 10 -b:v 2M -g 12 -cpu-used 8";
    let av1 = "-c:v libaom-av1 -pix_fmt yuv420p -crf 20 -g 12 -cpu-used 8 -usage realtime";
    for (name, encoding) in [
        ("hevc.mov", hevc),
        ("hevc.ts", hevc),
        ("vp8.webm", vp8),
        ("av1.mp4", av1),
        ("av1.webm", av1),
        (
            "prores.mov",
            "-c:v prores_ks -profile:v 2 -pix_fmt yuv422p10le",
        ),
        (
            "prores4.mov",
            "-c:v prores_ks -profile:v 4 -pix_fmt yuva444p10le",
        ),
        ("mjpeg.mov", "-c:v mjpeg -pix_fmt yuvj422p -q:v 2"),
        ("a.gif", "-c:v gif"),
    ] {
        let path = numbered_video(folder.path(), name, "25", 40, encoding);
        let mut reader = VideoReader::open(&path).unwrap();
        for frame in (0..40).chain(scattered(40)) {
            assert_eq!(number_at(&mut reader, frame as f64 / 25.0), frame, "{name}");
        }
    }
}

#[test]
fn frames_of_uneven_length_stay_as_long_as_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let encoding = format!(
        "{PLAIN} -vf settb=1/1000,setpts=2*N*(N+1) -vsync passthrough -enc_time_base 1/1000"
    );
    let path = numbered_video(folder.path(), "a.mkv", "30", 41, &encoding);
    let mut reader = VideoReader::open(&path).unwrap();
    let time = |frame: usize| (2 * frame * (frame + 1)) as f64 / 1000.0;
    for frame in (0..41).chain(scattered(41)) {
        assert_eq!(number_at(&mut reader, time(frame)), frame);
        let last_moment = time(frame + 1) - 0.0011;
        assert_eq!(number_at(&mut reader, last_moment), frame);
    }
}

#[test]
fn a_jump_into_an_open_group_of_pictures_shows_no_broken_frame() {
    let folder = tempfile::tempdir().unwrap();
    let h264 = "-c:v libx264 -pix_fmt yuv420p -crf 10 -x264-params \
                open-gop=1:keyint=12:min-keyint=12:bframes=3:b-pyramid=normal:scenecut=0";
    let hevc = "-c:v libx265 -pix_fmt yuv420p -crf 10 -x265-params \
                open-gop=1:keyint=12:min-keyint=12:bframes=4:b-pyramid=1:scenecut=0:log-level=none";
    for (name, encoding) in [
        ("h264.mp4", h264),
        ("h264.mkv", h264),
        ("h264.ts", h264),
        ("hevc.mp4", hevc),
        ("hevc.ts", hevc),
    ] {
        let path = numbered_video(folder.path(), name, "30", 96, encoding);
        for frame in scattered(96).step_by(5) {
            let mut fresh = VideoReader::open(&path).unwrap();
            assert_eq!(number_at(&mut fresh, frame as f64 / 30.0), frame, "{name}");
        }
        let mut reader = VideoReader::open(&path).unwrap();
        for frame in scattered(96).chain((0..96).rev()) {
            assert_eq!(number_at(&mut reader, frame as f64 / 30.0), frame, "{name}");
        }
    }
}

#[test]
fn what_an_edit_list_cuts_off_is_never_seen() {
    let folder = tempfile::tempdir().unwrap();
    let whole = numbered_video(folder.path(), "a.mp4", "30", 90, PLAIN);
    let cut = copied(&whole, "cut.mp4", "-ss 0.5", "");
    let mut reader = VideoReader::open(&cut).unwrap();
    for frame in (0..75).chain([40, 3, 0, 74, 12]) {
        assert_eq!(number_at(&mut reader, frame as f64 / 30.0), frame + 15);
    }
    let late = copied(&whole, "late.mp4", "-itsoffset 0.7", "");
    let mut reader = VideoReader::open(&late).unwrap();
    for frame in [0, 1, 50, 20, 89, 0] {
        assert_eq!(number_at(&mut reader, frame as f64 / 30.0), frame);
    }
}

#[test]
fn a_file_without_an_index_is_as_exact_as_one_with() {
    let folder = tempfile::tempdir().unwrap();
    let whole = numbered_video(folder.path(), "a.mp4", "30", 150, PLAIN);
    let live = copied(&whole, "live.mkv", "", "-live 1");
    let pieces = copied(
        &whole,
        "pieces.mp4",
        "",
        "-movflags frag_keyframe+empty_moov",
    );
    let stream = copied(&whole, "a.ts", "", "");
    let old = numbered_video(
        folder.path(),
        "old.avi",
        "30",
        150,
        "-c:v mpeg4 -q:v 2 -g 12",
    );
    let mut bytes = std::fs::read(&old).unwrap();
    let index = bytes.windows(4).rposition(|name| name == b"idx1").unwrap();
    bytes.truncate(index);
    std::fs::write(&old, bytes).unwrap();
    for path in [live, pieces, stream, old] {
        let mut reader = VideoReader::open(&path).unwrap();
        for frame in scattered(150) {
            let found = number_at(&mut reader, frame as f64 / 30.0);
            assert_eq!(found, frame, "{}", path.display());
        }
    }
}

#[test]
fn a_file_that_lost_its_table_of_contents_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = numbered_video(folder.path(), "a.mp4", "30", 30, PLAIN);
    let bytes = std::fs::read(&path).unwrap();
    let table = bytes.windows(4).rposition(|name| name == b"moov").unwrap();
    std::fs::write(&path, &bytes[..table - 4]).unwrap();
    let error = VideoReader::open(&path).err().unwrap();
    assert!(matches!(error, Error::BadInput(_)), "{error}");
    assert_eq!(error.to_string(), "is not a video that can be decoded");
}

#[test]
fn a_stream_that_begins_amid_a_group_of_pictures_begins_with_its_first_whole_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = numbered_video(folder.path(), "a.ts", "30", 90, PLAIN);
    let bytes = std::fs::read(&path).unwrap();
    let start = bytes.len() / 3 / 188 * 188;
    std::fs::write(&path, &bytes[start..]).unwrap();
    let mut reader = VideoReader::open(&path).unwrap();
    let in_order: Vec<usize> = (0..60)
        .map(|frame| number_at(&mut reader, f64::from(frame) / 30.0))
        .collect();
    assert!((1..60).contains(&in_order[0]), "{in_order:?}");
    let later = in_order.iter().skip_while(|number| **number == in_order[0]);
    for (index, number) in later.enumerate() {
        assert_eq!(*number, (in_order[0] + 1 + index).min(89), "{in_order:?}");
    }
    for frame in scattered(60) {
        assert_eq!(number_at(&mut reader, frame as f64 / 30.0), in_order[frame]);
    }
}

#[test]
fn a_video_may_change_its_size_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let raw = "-c:v libx264 -pix_fmt yuv420p -crf 10 -bf 0 -f h264";
    let first = numbered_video(folder.path(), "a.h264", "30", 20, raw);
    let second = numbered_video(
        folder.path(),
        "b.h264",
        "30",
        20,
        &format!("-vf scale=80:48:flags=neighbor {raw}"),
    );
    let joined = folder.path().join("ab.h264");
    let bytes = [
        std::fs::read(first).unwrap(),
        std::fs::read(second).unwrap(),
    ]
    .concat();
    std::fs::write(&joined, bytes).unwrap();
    let path = copied(&joined, "ab.mkv", "-f h264 -r 30", "");
    let mut reader = VideoReader::open(&path).unwrap();
    for frame in [0, 19, 20, 39, 5, 30, 21, 19] {
        let shown = reader.frame_at((f64::from(frame) + 0.5) / 30.0).unwrap();
        let size = (shown.width() as usize, shown.height() as usize);
        let wanted = if frame < 20 {
            (WIDTH, HEIGHT)
        } else {
            (80, 48)
        };
        assert_eq!(size, wanted, "frame {frame}");
    }
}

#[test]
fn every_speed_shows_the_frames_that_it_should() {
    let folder = tempfile::tempdir().unwrap();
    let path = numbered_video(folder.path(), "a.mp4", "30", 120, PLAIN);
    for speed in [0.1, 0.5, 1.0, 1.5, 2.0, 10.0] {
        let mut reader = VideoReader::open(&path).unwrap();
        for frame in 0..60 {
            let seconds = f64::from(frame) / 30.0 * speed;
            let wanted = (f64::from(frame) * speed + 1e-6).floor().min(119.0) as usize;
            assert_eq!(number_at(&mut reader, seconds), wanted, "speed {speed}");
        }
    }
}

/// The numbers that a video overlay shows in each frame of a finished video at 30 frames a second.
async fn rendered(studio: &Studio, fields: Value, frames: u32) -> Vec<usize> {
    let mut overlay = json!({
        "id": 1, "type": "video", "from": 0, "durationInFrames": frames, "row": 0,
        "left": 0, "top": 0, "width": WIDTH, "height": HEIGHT
    });
    let object = overlay.as_object_mut().unwrap();
    object.extend(fields.as_object().unwrap().clone());
    let document = json!({
        "overlays": [overlay], "durationInFrames": frames, "fps": 30,
        "width": WIDTH, "height": HEIGHT
    });
    let (composition, _) = Composition::from_json(&document).unwrap();
    let composition = Arc::new(composition);
    let out = studio.folder.path().join("out.mp4");
    let options = RenderOptions::default();
    let engine = &studio.engine;
    engine
        .render_chunk(&composition, 0..frames, &options, &out)
        .await
        .unwrap();
    let mut reader = VideoReader::open(&out).unwrap();
    (0..frames)
        .map(|frame| number_at(&mut reader, f64::from(frame) / 30.0))
        .collect()
}

#[tokio::test]
async fn a_finished_video_shows_the_frames_of_its_sources_by_their_own_clocks() {
    let studio = Studio::open().await;
    for (rate, per_second) in [
        ("24", 24.0),
        ("25", 25.0),
        ("30000/1001", 30000.0 / 1001.0),
        ("50", 50.0),
        ("60", 60.0),
    ] {
        let name = format!("{per_second:.0}.mp4");
        numbered_video(studio.folder.path(), &name, rate, 130, PLAIN);
        let found = rendered(&studio, json!({ "src": name }), 60).await;
        let wanted: Vec<usize> = (0..60)
            .map(|frame| (f64::from(frame) / 30.0 * per_second + 1e-6).floor() as usize)
            .collect();
        assert_eq!(found, wanted, "{rate}");
    }
}

#[tokio::test]
async fn a_finished_video_starts_runs_and_ends_its_sources_as_told() {
    let studio = Studio::open().await;
    numbered_video(studio.folder.path(), "b.mp4", "30", 60, PLAIN);
    for (start, speed) in [(0.0, 0.5), (0.7, 1.0), (1.0, 1.5), (0.5, 2.0), (0.0, 10.0)] {
        let fields = json!({ "src": "b.mp4", "videoStartTime": start, "speed": speed });
        let found = rendered(&studio, fields, 45).await;
        let wanted: Vec<usize> = (0..45)
            .map(|frame| (start * 30.0 + f64::from(frame) * speed + 1e-3).floor())
            .map(|frame| (frame as usize).min(59))
            .collect();
        assert_eq!(found, wanted, "from {start} at {speed}");
    }
}
