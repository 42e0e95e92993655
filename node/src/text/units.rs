//! Lengths as browsers lay them out: in whole 64ths of a pixel.

const PER_PIXEL: f32 = 64.0;

/// The next 64th that is not less: how wide a piece of text counts.
pub(crate) fn ceil64(length: f32) -> f32 {
    // Sums of advances can be off by less than one of their 65536ths.
    (length * PER_PIXEL - 0.0005).ceil() / PER_PIXEL
}

/// The next 64th towards zero: how a computed length counts.
pub(crate) fn trunc64(length: f32) -> f32 {
    (length * PER_PIXEL).trunc() / PER_PIXEL
}
