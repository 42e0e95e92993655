//! Placement, gain and speed of mixed sound, down to the sample.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::path::Path;

use common::sound::{RATE, clip, largest_step, left, mixed, mixed_stereo, sound};
use common::{ffmpeg, numbered_video};
use kinora_node::Error;
use kinora_node::audio::{AudioClip, Mixer};

/// Ramps at cut edges are shorter than this.
const EDGE: usize = 100;

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
    assert_near(out[36_000 - EDGE], 0.5, 36_000 - EDGE);
    assert!(out[36_000..].iter().all(|&sample| sample == 0.0));
    assert!(largest_step(&out) < 0.006, "it clicks");
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
    assert!((0.9..=1.0).contains(&out[36_000]), "{}", out[36_000]);
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
            let out = left(&mixed_stereo(vec![placed], 3.0));
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
    let tone = "0.5*sin(2*PI*440*t)|0.5*sin(2*PI*440*t)";
    for (name, options) in [("a.wav", ""), ("b.m4a", "-ar 44100 -c:a aac")] {
        let path = sound(folder.path(), name, tone, 2.0, options);
        for speed in [0.1, 0.5, 0.75, 1.5, 2.0, 4.0, 10.0] {
            let seconds = 2.0 / speed + 0.5;
            let mut placed = clip(&path, 0.0, seconds);
            placed.speed = speed;
            let out = left(&mixed_stereo(vec![placed], seconds));
            let end = out.iter().rposition(|sample| sample.abs() > 0.001).unwrap();
            let wanted = (2.0 / speed * RATE as f64).round() as usize;
            // Some of an encoder's last frame is silence that it adds.
            let slack = if name == "a.wav" {
                120
            } else {
                2048 + (2048.0 / speed) as usize
            };
            assert!(end.abs_diff(wanted) < slack, "{speed}: {end}, not {wanted}");
            let middle = &out[wanted / 4..wanted * 3 / 4];
            assert!(
                (pitch(middle) - 440.0).abs() < 12.0,
                "{speed}: {} Hz",
                pitch(middle)
            );
            assert!(largest_step(&out) < 0.04, "{speed} clicks");
        }
    }
}

#[test]
fn at_its_own_speed_sound_is_the_source_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let formula = "0.9*sin(n*n/1000)|0.7*cos(n*1.1)";
    let path = sound(folder.path(), "a.wav", formula, 1.0, "");
    let source = common::decoded_sound(&path);
    let out = mixed_stereo(vec![clip(&path, 0.0, 1.0)], 1.0);
    let inside = 2 * EDGE..2 * (RATE - EDGE);
    assert!(out[inside.clone()] == source[inside]);
}

#[test]
fn what_begins_in_a_source_begins_in_time_at_any_speed() {
    let folder = tempfile::tempdir().unwrap();
    let burst = "'if(lt(t,1),0,0.5*sin(2*PI*500*t))'";
    let path = sound(folder.path(), "a.wav", burst, 1.5, "");
    for speed in [0.5, 0.8, 1.25, 2.0, 3.0] {
        let mut placed = clip(&path, 0.25, 4.0);
        (placed.speed, placed.in_point) = (speed, 0.4);
        let out = mixed(vec![placed], 4.0);
        let found = out.iter().position(|sample| sample.abs() > 0.15).unwrap();
        let wanted = (0.25 + 0.6 / speed) * RATE as f64;
        let off = (found as f64 - wanted) / RATE as f64;
        assert!(off.abs() < 0.012, "{speed}: {off} s off");
    }
}

/// Pieces of a source, each with its in-point, speed and length, one right after another.
fn segments(path: &Path, pieces: &[(f64, f64, f64)]) -> (Vec<AudioClip>, f64) {
    let mut starts_at = 0.0;
    let mut clips = Vec::new();
    for &(in_point, speed, length) in pieces {
        let mut piece = clip(path, starts_at, length);
        (piece.in_point, piece.speed, piece.optional) = (in_point, speed, true);
        clips.push(piece);
        starts_at += length;
    }
    (clips, starts_at)
}

