//! Which network addresses may be connected to, checked at the moment of connecting.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// A host whose every address is refused.
#[derive(Debug, thiserror::Error)]
#[error("{host} has no public address")]
pub(super) struct RefusedAddress {
    /// The host as the URL spells it.
    pub(super) host: String,
}

/// Says which addresses may be connected to.
pub type AddressRule = fn(IpAddr) -> bool;

/// The rule that refuses nothing, for development on one machine.
pub fn any_address(_address: IpAddr) -> bool {
    true
}

/// Whether an address belongs to the public internet: not to this machine, a local network, a
/// cloud's metadata service or a range that is reserved for other uses.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let this_network = a == 0;
    let shared = a == 100 && (64..128).contains(&b);
    let protocol_assignments = a == 192 && b == 0 && c == 0;
    let six_to_four_relay = a == 192 && b == 88 && c == 99;
    let benchmark = a == 198 && (18..20).contains(&b);
    let reserved = a >= 240;
    !(this_network
        || shared
        || protocol_assignments
        || six_to_four_relay
        || benchmark
        || reserved
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let embedded = |high: u16, low: u16| {
        let [o1, o2] = high.to_be_bytes();
        let [o3, o4] = low.to_be_bytes();
        is_public_v4(Ipv4Addr::new(o1, o2, o3, o4))
    };
    match (a, b, c, d, e, f) {
        // IPv4-mapped, and the well-known NAT64 prefix: judged by the address inside.
        (0, 0, 0, 0, 0, 0xffff) | (0x64, 0xff9b, 0, 0, 0, 0) => embedded(g, h),
        // Unspecified, loopback and the deprecated IPv4-compatible forms; IPv4-translated.
        (0, 0, 0, 0, _, _) => false,
        // Local-use NAT64 (64:ff9b:1::/48).
        (0x64, 0xff9b, 1, ..) => false,
        // 6to4 carries an IPv4 address in its prefix.
        (0x2002, high, low, ..) => embedded(high, low),
        // Discard-only, and the protocol assignments with Teredo, ORCHID and benchmarking.
        (0x100, 0, 0, 0, ..) => false,
        (0x2001, low, ..) if low < 0x200 => false,
        // Documentation.
        (0x2001, 0xdb8, ..) | (0x3fff, 0..=0x0fff, ..) => false,
        // Global unicast is 2000::/3; unique local, link-local, site-local, multicast lie outside.
        _ => a & 0xe000 == 0x2000,
    }
}

/// Refuses a URL whose host is written as an address that is not allowed. Names are checked by
/// [`GuardedResolver`] when they are resolved.
pub(super) fn check_literal_host(url: &Url, allows: AddressRule) -> Result<(), RefusedAddress> {
    let address = match url.host() {
        Some(Host::Ipv4(v4)) => IpAddr::V4(v4),
        Some(Host::Ipv6(v6)) => IpAddr::V6(v6),
        _ => return Ok(()),
    };
    if allows(address) {
        Ok(())
    } else {
        Err(RefusedAddress {
            host: address.to_string(),
        })
    }
}

/// Resolves names and hands out allowed addresses only, so that what was checked is what is
/// connected to.
pub(super) struct GuardedResolver {
    pub(super) allows: AddressRule,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let allows = self.allows;
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found = tokio::net::lookup_host((host.as_str(), 0)).await?;
            let usable: Vec<SocketAddr> = found.filter(|address| allows(address.ip())).collect();
            if usable.is_empty() {
                return Err(RefusedAddress { host }.into());
            }
            let addresses: Addrs = Box::new(usable.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::*;

    #[test]
    fn private_and_special_ranges_are_refused() {
        for refused in [
            "127.0.0.1",
            "127.255.0.9",
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "100.127.255.255",
            "169.254.169.254",
            "192.0.0.8",
            "192.0.2.1",
            "198.51.100.7",
            "203.0.113.9",
            "198.18.0.1",
            "198.19.255.255",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
            "2001:2::1",
            "2001::1",
            "3fff:1::1",
            "100::1",
            "2002:7f00:1::1",
        ] {
            assert!(
                !is_public(refused.parse().unwrap()),
                "{refused} was let through"
            );
        }
    }

    #[test]
    fn public_addresses_pass_right_up_to_the_edges_of_the_refused_ranges() {
        for public in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public} was refused");
        }
    }

    #[test]
    fn every_spelling_of_a_literal_address_is_seen() {
        for url in [
            "http://127.0.0.1/a",
            "http://2130706433/a",
            "http://0x7f.1/a",
            "http://017700000001/a",
            "http://127.1/a",
            "http://[::1]/a",
            "http://[::ffff:7f00:1]/a",
        ] {
            let url = Url::parse(url).unwrap();
            assert!(
                check_literal_host(&url, is_public).is_err(),
                "{url} was let through"
            );
            assert!(check_literal_host(&url, |_| true).is_ok());
        }
        assert!(check_literal_host(&Url::parse("https://1.1.1.1/a").unwrap(), is_public).is_ok());
    }

    #[tokio::test]
    async fn a_name_that_resolves_to_this_machine_is_refused() {
        let resolve =
            |allows: AddressRule| GuardedResolver { allows }.resolve("localhost".parse().unwrap());
        assert!(resolve(|_| true).await.is_ok());
        let error = resolve(is_public).await.err().unwrap();
        assert_eq!(error.to_string(), "localhost has no public address");
    }
}
