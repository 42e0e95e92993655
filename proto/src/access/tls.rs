//! Certificates that both sides show each other.

use std::fmt;
use std::time::Duration;

use tonic::transport::{Certificate, ClientTlsConfig, Identity, ServerTlsConfig};
use url::Host;

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// A role's certificate and key, and the authority that has signed those of the others; all in PEM.
#[derive(Clone)]
pub struct Tls {
    identity: Identity,
    authority: Certificate,
}

impl Tls {
    /// From the contents of three PEM files.
    pub fn new(
        certificate: impl AsRef<[u8]>,
        key: impl AsRef<[u8]>,
        authority: impl AsRef<[u8]>,
    ) -> Self {
        Self {
            identity: Identity::from_pem(certificate, key),
            authority: Certificate::from_pem(authority),
        }
    }

    /// For a controller: callers have to show a certificate.
    pub fn server(&self) -> ServerTlsConfig {
        ServerTlsConfig::new()
            .identity(self.identity.clone())
            .client_ca_root(self.authority.clone())
            .timeout(HANDSHAKE)
    }

    /// For a caller: the controller's certificate has to be for this name or address.
    pub(super) fn client(&self, controller: &Host<&str>) -> ClientTlsConfig {
        let name = match controller {
            Host::Domain(name) => (*name).to_owned(),
            Host::Ipv4(address) => address.to_string(),
            // In a URL it would stand in brackets.
            Host::Ipv6(address) => address.to_string(),
        };
        ClientTlsConfig::new()
            .domain_name(name)
            .identity(self.identity.clone())
            .ca_certificate(self.authority.clone())
            .timeout(HANDSHAKE)
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Tls")
    }
}
