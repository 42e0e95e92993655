//! Who may speak gRPC: tokens that callers send, certificates that both sides show, and nothing at all on loopback.
//!
//! A controller is given a [`ServerAccess`], gateways and nodes a [`ClientAccess`]. Both refuse to leave loopback with neither tokens
//! nor certificates.

mod client;
mod server;
mod tls;
mod token;

pub use client::{Bearer, ClientAccess, FarmChannel};
pub use server::ServerAccess;
pub use tls::Tls;
pub use token::Tokens;

/// What a controller answers to a caller without a token of its own, for the caller's log.
pub const TOKEN_REFUSED: &str = "the farm token is missing or not one of the controller's; \
    set KINORA_FARM_TOKEN or KINORA_FARM_TOKEN_FILE to a token that the controller has";

/// Why a role must not or can't speak as it is set up. Each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A controller would listen where strangers may reach it.
    #[error("{0} is not loopback, and anybody who reaches it could use the farm; {REMEDY}")]
    OpenListener(std::net::SocketAddr),
    /// A controller would be spoken to where strangers may listen.
    #[error("the controller at {0:?} is not on loopback, and nothing proves who speaks; {REMEDY}")]
    OpenController(String),
    /// The controller's address can't be one.
    #[error(
        "{0:?} is not an address of a controller; it looks like http://127.0.0.1:7070, or https:// with certificates"
    )]
    ControllerUrl(String),
    /// There are certificates, and the address is one without TLS.
    #[error(
        "the controller's address {0:?} must begin with https://, because there are certificates; \
         without TLS leave KINORA_TLS_CERT, KINORA_TLS_KEY and KINORA_TLS_CA out"
    )]
    CertificatesWithoutTls(String),
    /// The address is one with TLS, and there are no certificates.
    #[error(
        "the controller's address {0:?} begins with https://, which takes certificates; \
         set KINORA_TLS_CERT, KINORA_TLS_KEY and KINORA_TLS_CA"
    )]
    TlsWithoutCertificates(String),
    /// The certificates can't be used.
    #[error("the certificates can't be used: {0}")]
    Certificates(String),
    /// A text holds no token, or one that can't be sent or guessed too easily.
    #[error("{0}; make one with: openssl rand -hex 32")]
    Token(String),
}

const REMEDY: &str = "set KINORA_FARM_TOKEN_FILE (or KINORA_FARM_TOKEN) to the same token on every role \
    (openssl rand -hex 32 makes one), or KINORA_TLS_CERT, KINORA_TLS_KEY and KINORA_TLS_CA to certificates";
