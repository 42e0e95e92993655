//! Sound of every rate, layout and codec, and of files that are odd.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::path::Path;

use common::ffmpeg;
use common::sound::{RATE, clip, decibels, left, level, mixed, mixed_stereo, right, sound, tone};
use kinora_node::Error;
use kinora_node::audio::{AudioClip, Mixer};

/// The middle of a clip of a second.
fn middle(samples: &[f32]) -> &[f32] {
    &samples[6000..42_000]
}

fn of_a_video(path: &Path, length: f64) -> AudioClip {
    AudioClip {
        optional: true,
        ..clip(path, 0.0, length)
    }
}

#[test]
fn tones_of_other_rates_come_through_clean() {
    let folder = tempfile::tempdir().unwrap();
    for (rate, hertz) in [
        (44_100, 997.0),
        (44_100, 15_000.0),
        (44_100, 20_000.0),
        (32_000, 12_000.0),
        (22_050, 9_000.0),
        (8_000, 3_000.0),
        (96_000, 20_000.0),
        (192_000, 997.0),
    ] {
        let name = format!("{rate}-{hertz}.wav");
        let formula = format!("0.5*sin(2*PI*{hertz}*t):s={rate}");
        let options = format!("-ar {rate} -c:a pcm_f32le");
        let path = sound(folder.path(), &name, &formula, 1.0, &options);
        let out = mixed(vec![clip(&path, 0.0, 1.0)], 1.0);
        let (amplitude, rest) = tone(middle(&out), hertz);
        let loss = decibels(amplitude / 0.5);
        assert!(loss.abs() < 0.05, "{hertz} Hz at {rate}: {loss} dB");
        let noise = decibels(rest / (amplitude / 2_f64.sqrt()));
        assert!(noise < -110.0, "{hertz} Hz at {rate}: {noise} dB");
    }
}

#[test]
fn what_is_above_hearing_does_not_come_back_as_a_whistle() {
    let folder = tempfile::tempdir().unwrap();
    for hertz in [26_000, 30_000, 40_000] {
        let formula = format!("0.5*sin(2*PI*{hertz}*t):s=96000");
        let name = format!("{hertz}.wav");
        let path = sound(
            folder.path(),
            &name,
            &formula,
            1.0,
            "-ar 96000 -c:a pcm_f32le",
        );
        let out = mixed(vec![clip(&path, 0.0, 1.0)], 1.0);
        let left_over = decibels(level(middle(&out)));
        assert!(left_over < -100.0, "{hertz} Hz: {left_over} dB");
    }
}

#[test]
fn each_channel_is_heard_where_it_stands() {
    const ASIDE: f64 = std::f64::consts::FRAC_1_SQRT_2;
    let folder = tempfile::tempdir().unwrap();
    let layouts: [(&str, &[(f64, f64)]); 8] = [
        ("mono", &[(1.0, 1.0)]),
        ("stereo", &[(1.0, 0.0), (0.0, 1.0)]),
        ("2.1", &[(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)]),
        ("3.0", &[(1.0, 0.0), (0.0, 1.0), (ASIDE, ASIDE)]),
        (
            "quad",
            &[(1.0, 0.0), (0.0, 1.0), (ASIDE, 0.0), (0.0, ASIDE)],
        ),
        (
            "5.1",
            &[
                (1.0, 0.0),
                (0.0, 1.0),
                (ASIDE, ASIDE),
                (0.0, 0.0),
                (ASIDE, 0.0),
                (0.0, ASIDE),
            ],
        ),
        (
            "6.1",
            &[
                (1.0, 0.0),
                (0.0, 1.0),
                (ASIDE, ASIDE),
                (0.0, 0.0),
                (0.5, 0.5),
                (ASIDE, 0.0),
                (0.0, ASIDE),
            ],
        ),
        (
            "7.1",
            &[
                (1.0, 0.0),
                (0.0, 1.0),
                (ASIDE, ASIDE),
                (0.0, 0.0),
                (ASIDE, 0.0),
                (0.0, ASIDE),
                (ASIDE, 0.0),
                (0.0, ASIDE),
            ],
        ),
    ];
    for (layout, channels) in layouts {
        let hertz = |channel: usize| 300.0 * (channel + 1) as f64;
        let tones: Vec<_> = (0..channels.len())
            .map(|channel| format!("0.1*sin(2*PI*{}*t)", hertz(channel)))
            .collect();
        let formula = format!("{}:c={layout}", tones.join("|"));
        let path = sound(folder.path(), &format!("{layout}.wav"), &formula, 1.0, "");
        let out = mixed_stereo(vec![clip(&path, 0.0, 1.0)], 1.0);
        for (channel, &(wanted_left, wanted_right)) in channels.iter().enumerate() {
            for (side, wanted) in [(left(&out), wanted_left), (right(&out), wanted_right)] {
                let (found, _) = tone(middle(&side), hertz(channel));
                assert!(
                    (found / 0.1 - wanted).abs() < 0.001,
                    "channel {channel} of {layout}: {found}, not {wanted}"
                );
            }
        }
    }
}

