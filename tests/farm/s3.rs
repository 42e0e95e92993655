//! An S3-compatible server for one test: it checks signatures and their expiry.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Process;

const BUCKET: &str = "kinora";
const ACCESS_KEY: &str = "test-access-key";
const SECRET_KEY: &str = "test-secret-key";
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A running server with one empty bucket.
pub(crate) struct S3 {
    root: PathBuf,
    port: u16,
    endpoint: String,
    pub(crate) process: Process,
}

impl S3 {
    /// Starts a server that keeps its objects under `folder`.
    pub(crate) fn start(folder: &Path) -> Self {
        let root = folder.join("s3");
        std::fs::create_dir_all(root.join(BUCKET)).expect("bucket");
        Self::serve(root)
    }

    /// Starts a server that was killed on the objects that it has, on another port.
    pub(crate) fn revive(&mut self) {
        *self = Self::serve(self.root.clone());
    }

    fn serve(root: PathBuf) -> Self {
        let port = free_port();
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/target/tools/bin/s3s-fs");
        let mut server = Command::new(program);
        server
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .args(["--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY])
            .arg(&root)
            .stdin(Stdio::null());
        let process = Process::start("s3", &mut server);
        let started = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < START_TIMEOUT, "{}", process.log());
            std::thread::sleep(Duration::from_millis(50));
        }
        Self {
            root,
            port,
            endpoint: format!("http://127.0.0.1:{port}"),
            process,
        }
    }

    /// The port that it listens on.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The folder in which it keeps what it is given, and what it notes beside.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where the server listens.
    pub(crate) fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// What a role needs to know to use it.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        [
            ("KINORA_STORE_URL", format!("s3://{BUCKET}/farm")),
            ("AWS_ENDPOINT", self.endpoint.clone()),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bind");
    listener.local_addr().expect("address").port()
}
