//! Upload URLs that S3 itself accepts: presigned for one PUT of one type, and of one length where it
//! was announced.
//!
//! The store's own signer knows the address and the region of a bucket, but binds no length. So it
//! is asked for the address, and the signature is made here.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, anyhow};
use futures::FutureExt;
use futures::future::BoxFuture;
use hmac::{Hmac, KeyInit, Mac};
use kinora_controller::{SignedPut, UploadSigner};
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::signer::{Method, Signer};
use sha2::{Digest, Sha256};
use url::{Position, Url};

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// Signs uploads into a bucket, below a prefix.
#[derive(Debug)]
pub(crate) struct S3Signer {
    bucket: AmazonS3,
    prefix: Path,
}

impl S3Signer {
    pub(crate) fn new(bucket: AmazonS3, prefix: Path) -> Self {
        Self { bucket, prefix }
    }

    async fn signed(&self, upload: SignedPut<'_>) -> anyhow::Result<String> {
        let key: Path = self
            .prefix
            .parts()
            .chain(&Path::from(upload.object_key))
            .collect();
        let template = self
            .bucket
            .signed_url(Method::PUT, &key, upload.lifetime)
            .await?;
        let credential = self.bucket.credentials().get_credential().await?;
        let mut headers = vec![("content-type", upload.content_type.to_owned())];
        if let Some(length) = upload.content_length {
            headers.push(("content-length", length.to_string()));
        }
        let request = Request {
            method: "PUT",
            key_id: &credential.key_id,
            secret_key: &credential.secret_key,
            token: credential.token.as_deref(),
            date: &parameter(&template, "X-Amz-Date")?,
            region: &region(&parameter(&template, "X-Amz-Credential")?)?,
            lifetime: upload.lifetime,
            headers,
        };
        Ok(request.presign(template).into())
    }
}

impl UploadSigner for S3Signer {
    fn sign<'a>(&'a self, upload: SignedPut<'a>) -> BoxFuture<'a, Result<String, String>> {
        let signed = self.signed(upload);
        signed
            .map(|signed| signed.map_err(|error| format!("{error:#}")))
            .boxed()
    }
}

fn parameter(url: &Url, name: &str) -> anyhow::Result<String> {
    let found = url.query_pairs().find(|(key, _)| key == name);
    let found = found.map(|(_, value)| value.into_owned());
    found.with_context(|| format!("the store's signed URL has no {name}"))
}

/// The region in a credential: key/date/region/service/aws4_request.
fn region(credential: &str) -> anyhow::Result<String> {
    let region = credential.rsplit('/').nth(2);
    let region = region.ok_or_else(|| anyhow!("the store's signed URL has an odd credential"))?;
    Ok(region.to_owned())
}

/// A request that somebody else will send, as Signature Version 4 sees it.
struct Request<'a> {
    method: &'a str,
    key_id: &'a str,
    secret_key: &'a str,
    token: Option<&'a str>,
    /// As in 20130524T000000Z.
    date: &'a str,
    region: &'a str,
    lifetime: Duration,
    /// Headers beside Host that have to be sent, names in lower case.
    headers: Vec<(&'static str, String)>,
}

