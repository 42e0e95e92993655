//! A client that connects to allowed addresses only, and follows redirects by hand.

use std::error::Error as _;
use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{Method, Request, Response, StatusCode};
use url::Url;

use super::address::{AddressRule, GuardedResolver, RefusedAddress, check_literal_host};

const CONNECT: Duration = Duration::from_secs(10);

/// Why no answer came. Each reads well after the URL that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Neither http nor https.
    #[error("leads to a {0} address; only http and https are fetched")]
    Scheme(String),
    /// The address itself is not allowed.
    #[error("was refused: its address is not on the public internet")]
    Refused,
    /// A redirect led to this host, which is not allowed.
    #[error("was refused: it leads to {0}, which is not on the public internet")]
    LeadsToRefused(String),
    /// A redirect led nowhere.
    #[error("redirects to something that is not a URL")]
    NoLocation,
    /// More redirects than were allowed.
    #[error("redirects more than {0} times")]
    TooManyRedirects(usize),
    /// Connected or not, nothing came for too long.
    #[error("did not answer in time")]
    TimedOut,
    /// Nobody listens there, or there is no such host.
    #[error("could not be connected to")]
    NotConnected,
    /// The connection ended in the middle.
    #[error("broke off while it was being fetched")]
    BrokeOff,
}

/// One connection pool whose every connection is checked.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    allows: AddressRule,
}

impl Client {
    /// A client that gives up on a server which says nothing for as long as `silence`.
    ///
    /// # Errors
    /// When TLS can't be set up.
    pub fn new(allows: AddressRule, silence: Duration) -> reqwest::Result<Self> {
        let http = reqwest::Client::builder()
            .dns_resolver(GuardedResolver { allows })
            // A proxy would resolve and connect in our place, past the address check.
            .no_proxy()
            // Followed by hand below: each hop is checked and counted.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT.min(silence))
            .read_timeout(silence)
            .user_agent(concat!("kinora/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { http, allows })
    }

    /// Sends one request; a redirect is an answer like any other.
    ///
    /// # Errors
    /// [`Failure`], without the URL.
    pub async fn send(&self, request: Request) -> Result<Response, Failure> {
        self.check(request.url())?;
        let host = request.url().host_str().map(str::to_owned);
        let answer = self.http.execute(request).await;
        answer.map_err(|error| Failure::of(&error, host.as_deref()))
    }

    /// Asks for `source` and follows at most `max_redirects`, checking each address on the way.
    ///
    /// # Errors
    /// [`Failure`], without the URL.
    pub async fn fetch(
        &self,
        method: &Method,
        source: &Url,
        max_redirects: usize,
    ) -> Result<Response, Failure> {
        self.fetch_with(method, source, &HeaderMap::new(), max_redirects)
            .await
    }

    /// The same with headers, which go to every address on the way: nothing secret.
    ///
    /// # Errors
    /// [`Failure`], without the URL.
    pub async fn fetch_with(
        &self,
        method: &Method,
        source: &Url,
        headers: &HeaderMap,
        max_redirects: usize,
    ) -> Result<Response, Failure> {
        let mut url = source.clone();
        for _ in 0..=max_redirects {
            let mut request = Request::new(method.clone(), url.clone());
            request.headers_mut().clone_from(headers);
            let response = match self.send(request).await {
                Err(Failure::Refused) if url != *source => {
                    let host = url.host_str().unwrap_or_default();
                    return Err(Failure::LeadsToRefused(host.to_owned()));
                }
                other => other?,
            };
            // "Not modified" is of the same kind, and no redirect.
            if !response.status().is_redirection() || response.status() == StatusCode::NOT_MODIFIED
            {
                return Ok(response);
            }
            let Some(location) = response.headers().get(LOCATION) else {
                return Ok(response);
            };
            let target = location.to_str().ok();
            let target = target.and_then(|text| url.join(text).ok());
            url = target.ok_or(Failure::NoLocation)?;
        }
        Err(Failure::TooManyRedirects(max_redirects))
    }

    fn check(&self, url: &Url) -> Result<(), Failure> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Failure::Scheme(url.scheme().to_owned()));
        }
        check_literal_host(url, self.allows).map_err(|_| Failure::Refused)
    }
}

impl Failure {
    /// Says in words why a transfer failed; the transport's own chain of errors is too raw to show.
    pub fn in_transfer(error: &reqwest::Error) -> Self {
        Self::of(error, None)
    }

    fn of(error: &reqwest::Error, asked: Option<&str>) -> Self {
        let mut cause = error.source();
        while let Some(inner) = cause {
            if let Some(refused) = inner.downcast_ref::<RefusedAddress>() {
                return match asked {
                    Some(host) if host == refused.host => Self::Refused,
                    _ => Self::LeadsToRefused(refused.host.clone()),
                };
            }
            cause = inner.source();
        }
        if error.is_timeout() {
            Self::TimedOut
        } else if error.is_connect() {
            Self::NotConnected
        } else {
            Self::BrokeOff
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use std::net::{IpAddr, Ipv4Addr};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Stands for a public server in these tests; all other loopback addresses are private.
    const OUTSIDE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

    /// Answers every request on `OUTSIDE` with these bytes and gives the server's URL.
    async fn outside_server(answer: String) -> Url {
        let listener = TcpListener::bind((OUTSIDE, 0)).await.unwrap();
        let url = format!("http://{}/clip.mp4", listener.local_addr().unwrap());
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

    async fn failure_of(url: &Url) -> Failure {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let outside = |address| address == IpAddr::V4(OUTSIDE);
        let client = Client::new(outside, Duration::from_secs(5)).unwrap();
        client.fetch(&Method::GET, url, 3).await.unwrap_err()
    }

    #[tokio::test]
    async fn a_redirect_into_the_local_network_is_refused_by_address_and_by_name() {
        for (inside, host) in [
            ("http://127.0.0.1:9/a", "127.0.0.1"),
            ("http://localhost:9/a", "localhost"),
            ("http://[::1]:9/a", "[::1]"),
        ] {
            let url = outside_server(redirect_to(inside)).await;
            assert_eq!(
                failure_of(&url).await,
                Failure::LeadsToRefused(host.to_owned())
            );
            assert_eq!(failure_of(&inside.parse().unwrap()).await, Failure::Refused);
        }
    }

    #[tokio::test]
    async fn a_redirect_to_another_scheme_is_refused() {
        let url = outside_server(redirect_to("file:///etc/passwd")).await;
        assert_eq!(failure_of(&url).await, Failure::Scheme("file".into()));
    }

    #[tokio::test]
    async fn redirects_are_counted() {
        let url = outside_server(redirect_to("/again")).await;
        assert_eq!(failure_of(&url).await, Failure::TooManyRedirects(3));
    }

    #[tokio::test]
    async fn a_closed_port_is_told_from_a_refused_address() {
        let listener = TcpListener::bind((OUTSIDE, 0)).await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        drop(listener);
        assert_eq!(
            failure_of(&url.parse().unwrap()).await,
            Failure::NotConnected
        );
    }
}
