//! The one secret of a farm: what it encrypts at rest, and what it signs.
//!
//! Every use has a key of its own, derived from the farm's, so that what one use reveals is worth
//! nothing to another.

use std::fmt;

use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead, KeyInit as _, Payload},
};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::{Error, Result};

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// What we write, and one of the forms that operators may write keys in.
const STANDARD: GeneralPurpose = base64_of(&alphabet::STANDARD);
const URL_SAFE: GeneralPurpose = base64_of(&alphabet::URL_SAFE);

const fn base64_of(alphabet: &alphabet::Alphabet) -> GeneralPurpose {
    let padding =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(alphabet, padding)
}

/// What a derived key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Encrypts the secrets of webhook registrations.
    WebhookSecrets,
    /// Signs the callbacks that a single render asked for; nobody has a key to check them.
    OneOffCallbacks,
    /// Signs the addresses that uploads are sent to.
    UploadUrls,
}

impl Purpose {
    /// Written into the derivation: a change makes everything old unreadable.
    fn label(self) -> &'static [u8] {
        match self {
            Self::WebhookSecrets => b"webhook secrets",
            Self::OneOffCallbacks => b"one-off callbacks",
            Self::UploadUrls => b"upload urls",
        }
    }
}

/// The secret of a farm; every controller on one database has the same.
#[derive(Clone)]
pub struct SecretKey([u8; KEY_BYTES]);

impl SecretKey {
    /// A new key that nobody can guess.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// Reads a key: 32 bytes, as 64 hexadecimal digits or in base64.
    ///
    /// # Errors
    /// [`Error::Setup`] when the text is neither. The message does not repeat the text.
    pub fn from_text(text: &str) -> Result<Self> {
        let text = text.trim();
        let decoded = from_hex(text)
            .or_else(|| STANDARD.decode(text).ok())
            .or_else(|| URL_SAFE.decode(text).ok());
        let key = decoded.and_then(|bytes| <[u8; KEY_BYTES]>::try_from(bytes).ok());
        key.map(Self).ok_or_else(|| {
            let message = "the secret key has to be 32 bytes, written as 64 hexadecimal digits or in \
                           base64; `openssl rand -hex 32` makes one";
            Error::Setup(message.into())
        })
    }

    /// The key as [`Self::from_text`] reads it. This is the secret itself.
    pub fn to_text(&self) -> String {
        to_hex(&self.0)
    }

    /// Encrypts a text so that only the same purpose and the same `bound_to` read it again.
    pub(crate) fn encrypt(&self, purpose: Purpose, bound_to: &str, plain: &str) -> Result<String> {
        let nonce: [u8; NONCE_BYTES] = rand::random();
        let payload = Payload {
            msg: plain.as_bytes(),
            aad: bound_to.as_bytes(),
        };
        let sealed = self
            .cipher(purpose)
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| Error::Invalid("too long to be encrypted".into()))?;
        Ok(STANDARD.encode([&nonce, sealed.as_slice()].concat()))
    }

    /// Reads what [`Self::encrypt`] wrote.
    pub(crate) fn decrypt(&self, purpose: Purpose, bound_to: &str, sealed: &str) -> Result<String> {
        self.open(purpose, bound_to, sealed).ok_or_else(|| {
            Error::Corrupt("an encrypted value that this farm's secret key does not open".into())
        })
    }

    fn open(&self, purpose: Purpose, bound_to: &str, sealed: &str) -> Option<String> {
        let sealed = STANDARD.decode(sealed).ok()?;
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload {
            msg: sealed,
            aad: bound_to.as_bytes(),
        };
        let plain = self
            .cipher(purpose)
            .decrypt(&XNonce::from(*nonce), payload)
            .ok()?;
        String::from_utf8(plain).ok()
    }

    /// A signature that only this farm can make, in hexadecimal.
    pub(crate) fn sign(&self, purpose: Purpose, message: &[u8]) -> String {
        hmac_hex(&self.derived(purpose), message)
    }

    /// Whether a signature is ours, in a time that tells nothing of how wrong it is.
    pub(crate) fn verify(&self, purpose: Purpose, message: &[u8], signature: &str) -> bool {
        let expected = self.sign(purpose, message);
        expected.as_bytes().ct_eq(signature.as_bytes()).into()
    }

    fn cipher(&self, purpose: Purpose) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.derived(purpose).into())
    }

    fn derived(&self, purpose: Purpose) -> [u8; KEY_BYTES] {
        hmac(&self.0, purpose.label())
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretKey(..)")
    }
}

