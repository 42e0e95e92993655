//! Placement, gain and speed of mixed sound, down to the sample.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::path::{Path, PathBuf};

use common::{ffmpeg, numbered_video};
use kinora_node::Error;
use kinora_node::audio::{AudioClip, Mixer};

const RATE: usize = 48_000;
/// Ramps at cut edges are shorter than this.
const EDGE: usize = 100;

/// A file of a formula of `n` (sample) and `t` (seconds), in 32-bit float unless encoded otherwise.
fn sound(folder: &Path, name: &str, formula: &str, seconds: f64, options: &str) -> PathBuf {
    let path = folder.join(name);
    let rate = if options.contains("-ar") {
        ""
    } else {
        ":s=48000"
    };
    let source = format!("aevalsrc={formula}:d={seconds}{rate}");
    let mut arguments = vec!["-f", "lavfi", "-i", &source];
    arguments.extend(options.split_whitespace());
    if options.is_empty() {
        arguments.extend(["-c:a", "pcm_f32le"]);
    }
    arguments.push(path.to_str().unwrap());
    ffmpeg(&arguments);
    path
}

fn clip(path: &Path, starts_at: f64, length: f64) -> AudioClip {
    AudioClip {
        path: path.to_owned(),
        label: "the sound \"music\"".to_owned(),
        starts_at,
        length,
        in_point: 0.0,
        speed: 1.0,
        volume: 1.0,
        fade_in: 0.0,
        fade_out: 0.0,
        optional: false,
    }
}

/// A whole mix, interleaved.
fn mixed_stereo(clips: Vec<AudioClip>, seconds: f64) -> Vec<f32> {
    let total = (seconds * RATE as f64).round() as usize;
    let mut mixer = Mixer::open(clips, total as u64).unwrap();
    let mut out = vec![9.0; total * 2 + 100];
    assert_eq!(mixer.fill(&mut out).unwrap(), total);
    assert_eq!(mixer.fill(&mut [0.0; 8]).unwrap(), 0);
    out.truncate(total * 2);
    out
}

/// The left channel of a whole mix; the right one must be equal.
fn mixed(clips: Vec<AudioClip>, seconds: f64) -> Vec<f32> {
    let out = mixed_stereo(clips, seconds);
    for pair in out.as_chunks::<2>().0 {
        assert_eq!(pair[0], pair[1]);
    }
    out.into_iter().step_by(2).collect()
}

fn assert_near(found: f32, wanted: f32, at: usize) {
    assert!(
        (found - wanted).abs() < 2e-5,
        "{found} instead of {wanted} at sample {at}"
    );
}

#[test]
fn samples_land_where_they_belong() {
    let folder = tempfile::tempdir().unwrap();
    // Each sample's value tells its place in the file.
    let path = sound(folder.path(), "a.wav", "n/96000|n/96000", 1.0, "");
    let mut placed = clip(&path, 0.5, 0.6);
    placed.in_point = 0.25;
    let out = mixed(vec![placed], 2.0);
    let (start, end) = (24_000, 24_000 + 28_800);
    assert!(
        out[..=start]
            .iter()
            .chain(&out[end..])
            .all(|&sample| sample == 0.0)
    );
    for (at, &sample) in out.iter().enumerate().take(end - EDGE).skip(start + EDGE) {
        assert_near(sample, (12_000 + at - start) as f32 / 96_000.0, at);
    }
    assert!(out[start + 10] > 0.0 && out[start + 10] < out[start + EDGE]);
}

#[test]
fn the_end_of_the_file_is_silence_and_a_late_in_point_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.5|0.5", 0.5, "");
    let out = mixed(vec![clip(&path, 0.25, 1.0)], 1.5);
    assert_near(out[36_000 - 1], 0.5, 35_999);
    assert!(out[36_000..].iter().all(|&sample| sample == 0.0));
    let mut late = clip(&path, 0.0, 1.0);
    late.in_point = 3.0;
    assert!(mixed(vec![late], 1.0).iter().all(|&sample| sample == 0.0));
}

