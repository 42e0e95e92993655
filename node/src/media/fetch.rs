//! Bringing one URL or object into a file, within bounds of bytes, time and redirects.

use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, StreamExt, TryStreamExt};
use kinora_outbound::{AddressRule, Client, Failure};
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};
use reqwest::{Method, StatusCode};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use url::Url;

use crate::{Context, Error, Result};

/// A server that says nothing for this long is given up, whatever the bound on the whole fetch.
const SILENCE: Duration = Duration::from_secs(20);

/// Bounds on one fetch.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    pub(super) allows: AddressRule,
    pub(super) max_bytes: u64,
    pub(super) timeout: Duration,
    pub(super) max_redirects: usize,
}

/// A finished download, not yet in the cache.
pub(super) struct Download {
    pub(super) file: NamedTempFile,
    pub(super) sha256: String,
    pub(super) bytes: u64,
}

/// Fetches URLs; one connection pool for all of them.
pub(super) struct Fetcher {
    client: Client,
    bounds: Bounds,
}

impl Fetcher {
    pub(super) fn new(bounds: Bounds) -> Result<Self> {
        let client = Client::new(bounds.allows, SILENCE).context("setting up the HTTP client")?;
        Ok(Self { client, bounds })
    }

    /// Downloads `source` into a temporary file in `folder`.
    pub(super) async fn download(&self, source: &Url, folder: &Path) -> Result<Download> {
        self.in_time(source, self.download_unhurried(source, folder))
            .await
    }

    /// Reads an object, known as `source`, into a temporary file in `folder`.
    pub(super) async fn read(
        &self,
        source: &Url,
        object: (&dyn ObjectStore, &Key),
        folder: &Path,
    ) -> Result<Download> {
        self.in_time(source, self.read_unhurried(source, object, folder))
            .await
    }

    async fn in_time(
        &self,
        source: &Url,
        download: impl Future<Output = Result<Download>>,
    ) -> Result<Download> {
        let timeout = self.bounds.timeout;
        tokio::time::timeout(timeout, download)
            .await
            .unwrap_or_else(|_| {
                Err(Error::BadInput(format!(
                    "{source} was not fetched within {} s",
                    timeout.as_secs_f32()
                )))
            })
    }

    async fn download_unhurried(&self, source: &Url, folder: &Path) -> Result<Download> {
        let response = self
            .client
            .fetch(&Method::GET, source, self.bounds.max_redirects)
            .await
            .map_err(|failure| not_fetched(source, &failure))?;
        let status = response.status();
        if !status.is_success() {
            return Err(Error::BadInput(format!(
                "{source} answered {}",
                in_words(status)
            )));
        }
        let announced = response.content_length();
        let body = response.bytes_stream();
        let body = body.map_err(|error| not_fetched(source, &Failure::in_transfer(&error)));
        self.save(source, announced, body, folder).await
    }

    async fn read_unhurried(
        &self,
        source: &Url,
        (store, key): (&dyn ObjectStore, &Key),
        folder: &Path,
    ) -> Result<Download> {
        let object = match store.get(key).await {
            Err(object_store::Error::NotFound { .. }) => {
                return Err(Error::BadInput(format!("{source} was not uploaded")));
            }
            other => other.context("reading an uploaded file")?,
        };
        let size = object.meta.size;
        let body = object.into_stream();
        let body = body.map_err(|error| Error::internal("reading an uploaded file", error));
        self.save(source, Some(size), body, folder).await
    }

