//! The rate-limit headers, in both spellings, on every response under `/api/v1`.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use kinora_proto::v1::RateWindow;

/// What to report when the controller, who counts, could not be asked.
const UNKNOWN_LIMIT: u32 = 60;
const WINDOW_S: i64 = 60;

const LIMIT: [HeaderName; 2] = [
    HeaderName::from_static("ratelimit-limit"),
    HeaderName::from_static("x-ratelimit-limit"),
];
const REMAINING: [HeaderName; 2] = [
    HeaderName::from_static("ratelimit-remaining"),
    HeaderName::from_static("x-ratelimit-remaining"),
];
const RESET_IN: HeaderName = HeaderName::from_static("ratelimit-reset");
const RESET_AT: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// The window of the caller, left on the response by whoever asked the controller.
#[derive(Clone, Copy)]
pub(crate) struct Window(pub(crate) RateWindow);

/// Middleware: writes the window that the response carries, or an untouched one, as headers.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let now = unix_now();
    let window = response
        .extensions_mut()
        .remove::<Window>()
        .map_or_else(|| untouched(now), |window| window.0);
    let refused = response.status() == StatusCode::TOO_MANY_REQUESTS;
    write(response.headers_mut(), &window, now, refused);
    response
}

fn write(headers: &mut HeaderMap, window: &RateWindow, now: i64, refused: bool) {
    for name in LIMIT {
        headers.insert(name, HeaderValue::from(window.limit));
    }
    for name in REMAINING {
        headers.insert(name, HeaderValue::from(window.remaining));
    }
    // Both ends are rounded to seconds; a window is never longer than itself.
    let wait = (window.resets_at - now).clamp(0, WINDOW_S);
    headers.insert(RESET_IN, HeaderValue::from(wait));
    headers.insert(RESET_AT, HeaderValue::from(window.resets_at));
    if refused {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(wait));
    }
}

fn untouched(now: i64) -> RateWindow {
    RateWindow {
        limit: UNKNOWN_LIMIT,
        remaining: UNKNOWN_LIMIT,
        resets_at: (now.div_euclid(WINDOW_S) + 1) * WINDOW_S,
    }
}

fn unix_now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| {
            i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(window: RateWindow, now: i64, refused: bool) -> HeaderMap {
        let mut headers = HeaderMap::new();
        write(&mut headers, &window, now, refused);
        headers
    }

    #[test]
    fn a_window_just_begun_is_not_longer_than_a_window() {
        let mut headers = HeaderMap::new();
        let window = RateWindow {
            limit: 60,
            remaining: 60,
            resets_at: 1_061,
        };
        write(&mut headers, &window, 1_000, true);
        assert_eq!(headers[RESET_IN], "60");
        assert_eq!(headers[header::RETRY_AFTER], "60");
    }

    #[test]
    fn both_sets_report_one_window() {
        let window = RateWindow {
            limit: 120,
            remaining: 7,
            resets_at: 1_000_042,
        };
        let headers = written(window, 1_000_000, false);
        for (name, value) in [
            ("RateLimit-Limit", "120"),
            ("X-RateLimit-Limit", "120"),
            ("RateLimit-Remaining", "7"),
            ("X-RateLimit-Remaining", "7"),
            ("RateLimit-Reset", "42"),
            ("X-RateLimit-Reset", "1000042"),
        ] {
            assert_eq!(headers[name], value, "{name}");
        }
        assert!(!headers.contains_key("Retry-After"));
    }

    #[test]
    fn a_refusal_says_when_to_come_back_and_never_in_the_past() {
        let window = RateWindow {
            limit: 60,
            remaining: 0,
            resets_at: 130,
        };
        assert_eq!(written(window, 100, true)["Retry-After"], "30");
        assert_eq!(written(window, 200, true)["Retry-After"], "0");
    }

    #[test]
    fn an_untouched_window_ends_within_a_minute() {
        let window = untouched(119);
        assert_eq!((window.remaining, window.resets_at), (60, 120));
        assert_eq!(untouched(120).resets_at, 180);
    }
}