#[test]
fn a_clip_from_before_the_timeline_is_entered_part_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "n/96000|n/96000", 1.0, "");
    let out = mixed(vec![clip(&path, -0.25, 1.0)], 1.0);
    assert_near(out[0], 12_000.0 / 96_000.0, 0);
    assert_near(out[20_000], 32_000.0 / 96_000.0, 20_000);
    assert!(out[36_000..].iter().all(|&sample| sample == 0.0));
}

#[test]
fn volume_and_fades_are_linear_and_meet_the_edges() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.8|0.8", 4.0, "");
    let mut faded = clip(&path, 1.0, 2.0);
    (faded.volume, faded.fade_in, faded.fade_out) = (0.5, 0.5, 1.0);
    let out = mixed(vec![faded], 4.0);
    let at = |seconds: f64| out[(seconds * RATE as f64).round() as usize];
    for (seconds, wanted) in [
        (1.0, 0.0),
        (1.25, 0.2),
        (1.5, 0.4),
        (1.9, 0.4),
        (2.0, 0.4),
        (2.5, 0.2),
        (2.75, 0.1),
    ] {
        assert_near(at(seconds), wanted, (seconds * RATE as f64) as usize);
    }
    assert_eq!(at(3.0), 0.0);
}

#[test]
fn clips_add_up_and_stay_below_full_scale() {
    let folder = tempfile::tempdir().unwrap();
    let half = sound(folder.path(), "a.wav", "0.5|0.5", 2.0, "");
    let out = mixed(vec![clip(&half, 0.0, 1.0), clip(&half, 0.5, 1.5)], 2.0);
    assert_near(out[12_000], 0.5, 12_000);
    assert!(out[36_000] > 0.9 && out[36_000] <= 1.0, "{}", out[36_000]);
    assert_near(out[72_000], 0.5, 72_000);
}

#[test]
fn one_channel_plays_on_both_at_full_level() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.5", 1.0, "");
    assert_near(mixed(vec![clip(&path, 0.0, 1.0)], 1.0)[24_000], 0.5, 24_000);
}

#[test]
fn other_rates_and_codecs_keep_their_time() {
    let folder = tempfile::tempdir().unwrap();
    // A step at half a second; where it crosses the middle is where it is.
    let step = "'if(lt(t,0.5),0,0.5)|if(lt(t,0.5),0,0.5)'";
    for (name, options, tolerance) in [
        ("a.wav", "-ar 44100 -c:a pcm_f32le", 2),
        ("b.wav", "-ar 22050 -c:a pcm_s16le", 4),
        ("c.flac", "-c:a flac", 1),
        ("d.m4a", "-c:a aac -b:a 192k", 2),
        ("e.mp3", "-c:a libmp3lame -b:a 192k", 2),
        ("f.ogg", "-c:a libopus -b:a 192k", 2),
        ("g.mkv", "-c:a flac", 2),
        // Its times are whole milliseconds.
        ("h.webm", "-c:a libopus -b:a 192k", 50),
    ] {
        let path = sound(folder.path(), name, step, 2.0, options);
        for in_point in [0.0, 0.3] {
            let mut placed = clip(&path, 1.0, 1.5);
            placed.in_point = in_point;
            let out: Vec<_> = mixed_stereo(vec![placed], 3.0)
                .into_iter()
                .step_by(2)
                .collect();
            let wanted = ((1.5 - in_point) * RATE as f64).round() as usize;
            let found = out.iter().position(|&sample| sample > 0.25).unwrap();
            assert!(
                found.abs_diff(wanted) <= tolerance,
                "{name}: {found}, not {wanted}"
            );
        }
    }
}

