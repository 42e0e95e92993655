//! What gateways and nodes show a controller.

use std::net::IpAddr;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::{Interceptor, interceptor::InterceptedService};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use url::{Host, Url};

use super::{Error, Tls, Tokens};
use crate::trace;

/// A channel to a controller on which every call carries the token, where there is one, and names the span that it is made in.
pub type FarmChannel = InterceptedService<Channel, Bearer>;

/// What to show a controller; by default nothing, which is for loopback alone.
#[derive(Clone, Debug, Default)]
pub struct ClientAccess {
    /// The first of these goes with every call.
    pub tokens: Option<Tokens>,
    /// Both sides show certificates.
    pub tls: Option<Tls>,
}

impl ClientAccess {
    /// The controller at an address, to be connected to.
    ///
    /// # Errors
    /// When the address can't be one, does not go with the certificates, or is not loopback and there is nothing to show.
    pub fn endpoint(&self, url: &str) -> Result<Endpoint, Error> {
        let refused = || Error::ControllerUrl(url.to_owned());
        let parsed = Url::parse(url).map_err(|_| refused())?;
        let host = parsed.host().ok_or_else(refused)?;
        let endpoint = Endpoint::from_shared(url.to_owned()).map_err(|_| refused())?;
        if self.tls.is_none() && self.tokens.is_none() && !is_loopback(&host) {
            return Err(Error::OpenController(url.to_owned()));
        }
        match (parsed.scheme(), &self.tls) {
            ("http", None) => Ok(endpoint),
            ("https", Some(tls)) => endpoint
                .tls_config(tls.client(&host))
                .map_err(|error| Error::Certificates(chain(&error))),
            ("http", Some(_)) => Err(Error::CertificatesWithoutTls(url.to_owned())),
            ("https", None) => Err(Error::TlsWithoutCertificates(url.to_owned())),
            _ => Err(refused()),
        }
    }

    /// A channel whose calls carry the token.
    pub fn channel(&self, channel: Channel) -> FarmChannel {
        InterceptedService::new(channel, Bearer(self.tokens.clone()))
    }
}

/// Puts the token and the name of the span on a call.
#[derive(Clone, Debug)]
pub struct Bearer(Option<Tokens>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(tokens) = &self.0 {
            let value = format!("Bearer {}", tokens.first());
            let mut value: MetadataValue<Ascii> = value
                .parse()
                .map_err(|_| Status::internal("the farm token can't be sent"))?;
            value.set_sensitive(true);
            request.metadata_mut().insert("authorization", value);
        }
        trace::carry(request)
    }
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => name.eq_ignore_ascii_case("localhost"),
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => IpAddr::V6(*address).to_canonical().is_loopback(),
    }
}

/// An error with everything under it: the outermost of a transport says next to nothing.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(access: &ClientAccess, url: &str) -> Option<Error> {
        access.endpoint(url).err()
    }

    #[test]
    fn without_anything_only_loopback_is_called() {
        let open = ClientAccess::default();
        for inside in [
            "http://127.0.0.1:7070",
            "http://localhost:7070/",
            "http://[::1]:7070",
        ] {
            assert!(refusal(&open, inside).is_none(), "{inside}");
        }
        for outside in [
            "http://10.0.0.5:7070",
            "http://controller:7070",
            "http://localhost.example:1",
        ] {
            let error = refusal(&open, outside).expect("refused");
            assert!(matches!(error, Error::OpenController(_)), "{error}");
            assert!(
                error.to_string().contains("openssl rand -hex 32"),
                "{error}"
            );
        }
        for nonsense in ["127.0.0.1:7070", "", "ftp://127.0.0.1", "http://"] {
            let error = refusal(&open, nonsense).expect("refused");
            assert!(
                matches!(error, Error::ControllerUrl(_)),
                "{nonsense}: {error}"
            );
        }
        let error = refusal(&open, "https://127.0.0.1:7070").expect("refused");
        assert!(matches!(error, Error::TlsWithoutCertificates(_)), "{error}");
    }

    #[test]
    fn a_token_goes_with_every_call_to_anywhere() {
        let tokens = Tokens::from_text("0123456789abcdef,fedcba9876543210").expect("tokens");
        let access = ClientAccess {
            tokens: Some(tokens.clone()),
            tls: None,
        };
        assert!(refusal(&access, "http://10.0.0.5:7070").is_none());
        let request = Bearer(Some(tokens)).call(Request::new(())).expect("sent");
        let sent = request.metadata().get("authorization").expect("a token");
        assert_eq!(sent.to_str().ok(), Some("Bearer 0123456789abcdef"));
        assert!(sent.is_sensitive(), "it is not logged");
        let request = Bearer(None).call(Request::new(())).expect("sent");
        assert!(request.metadata().get("authorization").is_none());
    }
}
