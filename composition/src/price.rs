//! What a render costs.

/// Hundredths of a credit, the unit of the ledger.
pub const HUNDREDTHS: i64 = 100;

const FULL_HD_PIXELS: u64 = 1920 * 1080;

/// The price of a video in hundredths of a credit: whole credits, at least one.
///
/// Proportional to its minutes and to its pixels relative to 1080p, though a small canvas counts as
/// half of 1080p. Computed in whole numbers, so that it is the same everywhere.
pub fn credits_hundredths(
    credits_per_minute: u32,
    width: u32,
    height: u32,
    fps: u32,
    frames: u32,
) -> i64 {
    let pixels = (u64::from(width) * u64::from(height)).max(FULL_HD_PIXELS / 2);
    let cost = u128::from(credits_per_minute) * u128::from(frames) * u128::from(pixels);
    let one_credit = 60 * u128::from(fps.max(1)) * u128::from(FULL_HD_PIXELS);
    let credits = cost.div_ceil(one_credit).max(1);
    i64::try_from(credits)
        .unwrap_or(i64::MAX / HUNDREDTHS)
        .saturating_mul(HUNDREDTHS)
}

/// What a canvas counts for beside 1080p: its share of the pixels, and never less than half.
pub fn resolution_factor(width: u32, height: u32) -> f64 {
    let pixels = f64::from(width) * f64::from(height);
    (pixels / FULL_HD_PIXELS as f64).max(0.5)
}

/// The price of speaking a text, in hundredths of a credit: by the started thousand of characters.
pub fn tts_hundredths(characters: usize) -> i64 {
    const CHARACTERS: usize = 1000;
    const PRICE: i64 = HUNDREDTHS / 2;
    i64::try_from(characters.div_ceil(CHARACTERS))
        .unwrap_or(i64::MAX)
        .saturating_mul(PRICE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_started_minute_at_full_hd_is_the_rate() {
        assert_eq!(credits_hundredths(1, 1920, 1080, 30, 1800), 100);
        assert_eq!(credits_hundredths(1, 1920, 1080, 30, 1801), 200);
        assert_eq!(credits_hundredths(4, 1920, 1080, 30, 2700), 600);
    }

    #[test]
    fn pixels_count_but_never_below_half() {
        assert_eq!(credits_hundredths(10, 3840, 2160, 30, 1800), 4000);
        assert_eq!(credits_hundredths(10, 320, 180, 30, 1800), 500);
    }

    #[test]
    fn nothing_is_free_and_nothing_overflows() {
        assert_eq!(credits_hundredths(1, 16, 16, 120, 1), 100);
        assert!(credits_hundredths(u32::MAX, u32::MAX, u32::MAX, 1, u32::MAX) > 0);
    }

    #[test]
    fn the_factor_is_the_one_that_the_price_uses() {
        assert_eq!(resolution_factor(1920, 1080), 1.0);
        assert_eq!(resolution_factor(3840, 2160), 4.0);
        assert_eq!(resolution_factor(320, 180), 0.5);
        assert_eq!(resolution_factor(1080, 1920), 1.0);
        for (width, height) in [
            (16, 16),
            (1280, 720),
            (1920, 1080),
            (2560, 1440),
            (7680, 4320),
        ] {
            let rounded = (100.0 * resolution_factor(width, height) - 1e-9).ceil() as i64;
            let price = credits_hundredths(100, width, height, 30, 1800);
            assert_eq!(price, rounded * HUNDREDTHS, "{width}×{height}");
        }
    }

    #[test]
    fn speech_is_priced_by_the_started_thousand() {
        for (characters, hundredths) in [(0, 0), (1, 50), (1000, 50), (1001, 100), (3000, 150)] {
            assert_eq!(tts_hundredths(characters), hundredths, "{characters}");
        }
        assert!(tts_hundredths(usize::MAX) > 0);
    }
}
