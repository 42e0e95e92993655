//! Cases that are known not to meet their bar: they may not get worse, and leave the list when they meet it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use crate::verdict::Judged;

/// The list, by the names of cases.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Exceptions(BTreeMap<String, Exception>);

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    /// Why the case can't meet its bar.
    reason: String,
    /// The multiple of its bar that no frame may pass.
    within: f64,
}

/// Something that is not as it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The frame, or the case for a line of the list.
    pub key: String,
    /// What is wrong.
    pub what: String,
    /// Whether there are pictures to look at.
    pub has_pictures: bool,
}

impl Exceptions {
    /// Reads the list.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read(file).with_context(|| format!("can't read {}", file.display()))?;
        serde_json::from_slice(&text).with_context(|| file.display().to_string())
    }
}

/// Everything about the frames that is not as it has to be, worst first.
pub fn judge_all(frames: &[Judged], exceptions: &Exceptions) -> Vec<Finding> {
    let mut failing: Vec<_> = frames
        .iter()
        .filter(|frame| !frame.is_advisory())
        .filter(|frame| {
            let allowed = exceptions.0.get(&frame.case);
            allowed.map_or(!frame.is_met(), |exception| {
                frame.multiple() > exception.within
            })
        })
        .collect();
    failing.sort_by(|a, b| b.multiple().total_cmp(&a.multiple()));
    let mut findings: Vec<_> = failing
        .into_iter()
        .map(|frame| Finding {
            key: frame.key.clone(),
            what: format!("{:.2} times its bar: {}", frame.multiple(), frame.details()),
            has_pictures: true,
        })
        .collect();
    for (case, exception) in &exceptions.0 {
        let mut of_case = frames.iter().filter(|frame| frame.case == *case).peekable();
        let what = if of_case.peek().is_none() {
            "stands in the exceptions, but there is no such case"
        } else if of_case.all(Judged::is_met) {
            "meets its bar: take it out of the exceptions"
        } else if exception.reason.trim().is_empty() {
            "stands in the exceptions without a reason"
        } else {
            continue;
        };
        findings.push(Finding {
            key: case.clone(),
            what: what.into(),
            has_pictures: false,
        });
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bar::Bar;
    use crate::measure::Figures;
    use crate::verdict::Verdict;

    fn frame(case: &str, multiple: f64, advisory: bool) -> Judged {
        let bar = Bar {
            advisory,
            ..Bar::default()
        };
        Judged {
            key: format!("{case}.f0"),
            case: case.into(),
            tags: Vec::new(),
            verdict: Verdict::Measured {
                figures: Figures {
                    mad_mean: bar.figures.mad_mean * multiple,
                    ..Figures::default()
                },
                bar,
            },
        }
    }

    fn keys(frames: &[Judged], exceptions: &str) -> Vec<String> {
        let exceptions = serde_json::from_str(exceptions).expect("a list");
        let found = judge_all(frames, &exceptions);
        found.into_iter().map(|finding| finding.key).collect()
    }

    #[test]
    fn frames_over_their_bar_are_found_worst_first() {
        let frames = [
            frame("a", 1.5, false),
            frame("b", 0.9, false),
            frame("c", 3.0, false),
        ];
        assert_eq!(keys(&frames, "{}"), ["c.f0", "a.f0"]);
    }

    #[test]
    fn advisory_frames_are_not() {
        assert!(keys(&[frame("a", 9.0, true)], "{}").is_empty());
    }

    #[test]
    fn an_exception_holds_up_to_its_multiple_and_only_while_it_is_needed() {
        let list = r#"{"a":{"reason":"a different blur","within":2.0}}"#;
        assert!(keys(&[frame("a", 1.9, false)], list).is_empty());
        assert_eq!(keys(&[frame("a", 2.1, false)], list), ["a.f0"]);
        assert_eq!(keys(&[frame("a", 0.8, false)], list), ["a"]);
        assert_eq!(keys(&[frame("b", 0.8, false)], list), ["a"]);
    }

    #[test]
    fn an_exception_needs_a_reason() {
        let list = r#"{"a":{"reason":" ","within":2.0}}"#;
        assert_eq!(keys(&[frame("a", 1.9, false)], list), ["a"]);
    }
}
