//! A soft limiter: what is loud is rounded off below full scale, the rest passes untouched.

/// Below this (about −1 dB) samples are not changed.
const THRESHOLD: f32 = 0.891;

/// Limits a buffer in place.
pub(super) fn limit(samples: &mut [f32]) {
    const ROOM: f32 = 1.0 - THRESHOLD;
    for sample in samples {
        let loudness = sample.abs();
        if loudness > THRESHOLD {
            let rounded = THRESHOLD + ROOM * ((loudness - THRESHOLD) / ROOM).tanh();
            *sample = rounded.copysign(*sample);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_samples_pass_and_loud_ones_stay_below_full_scale_in_order() {
        let mut samples = [0.0, 0.5, -0.89, 0.9, 1.0, 1.5, -4.0];
        limit(&mut samples);
        assert_eq!(samples[..3], [0.0, 0.5, -0.89]);
        assert!(
            samples[2].abs() < samples[3] && samples[3] < samples[4] && samples[4] < samples[5]
        );
        assert!(samples.iter().all(|sample| sample.abs() <= 1.0));
        assert!(samples[6] < -0.99);
    }
}
