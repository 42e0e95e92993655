//! What the command says to the person or script that called it.

use std::fmt::Display;
use std::io::Write;

/// A line on standard output. A reader that went away is not our problem.
pub(crate) fn line(text: impl Display) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// A line on standard error, beside the output proper.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The reason for a failure, with its causes, on one line of standard error.
pub(crate) fn error(error: &anyhow::Error) {
    note(format_args!("error: {}", one_line(&format!("{error:#}"))));
}

fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn errors_are_one_line() {
        assert_eq!(one_line("first\n  second\n\nthird\n"), "first second third");
    }
}
