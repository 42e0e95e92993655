//! A store that fails in every way, and a controller that signs whatever it is asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use kinora_proto::access::ClientAccess;
use kinora_proto::v1::{
    AbortPartsRequest, BeginPartsRequest, BegunParts, CompletePartsRequest, Lease, LeaseId,
    PartsEnded, SignRequest, SignedRequest,
    objects_server::{Objects, ObjectsServer},
};
use object_store::path::Path;
use object_store::{Error, GetOptions, ObjectStore, ObjectStoreExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tonic::transport::{Server, server::TcpIncoming};
use tonic::{Request, Response, Status};

use super::{ObjectSource, SignedObjects};

/// Signs by numbering: the n-th signature is n.
#[derive(Clone, Default)]
struct Signer {
    store: String,
    signed: Arc<Mutex<u32>>,
    away: Arc<Mutex<u32>>,
}

#[tonic::async_trait]
impl Objects for Signer {
    async fn sign(&self, request: Request<SignRequest>) -> Result<Response<SignedRequest>, Status> {
        let mut away = self.away.lock().expect("one test");
        if *away > 0 {
            *away -= 1;
            return Err(Status::unavailable("starting"));
        }
        let mut signed = self.signed.lock().expect("one test");
        *signed += 1;
        let url = format!(
            "{}/{}?signature={signed}",
            self.store,
            request.into_inner().key
        );
        Ok(Response::new(SignedRequest {
            url,
            ..SignedRequest::default()
        }))
    }

    async fn begin_parts(
        &self,
        _: Request<BeginPartsRequest>,
    ) -> Result<Response<BegunParts>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn complete_parts(
        &self,
        _: Request<CompletePartsRequest>,
    ) -> Result<Response<PartsEnded>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn abort_parts(
        &self,
        _: Request<AbortPartsRequest>,
    ) -> Result<Response<PartsEnded>, Status> {
        Err(Status::unimplemented("not here"))
    }
}

/// Answers one request after another with these bytes, and keeps what it was asked.
async fn store_with(answers: &[&str]) -> (String, Arc<Mutex<Vec<String>>>) {
    let mut answers: VecDeque<String> = answers.iter().map(|text| (*text).to_owned()).collect();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            let mut request = vec![0; 4096];
            let length = connection.read(&mut request).await.unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            heard.lock().expect("one test").push(request);
            let answer = answers
                .pop_front()
                .unwrap_or_else(|| head("500 Odd", 0, ""));
            let _ = connection.write_all(answer.as_bytes()).await;
        }
    });
    (url, asked)
}

fn head(status: &str, length: usize, more: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{more}\r\n")
}

/// A store for one lease, behind a controller that is away for the first calls.
async fn signed(store: &str, away: u32) -> Arc<dyn ObjectStore> {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let signer = Signer {
        store: store.to_owned(),
        away: Arc::new(Mutex::new(away)),
        ..Signer::default()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("bound");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    tokio::spawn(
        Server::builder()
            .add_service(ObjectsServer::new(signer))
            .serve_with_incoming(TcpIncoming::from(listener)),
    );
    let objects = SignedObjects::new(&url, &ClientAccess::default(), "node").expect("objects");
    let lease = Lease {
        id: Some(LeaseId::default()),
        ..Lease::default()
    };
    objects.of_lease(&lease).expect("a store")
}

#[tokio::test]
async fn a_request_that_comes_to_nothing_is_signed_anew() {
    let (url, asked) = store_with(&[
        &head("403 Forbidden", 0, ""),
        &head("503 Slow Down", 0, ""),
        "nonsense",
        &head("200 OK", 0, "etag: \"x\"\r\n"),
    ])
    .await;
    let store = signed(&url, 2).await;
    let put = store
        .put(&Path::from("a/b"), b"bytes".to_vec().into())
        .await;
    assert_eq!(put.expect("put").e_tag.as_deref(), Some("\"x\""));
    let asked = asked.lock().expect("one test");
    assert_eq!(asked.len(), 4);
    for (number, request) in (1..).zip(asked.iter()) {
        let line = format!("PUT /a/b?signature={number} ");
        assert!(request.starts_with(&line), "{request}");
    }
}

#[tokio::test]
async fn an_answer_of_the_store_is_one_of_its_errors_and_shows_no_signature() {
    let key = Path::from("a");
    for (answer, expected) in [
        (head("404 Not Found", 0, ""), "NotFound"),
        (head("304 Not Modified", 0, ""), "NotModified"),
        (head("412 Precondition Failed", 0, ""), "Precondition"),
        (head("400 Bad Request", 0, ""), "Generic"),
        // A redirect could lead anywhere, with what was signed.
        (
            head("307 Elsewhere", 0, "location: http://127.0.0.1:1/\r\n"),
            "Generic",
        ),
    ] {
        let (url, asked) = store_with(&[&answer]).await;
        let tagged = GetOptions {
            if_none_match: Some("\"tag\"".to_owned()),
            ..GetOptions::default()
        };
        let got = signed(&url, 0).await.get_opts(&key, tagged).await;
        let error = format!("{:?}", got.expect_err("refused"));
        assert!(error.starts_with(expected), "{answer}: {error}");
        assert!(!error.contains("signature"), "{error}");
        let asked = asked.lock().expect("one test");
        assert_eq!(asked.len(), 1, "{answer}");
        assert!(asked[0].contains("if-none-match: \"tag\""), "{}", asked[0]);
    }
}

#[tokio::test]
async fn an_object_that_breaks_off_goes_on_where_it_ended() {
    let whole = head("200 OK", 10, "etag: \"x\"\r\n") + "0123";
    let rest = head("206 Partial Content", 6, "content-range: bytes 4-9/10\r\n") + "456789";
    let (url, asked) = store_with(&[&whole, &rest]).await;
    let got = signed(&url, 0).await.get(&Path::from("a")).await;
    let got = got.expect("found");
    assert_eq!(got.meta.size, 10);
    assert_eq!(got.bytes().await.expect("whole"), "0123456789");
    let asked = asked.lock().expect("one test");
    assert!(asked[1].contains("range: bytes=4-9"), "{}", asked[1]);
    assert!(asked[1].contains("if-match: \"x\""), "{}", asked[1]);
}

#[tokio::test]
async fn an_object_that_changed_on_its_way_is_not_put_together() {
    let whole = head("200 OK", 10, "etag: \"x\"\r\n") + "0123";
    let (url, _) = store_with(&[&whole, &head("412 Precondition Failed", 0, "")]).await;
    let got = signed(&url, 0).await.get(&Path::from("a")).await;
    let read = got.expect("found").bytes().await;
    assert!(matches!(read, Err(Error::Precondition { .. })), "{read:?}");
}

#[tokio::test]
async fn a_part_of_an_object_is_what_was_asked_for_or_an_error() {
    let part = head("206 Partial Content", 4, "content-range: bytes 2-5/10\r\n") + "2345";
    let (url, asked) = store_with(&[&part, &(head("200 OK", 10, "") + "0123456789")]).await;
    let store = signed(&url, 0).await;
    let key = Path::from("a");
    assert_eq!(store.get_range(&key, 2..6).await.expect("a part"), "2345");
    assert!(asked.lock().expect("one test")[0].contains("range: bytes=2-5"));
    assert!(
        store.get_range(&key, 2..6).await.is_err(),
        "the whole is no part"
    );
}