impl Request<'_> {
    /// The URL with a signature in its query; one that it had is replaced.
    fn presign(&self, mut url: Url) -> Url {
        let day = self.date.split('T').next().unwrap_or_default();
        let scope = format!("{day}/{}/s3/aws4_request", self.region);
        let mut headers = self.headers.clone();
        headers.push((
            "host",
            url[Position::BeforeHost..Position::AfterPort].to_owned(),
        ));
        headers.sort();
        let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
        let names = names.join(";");

        let query = self.query(&url, &scope, &names);
        let mut canonical = format!("{}\n{}\n{query}\n", self.method, url.path());
        for (name, value) in &headers {
            let words: Vec<&str> = value.split_whitespace().collect();
            // Writing to a string can't fail.
            let _ = writeln!(canonical, "{name}:{}", words.join(" "));
        }
        let _ = write!(canonical, "\n{names}\nUNSIGNED-PAYLOAD");
        let to_sign = format!(
            "{ALGORITHM}\n{}\n{scope}\n{}",
            self.date,
            hex(&Sha256::digest(canonical))
        );
        let signature = hex(&hmac(&self.signing_key(day), to_sign.as_bytes()));
        url.set_query(Some(&format!("{query}&X-Amz-Signature={signature}")));
        url
    }

    /// Everything in the query but the signature, encoded and in order.
    fn query(&self, url: &Url, scope: &str, signed_headers: &str) -> String {
        let is_ours = |name: &str| !name.starts_with("X-Amz-");
        let mut pairs: Vec<(String, String)> = url
            .query_pairs()
            .filter(|(name, _)| is_ours(name))
            .map(|(name, value)| (encode(&name), encode(&value)))
            .collect();
        let credential = format!("{}/{scope}", self.key_id);
        let lifetime = self.lifetime.as_secs().to_string();
        let of_signature = [
            ("X-Amz-Algorithm", Some(ALGORITHM)),
            ("X-Amz-Credential", Some(credential.as_str())),
            ("X-Amz-Date", Some(self.date)),
            ("X-Amz-Expires", Some(lifetime.as_str())),
            ("X-Amz-Security-Token", self.token),
            ("X-Amz-SignedHeaders", Some(signed_headers)),
        ];
        let of_signature = of_signature.into_iter();
        pairs.extend(
            of_signature.filter_map(|(name, value)| Some((name.to_owned(), encode(value?)))),
        );
        pairs.sort();
        let pairs: Vec<String> = pairs
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        pairs.join("&")
    }

    fn signing_key(&self, day: &str) -> [u8; 32] {
        let secret = format!("AWS4{}", self.secret_key);
        [day, self.region, "s3", "aws4_request"]
            .iter()
            .fold(None, |key: Option<[u8; 32]>, part| {
                let key = key.as_ref().map_or(secret.as_bytes(), |key| key.as_slice());
                Some(hmac(key, part.as_bytes()))
            })
            .unwrap_or_default()
    }
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.chain_update(message).finalize().into_bytes().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Percent-encodes everything but letters, digits and `-._~`, as signatures want it.
fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use object_store::aws::AmazonS3Builder;

    use super::*;

    const KEY_ID: &str = "AKIAIOSFODNN7EXAMPLE";
    const SECRET_KEY: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

    #[test]
    fn a_signature_is_the_one_of_the_published_example() {
        let request = Request {
            method: "GET",
            key_id: KEY_ID,
            secret_key: SECRET_KEY,
            token: None,
            date: "20130524T000000Z",
            region: "us-east-1",
            lifetime: Duration::from_secs(86400),
            headers: Vec::new(),
        };
        let url = "https://examplebucket.s3.amazonaws.com/test.txt";
        let signed = request.presign(Url::parse(url).expect("a URL"));
        assert_eq!(
            signed.as_str(),
            "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
             &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
             &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
             &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        );
    }

    fn signer() -> S3Signer {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let bucket = AmazonS3Builder::new()
            .with_bucket_name("films")
            .with_region("eu-central-1")
            .with_access_key_id(KEY_ID)
            .with_secret_access_key(SECRET_KEY)
            .with_token("a/session+token")
            .build()
            .expect("a bucket");
        S3Signer::new(bucket, Path::from("farm"))
    }

    async fn signed(content_type: &str, content_length: Option<u64>) -> Url {
        let upload = SignedPut {
            object_key: "uploads/upl_1/a.mp4",
            content_type,
            content_length,
            lifetime: Duration::from_secs(3600),
        };
        let url = signer().sign(upload).await.expect("signed");
        Url::parse(&url).expect("a URL")
    }

    #[tokio::test]
    async fn an_upload_is_bound_to_its_place_type_and_length() {
        let url = signed("video/mp4", Some(1234)).await;
        let base = "https://s3.eu-central-1.amazonaws.com/films/farm/uploads/upl_1/a.mp4";
        assert_eq!(&url[..Position::AfterPath], base);
        let of = |name| parameter(&url, name).expect("a parameter");
        assert_eq!(
            of("X-Amz-SignedHeaders"),
            "content-length;content-type;host"
        );
        assert_eq!(of("X-Amz-Expires"), "3600");
        assert_eq!(of("X-Amz-Security-Token"), "a/session+token");
        assert!(of("X-Amz-Credential").ends_with("/eu-central-1/s3/aws4_request"));
        let unbound = signed("video/mp4", None).await;
        let names = parameter(&unbound, "X-Amz-SignedHeaders").expect("a parameter");
        assert_eq!(names, "content-type;host");
    }

    #[test]
    fn another_type_or_length_is_another_signature() {
        let signature = |headers: Vec<(&'static str, String)>| {
            let request = Request {
                method: "PUT",
                key_id: KEY_ID,
                secret_key: SECRET_KEY,
                token: None,
                date: "20130524T000000Z",
                region: "us-east-1",
                lifetime: Duration::from_secs(60),
                headers,
            };
            let url = Url::parse("https://example.com/a.png").expect("a URL");
            parameter(&request.presign(url), "X-Amz-Signature").expect("signed")
        };
        let header = |value: &str| vec![("content-type", value.to_owned())];
        let png = signature(header("image/png"));
        assert_ne!(png, signature(header("image/jpeg")));
        assert_ne!(png, signature(Vec::new()));
        assert_eq!(
            png,
            signature(header("  image/png ")),
            "blanks around it mean nothing"
        );
        let mut sized = header("image/png");
        sized.push(("content-length", "7".into()));
        assert_ne!(png, signature(sized));
    }
}
