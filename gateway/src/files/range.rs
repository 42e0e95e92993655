//! Which bytes a request asks for: `Range` and `If-Range`.

use std::ops::Range;

use axum::http::{HeaderMap, header};

/// The part of an object that a request wants.
#[derive(Debug, PartialEq)]
pub(super) enum Wanted {
    All,
    Part(Range<u64>),
    /// The range lies outside the object.
    Impossible,
}

/// Reads the headers against an object of `size` bytes. A range that is malformed, in other units,
/// or a list of several is ignored, as RFC 9110 allows: the answer is then the whole object.
pub(super) fn wanted(headers: &HeaderMap, etag: &str, size: u64) -> Wanted {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(asked) = text(header::RANGE) else {
        return Wanted::All;
    };
    if text(header::IF_RANGE).is_some_and(|condition| condition.trim() != etag) {
        return Wanted::All;
    }
    parse(asked, size).unwrap_or(Wanted::All)
}

fn parse(asked: &str, size: u64) -> Option<Wanted> {
    let (first, last) = asked.trim().strip_prefix("bytes=")?.split_once('-')?;
    let (first, last) = (first.trim(), last.trim());
    if first.is_empty() {
        let suffix: u64 = last.parse().ok()?;
        return Some(part(size.saturating_sub(suffix), size, size));
    }
    let first: u64 = first.parse().ok()?;
    if last.is_empty() {
        return Some(part(first, size, size));
    }
    let last: u64 = last.parse().ok()?;
    (first <= last).then(|| part(first, last.saturating_add(1), size))
}

fn part(start: u64, end: u64, size: u64) -> Wanted {
    let end = end.min(size);
    if start < end {
        Wanted::Part(start..end)
    } else {
        Wanted::Impossible
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(range: &str) -> Wanted {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, range.parse().expect("header text"));
        wanted(&headers, "\"tag\"", 100)
    }

    #[test]
    fn ranges_are_clamped_to_the_object() {
        assert_eq!(ask("bytes=0-9"), Wanted::Part(0..10));
        assert_eq!(ask("bytes=90-"), Wanted::Part(90..100));
        assert_eq!(ask("bytes=90-900"), Wanted::Part(90..100));
        assert_eq!(ask("bytes=-10"), Wanted::Part(90..100));
        assert_eq!(ask("bytes=-1000"), Wanted::Part(0..100));
        assert_eq!(ask("bytes=99-99"), Wanted::Part(99..100));
    }

    #[test]
    fn ranges_outside_the_object_are_impossible() {
        assert_eq!(ask("bytes=100-"), Wanted::Impossible);
        assert_eq!(ask("bytes=100-200"), Wanted::Impossible);
        assert_eq!(ask("bytes=-0"), Wanted::Impossible);
    }

    #[test]
    fn what_cannot_be_read_is_ignored() {
        for range in [
            "bytes=9-2",
            "bytes=a-b",
            "bytes=0-1,4-5",
            "lines=1-2",
            "bytes=",
        ] {
            assert_eq!(ask(range), Wanted::All, "{range}");
        }
        assert_eq!(ask("bytes=0-99999999999999999999"), Wanted::All);
    }

    #[test]
    fn a_changed_object_is_sent_whole() {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, "bytes=0-9".parse().expect("header text"));
        headers.insert(header::IF_RANGE, "\"tag\"".parse().expect("header text"));
        assert_eq!(wanted(&headers, "\"tag\"", 100), Wanted::Part(0..10));
        assert_eq!(wanted(&headers, "\"other\"", 100), Wanted::All);
    }
}
