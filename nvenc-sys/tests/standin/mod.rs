//! A library of ours that stands in for NVIDIA's: it checks every call by the interface's rules and
//! encodes for real. Built by the C compiler when a test first asks for it.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use nvenc_sys::Libraries;

/// A machine with two GPUs of its own.
pub struct Standin {
    folder: tempfile::TempDir,
}

impl Standin {
    /// A machine that behaves as the modes say; `session.c` and `cuda.c` look at them.
    pub fn new(modes: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let standin = Self { folder };
        // A copy is loaded beside the others, with a state of its own.
        fs::copy(built(), standin.library()).expect("a copy of the library");
        let lines = modes
            .iter()
            .map(|(name, value)| format!("{name} {value}\n"));
        fs::write(standin.beside("mode"), lines.collect::<String>()).expect("the modes");
        standin
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("libstandin.so")
    }

    fn beside(&self, ending: &str) -> PathBuf {
        self.folder.path().join(format!("libstandin.so.{ending}"))
    }

    /// What to load instead of the driver's libraries.
    pub fn libraries(&self) -> Libraries {
        Libraries {
            encode: self.library(),
            cuda: self.library(),
            ..Libraries::default()
        }
    }

    /// What happened, line by line.
    pub fn log(&self) -> String {
        fs::read_to_string(self.beside("log")).unwrap_or_default()
    }

    pub fn count(&self, what: &str) -> usize {
        self.log()
            .lines()
            .filter(|line| line.starts_with(what))
            .count()
    }

    /// No rule was broken, and everything that was opened is closed.
    pub fn assert_tidy(&self) {
        let log = self.log();
        assert_eq!(self.count("broken"), 0, "{log}");
        assert_eq!(
            self.count("session opened"),
            self.count("session closed"),
            "{log}"
        );
        let retained = log
            .lines()
            .filter(|line| line.ends_with("retained"))
            .count();
        assert_eq!(retained, self.count("context released"), "{log}");
    }
}

/// The library, built once for all tests and anew when its sources change.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nvenc-sys/tests/standin");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let library = folder.join("libstandin.so");
        let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
        let files = fs::read_dir(&sources).expect("the sources");
        let files: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        let newest = files.iter().filter_map(|file| changed(file)).max();
        if changed(&library) > newest {
            return library;
        }
        let own = folder.join(format!("libstandin-{}.so", std::process::id()));
        let is_c = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "c");
        let flags = Command::new("pkg-config")
            .args(["--cflags", "--libs", "libavcodec", "libavutil"])
            .output()
            .expect("the pkg-config command is installed");
        let flags = String::from_utf8(flags.stdout).expect("text");
        let output = Command::new("cc")
            .args(["-std=gnu11", "-Wall", "-Werror", "-O1", "-shared", "-fPIC"])
            .args(["-fvisibility=hidden", "-o"])
            .arg(&own)
            .args(files.iter().filter(is_c))
            .args(flags.split_whitespace())
            .args(["-lpthread", "-ldl"])
            .output()
            .expect("a C compiler is installed");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        fs::rename(&own, &library).expect("the library in its place");
        library
    })
}