/// Cycles a second, counted over the middle of a piece of sound.
fn pitch(samples: &[f32]) -> f64 {
    let crossings = samples
        .windows(2)
        .filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0)
        .count();
    crossings as f64 / (samples.len() as f64 / RATE as f64)
}

#[test]
fn speed_changes_length_and_not_pitch() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(
        folder.path(),
        "a.wav",
        "0.5*sin(2*PI*440*t)|0.5*sin(2*PI*440*t)",
        2.0,
        "",
    );
    for (speed, length) in [(2.0, 1.0), (0.5, 4.0), (4.0, 0.5)] {
        let mut placed = clip(&path, 0.0, 6.0);
        placed.speed = speed;
        let out = mixed(vec![placed], 6.0);
        let end = out.iter().rposition(|sample| sample.abs() > 0.05).unwrap();
        let wanted = length * RATE as f64;
        assert!(
            (end as f64 - wanted).abs() < 0.05 * RATE as f64,
            "{speed}: {end}, not {wanted}"
        );
        let middle = &out[end / 4..end * 3 / 4];
        assert!(
            (pitch(middle) - 440.0).abs() < 8.0,
            "{speed}: {} Hz",
            pitch(middle)
        );
    }
}

#[test]
fn the_size_of_the_buffers_makes_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(
        folder.path(),
        "a.m4a",
        "0.5*sin(500*t)|0.5*sin(500*t)",
        1.0,
        "-c:a aac",
    );
    let clips = || vec![clip(&path, 0.1, 0.5), clip(&path, 0.4, 0.4)];
    let whole = mixed_stereo(clips(), 1.0);
    let mut mixer = Mixer::open(clips(), RATE as u64).unwrap();
    let mut pieces: Vec<f32> = Vec::new();
    let mut buffer = [0.0; 2 * 1001];
    loop {
        let count = mixer.fill(&mut buffer).unwrap();
        if count == 0 {
            break;
        }
        pieces.extend(&buffer[..count * 2]);
    }
    assert_eq!(pieces, whole);
}

#[test]
fn a_silent_video_is_silence_and_a_silent_sound_is_a_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let path = numbered_video(folder.path(), "a.mp4", "30", 5, "-c:v libx264");
    let mut video = clip(&path, 0.0, 1.0);
    video.optional = true;
    assert!(mixed(vec![video], 0.5).iter().all(|&sample| sample == 0.0));

    let refused = |path: &Path| match Mixer::open(vec![clip(path, 0.0, 1.0)], 100).map(drop) {
        Err(Error::BadInput(message)) => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&path), "the sound \"music\" has no sound");
    let text = folder.path().join("a.mp3");
    std::fs::write(&text, "404 not found").unwrap();
    assert_eq!(
        refused(&text),
        "the sound \"music\" has no sound that can be decoded"
    );
}

#[test]
fn a_videos_sound_stays_with_its_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ts");
    // Transport streams begin at 1.4 s or so; the step is half a second after the first picture.
    ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "color=black:s=64x64:r=25:d=2",
        "-f",
        "lavfi",
        "-i",
        "aevalsrc='if(lt(t,0.5),0,0.5)|if(lt(t,0.5),0,0.5)':s=48000:d=2",
        "-c:v",
        "libx264",
        "-c:a",
        "aac",
        "-shortest",
        path.to_str().unwrap(),
    ]);
    let mut video = clip(&path, 0.0, 2.0);
    video.optional = true;
    let found = mixed(vec![video], 2.0)
        .iter()
        .position(|&sample| sample > 0.25)
        .unwrap();
    // The container cannot mark the encoder's priming of 1024 samples.
    assert!(found.abs_diff(24_000) <= 1100, "{found}");
}

#[test]
fn a_speed_of_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.5", 0.1, "");
    let mut stopped = clip(&path, 0.0, 1.0);
    stopped.speed = 0.0;
    assert!(matches!(
        Mixer::open(vec![stopped], 100),
        Err(Error::BadInput(_))
    ));
}
