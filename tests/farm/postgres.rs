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
        let server = user
            .command(&bin.join("postgres"))
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(folder.path())
            .args([
                "-h",
                "127.0.0.1",
                "-p",
                &port.to_string(),
                "-c",
                "fsync=off",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("postgres starts");
        let postgres = Self {
            server,
            port,
            folder,
        };
        postgres.wait();
        postgres
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
        // SIGQUIT ends the server and its children at once and frees their shared memory.
        let pid = self.server.id().to_string();
        let _ = Command::new("kill").args(["-QUIT", &pid]).status();
        let _ = self.server.wait();
    }
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
