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
}
