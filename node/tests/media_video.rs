//! Frame-exactness of the video reader over containers, codecs and orders of asking.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::sync::Arc;

use common::{HEIGHT, WIDTH, ffmpeg, number_of, numbered_video};
use kinora_node::Error;
use kinora_node::media::{ColorMatrix, VideoReader};

const B_FRAMES: &str = "-c:v libx264 -pix_fmt yuv420p -crf 10 -bf 3 -g 25";

#[test]
fn every_frame_in_order_with_b_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = numbered_video(folder.path(), "a.mp4", "30", 90, B_FRAMES);
    let mut reader = VideoReader::open(&path).unwrap();
    let info = reader.info();
    assert_eq!((info.width as usize, info.height as usize), (WIDTH, HEIGHT));
    assert!((info.fps - 30.0).abs() < 1e-6 && (info.duration_s - 3.0).abs() < 1e-6);
    for frame in 0..90 {
        let shown = reader.frame_at(f64::from(frame) / 30.0).unwrap();
        assert_eq!(number_of(&shown), frame as usize);
    }
}

#[test]
fn any_order_gives_the_same_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = numbered_video(folder.path(), "a.mp4", "30", 300, B_FRAMES);
    let mut reader = VideoReader::open(&path).unwrap();
    // An in-point first, then backwards, to the start, far ahead, and around keyframes.
    for frame in [
        45, 44, 43, 0, 1, 299, 298, 150, 149, 151, 24, 25, 26, 74, 75, 250, 10, 11, 120,
    ] {
        let shown = reader.frame_at(f64::from(frame) / 30.0).unwrap();
        assert_eq!(number_of(&shown), frame as usize);
    }
}

#[test]
fn containers_with_coarse_ticks_and_late_starts_are_exact_too() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rate, seconds, encoding) in [
        ("ntsc.mkv", "30000/1001", 1001.0 / 30000.0, B_FRAMES),
        ("film.mkv", "24", 1.0 / 24.0, B_FRAMES),
        ("late.ts", "25", 1.0 / 25.0, B_FRAMES),
        (
            "vp9.webm",
            "30",
            1.0 / 30.0,
            "-c:v libvpx-vp9 -pix_fmt yuv420p -crf 20 -b:v 0 -g 25 -cpu-used 8",
        ),
        ("old.avi", "25", 1.0 / 25.0, "-c:v mpeg4 -q:v 2 -bf 2 -g 25"),
    ] {
        let path = numbered_video(folder.path(), name, rate, 80, encoding);
        let mut reader = VideoReader::open(&path).unwrap();
        for frame in (0..80).chain([60, 3, 40]) {
            let shown = reader.frame_at(f64::from(frame) * seconds).unwrap();
            assert_eq!(number_of(&shown), frame as usize, "{name}");
        }
    }
}

#[test]
fn a_frame_stays_until_the_next_and_comes_back_as_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = numbered_video(folder.path(), "a.mp4", "30", 30, B_FRAMES);
    let mut reader = VideoReader::open(&path).unwrap();
    let first = reader.frame_at(10.0 / 30.0).unwrap();
    let again = reader.frame_at(10.9 / 30.0).unwrap();
    assert!(Arc::ptr_eq(&first, &again));
    let next = reader.frame_at(11.0 / 30.0).unwrap();
    assert!(!Arc::ptr_eq(&first, &next));
    assert_ne!(first.serial, next.serial);
    assert_eq!((number_of(&first), number_of(&next)), (10, 11));
}

#[test]
fn the_ends_are_held() {
    let folder = tempfile::tempdir().unwrap();
    let path = numbered_video(folder.path(), "a.mp4", "30", 30, B_FRAMES);
    let mut reader = VideoReader::open(&path).unwrap();
    assert_eq!(number_of(&reader.frame_at(-5.0).unwrap()), 0);
    let last = reader.frame_at(100.0).unwrap();
    assert_eq!(number_of(&last), 29);
    assert!(Arc::ptr_eq(&last, &reader.frame_at(200.0).unwrap()));
    assert_eq!(number_of(&reader.frame_at(0.0).unwrap()), 0);
    let mut late = VideoReader::open(&path).unwrap();
    assert_eq!(number_of(&late.frame_at(50.0).unwrap()), 29);
}

