//! What a controller asks of its callers.

use std::net::SocketAddr;

use super::{Error, Tls, Tokens};

/// What callers have to show; by default nothing, which is for loopback alone.
#[derive(Clone, Debug, Default)]
pub struct ServerAccess {
    /// One of these has to come with every call.
    pub tokens: Option<Tokens>,
    /// Both sides show certificates.
    pub tls: Option<Tls>,
}

impl ServerAccess {
    /// Refuses an address where strangers could call and nothing would keep them out.
    ///
    /// # Errors
    /// [`Error::OpenListener`], which says what to set.
    pub fn check(&self, listens_on: SocketAddr) -> Result<(), Error> {
        let is_open = self.tokens.is_none() && self.tls.is_none();
        if is_open && !listens_on.ip().to_canonical().is_loopback() {
            return Err(Error::OpenListener(listens_on));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_anything_only_loopback_is_listened_on() {
        let refused = |address: &str| {
            let checked = ServerAccess::default().check(address.parse().expect("an address"));
            checked.err().map(|error| error.to_string())
        };
        for inside in [
            "127.0.0.1:7070",
            "127.9.9.9:1",
            "[::1]:7070",
            "[::ffff:127.0.0.1]:1",
        ] {
            assert_eq!(refused(inside), None, "{inside}");
        }
        for outside in [
            "0.0.0.0:7070",
            "[::]:7070",
            "10.0.0.5:7070",
            "[::ffff:10.0.0.5]:1",
        ] {
            let message = refused(outside).expect("refused");
            for part in [
                "KINORA_FARM_TOKEN_FILE",
                "KINORA_TLS_CERT",
                "openssl rand -hex 32",
            ] {
                assert!(message.contains(part), "{message}");
            }
        }
        let guarded = ServerAccess {
            tokens: Some(Tokens::from_text("0123456789abcdef").expect("a token")),
            tls: None,
        };
        let anywhere = "0.0.0.0:7070".parse().expect("an address");
        assert!(guarded.check(anywhere).is_ok());
    }
}
