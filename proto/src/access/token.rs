//! Tokens that all roles of a farm know, in the environment or in a file that may change.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use subtle::{Choice, ConstantTimeEq};

use super::Error;

/// How old what was read from a file may be.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(1);
/// Shorter ones can be guessed.
const SHORTEST: usize = 16;

/// One token or several, separated by commas, blanks or lines. Callers send the first; a controller takes any, so that one can be
/// replaced while the farm runs. Clones share what was read.
#[derive(Clone)]
pub struct Tokens(Arc<Source>);

enum Source {
    Fixed(Arc<[String]>),
    File { path: PathBuf, read: Mutex<Read> },
}

struct Read {
    tokens: Arc<[String]>,
    at: Instant,
    is_stale: bool,
}

impl Tokens {
    /// Tokens that stay as they are.
    ///
    /// # Errors
    /// [`Error::Token`] when there is none, or one is too short or can't be sent.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        Ok(Self(Arc::new(Source::Fixed(parse(text)?))))
    }

    /// The tokens in a file, which is read again when it may have changed.
    ///
    /// # Errors
    /// [`Error::Token`] when the file can't be read, or as in [`Tokens::from_text`].
    pub fn in_file(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        let read = Read {
            tokens: load(&path)?,
            at: Instant::now(),
            is_stale: false,
        };
        let read = Mutex::new(read);
        Ok(Self(Arc::new(Source::File { path, read })))
    }

    /// The token to send.
    pub fn first(&self) -> String {
        self.current().first().cloned().unwrap_or_default()
    }

    /// Whether this is one of the tokens. The answer takes the same time for every wrong one of a length.
    pub fn accepts(&self, offered: &str) -> bool {
        let tokens = self.current();
        let found = tokens.iter().fold(Choice::from(0), |found, token| {
            found | token.as_bytes().ct_eq(offered.as_bytes())
        });
        found.into()
    }

    fn current(&self) -> Arc<[String]> {
        match &*self.0 {
            Source::Fixed(tokens) => Arc::clone(tokens),
            Source::File { path, read } => {
                let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
                if read.at.elapsed() >= READ_AGAIN_AFTER {
                    read.at = Instant::now();
                    match load(path) {
                        Ok(tokens) => {
                            read.tokens = tokens;
                            read.is_stale = false;
                        }
                        Err(error) if !read.is_stale => {
                            tracing::warn!(%error, "the farm tokens stay as they were");
                            read.is_stale = true;
                        }
                        Err(_) => {}
                    }
                }
                Arc::clone(&read.tokens)
            }
        }
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Tokens")
    }
}

fn load(path: &PathBuf) -> Result<Arc<[String]>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let path = path.display();
        Error::Token(format!("can't read the farm tokens in {path}: {error}"))
    })?;
    parse(&text)
}

fn parse(text: &str) -> Result<Arc<[String]>, Error> {
    let is_between = |letter: char| letter == ',' || letter.is_whitespace();
    let tokens: Arc<[String]> = text
        .split(is_between)
        .filter(|token| !token.is_empty())
        .map(str::to_owned)
        .collect();
    if tokens.is_empty() {
        return Err(Error::Token("there is no farm token".to_owned()));
    }
    for token in tokens.iter() {
        if token.len() < SHORTEST {
            return Err(Error::Token(format!(
                "a farm token is shorter than {SHORTEST} letters and could be guessed"
            )));
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::Token(
                "a farm token has letters that can't be sent".to_owned(),
            ));
        }
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "0123456789abcdef";
    const NEW: &str = "fedcba9876543210";

    #[test]
    fn the_first_is_sent_and_any_is_taken() {
        for text in [
            format!("{NEW},{OLD}"),
            format!("{NEW}\n{OLD}\n"),
            format!(" {NEW} , {OLD}"),
        ] {
            let tokens = Tokens::from_text(&text).expect("tokens");
            assert_eq!(tokens.first(), NEW);
            assert!(tokens.accepts(OLD) && tokens.accepts(NEW));
            for wrong in ["", "0", &OLD[1..], "0123456789abcdeF", &text] {
                assert!(!tokens.accepts(wrong), "{wrong}");
            }
        }
    }

    #[test]
    fn what_is_no_token_is_refused_without_being_shown() {
        for text in ["", " ,\n", "hunter2", "hunter2hunter2hunter2ü"] {
            let error = Tokens::from_text(text).expect_err("refused").to_string();
            assert!(error.contains("openssl rand -hex 32"), "{error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn a_file_is_read_again_and_a_broken_one_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("token");
        std::fs::write(&file, OLD).expect("written");
        let tokens = Tokens::in_file(&file).expect("tokens");
        let wait = || std::thread::sleep(READ_AGAIN_AFTER + Duration::from_millis(50));
        std::fs::write(&file, format!("{NEW}\n{OLD}")).expect("written");
        wait();
        assert!(tokens.accepts(NEW) && tokens.accepts(OLD));
        std::fs::write(&file, "").expect("written");
        wait();
        assert!(tokens.accepts(NEW) && tokens.accepts(OLD));
        std::fs::write(&file, NEW).expect("written");
        wait();
        assert!(tokens.accepts(NEW) && !tokens.accepts(OLD));
    }
}
