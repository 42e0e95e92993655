//! Downloading one URL into a file, within bounds of bytes, time and redirects.

use std::error::Error as StdError;
use std::path::Path;
use std::time::Duration;

use futures::StreamExt;
use reqwest::header::LOCATION;
use reqwest::{Client, Response, StatusCode};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use url::Url;

use super::address::{AddressRule, GuardedResolver, RefusedAddress, check_literal_host};
use crate::{Context, Error, Result};

/// A server that says nothing for this long is given up, whatever the bound on the whole fetch.
const SILENCE: Duration = Duration::from_secs(20);
const CONNECT: Duration = Duration::from_secs(10);

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
        let client = Client::builder()
            .dns_resolver(GuardedResolver {
                allows: bounds.allows,
            })
            // A proxy would resolve and connect in our place, past the address check.
            .no_proxy()
            // Followed by hand below: each hop is checked and counted.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .user_agent(concat!("kinora/", env!("CARGO_PKG_VERSION")))
            .build()
            .context("setting up the HTTP client")?;
        Ok(Self { client, bounds })
    }

    /// Downloads `source` into a temporary file in `folder`.
    pub(super) async fn download(&self, source: &Url, folder: &Path) -> Result<Download> {
        let timeout = self.bounds.timeout;
        tokio::time::timeout(timeout, self.download_unhurried(source, folder))
            .await
            .unwrap_or_else(|_| {
                Err(Error::BadInput(format!(
                    "{source} was not fetched within {} s",
                    timeout.as_secs_f32()
                )))
            })
    }

    async fn download_unhurried(&self, source: &Url, folder: &Path) -> Result<Download> {
        let response = self.follow(source).await?;
        let status = response.status();
        if !status.is_success() {
            return Err(Error::BadInput(format!(
                "{source} answered {}",
                in_words(status)
            )));
        }
        if response
            .content_length()
            .is_some_and(|length| length > self.bounds.max_bytes)
        {
            return Err(self.too_large(source));
        }
        self.save(source, response, folder).await
    }

    /// Sends the request and follows redirects, checking each address on the way.
    async fn follow(&self, source: &Url) -> Result<Response> {
        let mut url = source.clone();
        for _ in 0..=self.bounds.max_redirects {
            if !matches!(url.scheme(), "http" | "https") {
                return Err(Error::BadInput(format!(
                    "{source} leads to a {} address; only http and https are fetched",
                    url.scheme()
                )));
            }
            check_literal_host(&url, self.bounds.allows)
                .map_err(|refused| refusal(source, &refused))?;
            let response = self
                .client
                .get(url.clone())
                .send()
                .await
                .map_err(|error| connection_failure(source, &error))?;
            if !response.status().is_redirection() {
                return Ok(response);
            }
            let Some(location) = response.headers().get(LOCATION) else {
                return Ok(response);
            };
            url = location
                .to_str()
                .ok()
                .and_then(|text| url.join(text).ok())
                .ok_or_else(|| {
                    Error::BadInput(format!("{source} redirects to something that is not a URL"))
                })?;
        }
        Err(Error::BadInput(format!(
            "{source} redirects more than {} times",
            self.bounds.max_redirects
        )))
    }

    async fn save(&self, source: &Url, response: Response, folder: &Path) -> Result<Download> {
        let file = NamedTempFile::new_in(folder).context("making a file in the media cache")?;
        let handle = file.reopen().context("opening a file in the media cache")?;
        let mut writer = tokio::fs::File::from_std(handle);
        let mut hasher = Sha256::new();
        let mut bytes = 0;
        let mut body = response.bytes_stream();
        while let Some(piece) = body.next().await {
            let piece = piece.map_err(|error| connection_failure(source, &error))?;
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

fn refusal(source: &Url, refused: &RefusedAddress) -> Error {
    let host = &refused.host;
    if source
        .host_str()
        .is_some_and(|own| own.trim_matches(['[', ']']) == host)
    {
        Error::BadInput(format!(
            "{source} was refused: its address is not on the public internet"
        ))
    } else {
        Error::BadInput(format!(
            "{source} was refused: it leads to {host}, which is not on the public internet"
        ))
    }
}

/// Says in words why no answer came; the transport's own chain of errors is too raw to show.
fn connection_failure(source: &Url, error: &reqwest::Error) -> Error {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(refused) = inner.downcast_ref::<RefusedAddress>() {
            return refusal(source, refused);
        }
        cause = inner.source();
    }
    let what = if error.is_timeout() {
        "did not answer in time"
    } else if error.is_connect() {
        "could not be connected to"
    } else {
        "broke off while it was being fetched"
    };
    Error::BadInput(format!("{source} {what}"))
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

    fn redirect_to(location: &str) -> String {
        format!(
            "HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\n\
             connection: close\r\n\r\n"
        )
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
    async fn a_redirect_into_the_local_network_is_refused_by_address_and_by_name() {
        for inside in [
            "http://127.0.0.1:9/a",
            "http://localhost:9/a",
            "http://[::1]:9/a",
        ] {
            let url = outside_server(redirect_to(inside)).await;
            let message = refusal_of(&url).await;
            assert!(
                message.contains("not on the public internet"),
                "{inside}: {message}"
            );
        }
    }

    #[tokio::test]
    async fn a_redirect_to_another_scheme_is_refused() {
        let url = outside_server(redirect_to("file:///etc/passwd")).await;
        assert!(refusal_of(&url).await.contains("only http and https"));
    }

    #[tokio::test]
    async fn redirects_are_counted() {
        let url = outside_server(redirect_to("/again")).await;
        assert!(
            refusal_of(&url)
                .await
                .ends_with("redirects more than 3 times")
        );
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
