//! Where the farm's secret key comes from: the environment, a file, or one that is made on first use.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use kinora_controller::SecretKey;

const VARIABLE: &str = "KINORA_SECRET_KEY";

/// The key that encrypts webhook secrets and signs upload addresses.
#[derive(clap::Args)]
pub(crate) struct SecretArgs {
    /// File with the farm's secret key, 32 bytes in hexadecimal or base64. KINORA_SECRET_KEY can
    /// hold the key itself. With neither, one is kept in the configuration folder
    #[arg(long, env = "KINORA_SECRET_KEY_FILE", value_name = "FILE")]
    secret_key_file: Option<PathBuf>,
}

impl SecretArgs {
    /// Reads the key, or makes one.
    pub(crate) fn key(&self) -> anyhow::Result<SecretKey> {
        if let Some(file) = &self.secret_key_file {
            return read(file);
        }
        match std::env::var(VARIABLE) {
            Ok(text) if !text.trim().is_empty() => SecretKey::from_text(&text).context(VARIABLE),
            _ => {
                // Where no variable names a home, the system's list of users does.
                let configured = std::env::var_os("XDG_CONFIG_HOME");
                kept(&folder(configured, std::env::home_dir())?)
            }
        }
    }
}

/// The folder for configuration of this user. Not the data folder, whose copies would then carry
/// the key to the secrets in them.
fn folder(configured: Option<OsString>, home: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    let absolute = |folder: &PathBuf| folder.is_absolute();
    let configuration = configured
        .map(PathBuf::from)
        .filter(absolute)
        .or_else(|| home.filter(absolute).map(|home| home.join(".config")))
        .ok_or_else(|| {
            anyhow!(
                "there is no home folder to keep a secret key in; set {VARIABLE} to 32 random bytes \
                 in hexadecimal, the same at every start"
            )
        })?;
    Ok(configuration.join("kinora"))
}

/// The key in this folder. The first process to ask makes it; all others read the same.
fn kept(folder: &Path) -> anyhow::Result<SecretKey> {
    let file = folder.join("secret.key");
    if !file.exists() {
        make(folder, &file).map_err(|error| {
            anyhow!(
                "can't keep a secret key in {}: {error}; set {VARIABLE} to 32 random bytes in \
                 hexadecimal, the same at every start",
                folder.display()
            )
        })?;
    }
    read(&file)
}

fn make(folder: &Path, file: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    // Temporary files are readable by their owner alone.
    let mut unfinished = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(unfinished, "{}", SecretKey::random().to_text())?;
    unfinished.as_file().sync_all()?;
    match unfinished.persist_noclobber(file) {
        Ok(_) => {
            tracing::info!(file = %file.display(), "a secret key was made; keep it with your backups, but apart from the data");
            Ok(())
        }
        // Another process was faster; its key is the key.
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error),
    }
}

fn read(file: &Path) -> anyhow::Result<SecretKey> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("can't read the secret key in {}", file.display()))?;
    SecretKey::from_text(&text).with_context(|| file.display().to_string())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_key_is_made_once_and_only_its_owner_can_read_it() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("config/kinora");
        let keys: Vec<_> = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..8).map(|_| scope.spawn(|| kept(&folder))).collect();
            makers
                .into_iter()
                .map(|maker| maker.join().expect("no panic").expect("a key").to_text())
                .collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]), "one key for all");
        let files: Vec<_> = std::fs::read_dir(&folder).expect("made").collect();
        assert_eq!(files.len(), 1, "no unfinished files stay");
        let mode = |path: &Path| path.metadata().expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&folder.join("secret.key")), 0o600);
        assert_eq!(mode(&folder), 0o700);
    }

    #[test]
    fn a_folder_that_cannot_be_made_says_what_to_set() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("file");
        std::fs::write(&file, "").expect("written");
        let message = kept(&file.join("kinora")).expect_err("a file is in the way");
        assert!(
            message.to_string().contains("KINORA_SECRET_KEY"),
            "{message}"
        );
    }

    #[test]
    fn a_damaged_key_is_named_and_not_replaced() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("secret.key");
        std::fs::write(&file, "hunter2").expect("written");
        let message = format!("{:#}", kept(home.path()).expect_err("damaged"));
        assert!(message.contains("secret.key"), "{message}");
        assert!(!message.contains("hunter2"), "{message}");
        assert_eq!(std::fs::read_to_string(&file).expect("there"), "hunter2");
    }

    #[test]
    fn the_folder_is_the_configured_one_or_in_the_home() {
        let folder = |configured: Option<&str>, home: Option<&str>| {
            folder(configured.map(OsString::from), home.map(PathBuf::from))
        };
        let both = folder(Some("/etc/x"), Some("/home/ada"));
        assert_eq!(both.expect("known"), Path::new("/etc/x/kinora"));
        let relative = folder(Some("x"), Some("/home/ada"));
        assert_eq!(
            relative.expect("known"),
            Path::new("/home/ada/.config/kinora")
        );
        let nothing = folder(None, None).expect_err("nowhere").to_string();
        assert!(nothing.contains("KINORA_SECRET_KEY"), "{nothing}");
    }
}
