//! The list that S3, and Google's interface for its users, have of objects that were begun in parts and not ended.

use std::time::Duration;

use object_store::client::{HttpConnector, HttpRequest, HttpRequestBody, ReqwestConnector};
use object_store::path::Path;
use object_store::signer::{Method, SignedUrlOptions, Signer};
use object_store::{ClientOptions, Error, Result};

/// How long the question may be on its way.
const LIFETIME: Duration = Duration::from_secs(60);
/// What stores answer that don't have such a list, or not for everybody.
const DO_NOT_TELL: [u16; 4] = [400, 403, 405, 501];
/// What XML writes for characters of its own.
const ENTITIES: [(&str, &str); 5] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&amp;", "&"),
];

/// What the bucket calls those that were begun under exactly this key.
pub(crate) async fn of(bucket: &impl Signer, key: &Path) -> Result<Vec<String>> {
    let query = [("uploads", ""), ("prefix", key.as_ref())];
    let options = SignedUrlOptions::new().with_query(query);
    let whole = Path::default();
    let url = bucket
        .signed_url_opts(Method::GET, &whole, LIFETIME, &options)
        .await?;
    let mut request = HttpRequest::new(HttpRequestBody::empty());
    *request.uri_mut() = url.as_str().parse().map_err(|_| failed("a bad address"))?;
    let client =
        ReqwestConnector::default().connect(&ClientOptions::new().with_allow_http(true))?;
    // Never the error of the transport itself, which may show the signature.
    let answer = client.execute(request).await;
    let answer = answer.map_err(|error| failed(format!("{:?}", error.kind())))?;
    let status = answer.status();
    if DO_NOT_TELL.contains(&status.as_u16()) {
        tracing::warn!(%status, "the store does not list unfinished objects; a lifecycle rule has to drop them");
        return Ok(Vec::new());
    }
    if !status.is_success() {
        return Err(failed(format!("the store answered {}", status.as_u16())));
    }
    let body = answer.into_body().bytes().await;
    let body = body.map_err(|error| failed(format!("{:?}", error.kind())))?;
    Ok(listed(&String::from_utf8_lossy(&body), key.as_ref()))
}

fn listed(xml: &str, key: &str) -> Vec<String> {
    let uploads = xml.split("<Upload>").skip(1);
    uploads
        .filter(|upload| field(upload, "Key").is_some_and(|found| found == key))
        .filter_map(|upload| field(upload, "UploadId"))
        .collect()
}

fn field(upload: &str, name: &str) -> Option<String> {
    let (_, rest) = upload.split_once(&format!("<{name}>"))?;
    let (value, _) = rest.split_once(&format!("</{name}>"))?;
    let plain = |text: String, (entity, character): (&str, &str)| text.replace(entity, character);
    Some(ENTITIES.into_iter().fold(value.to_owned(), plain))
}

fn failed(reason: impl Into<String>) -> Error {
    let reason = format!("asking what is unfinished: {}", reason.into());
    Error::Generic {
        store: "signing",
        source: reason.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use axum::Router;
    use axum::extract::RawQuery;
    use axum::http::StatusCode;
    use axum::routing::get;
    use object_store::aws::AmazonS3Builder;
    use tokio::net::TcpListener;

    use super::*;

    const LIST: &str = "<?xml version=\"1.0\"?><ListMultipartUploadsResult><Bucket>films</Bucket><Prefix>farm/a&amp;b</Prefix>\
        <Upload><Key>farm/a&amp;b</Key><UploadId>one==</UploadId><Initiator><ID>x</ID></Initiator></Upload>\
        <Upload><Key>farm/a&amp;b.mp4</Key><UploadId>of another</UploadId></Upload>\
        <Upload>\n  <Key>farm/a&amp;b</Key>\n  <UploadId>two&lt;&amp;lt;</UploadId>\n</Upload></ListMultipartUploadsResult>";

    /// Asks a bucket that answers this; what came of it, and what was asked.
    async fn asked(status: u16, body: &'static str) -> (Result<Vec<String>>, String) {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (heard, mut question) = tokio::sync::mpsc::channel(1);
        let answer = async move |RawQuery(query): RawQuery| {
            heard.send(query.unwrap_or_default()).await.expect("heard");
            (StatusCode::from_u16(status).expect("a status"), body)
        };
        let door = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let door = door.expect("a free port");
        let address = door.local_addr().expect("an address");
        let routes = Router::new().route("/films/", get(answer));
        tokio::spawn(async move { axum::serve(door, routes).await });
        let bucket = AmazonS3Builder::new()
            .with_bucket_name("films")
            .with_endpoint(format!("http://{address}"))
            .with_allow_http(true)
            .with_access_key_id("id")
            .with_secret_access_key("secret")
            .build()
            .expect("a bucket");
        let key = Path::parse("farm/a&b").expect("a key");
        (
            of(&bucket, &key).await,
            question.recv().await.expect("asked"),
        )
    }

    #[tokio::test]
    async fn what_is_unfinished_under_a_key_is_named_and_nothing_else() {
        let (found, question) = asked(200, LIST).await;
        assert_eq!(found.expect("listed"), ["one==", "two<&lt;"]);
        assert!(question.contains("uploads=&") || question.ends_with("uploads="));
        assert!(question.contains("prefix=farm%2Fa%26b"), "{question}");
        assert!(question.contains("X-Amz-Signature="), "{question}");
    }

    #[tokio::test]
    async fn a_store_without_a_list_is_left_alone_and_one_that_is_away_asked_again() {
        for status in [403, 501] {
            let (found, _) = asked(status, "<Error/>").await;
            assert_eq!(found.expect("nothing"), [""; 0], "{status}");
        }
        for status in [500, 503] {
            let (found, _) = asked(status, "<Error/>").await;
            let error = found.expect_err("away").to_string();
            assert!(error.contains(&status.to_string()), "{error}");
            assert!(!error.contains("X-Amz"), "{error}");
        }
    }
}
