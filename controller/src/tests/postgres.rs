//! One real Postgres for the whole test process, one database for each test.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use sqlx::{AnyConnection, AssertSqlSafe, Connection};

use crate::ids::random_base62;

/// Postgres refuses to run as root.
const UNPRIVILEGED_USERS: [&str; 2] = ["postgres", "nobody"];

struct Server {
    socket_folder: String,
    /// Its standard input is held open: the server ends when this process does.
    _supervisor: Child,
}

static SERVER: OnceLock<Server> = OnceLock::new();

/// Creates an empty database and answers its URL.
pub(super) async fn fresh_database() -> String {
    let server = SERVER.get_or_init(start);
    sqlx::any::install_default_drivers();
    let name = format!("test_{}", random_base62(16).to_lowercase());
    let mut admin = AnyConnection::connect(&url(server, "postgres"))
        .await
        .expect("the test server answers");
    sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .execute(&mut admin)
        .await
        .expect("a database");
    admin.close().await.expect("closed");
    url(server, &name)
}

fn url(server: &Server, database: &str) -> String {
    format!(
        "postgres://postgres@localhost/{database}?host={}",
        server.socket_folder
    )
}

fn start() -> Server {
    let binaries = binaries().expect("Postgres is not installed: apt-get install postgresql");
    let script = include_str!("postgres.sh");
    let mut command = unprivileged("sh");
    let mut supervisor = command
        .args(["-c", script, "postgres.sh"])
        .arg(binaries)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let stdout = supervisor.stdout.take().expect("piped");
    let mut socket_folder = String::new();
    BufReader::new(stdout)
        .read_line(&mut socket_folder)
        .expect("a line");
    let socket_folder = socket_folder.trim().to_owned();
    assert!(!socket_folder.is_empty(), "Postgres did not start");
    Server {
        socket_folder,
        _supervisor: supervisor,
    }
}

/// The command itself, or, for root, the command as somebody else.
fn unprivileged(program: &str) -> Command {
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| {
        use std::os::unix::fs::MetadataExt;
        process.uid() == 0
    });
    if !is_root {
        return Command::new(program);
    }
    let users = fs::read_to_string("/etc/passwd").expect("a list of users");
    let user = UNPRIVILEGED_USERS
        .into_iter()
        .find(|user| {
            users
                .lines()
                .any(|line| line.starts_with(&format!("{user}:")))
        })
        .expect("a user for Postgres");
    let mut command = Command::new("setpriv");
    command.args([
        "--reuid",
        user,
        "--regid",
        group(user),
        "--clear-groups",
        "--",
        program,
    ]);
    command
}

fn group(user: &str) -> &str {
    if user == "nobody" { "nogroup" } else { user }
}

/// Debian keeps the server's programs off the PATH.
fn binaries() -> Option<PathBuf> {
    let mut debian: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .collect();
    debian.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has_server = |folder: &Path| folder.join("initdb").is_file();
    debian
        .into_iter()
        .rev()
        .chain(std::env::split_paths(&path))
        .find(|folder| has_server(folder))
}
