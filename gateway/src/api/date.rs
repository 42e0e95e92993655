//! Dates as the interface writes them: RFC 3339 in UTC, with milliseconds.

use time::OffsetDateTime;
use time::macros::format_description;

/// Unix milliseconds as `2026-01-31T12:00:00.000Z`.
pub(crate) fn from_unix_ms(ms: i64) -> String {
    let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let form =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    moment
        .format(form)
        .unwrap_or_else(|_| "1970-01-01T00:00:00.000Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::from_unix_ms;

    #[test]
    fn milliseconds_and_the_zone_are_always_there() {
        assert_eq!(from_unix_ms(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(from_unix_ms(1_769_860_800_050), "2026-01-31T12:00:00.050Z");
    }
}
