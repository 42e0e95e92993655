//! Sounds to mix, and ways to look at what comes out.

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use kinora_node::audio::{AudioClip, Mixer};

pub const RATE: usize = 48_000;

/// A file of a formula of `n` (sample) and `t` (seconds), in 32-bit float unless encoded otherwise.
pub fn sound(folder: &Path, name: &str, formula: &str, seconds: f64, options: &str) -> PathBuf {
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
    arguments.push(path.to_str().expect("temporary paths are text"));
    super::ffmpeg(&arguments);
    path
}

/// A clip that plays a file from its beginning.
pub fn clip(path: &Path, starts_at: f64, length: f64) -> AudioClip {
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
pub fn mixed_stereo(clips: Vec<AudioClip>, seconds: f64) -> Vec<f32> {
    let total = (seconds * RATE as f64).round() as usize;
    let mut mixer = Mixer::open(clips, total as u64).expect("clips that can be mixed");
    let mut out = vec![9.0; total * 2 + 100];
    assert_eq!(mixer.fill(&mut out).expect("a mix"), total);
    assert_eq!(mixer.fill(&mut [0.0; 8]).expect("an end"), 0);
    out.truncate(total * 2);
    out
}

/// The left channel of a whole mix; the right one must be equal.
pub fn mixed(clips: Vec<AudioClip>, seconds: f64) -> Vec<f32> {
    let out = mixed_stereo(clips, seconds);
    for pair in out.as_chunks::<2>().0 {
        assert_eq!(pair[0], pair[1]);
    }
    left(&out)
}

pub fn left(interleaved: &[f32]) -> Vec<f32> {
    interleaved.iter().step_by(2).copied().collect()
}

pub fn right(interleaved: &[f32]) -> Vec<f32> {
    interleaved.iter().skip(1).step_by(2).copied().collect()
}

pub fn decibels(ratio: f64) -> f64 {
    20.0 * ratio.max(1e-12).log10()
}

/// The mean level of a signal; a sine of amplitude 1 has 0.707.
pub fn level(samples: &[f32]) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|&sample| f64::from(sample).powi(2))
        .sum();
    (sum / samples.len() as f64).sqrt()
}

/// The amplitude of the tone of a frequency in a signal, and the level of all else.
pub fn tone(samples: &[f32], hertz: f64) -> (f64, f64) {
    let angle = |at: usize| TAU * hertz * at as f64 / RATE as f64;
    let sum = |of: &dyn Fn(usize) -> f64| (0..samples.len()).map(of).sum::<f64>();
    let sample = |at: usize| f64::from(samples[at]);
    // The sine and cosine that fit best, which over a part of a period are not independent.
    let (ss, cc) = (
        sum(&|at| angle(at).sin().powi(2)),
        sum(&|at| angle(at).cos().powi(2)),
    );
    let sc = sum(&|at| angle(at).sin() * angle(at).cos());
    let (xs, xc) = (
        sum(&|at| sample(at) * angle(at).sin()),
        sum(&|at| sample(at) * angle(at).cos()),
    );
    let scale = ss * cc - sc * sc;
    let (sine, cosine) = ((xs * cc - xc * sc) / scale, (xc * ss - xs * sc) / scale);
    let rest = sum(&|at| (sample(at) - sine * angle(at).sin() - cosine * angle(at).cos()).powi(2));
    (sine.hypot(cosine), (rest / samples.len() as f64).sqrt())
}

/// The largest step from one sample to the next.
pub fn largest_step(samples: &[f32]) -> f32 {
    samples
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).abs())
        .fold(0.0, f32::max)
}
