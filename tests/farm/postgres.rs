//! A Postgres of our own: made by `initdb` in a temporary folder, gone with the test.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server with an empty database.
pub(crate) struct Postgres {
    server: Child,
    port: u16,
    folder: TempDir,
    user: Runner,
}

/// How a server is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shutdown {
    /// Open transactions are undone and everybody is sent away.
    Fast,
    /// Nothing is put in order: the next start recovers from the log.
    Immediate,
}

impl Shutdown {
    fn signal(self) -> &'static str {
        match self {
            Self::Fast => "INT",
            Self::Immediate => "QUIT",
        }
    }
}

impl Postgres {
    /// Makes and starts a server, and waits until it answers.
    pub(crate) fn start() -> Self {
        let bin = bin_folder();
        let folder = tempfile::Builder::new()
            .prefix("kinora-pg-")
            .tempdir()
            .expect("temp folder");
        let user = Runner::choose(folder.path());
        let data = folder.path().join("data");
        let made = user
            .command(&bin.join("initdb"))
            .args([
                "--auth=trust",
                "--username=kinora",
                "--encoding=UTF8",
                "--no-sync",
            ])
            .arg("--pgdata")
            .arg(&data)
            .output()
            .expect("initdb runs");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let port = free_port();
        let server = serve(&user, folder.path(), port);
        let postgres = Self {
            server,
            port,
            folder,
            user,
        };
        postgres.wait();
        postgres
    }

    /// Stops the server as `pg_ctl stop` does.
    pub(crate) fn stop(&mut self, shutdown: Shutdown) {
        self.signal(shutdown.signal());
        self.server.wait().expect("wait");
    }

    /// Starts a stopped server on what it has written, on another port.
    pub(crate) fn revive(&mut self) {
        self.port = free_port();
        self.server = serve(&self.user, self.folder.path(), self.port);
        self.wait();
    }

    /// Sends a signal to the server and everything that it has started.
    pub(crate) fn signal_all(&self, name: &str) {
        let parent = self.server.id();
        let children = format!("/proc/{parent}/task/{parent}/children");
        for child in std::fs::read_to_string(children)
            .unwrap_or_default()
            .split_whitespace()
        {
            signal(child, name);
        }
        self.signal(name);
    }

    fn signal(&self, name: &str) {
        signal(&self.server.id().to_string(), name);
    }

    /// The port that it listens on.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The URL of its database.
    pub(crate) fn url(&self) -> String {
        format!("postgres://kinora@127.0.0.1:{}/postgres", self.port)
    }

    /// The server writes its state into the last line of this file, for `pg_ctl` and for us.
    fn wait(&self) {
        let state = self.folder.path().join("data/postmaster.pid");
        let started = Instant::now();
        loop {
            let lines = std::fs::read_to_string(&state).unwrap_or_default();
            if lines
                .lines()
                .last()
                .is_some_and(|line| line.trim() == "ready")
            {
                return;
            }
            assert!(
                started.elapsed() < START_TIMEOUT,
                "Postgres does not start: {lines}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A test that failed may have left it stopped.
        self.signal_all("CONT");
        // SIGQUIT ends the server and its children at once and frees their shared memory.
        self.signal("QUIT");
        let _ = self.server.wait();
    }
}

/// Sends a signal to a process, which may have ended by itself.
fn signal(pid: &str, name: &str) {
    let _ = Command::new("kill")
        .args([&format!("-{name}"), pid])
        .stderr(Stdio::null())
        .status();
}

fn serve(user: &Runner, folder: &Path, port: u16) -> Child {
    let mut server = user.command(&bin_folder().join("postgres"));
    server
        .arg("-D")
        .arg(folder.join("data"))
        .arg("-k")
        .arg(folder)
        .args(["-h", "127.0.0.1", "-p", &port.to_string()])
        .args(["-c", "fsync=off"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("postgres starts")
}

/// Who runs the server: it refuses to run as root.
enum Runner {
    Ourselves,
    Other(&'static str),
}

impl Runner {
    fn choose(folder: &Path) -> Self {
        let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        let root = Command::new("id")
            .arg("-u")
            .output()
            .expect("id runs")
            .stdout
            == b"0\n";
        if !root {
            return Self::Ourselves;
        }
        let (name, ids) = ["postgres", "nobody"]
            .into_iter()
            .find_map(|name| Some((name, ids_of(&passwd, name)?)))
            .expect("an unprivileged user to run Postgres");
        std::os::unix::fs::chown(folder, Some(ids.0), Some(ids.1)).expect("chown");
        Self::Other(name)
    }

    /// A command that ends with the thread that starts it, whatever happens to the test.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "QUIT"]);
        if let Self::Other(user) = self {
            command.args(["--reuid", user, "--regid", user, "--clear-groups"]);
        }
        command.arg("--").arg(program).current_dir("/");
        command
    }
}

fn ids_of(passwd: &str, name: &str) -> Option<(u32, u32)> {
    let line = passwd
        .lines()
        .find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

fn bin_folder() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    std::env::split_paths(&path)
        .chain(debian.flatten().map(|version| version.path().join("bin")))
        .find(|folder| folder.join("initdb").is_file())
        .expect("initdb: install Debian's package postgresql")
}

/// A port that nobody listens on now.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("bind");
    listener.local_addr().expect("address").port()
}