#[test]
fn every_codec_plays_its_tone_from_its_first_sample_to_its_last() {
    let folder = tempfile::tempdir().unwrap();
    let formula = "0.5*sin(2*PI*1000*t)|0.5*sin(2*PI*1000*t)";
    for (name, options, noise) in [
        ("u8.wav", "-c:a pcm_u8", -40.0),
        ("mulaw.wav", "-c:a pcm_mulaw", -35.0),
        ("alaw.wav", "-c:a pcm_alaw", -35.0),
        ("s16.wav", "-c:a pcm_s16le", -85.0),
        ("s24.wav", "-c:a pcm_s24le", -110.0),
        ("f64.wav", "-c:a pcm_f64le", -110.0),
        ("big.aiff", "-c:a pcm_s16be", -85.0),
        ("adpcm.wav", "-c:a adpcm_ima_wav", -25.0),
        ("a.flac", "-c:a flac", -85.0),
        ("alac.m4a", "-c:a alac", -85.0),
        ("a.wv", "-c:a wavpack", -85.0),
        ("gapless.mp3", "-ar 44100 -c:a libmp3lame -b:a 192k", -50.0),
        ("aac.m4a", "-c:a aac -b:a 192k", -40.0),
        ("opus.ogg", "-c:a libopus -b:a 192k", -30.0),
        ("vorbis.ogg", "-c:a libvorbis -q:a 6", -30.0),
        ("a.ac3", "-c:a ac3 -b:a 384k", -40.0),
    ] {
        let path = sound(folder.path(), name, formula, 1.0, options);
        let out = left(&mixed_stereo(vec![clip(&path, 0.25, 2.0)], 2.5));
        let (amplitude, rest) = tone(&out[18_000..54_000], 1000.0);
        // Some encoders turn sound down a little.
        assert!(decibels(amplitude / 0.5).abs() < 0.3, "{name}: {amplitude}");
        let found = decibels(rest / (amplitude / 2_f64.sqrt()));
        assert!(found < noise, "{name}: {found} dB");
        let heard = |&sample: &f32| sample.abs() > 0.25;
        let first = out.iter().position(heard).unwrap();
        let last = out.iter().rposition(heard).unwrap();
        // Blocks of these can't be shorter than the container lets them be.
        let slack = match name {
            "a.ac3" => 1800,
            "adpcm.wav" => 2100,
            _ => 150,
        };
        assert!(first.abs_diff(12_000) < slack, "{name} begins at {first}");
        assert!(last.abs_diff(60_000) < slack, "{name} ends at {last}");
    }
}

#[test]
fn a_rate_that_changes_on_the_way_changes_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let formula = "0.5*sin(2*PI*500*t)|0.5*sin(2*PI*500*t)";
    let one = sound(folder.path(), "1.aac", formula, 1.0, "-ar 48000 -c:a aac");
    let two = sound(folder.path(), "2.aac", formula, 1.0, "-ar 32000 -c:a aac");
    let both = folder.path().join("both.aac");
    let bytes = [std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap()].concat();
    std::fs::write(&both, bytes).unwrap();
    let out = left(&mixed_stereo(vec![clip(&both, 0.0, 2.0)], 2.0));
    for second in [0, 1] {
        let (amplitude, rest) = tone(middle(&out[second * RATE..][..RATE]), 500.0);
        assert!(
            (amplitude - 0.5).abs() < 0.02 && rest < 0.02,
            "{amplitude} and {rest}"
        );
    }
}