    async fn save(
        &self,
        source: &Url,
        announced: Option<u64>,
        body: impl Stream<Item = Result<Bytes>>,
        folder: &Path,
    ) -> Result<Download> {
        if announced.is_some_and(|length| length > self.bounds.max_bytes) {
            return Err(self.too_large(source));
        }
        let file = NamedTempFile::new_in(folder).context("making a file in the media cache")?;
        let handle = file.reopen().context("opening a file in the media cache")?;
        let mut writer = tokio::fs::File::from_std(handle);
        let mut hasher = Sha256::new();
        let mut bytes = 0;
        let mut body = pin!(body);
        while let Some(piece) = body.next().await {
            let piece = piece?;
            bytes += piece.len() as u64;
            if bytes > self.bounds.max_bytes {
                return Err(self.too_large(source));
            }
            hasher.update(&piece);
            writer
                .write_all(&piece)
                .await
                .context("writing to the media cache")?;
        }
        writer.flush().await.context("writing to the media cache")?;
        if bytes == 0 {
            return Err(Error::BadInput(format!("{source} is empty")));
        }
        Ok(Download {
            file,
            sha256: hex(&hasher.finalize()),
            bytes,
        })
    }

    fn too_large(&self, source: &Url) -> Error {
        const MIB: u64 = 1 << 20;
        let limit = self.bounds.max_bytes;
        let limit = if limit >= MIB {
            format!("{} MiB", limit / MIB)
        } else {
            format!("{limit} bytes")
        };
        Error::BadInput(format!("{source} is larger than {limit}"))
    }
}

/// Lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

fn in_words(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("{} {reason}", status.as_u16()),
        None => status.as_u16().to_string(),
    }
}

fn not_fetched(source: &Url, failure: &Failure) -> Error {
    Error::BadInput(format!("{source} {failure}"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use std::net::{IpAddr, Ipv4Addr};

    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;

    /// Stands for a public server in these tests; all other loopback addresses are private.
    const OUTSIDE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

    /// Answers every request on `OUTSIDE` with these bytes and gives the server's URL.
    async fn outside_server(answer: impl Into<String>) -> Url {
        let listener = TcpListener::bind((OUTSIDE, 0)).await.unwrap();
        let url = format!("http://{}/clip.mp4", listener.local_addr().unwrap());
        let answer = answer.into();
        tokio::spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                let mut request = [0; 4096];
                let _ = connection.read(&mut request).await;
                let _ = connection.write_all(answer.as_bytes()).await;
            }
        });
        Url::parse(&url).unwrap()
    }

    async fn fetch(url: &Url, timeout: Duration) -> Result<Download> {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let bounds = Bounds {
            allows: |address| address == IpAddr::V4(OUTSIDE),
            max_bytes: 1000,
            timeout,
            max_redirects: 3,
        };
        let folder = tempfile::tempdir().unwrap();
        Fetcher::new(bounds)
            .unwrap()
            .download(url, folder.path())
            .await
    }

    async fn refusal_of(url: &Url) -> String {
        match fetch(url, Duration::from_secs(5)).await {
            Err(Error::BadInput(message)) => message,
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{url} was fetched"),
        }
    }

    #[tokio::test]
    async fn what_is_refused_is_named_with_the_reason() {
        let message = refusal_of(&"http://127.0.0.1:9/a".parse().unwrap()).await;
        assert!(message.ends_with("its address is not on the public internet"));
    }

    #[tokio::test]
    async fn announced_and_unannounced_sizes_are_bounded() {
        let announced = outside_server("HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n").await;
        assert!(
            refusal_of(&announced)
                .await
                .ends_with("is larger than 1000 bytes")
        );
        let endless = format!(
            "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{}",
            "x".repeat(5000)
        );
        let unannounced = outside_server(endless).await;
        assert!(
            refusal_of(&unannounced)
                .await
                .ends_with("is larger than 1000 bytes")
        );
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_is_no_file() {
        let url = outside_server("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nabc").await;
        assert!(
            refusal_of(&url)
                .await
                .ends_with("broke off while it was being fetched")
        );
    }

    #[tokio::test]
    async fn a_server_that_says_nothing_is_given_up() {
        let listener = TcpListener::bind((OUTSIDE, 0)).await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap())
            .parse()
            .unwrap();
        let error = fetch(&url, Duration::from_millis(200)).await.err().unwrap();
        assert_eq!(
            error.to_string(),
            format!("{url} was not fetched within 0.2 s")
        );
    }
}
