//! Requests to a cloud's object store that nodes send without credentials, and objects that come in parts.

use std::fmt::{self, Debug};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures::FutureExt;
use futures::future::BoxFuture;
use kinora_controller::{ObjectSigner, Signed, Wish};
use object_store::Result;
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path;
use object_store::signer::{HeaderName, HeaderValue, Method, SignedUrlOptions, Signer, Url};

use crate::unfinished;

/// How a cloud wants requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// S3, and Google's interface for its users: parts and types are signed.
    S3,
    /// A signature is for an object, whatever is done with it; parts are blocks that we name.
    Azure,
}

/// Signs for a bucket or container, below a prefix.
pub(crate) struct CloudSigner<S> {
    store: S,
    prefix: Path,
    dialect: Dialect,
}

impl<S: Signer + MultipartStore> CloudSigner<S> {
    pub(crate) fn new(store: S, prefix: Path, dialect: Dialect) -> Self {
        Self {
            store,
            prefix,
            dialect,
        }
    }

    fn whole(&self, key: &Path) -> Path {
        self.prefix.parts().chain(key.parts()).collect()
    }

    async fn signed(&self, key: &Path, wish: Wish<'_>, lifetime: Duration) -> Result<Signed> {
        let method = match wish {
            Wish::Read => Method::GET,
            Wish::Head => Method::HEAD,
            Wish::Write(_) | Wish::Part(..) => Method::PUT,
        };
        let mut options = SignedUrlOptions::new();
        let (mut headers, mut block) = (Vec::new(), None);
        match (wish, self.dialect) {
            (Wish::Read | Wish::Head, _) => {}
            (Wish::Write(content_type), Dialect::S3) => {
                if let Some(content_type) = content_type {
                    let value = HeaderValue::try_from(content_type).map_err(odd)?;
                    let name = HeaderName::from_static("content-type");
                    options = options.with_signed_header(name, value);
                    headers.push(("content-type", content_type));
                }
            }
            (Wish::Write(content_type), Dialect::Azure) => {
                headers.push(("x-ms-blob-type", "BlockBlob"));
                headers.extend(content_type.map(|it| ("x-ms-blob-content-type", it)));
            }
            (Wish::Part(store_id, index), Dialect::S3) => {
                let number = (u64::from(index) + 1).to_string();
                let query = [("partNumber", number), ("uploadId", store_id.to_owned())];
                options = options.with_query(query);
            }
            // A part that is sent again takes the place of the one before.
            (Wish::Part(_, index), Dialect::Azure) => block = Some(format!("{index:032x}")),
        }
        let key = self.whole(key);
        let signing = self.store.signed_url_opts(method, &key, lifetime, &options);
        let mut url: Url = signing.await?;
        if let Some(block) = &block {
            let mut query = url.query_pairs_mut();
            query.append_pair("comp", "block");
            query.append_pair("blockid", &BASE64_STANDARD.encode(block));
        }
        let headers = headers.into_iter();
        Ok(Signed {
            url: url.into(),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            part_id: block,
        })
    }
}

impl<S: Signer + MultipartStore> ObjectSigner for CloudSigner<S> {
    fn sign<'a>(
        &'a self,
        key: &'a Path,
        wish: Wish<'a>,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<Signed>> {
        self.signed(key, wish, lifetime).boxed()
    }

    fn begin<'a>(&'a self, key: &'a Path) -> BoxFuture<'a, Result<String>> {
        async { self.store.create_multipart(&self.whole(key)).await }.boxed()
    }

    fn complete<'a>(
        &'a self,
        key: &'a Path,
        store_id: &'a str,
        part_ids: Vec<String>,
    ) -> BoxFuture<'a, Result<()>> {
        async move {
            let parts = part_ids.into_iter();
            let parts = parts.map(|content_id| PartId { content_id }).collect();
            let (key, id) = (self.whole(key), store_id.to_owned());
            self.store.complete_multipart(&key, &id, parts).await?;
            Ok(())
        }
        .boxed()
    }

    fn abort<'a>(&'a self, key: &'a Path, store_id: &'a str) -> BoxFuture<'a, Result<()>> {
        async move {
            let (key, id) = (self.whole(key), store_id.to_owned());
            self.store.abort_multipart(&key, &id).await
        }
        .boxed()
    }

    fn unfinished<'a>(&'a self, key: &'a Path) -> BoxFuture<'a, Result<Vec<String>>> {
        async move {
            match self.dialect {
                Dialect::S3 => unfinished::of(&self.store, &self.whole(key)).await,
                // Blocks that nobody put together are dropped by the store itself.
                Dialect::Azure => Ok(Vec::new()),
            }
        }
        .boxed()
    }
}