#[test]
fn a_hole_in_the_times_is_silence_and_what_follows_is_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let holed = folder.path().join("a.mkv");
    let holes = |after: &str| format!("asetpts='if(lt(T,1),PTS,PTS+{after}/TB)'");
    let source = [
        "-f",
        "lavfi",
        "-i",
        "aevalsrc=0.5*sin(2*PI*500*t):s=44100:d=2",
    ];
    let encoded = ["-c:a", "flac", holed.to_str().unwrap()];
    ffmpeg(&[&source[..], &["-af", &holes("0.5")], &encoded].concat());
    let out = left(&mixed_stereo(vec![clip(&holed, 0.0, 3.0)], 3.0));
    let level_of = |from: f64, to: f64| {
        level(&out[(from * RATE as f64) as usize..(to * RATE as f64) as usize])
    };
    assert!(level_of(0.1, 0.9) > 0.35);
    assert!(level_of(1.12, 1.48) < 0.001, "{}", level_of(1.12, 1.48));
    assert!(level_of(1.65, 2.45) > 0.35);
    assert!(level_of(2.55, 3.0) < 0.001);

    // Hours of nothing take neither time nor memory, whatever the speed.
    ffmpeg(&[&source[..], &["-af", &holes("360000")], &encoded].concat());
    for speed in [1.0, 2.0] {
        let mut long = clip(&holed, 0.0, 3.0);
        long.speed = speed;
        let out = left(&mixed_stereo(vec![long], 3.0));
        assert!(out[RATE * 2..].iter().all(|sample| sample.abs() < 0.001));
    }
}

#[test]
fn sound_that_begins_after_the_pictures_stays_after_them() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = ["-f", "lavfi", "-i", "color=black:s=64x64:r=25:d=3"];
    let sound = [
        "-itsoffset",
        "0.7",
        "-f",
        "lavfi",
        "-i",
        "aevalsrc=0.5*sin(2*PI*500*t):s=48000:d=2",
    ];
    for (name, codec) in [("a.mp4", "aac"), ("a.mkv", "flac"), ("a.mov", "pcm_s16le")] {
        let path = folder.path().join(name);
        let encoded = ["-c:v", "libx264", "-c:a", codec, path.to_str().unwrap()];
        ffmpeg(&[&pictures[..], &sound, &encoded].concat());
        for in_point in [0.0, 0.3] {
            let mut video = of_a_video(&path, 3.0);
            video.in_point = in_point;
            let out = left(&mixed_stereo(vec![video], 3.0));
            let found = out.iter().position(|sample| sample.abs() > 0.2).unwrap();
            let wanted = ((0.7 - in_point) * RATE as f64) as usize;
            assert!(
                found.abs_diff(wanted) < 150,
                "{name}: {found}, not {wanted}"
            );
        }
    }
}

#[test]
fn numbers_that_are_none_are_silent() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(folder.path(), "a.wav", "0.25|0.25", 1.0, "");
    let mut bytes = std::fs::read(&path).unwrap();
    let mut put = |sample: usize, value: f32| {
        let at = bytes.len() - (RATE - sample) * 8;
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    };
    put(10_000, f32::NAN);
    put(20_000, f32::INFINITY);
    put(30_000, -f32::MAX);
    std::fs::write(&path, bytes).unwrap();
    let out = mixed_stereo(vec![clip(&path, 0.0, 1.0)], 1.0);
    assert!(out.iter().all(|sample| sample.abs() <= 1.0));
    assert!(out[2 * 10_000] == 0.0 && out[2 * 20_000] == 0.0);
    assert!(out[2 * 20_001] == 0.25);
}

#[test]
fn a_rate_of_next_to_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = sound(
        folder.path(),
        "a.wav",
        "0.25",
        1.0,
        "-ar 8000 -c:a pcm_s16le",
    );
    let mut bytes = std::fs::read(&path).unwrap();
    // Samples and bytes a second, as the header has them.
    bytes[24..28].copy_from_slice(&1_u32.to_le_bytes());
    bytes[28..32].copy_from_slice(&2_u32.to_le_bytes());
    std::fs::write(&path, bytes).unwrap();
    let mut mixer = Mixer::open(vec![clip(&path, 0.0, 1.0)], 48_000).unwrap();
    match mixer.fill(&mut vec![0.0; 96_000]) {
        Err(Error::BadInput(message)) => assert_eq!(
            message,
            "the sound \"music\" has 1 samples of sound a second"
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_in_point_is_found_in_the_middle_of_a_long_file() {
    let folder = tempfile::tempdir().unwrap();
    let step = "'if(lt(t,50),0.1*random(0)*lt(mod(t,7),3),0.5*sin(2*PI*500*t))'";
    for (name, options) in [
        ("vbr.mp3", "-ar 44100 -c:a libmp3lame -q:a 4"),
        ("a.m4a", "-c:a aac"),
        ("a.ogg", "-c:a libopus"),
        ("a.flac", "-c:a flac"),
        ("a.wav", "-c:a pcm_s16le"),
    ] {
        let path = sound(folder.path(), name, step, 60.0, options);
        let mut placed = clip(&path, 0.0, 3.0);
        placed.in_point = 49.0;
        let out = left(&mixed_stereo(vec![placed], 3.0));
        let found = out.iter().position(|&sample| sample > 0.25).unwrap();
        assert!(found.abs_diff(RATE) < 60, "{name}: {found}");
    }
}