#[test]
fn other_pixel_formats_become_planar_420() {
    let folder = tempfile::tempdir().unwrap();
    for (name, encoding) in [
        ("444.mp4", "-c:v libx264 -pix_fmt yuv444p -crf 10"),
        ("10bit.mp4", "-c:v libx264 -pix_fmt yuv420p10le -crf 10"),
        ("rgb.mkv", "-c:v ffv1 -pix_fmt bgr0"),
        ("gray.mkv", "-c:v ffv1 -pix_fmt gray"),
        ("mjpeg.avi", "-c:v mjpeg -pix_fmt yuvj422p -q:v 2"),
    ] {
        let path = numbered_video(folder.path(), name, "30", 12, encoding);
        let mut reader = VideoReader::open(&path).unwrap();
        for frame in [0, 5, 11] {
            let shown = reader.frame_at(f64::from(frame) / 30.0).unwrap();
            assert_eq!(number_of(&shown), frame as usize, "{name}");
            assert_eq!(shown.u().width as usize, WIDTH / 2, "{name}");
            let (white, black) = if shown.full_range {
                (255, 0)
            } else {
                (235, 16)
            };
            let row = shown.y().data;
            let darkest = row[..WIDTH].iter().min().unwrap();
            assert!(darkest.abs_diff(black) < 4, "{name}: {darkest} on black");
            if frame > 0 {
                let brightest = row[..WIDTH].iter().max().unwrap();
                assert!(
                    brightest.abs_diff(white) < 4,
                    "{name}: {brightest} on white"
                );
            }
        }
    }
}

#[test]
fn colours_are_read_by_what_the_file_says_or_by_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, size: &str, tags: &str| {
        let path = folder.path().join(name);
        let source = format!("color=red:s={size}:r=5:d=0.2");
        let mut arguments = vec!["-f", "lavfi", "-i", &source];
        arguments.extend("-pix_fmt yuv420p -c:v libx264".split(' '));
        arguments.extend(tags.split_whitespace());
        arguments.push(path.to_str().unwrap());
        ffmpeg(&arguments);
        let frame = VideoReader::open(&path).unwrap().frame_at(0.0).unwrap();
        (frame.matrix, frame.full_range)
    };
    assert_eq!(make("sd.mp4", "320x240", ""), (ColorMatrix::Bt601, false));
    assert_eq!(make("hd.mp4", "1280x720", ""), (ColorMatrix::Bt709, false));
    assert_eq!(
        make("709.mp4", "320x240", "-colorspace bt709"),
        (ColorMatrix::Bt709, false)
    );
    assert_eq!(
        make("601.mp4", "1280x720", "-colorspace smpte170m"),
        (ColorMatrix::Bt601, false)
    );
    assert_eq!(
        make("2020.mp4", "320x240", "-colorspace bt2020nc"),
        (ColorMatrix::Bt2020, false)
    );
    assert_eq!(
        make("full.mp4", "320x240", "-color_range pc"),
        (ColorMatrix::Bt601, true)
    );
}

#[test]
fn files_that_are_no_videos_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let outcome = VideoReader::open(&path).and_then(|mut reader| reader.frame_at(0.0));
        match outcome {
            Err(Error::BadInput(message)) => message,
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{name} was decoded"),
        }
    };
    assert_eq!(
        refused("a.mp4", b"<html>gone</html>"),
        "is not a video that can be decoded"
    );
    assert_eq!(refused("b.mp4", b""), "is not a video that can be decoded");
    // A playlist would make the demuxer open other files.
    let playlist = b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/hostname\n#EXT-X-ENDLIST\n";
    assert_eq!(
        refused("c.m3u8", playlist),
        "is not a video that can be decoded"
    );
    assert_eq!(
        refused("d.ffconcat", b"ffconcat version 1.0\nfile a.mp4\n"),
        "is not a video that can be decoded"
    );

    let sound = folder.path().join("sound.m4a");
    ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "sine=d=0.2",
        "-c:a",
        "aac",
        sound.to_str().unwrap(),
    ]);
    let error = VideoReader::open(&sound).err().unwrap();
    assert_eq!(error.to_string(), "has no video stream");
}

#[test]
fn a_video_that_breaks_off_holds_its_last_whole_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = numbered_video(folder.path(), "a.ts", "30", 60, B_FRAMES);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let mut reader = VideoReader::open(&path).unwrap();
    assert_eq!(number_of(&reader.frame_at(5.0 / 30.0).unwrap()), 5);
    let last = number_of(&reader.frame_at(10.0).unwrap());
    assert!((10..59).contains(&last), "{last}");
}
