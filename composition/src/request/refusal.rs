//! Why a request is not accepted.

use serde_json::{Value, json};

use crate::document::Issue;

/// Why a request is not accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Whether the request is malformed or merely can't be rendered.
    pub kind: RefusalKind,
    /// One sentence.
    pub message: String,
    /// The envelope's `details`.
    pub details: Value,
}

/// The two ways of not being accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Not JSON, wrong types, missing fields, missing media.
    Invalid,
    /// Well formed, but over a limit or naming something unknown.
    Unrenderable,
}

/// At most this many issues are listed, however many there are.
const MOST_ISSUES: usize = 1000;
/// Nor are more listed once they take this many bytes: an answer is not to outgrow its request.
const MOST_BYTES: usize = 128 << 10;
/// Names that were sent may be as long as the body; nobody needs to read all of one.
const LONGEST_PATH: usize = 200;
const LONGEST_MESSAGE: usize = 2000;

impl Refusal {
    /// The request is malformed in these places.
    pub fn invalid(issues: &[Issue]) -> Self {
        Self::new(RefusalKind::Invalid, "invalid request", issues)
    }

    /// The request is well formed, but these places of it can't be rendered.
    pub fn unrenderable(issues: &[Issue]) -> Self {
        let what = "the composition can't be rendered";
        Self::new(RefusalKind::Unrenderable, what, issues)
    }

    /// Media overlays have no source; `missing` names them, `issues` holds them and all else.
    pub(super) fn missing_media(missing: &[Value], issues: &[Issue]) -> Self {
        let mut refusal = Self::invalid(issues);
        refusal.message = "a media overlay has no source; no credits were charged".into();
        refusal.details["reason"] = "MISSING_MEDIA_SOURCE".into();
        refusal.details["missing"] = missing.into();
        refusal
    }

    fn new(kind: RefusalKind, what: &str, issues: &[Issue]) -> Self {
        let mut bytes = 0;
        let listed: Vec<Issue> = issues
            .iter()
            .take(MOST_ISSUES)
            .map(|full| {
                issue(
                    shortened(&full.path, LONGEST_PATH),
                    shortened(&full.message, LONGEST_MESSAGE),
                )
            })
            .take_while(|issue| {
                bytes += issue.path.len() + issue.message.len();
                bytes <= MOST_BYTES
            })
            .collect();
        let mut details = json!({ "issues": listed });
        if listed.len() < issues.len() {
            details["omitted"] = (issues.len() - listed.len()).into();
        }
        Self {
            kind,
            message: summary(what, &listed, issues.len()),
            details,
        }
    }
}

pub(super) fn issue(path: impl Into<String>, message: impl Into<String>) -> Issue {
    Issue {
        path: path.into(),
        message: message.into(),
    }
}

/// A text of at most this many characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn summary(what: &str, issues: &[Issue], count: usize) -> String {
    let Some(first) = issues.first() else {
        return what.into();
    };
    let place = if first.path.is_empty() {
        String::new()
    } else {
        format!("{} ", first.path)
    };
    let more = match count {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    format!("{what}: {place}{}{more}", first.message)
}
