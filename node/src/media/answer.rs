//! What to ask a server for, and what its answer means.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{
    ACCEPT_ENCODING, ACCEPT_RANGES, CONTENT_RANGE, ETAG, HeaderMap, HeaderName, HeaderValue,
    IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, LAST_MODIFIED, RANGE, RETRY_AFTER,
};

/// What a server says by which a later answer is known to be of the same bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Validators {
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
}

impl Validators {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let text = |name: HeaderName| Some(headers.get(name)?.to_str().ok()?.to_owned());
        Self {
            etag: text(ETAG),
            last_modified: text(LAST_MODIFIED),
        }
    }

    /// The one by which two parts may be put together: a weak tag says too little.
    fn strong(&self) -> Option<&str> {
        match self.etag.as_deref() {
            Some(etag) if etag.starts_with('"') => Some(etag),
            _ => self.last_modified.as_deref(),
        }
    }

    fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// Where a transfer that broke off may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResumePoint {
    pub(super) from: u64,
    /// Length of the whole, where it is known.
    pub(super) total: Option<u64>,
    validator: String,
}

impl ResumePoint {
    /// After so many bytes of an answer, if its server allows it.
    pub(super) fn new(
        from: u64,
        total: Option<u64>,
        validators: &Validators,
        takes_ranges: bool,
    ) -> Option<Self> {
        let validator = validators.strong().filter(|_| from > 0 && takes_ranges)?;
        Some(Self {
            from,
            total,
            validator: validator.to_owned(),
        })
    }
}

/// Whether parts of a file may be asked for. Who does not say is asked.
pub(super) fn takes_ranges(headers: &HeaderMap) -> bool {
    headers
        .get(ACCEPT_RANGES)
        .is_none_or(|units| units.as_bytes() != b"none")
}

/// The headers of a request for all that is missing, or for news since `known`.
pub(super) fn headers(resume: Option<&ResumePoint>, known: &Validators) -> HeaderMap {
    let mut headers = HeaderMap::new();
    // Media are compressed already, and lengths and ranges are those of the bytes themselves.
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let mut put = |name: HeaderName, text: &str| {
        if let Ok(value) = HeaderValue::from_str(text) {
            headers.insert(name, value);
        }
    };
    match resume {
        Some(resume) => {
            put(RANGE, &format!("bytes={}-", resume.from));
            put(IF_RANGE, &resume.validator);
        }
        None => {
            if let Some(etag) = &known.etag {
                put(IF_NONE_MATCH, etag);
            }
            if let Some(date) = &known.last_modified {
                put(IF_MODIFIED_SINCE, date);
            }
        }
    }
    headers
}

/// What an answer is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The whole file, from its first byte.
    Whole,
    /// What was missing.
    Rest,
    /// A part that was not asked for.
    WrongPart,
    /// The file has become another, shorter one.
    NoLongerThere,
    /// What is known already is still right.
    NotModified,
    /// Nothing.
    Refused {
        /// How long the server wants to be left alone.
        wait: Option<Duration>,
        /// Whether asking again makes sense.
        is_passing: bool,
    },
}

/// What the answer to a request with [`headers`] means.
pub(super) fn meaning(
    (status, headers): (StatusCode, &HeaderMap),
    resume: Option<&ResumePoint>,
    known: &Validators,
) -> Meaning {
    match (status, resume) {
        (StatusCode::NOT_MODIFIED, None) if !known.is_empty() => Meaning::NotModified,
        (StatusCode::PARTIAL_CONTENT, Some(resume)) if is_rest(headers, resume) => Meaning::Rest,
        (StatusCode::PARTIAL_CONTENT, _) => Meaning::WrongPart,
        (StatusCode::RANGE_NOT_SATISFIABLE, Some(_)) => Meaning::NoLongerThere,
        (status, _) if status.is_success() => Meaning::Whole,
        (status, _) => Meaning::Refused {
            wait: headers
                .get(RETRY_AFTER)
                .and_then(|value| value.to_str().ok()?.trim().parse().ok())
                .map(Duration::from_secs),
            is_passing: matches!(
                status,
                StatusCode::REQUEST_TIMEOUT
                    | StatusCode::TOO_EARLY
                    | StatusCode::TOO_MANY_REQUESTS
                    | StatusCode::INTERNAL_SERVER_ERROR
                    | StatusCode::BAD_GATEWAY
                    | StatusCode::SERVICE_UNAVAILABLE
                    | StatusCode::GATEWAY_TIMEOUT
            ),
        },
    }
}