/// HMAC-SHA256 of a message, in hexadecimal.
pub(crate) fn hmac_hex(key: &[u8], message: &[u8]) -> String {
    to_hex(&hmac(key, message))
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.chain_update(message).finalize().into_bytes().into()
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|value| value.try_into().ok()))
        .collect();
    let (pairs, rest) = digits.as_deref()?.as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    rest.is_empty().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "000102030405060708090a0b0c0d0e0fF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF";

    #[test]
    fn a_key_is_read_from_hexadecimal_and_from_every_base64() {
        let key = SecretKey::from_text(HEX).expect("hexadecimal");
        assert_eq!(key.to_text(), HEX.to_lowercase());
        let standard = STANDARD.encode(key.0);
        for text in [
            standard.clone(),
            format!("  {standard}\n"),
            standard.trim_end_matches('=').to_owned(),
            URL_SAFE.encode(key.0),
        ] {
            assert_eq!(SecretKey::from_text(&text).expect("base64").0, key.0);
        }
        assert!(standard.contains('/'), "the alphabets differ on it");
    }

    #[test]
    fn other_texts_are_refused_and_never_repeated() {
        for text in ["", "hunter2", &HEX[2..], &format!("{HEX}00"), "é"] {
            let error = SecretKey::from_text(text).expect_err("refused");
            let message = error.to_string();
            assert!(message.contains("openssl rand -hex 32"), "{message}");
            assert!(text.is_empty() || !message.contains(text), "{message}");
        }
    }

    #[test]
    fn what_is_encrypted_opens_only_with_the_same_key_purpose_and_owner() {
        let key = SecretKey::random();
        let purpose = Purpose::WebhookSecrets;
        let sealed = key.encrypt(purpose, "wh_1", "whsec_abc").expect("sealed");
        assert!(!sealed.contains("whsec_abc"));
        let opened = key.decrypt(purpose, "wh_1", &sealed).expect("opened");
        assert_eq!(opened, "whsec_abc");

        assert!(key.decrypt(purpose, "wh_2", &sealed).is_err());
        assert!(key.decrypt(Purpose::UploadUrls, "wh_1", &sealed).is_err());
        let other = SecretKey::random();
        assert!(other.decrypt(purpose, "wh_1", &sealed).is_err());
        for broken in ["", "????", &sealed[..8]] {
            assert!(key.decrypt(purpose, "wh_1", broken).is_err());
        }
    }

    #[test]
    fn the_same_text_never_looks_the_same_twice() {
        let key = SecretKey::random();
        let seal = || key.encrypt(Purpose::WebhookSecrets, "wh_1", "same");
        assert_ne!(seal().expect("sealed"), seal().expect("sealed"));
    }

    #[test]
    fn a_signature_holds_for_its_message_and_purpose_alone() {
        let key = SecretKey::random();
        let signature = key.sign(Purpose::UploadUrls, b"upl_1 1234");
        assert!(key.verify(Purpose::UploadUrls, b"upl_1 1234", &signature));
        assert!(!key.verify(Purpose::UploadUrls, b"upl_1 1235", &signature));
        assert!(!key.verify(Purpose::OneOffCallbacks, b"upl_1 1234", &signature));
        assert!(!key.verify(Purpose::UploadUrls, b"upl_1 1234", &signature[1..]));
        assert!(!SecretKey::random().verify(Purpose::UploadUrls, b"upl_1 1234", &signature));
    }

    #[test]
    fn hmac_is_the_published_one() {
        // RFC 4231, test case 2.
        assert_eq!(
            hmac_hex(b"Jefe", b"what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn a_key_is_not_shown_in_logs() {
        assert_eq!(format!("{:?}", SecretKey::random()), "SecretKey(..)");
    }
}
