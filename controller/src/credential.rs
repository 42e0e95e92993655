//! API keys and passwords: how they are made, and what is kept of them.

use argon2::{Argon2, password_hash::PasswordHasher};
use sha2::{Digest, Sha256};

use crate::{Error, Result, ids::random_base62};

/// Every API key begins with this.
const KEY_PREFIX: &str = "rnd_";
/// Base-62 digits after the prefix: 238 bits.
const KEY_RANDOM_LENGTH: usize = 40;
/// How much of a key is kept readable, to tell keys apart in lists.
const SHOWN_LENGTH: usize = 12;

/// A fresh API key.
pub(crate) fn new_key() -> String {
    format!("{KEY_PREFIX}{}", random_base62(KEY_RANDOM_LENGTH))
}

/// The part of a key that may be shown.
pub(crate) fn shown_prefix(key: &str) -> String {
    key.chars().take(SHOWN_LENGTH).collect()
}

/// Whether a credential has the form of an API key at all.
pub(crate) fn looks_like_key(credential: &str) -> bool {
    credential.starts_with(KEY_PREFIX)
}

/// What is stored of a key, and looked up. Keys are long and random, so a plain hash is enough, and
/// an index lookup by hash tells a timing attacker nothing about the key.
pub(crate) fn hash(secret: impl AsRef<[u8]>) -> String {
    Sha256::digest(secret.as_ref())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// An argon2id hash with its own salt, in PHC form.
pub(crate) fn hash_password(password: &str) -> Result<String> {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| Error::Invalid(format!("this password can't be used: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_long_and_differ_and_show_little() {
        let (one, other) = (new_key(), new_key());
        assert_ne!(one, other);
        assert!(looks_like_key(&one));
        assert!(one.len() >= 4 + 32, "{one}");
        assert!(shown_prefix(&one).len() < one.len() / 2);
    }

    #[test]
    fn a_hash_is_sha256_in_hexadecimal() {
        assert_eq!(
            hash("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn passwords_are_argon2id_with_a_salt_of_their_own() {
        let hash = |password| hash_password(password).expect("hashable");
        assert!(hash("correct horse").starts_with("$argon2id$"));
        assert_ne!(hash("correct horse"), hash("correct horse"));
    }
}