/// Whether a part begins where the last one ended, and belongs to the same bytes.
fn is_rest(headers: &HeaderMap, resume: &ResumePoint) -> bool {
    let range = headers.get(CONTENT_RANGE).and_then(|range| {
        let (span, total) = range
            .to_str()
            .ok()?
            .strip_prefix("bytes ")?
            .split_once('/')?;
        let (first, last) = span.split_once('-')?;
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        let total: Option<u64> = match total {
            "*" => None,
            total => Some(total.parse().ok()?),
        };
        Some((first, last, total))
    });
    let Some((first, last, total)) = range else {
        return false;
    };
    let is_same_length = match (total, resume.total) {
        (Some(now), Some(before)) => now == before && last.checked_add(1) == Some(now),
        _ => true,
    };
    let is_same_file = Validators::of(headers)
        .strong()
        .is_none_or(|validator| validator == resume.validator);
    first == resume.from && last >= first && is_same_length && is_same_file
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::*;

    fn answered(
        status: u16,
        headers: &[(&'static str, &'static str)],
        resume: Option<&ResumePoint>,
    ) -> Meaning {
        let status = StatusCode::from_u16(status).unwrap();
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| {
                let name = HeaderName::from_static(name);
                (name, HeaderValue::from_static(value))
            })
            .collect();
        meaning((status, &headers), resume, &Validators::default())
    }

    fn resume() -> ResumePoint {
        let validators = Validators {
            etag: Some("\"v1\"".into()),
            last_modified: None,
        };
        ResumePoint::new(100, Some(300), &validators, true).unwrap()
    }

    fn of_part(range: &'static str, etag: &'static str) -> Meaning {
        let headers = [("content-range", range), ("etag", etag)];
        answered(206, &headers, Some(&resume()))
    }

    #[test]
    fn only_the_missing_part_of_the_same_file_is_taken() {
        assert_eq!(of_part("bytes 100-299/300", "\"v1\""), Meaning::Rest);
        assert_eq!(of_part("bytes 100-299/*", "\"v1\""), Meaning::Rest);
        for (range, etag) in [
            ("bytes 0-299/300", "\"v1\""),
            ("bytes 99-299/300", "\"v1\""),
            ("bytes 100-199/300", "\"v1\""),
            ("bytes 100-299/400", "\"v1\""),
            ("bytes 100-18446744073709551615/300", "\"v1\""),
            ("bytes 100-299/300", "\"v2\""),
            ("bytes */300", "\"v1\""),
            ("100-299", "\"v1\""),
        ] {
            assert_eq!(of_part(range, etag), Meaning::WrongPart, "{range} {etag}");
        }
        let unasked = answered(206, &[("content-range", "bytes 0-9/300")], None);
        assert_eq!(unasked, Meaning::WrongPart);
    }

    #[test]
    fn a_weak_tag_puts_no_parts_together() {
        let weak = Validators {
            etag: Some("W/\"v1\"".into()),
            last_modified: None,
        };
        assert_eq!(ResumePoint::new(100, None, &weak, true), None);
        let dated = Validators {
            last_modified: Some("Sun, 15 Nov 2026 10:00:00 GMT".into()),
            ..weak
        };
        let resume = ResumePoint::new(100, None, &dated, true).unwrap();
        let asked = headers(Some(&resume), &Validators::default());
        assert_eq!(asked["range"], "bytes=100-");
        assert_eq!(asked["if-range"], "Sun, 15 Nov 2026 10:00:00 GMT");
        assert_eq!(ResumePoint::new(0, None, &dated, true), None);
        assert_eq!(ResumePoint::new(100, None, &dated, false), None);
    }

    #[test]
    fn what_may_pass_is_told_from_what_will_not() {
        for status in [400, 401, 403, 404, 410, 501, 304] {
            let lasting = Meaning::Refused {
                wait: None,
                is_passing: false,
            };
            assert_eq!(answered(status, &[], None), lasting, "{status}");
        }
        for status in [408, 429, 500, 502, 503, 504] {
            let passing = Meaning::Refused {
                wait: Some(Duration::from_secs(7)),
                is_passing: true,
            };
            assert_eq!(answered(status, &[("retry-after", "7")], None), passing);
        }
    }
}
