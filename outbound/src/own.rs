//! Addresses of files in our own object store, which need no fetching.

use object_store::path::Path as Key;
use url::Url;

/// The parts of the store that a media URL may name. Everything else there is none of a caller's
/// business, and the rest of our own host is an address like any other.
const SHARED: [&str; 2] = ["uploads/", "templates/"];

/// Where an object of the store is known to the world; `public_url` has no final slash.
pub fn file_url(public_url: &str, object_key: &str) -> String {
    format!("{public_url}/files/{object_key}")
}

/// The object that a media URL names, if it is one of ours: what was uploaded, and the artwork of
/// templates. Parsing a URL has resolved its `..`, and a key can't hold any, however they are
/// written.
pub fn own_object(source: &Url, public_url: &str) -> Option<Key> {
    let files = Url::parse(&file_url(public_url.trim_end_matches('/'), "")).ok()?;
    if source.origin() != files.origin() {
        return None;
    }
    let key = Key::from_url_path(source.path().strip_prefix(files.path())?).ok()?;
    let is_shared = SHARED.iter().any(|part| key.as_ref().starts_with(part));
    is_shared.then_some(key)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

    use super::*;

    fn key(public_url: &str, url: &str) -> Option<String> {
        own_object(&url.parse().unwrap(), public_url).map(|key| key.to_string())
    }

    #[test]
    fn uploads_and_template_artwork_are_ours_in_every_spelling() {
        for (public_url, url, expected) in [
            (
                "http://a.test",
                "http://a.test/files/uploads/u1/b.png",
                "uploads/u1/b.png",
            ),
            (
                "http://a.test/",
                "HTTP://A.test:80/files/uploads/b.png?v=2#x",
                "uploads/b.png",
            ),
            (
                "https://a.test",
                "https://a.test/files/templates/t/c.mp4",
                "templates/t/c.mp4",
            ),
            (
                "http://[::1]:80/k",
                "http://[::1]/k/files/uploads/b.png",
                "uploads/b.png",
            ),
            (
                "http://a.test",
                "http://a.test/files/uploads/a%20b%c3%a9.png",
                "uploads/a bé.png",
            ),
            (
                "http://a.test",
                "http://a.test/x/../files/uploads/b.png",
                "uploads/b.png",
            ),
        ] {
            assert_eq!(key(public_url, url).as_deref(), Some(expected), "{url}");
        }
    }

    #[test]
    fn other_hosts_and_other_paths_of_our_own_are_not() {
        for url in [
            "http://b.test/files/uploads/b.png",
            "http://a.test.b.test/files/uploads/b.png",
            "https://a.test/files/uploads/b.png",
            "http://a.test:81/files/uploads/b.png",
            "http://b.test/http://a.test/files/uploads/b.png",
            "http://a.test/files/renders/j/final.mp4",
            "http://a.test/files/uploadsx/b.png",
            "http://a.test/files/uploads/",
            "http://a.test/files/uploads",
            "http://a.test/files/uploads/../renders/j.mp4",
            "http://a.test/files/uploads/%2e%2e/renders/j.mp4",
            "http://a.test/files/uploads/x%2f..%2f..%2frenders/j.mp4",
            "http://a.test/files/uploads//b.png",
            "http://a.test/files/uploads/%ff.png",
            "http://a.test/uploads/b.png",
            "http://a.test/api/v1/account",
        ] {
            assert_eq!(key("http://a.test", url), None, "{url}");
        }
    }

    #[test]
    fn without_a_public_url_nothing_is_ours() {
        assert_eq!(key("", "http://a.test/files/uploads/a"), None);
    }
}
