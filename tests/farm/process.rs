//! One process under test: its log is kept, shown when the test fails, and it never outlives it.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const START_TIMEOUT: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(20);

/// A running role.
pub(crate) struct Process {
    name: String,
    child: Child,
    log: Arc<Mutex<String>>,
}

impl Process {
    /// Starts `command`, which is shown as `name` in failures.
    pub(crate) fn start(name: &str, command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the kinora binary starts");
        let log = Arc::new(Mutex::new(String::new()));
        keep(child.stdout.take().expect("piped"), log.clone());
        keep(child.stderr.take().expect("piped"), log.clone());
        Self {
            name: name.to_owned(),
            child,
            log,
        }
    }

    /// What the system knows it by.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Everything that the process wrote so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().expect("log").clone()
    }

    /// Waits for a line that contains `marker` and returns what follows it on that line.
    pub(crate) fn wait_for(&mut self, marker: &str) -> String {
        let started = Instant::now();
        loop {
            let log = self.log();
            // A last line without its end may still grow.
            let whole = &log[..log.rfind('\n').map_or(0, |end| end + 1)];
            if let Some(line) = whole.lines().find(|line| line.contains(marker)) {
                let (_, rest) = line.split_once(marker).unwrap_or_default();
                return rest.trim().to_owned();
            }
            if let Some(status) = self.child.try_wait().expect("status") {
                panic!(
                    "{} ended with {status} before it said {marker:?}:\n{log}",
                    self.name
                );
            }
            assert!(
                started.elapsed() < START_TIMEOUT,
                "{} did not say {marker:?}:\n{log}",
                self.name
            );
            std::thread::sleep(POLL);
        }
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        self.signal("TERM");
    }

    /// Sends a signal by its name, such as `STOP`.
    pub(crate) fn signal(&self, name: &str) {
        let (signal, pid) = (format!("-{name}"), self.child.id().to_string());
        let sent = Command::new("kill").args([&signal, &pid]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// The most memory that the process ever had, in MiB; 0 when it is gone.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = peak.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        kib.unwrap_or(0_u64) / 1024
    }

    /// Sends SIGKILL and waits for the end.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("kill");
        self.child.wait().expect("wait");
    }

    /// Waits for the process to end by itself, at most `limit`.
    pub(crate) fn ended_within(&mut self, limit: Duration) -> (ExitStatus, Duration) {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("status") {
                return (status, started.elapsed());
            }
            assert!(
                started.elapsed() < limit,
                "{} did not end within {limit:?}:\n{}",
                self.name,
                self.log()
            );
            std::thread::sleep(POLL);
        }
    }
}

impl Drop for Process {
    #[expect(
        clippy::print_stderr,
        reason = "the test harness shows it with the failure"
    )]
    fn drop(&mut self) {
        // It may have ended already; either way it is gone afterwards.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let log = self.log();
            let mut lines: Vec<_> = log.lines().rev().take(80).collect();
            lines.reverse();
            eprintln!("--- {} ---\n{}", self.name, lines.join("\n"));
        }
    }
}

fn keep(stream: impl Read + Send + 'static, log: Arc<Mutex<String>>) {
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { return };
            let mut log = log.lock().expect("log");
            log.push_str(&line);
            log.push('\n');
        }
    });
}
