//! Opens listening sockets, and says what to do when one can't be had.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::anyhow;
use tokio::net::TcpListener;

/// Listens on `address`, which `flag` can change.
pub(crate) async fn on(address: SocketAddr, flag: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::AddrInUse => format!(
                "another program uses it; stop that program or choose another port with {flag}"
            ),
            ErrorKind::PermissionDenied => {
                format!("ports below 1024 need more rights; choose a higher one with {flag}")
            }
            ErrorKind::AddrNotAvailable => {
                format!("this machine does not have that address; choose another with {flag}")
            }
            _ => error.to_string(),
        };
        anyhow!("can't listen on {address}: {advice}")
    })
}

/// The address under which this machine itself reaches a listener.
pub(crate) fn local_url(address: SocketAddr) -> String {
    url("http", address)
}

/// The same, with this scheme.
pub(crate) fn url(scheme: &str, mut address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    format!("{scheme}://{address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unspecified_address_is_reached_over_loopback() {
        let url = |text: &str| local_url(text.parse().expect("address"));
        assert_eq!(url("0.0.0.0:8080"), "http://127.0.0.1:8080");
        assert_eq!(url("[::]:8080"), "http://127.0.0.1:8080");
        assert_eq!(url("10.1.2.3:80"), "http://10.1.2.3:80");
        assert_eq!(url("[::1]:80"), "http://[::1]:80");
    }
}
