//! Runs the binary as a tool, to its end.

use std::ffi::OsStr;
use std::process::{Command, Output};

/// The binary, with nothing of the caller's configuration and with the repository's fonts. The
/// secret key that it keeps lies among the build's files.
pub(crate) fn kinora() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinora"));
    for (name, _) in std::env::vars_os() {
        let ours = name.to_string_lossy();
        let begins = ["KINORA_", "AWS_", "GOOGLE_", "AZURE_", "OTEL_"];
        if begins.iter().any(|it| ours.starts_with(it)) || ours == "RUST_LOG" {
            command.env_remove(&name);
        }
    }
    command.env(
        "KINORA_FONTS",
        concat!(env!("CARGO_MANIFEST_DIR"), "/fonts"),
    );
    command.env(
        "XDG_CONFIG_HOME",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/config"),
    );
    command
}

/// What a finished command said.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// Asserts a failure told in exactly one line that contains every part.
    pub(crate) fn failed_with(&self, parts: &[&str]) {
        assert_eq!(self.code, Some(1), "{}\n{}", self.stdout, self.stderr);
        let errors: Vec<_> = self
            .stderr
            .lines()
            .filter(|line| line.starts_with("error: "))
            .collect();
        assert_eq!(errors.len(), 1, "{}", self.stderr);
        for part in parts {
            assert!(errors[0].contains(part), "{part:?} is not in {}", errors[0]);
        }
        for leak in ["panicked", "RUST_BACKTRACE", "stack backtrace"] {
            assert!(!self.stderr.contains(leak), "{}", self.stderr);
        }
    }

    /// Asserts success and returns the output.
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{}\n{}", self.stdout, self.stderr);
        self.stdout
    }

    /// Asserts success and returns the one JSON object that was printed.
    pub(crate) fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.succeeded()).expect("one JSON object")
    }
}

/// Runs `kinora` with these arguments.
pub(crate) fn run<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Said {
    said(kinora().args(args))
}

/// Runs a prepared command.
pub(crate) fn said(command: &mut Command) -> Said {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the kinora binary runs");
    Said {
        code: status.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }
}