#[test]
fn a_source_cut_where_it_goes_on_sounds_uncut() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.8*sin(2*PI*441*t)", 3.0, "");
    let (cut, seconds) = segments(
        &path,
        &[
            (0.5, 1.0, 0.7),
            (1.2, 1.0, 0.05),
            (1.25, 1.0, 0.001),
            (1.251, 1.0, 1.0),
        ],
    );
    let (whole, _) = segments(&path, &[(0.5, 1.0, seconds)]);
    let (cut, whole) = (mixed(cut, seconds), mixed(whole, seconds));
    for (at, (cut, whole)) in cut.iter().zip(&whole).enumerate() {
        assert!(
            (cut - whole).abs() < 1e-6,
            "{cut} instead of {whole} at {at}"
        );
    }
}

#[test]
fn segments_of_a_source_follow_one_another_without_a_click_or_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.5*sin(2*PI*200*t)", 6.0, "");
    let pieces = [
        (3.0, 1.0, 0.4003),
        (0.5, 1.0, 0.3),
        (2.0, 2.0, 0.5),
        (1.0021, 0.5, 0.6),
        (4.0, 1.0, 0.4),
    ];
    let (clips, seconds) = segments(&path, &pieces);
    let out = mixed(clips, seconds);
    // Waves that meet out of phase may bend, over two milliseconds, and nothing jumps.
    assert!(largest_step(&out) < 0.03, "{}", largest_step(&out));
    let inside = &out[EDGE..out.len() - EDGE];
    for (at, piece) in inside.chunks(960).enumerate() {
        let peak = piece
            .iter()
            .fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
        assert!(peak > 0.35, "only {peak} around {at} × 20 ms");
    }
}

#[test]
fn cuts_into_loud_sound_do_not_click() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.9*cos(2*PI*50*t)", 3.0, "");
    for (in_point, length) in [(0.0, 1.0), (1.0, 0.5), (1.013, 0.017), (0.4, 0.0005)] {
        let mut placed = clip(&path, 0.5, length);
        placed.in_point = in_point;
        let out = mixed(vec![placed], 2.0);
        assert!(largest_step(&out) < 0.06, "{}", largest_step(&out));
    }
}

#[test]
fn fades_longer_than_the_clip_last_as_long_as_it_does_and_may_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.8", 4.0, "");
    let mut long = clip(&path, 0.0, 2.0);
    long.fade_in = 10.0;
    let out = mixed(vec![long.clone()], 2.0);
    assert_near(out[48_000], 0.4, 48_000);
    assert_near(out[48_000 * 7 / 4], 0.7, 84_000);
    long.fade_out = 10.0;
    let out = mixed(vec![long], 2.0);
    assert_near(out[48_000], 0.2, 48_000);
    assert!(out.iter().all(|&sample| sample <= 0.2001));
}

#[test]
fn a_fade_out_ends_with_the_clip_though_the_source_ends_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.8", 1.5, "");
    let mut faded = clip(&path, 0.0, 2.0);
    faded.fade_out = 1.0;
    let out = mixed(vec![faded], 2.0);
    assert_near(out[60_000], 0.6, 60_000);
    assert!(out[72_000..].iter().all(|&sample| sample == 0.0));
}

#[test]
fn a_part_of_a_timeline_sounds_as_it_does_in_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let formula = "0.8*sin(2*PI*300*t)|0.8*sin(2*PI*310*t)";
    let path = sound(folder.path(), "a.m4a", formula, 3.0, "-ar 44100 -c:a aac");
    let clips = || {
        let mut fast = clip(&path, 0.3, 1.5);
        fast.speed = 1.3;
        vec![clip(&path, 0.1, 2.0), fast]
    };
    let whole = mixed_stereo(clips(), 2.5);
    for from in [1, 23_456, 60_000, 110_000] {
        let mut mixer = Mixer::open(clips(), whole.len() as u64 / 2).unwrap();
        mixer.skip(from).unwrap();
        let mut part = vec![0.0; 2 * 5000];
        assert_eq!(mixer.fill(&mut part).unwrap(), 5000);
        let from = from as usize * 2;
        assert!(part == whole[from..from + part.len()], "from {from}");
    }
    let mut mixer = Mixer::open(clips(), 100).unwrap();
    mixer.skip(200).unwrap();
    assert_eq!(mixer.fill(&mut [0.0; 8]).unwrap(), 0);
}

#[test]
fn two_hundred_sounds_at_once_are_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.004", 1.0, "");
    let clips = (0..200)
        .map(|index| clip(&path, f64::from(index) / 1000.0, 0.5))
        .collect();
    let out = mixed(clips, 1.0);
    assert!((out[15_000] - 0.8).abs() < 1e-4, "{}", out[15_000]);
    assert!(out[34_000..].iter().all(|&sample| sample == 0.0));
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