impl<S> Debug for CloudSigner<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CloudSigner({:?})", self.dialect)
    }
}

fn odd(error: impl std::error::Error + Send + Sync + 'static) -> object_store::Error {
    object_store::Error::Generic {
        store: "signing",
        source: Box::new(error),
    }
}

#[cfg(test)]
mod tests {
    use object_store::aws::AmazonS3Builder;
    use object_store::azure::MicrosoftAzureBuilder;

    use super::*;

    const LIFETIME: Duration = Duration::from_secs(300);

    async fn signed(signer: &dyn ObjectSigner, wish: Wish<'_>) -> (Url, Signed) {
        let key = Path::from("jobs/job_1/chunks/a b.mp4");
        let signed = signer.sign(&key, wish, LIFETIME).await.expect("signed");
        (signed.url.parse().expect("a URL"), signed)
    }

    fn parameter(url: &Url, name: &str) -> Option<String> {
        let found = url.query_pairs().find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned())
    }

    fn s3() -> CloudSigner<object_store::aws::AmazonS3> {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let bucket = AmazonS3Builder::new()
            .with_bucket_name("films")
            .with_region("eu-central-1")
            .with_access_key_id("id")
            .with_secret_access_key("secret")
            .build()
            .expect("a bucket");
        CloudSigner::new(bucket, Path::from("farm"), Dialect::S3)
    }

    #[tokio::test]
    async fn on_s3_a_signature_is_for_one_object_type_and_part() {
        let signer = s3();
        let (url, write) = signed(&signer, Wish::Write(Some("image/png"))).await;
        assert_eq!(url.path(), "/films/farm/jobs/job_1/chunks/a%20b.mp4");
        assert_eq!(parameter(&url, "X-Amz-Expires").as_deref(), Some("300"));
        let bound = parameter(&url, "X-Amz-SignedHeaders");
        assert_eq!(bound.as_deref(), Some("content-type;host"));
        let sent = [("content-type".to_owned(), "image/png".to_owned())];
        assert_eq!(write.headers, sent);

        let (url, part) = signed(&signer, Wish::Part("its-id", 0)).await;
        assert_eq!(parameter(&url, "partNumber").as_deref(), Some("1"));
        assert_eq!(parameter(&url, "uploadId").as_deref(), Some("its-id"));
        assert_eq!((part.part_id, part.headers), (None, Vec::new()));

        let (read, _) = signed(&signer, Wish::Read).await;
        let (head, _) = signed(&signer, Wish::Head).await;
        let signature = |url| parameter(url, "X-Amz-Signature").expect("a signature");
        assert_ne!(signature(&read), signature(&head), "one for each method");
    }

    #[tokio::test]
    async fn on_azure_parts_are_blocks_that_are_named_before_they_are_sent() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let container = MicrosoftAzureBuilder::new()
            .with_account("films")
            .with_access_key(BASE64_STANDARD.encode("secret"))
            .with_container_name("farm")
            .build()
            .expect("a container");
        let signer = CloudSigner::new(container, Path::default(), Dialect::Azure);
        let (url, part) = signed(&signer, Wish::Part("", 11)).await;
        let name = part.part_id.expect("a name");
        assert_eq!(name, format!("{:032x}", 11));
        assert_eq!(parameter(&url, "comp").as_deref(), Some("block"));
        let block = parameter(&url, "blockid").expect("a block");
        assert_eq!(block, BASE64_STANDARD.encode(name));
        let (_, write) = signed(&signer, Wish::Write(Some("image/png"))).await;
        let kind = ("x-ms-blob-type".to_owned(), "BlockBlob".to_owned());
        assert!(write.headers.contains(&kind), "{:?}", write.headers);
    }
}
