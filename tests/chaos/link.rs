//! A TCP proxy between two processes, which can refuse, swallow, break or slow down what passes.

use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Bytes that are read at once.
const PIECE: usize = 16 * 1024;
/// Bytes that still pass on a link that breaks, so that it breaks in the middle of something.
const BEFORE_BREAKING: usize = 2_000;
/// How slow a slow link is: 256 bytes every 20 ms are 12.8 kB a second.
const TRICKLE: usize = 256;
const TRICKLE_PAUSE: Duration = Duration::from_millis(20);

/// What a link does to the bytes that come to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// They pass.
    Open,
    /// Connections, old and new, are reset.
    Refusing,
    /// Nothing passes and nobody is told; it goes on afterwards as if the network had come back.
    Swallowing,
    /// Every connection is reset after a few more bytes.
    Breaking,
    /// They trickle.
    Slow,
}

/// A listening proxy. Its address stays while what it leads to may change.
pub(crate) struct Link {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    condition: watch::Sender<Condition>,
    targets: Mutex<Vec<SocketAddr>>,
    /// Parts of objects that were sent.
    parts: AtomicUsize,
    /// Uploads that were to be completed.
    completions: Mutex<BTreeSet<String>>,
    swallows_parts: AtomicBool,
}

impl Link {
    /// Listens until the test's runtime ends, and leads nowhere yet.
    pub(crate) async fn open() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("bind");
        let address = listener.local_addr().expect("address");
        let state = Arc::new(State {
            condition: watch::Sender::new(Condition::Open),
            targets: Mutex::default(),
            parts: AtomicUsize::new(0),
            completions: Mutex::default(),
            swallows_parts: AtomicBool::new(false),
        });
        tokio::spawn(accept(listener, Arc::clone(&state)));
        Self { address, state }
    }

    /// Listens and leads to a port of this machine.
    pub(crate) async fn to(port: u16) -> Self {
        let link = Self::open().await;
        link.lead_to(&[at(port)]);
        link
    }

    /// Listens and leads to several addresses in turn, as a service in front of replicas does.
    pub(crate) async fn to_each_of(targets: &[SocketAddr]) -> Self {
        let link = Self::open().await;
        link.lead_to(targets);
        link
    }

    /// Where new connections lead to from now on.
    pub(crate) fn lead_to(&self, targets: &[SocketAddr]) {
        *self.state.targets.lock().expect("targets") = targets.to_vec();
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many parts of objects were sent by it, in vain or not.
    pub(crate) fn parts(&self) -> usize {
        self.state.parts.load(Ordering::Relaxed)
    }

    /// The uploads that the store was asked by it to complete, in vain or not.
    pub(crate) fn completions(&self) -> BTreeSet<String> {
        self.state.completions.lock().expect("uploads").clone()
    }

    /// Whether it swallows everything from the next part of an object on.
    pub(crate) fn swallow_parts(&self, swallows: bool) {
        self.state.swallows_parts.store(swallows, Ordering::Relaxed);
    }

    /// Changes what it does, to open connections too.
    pub(crate) fn set(&self, condition: Condition) {
        self.state.condition.send_replace(condition);
    }
}

/// An address of this machine.
pub(crate) fn at(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    for turn in 0_usize.. {
        let (mut client, _) = listener.accept().await.expect("accept");
        let target = {
            let targets = state.targets.lock().expect("targets");
            targets.get(turn % targets.len().max(1)).copied()
        };
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let carried = match target {
                Some(target) => carry(&mut client, target, &state).await,
                None => Err(io::ErrorKind::ConnectionRefused.into()),
            };
            if carried.is_err() {
                reset(&client);
            }
        });
    }
}

/// Makes the end of a connection a reset, as when its other end has died.
fn reset(connection: &TcpStream) {
    // A connection that is gone already needs none.
    let _ = connection.set_zero_linger();
}

async fn carry(client: &mut TcpStream, target: SocketAddr, state: &State) -> io::Result<()> {
    let mut condition = state.condition.subscribe();
    passable(&mut condition).await?;
    let mut server = TcpStream::connect(target).await?;
    let carried = {
        let (from_client, to_client) = client.split();
        let (from_server, to_server) = server.split();
        let count = |bytes: &[u8]| {
            if brings_part(bytes) {
                state.parts.fetch_add(1, Ordering::Relaxed);
                if state.swallows_parts.load(Ordering::Relaxed) {
                    state.condition.send_replace(Condition::Swallowing);
                }
            }
            if let Some(upload) = completes(bytes) {
                state.completions.lock().expect("uploads").insert(upload);
            }
        };
        let forth = pass(from_client, to_server, condition.clone(), count);
        let back = pass(from_server, to_client, condition.clone(), |_| {});
        tokio::select! {
            both = async { tokio::try_join!(forth, back) } => both.map(|_| ()),
            _ = condition.wait_for(|&now| now == Condition::Refusing) => Err(broken()),
        }
    };
    if carried.is_err() {
        reset(&server);
    }
    carried
}

/// Whether bytes begin with a request that brings a part of an object. Clients wait for the answer before they send
/// another, so that each begins with what is read at once.
fn brings_part(bytes: &[u8]) -> bool {
    let first = first_line(bytes);
    first.starts_with("PUT ") && first.contains("partNumber=")
}

/// Which upload a request completes.
fn completes(bytes: &[u8]) -> Option<String> {
    let first = first_line(bytes);
    let (_, upload) = first.strip_prefix("POST ")?.split_once("uploadId=")?;
    let end = upload.find(['&', ' ']).unwrap_or(upload.len());
    Some(upload[..end].to_owned())
}

fn first_line(bytes: &[u8]) -> String {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned()
}

/// Passes bytes on in one direction, until there are no more, and shows them before.
async fn pass(
    mut from: ReadHalf<'_>,
    mut to: WriteHalf<'_>,
    mut condition: watch::Receiver<Condition>,
    show: impl Fn(&[u8]),
) -> io::Result<()> {
    let mut buffer = vec![0; PIECE];
    let mut before_breaking = BEFORE_BREAKING;
    loop {
        let read = from.read(&mut buffer).await;
        // Not even the end of a connection is told while nothing passes.
        let now = passable(&mut condition).await?;
        let bytes = &buffer[..read?];
        if bytes.is_empty() {
            return to.shutdown().await;
        }
        show(bytes);
        match now {
            Condition::Breaking if bytes.len() >= before_breaking => {
                to.write_all(&bytes[..before_breaking]).await?;
                return Err(broken());
            }
            Condition::Breaking => {
                before_breaking -= bytes.len();
                to.write_all(bytes).await?;
            }
            Condition::Slow => {
                for drop in bytes.chunks(TRICKLE) {
                    to.write_all(drop).await?;
                    tokio::time::sleep(TRICKLE_PAUSE).await;
                }
            }
            _ => to.write_all(bytes).await?,
        }
    }
}

/// Waits while the link swallows.
async fn passable(condition: &mut watch::Receiver<Condition>) -> io::Result<Condition> {
    match condition
        .wait_for(|&now| now != Condition::Swallowing)
        .await
    {
        Ok(now) if *now != Condition::Refusing => Ok(*now),
        _ => Err(broken()),
    }
}

fn broken() -> io::Error {
    io::ErrorKind::ConnectionReset.into()
}

/// A server behind a link that sends back what it is sent.
async fn echo() -> Link {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
    let listener = listener.expect("bind");
    let link = Link::to(listener.local_addr().expect("address").port()).await;
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut from, mut to) = client.split();
                tokio::io::copy(&mut from, &mut to).await
            });
        }
    });
    link
}

/// Sends this many bytes; whether they all came back within two seconds.
async fn comes_back(connection: &mut TcpStream, bytes: usize) -> bool {
    let (sent, mut came) = (vec![7; bytes], vec![0; bytes]);
    let there_and_back = async {
        connection.write_all(&sent).await?;
        connection.read_exact(&mut came).await
    };
    let answer = tokio::time::timeout(Duration::from_secs(2), there_and_back).await;
    answer.is_ok_and(|read| read.is_ok())
}

#[tokio::test]
async fn a_link_refuses_swallows_breaks_and_slows_down_what_passes() {
    let link = echo().await;
    let connect = || async { TcpStream::connect(link.address()).await.expect("accepted") };
    let mut connection = connect().await;
    assert!(comes_back(&mut connection, 10_000).await);

    link.set(Condition::Swallowing);
    assert!(!comes_back(&mut connection, 10).await);
    link.set(Condition::Open);
    let mut held_back = [0; 10];
    let came = connection.read_exact(&mut held_back).await;
    came.expect("it goes on where it stopped");

    link.set(Condition::Slow);
    assert!(comes_back(&mut connection, 1_000).await);
    assert!(!comes_back(&mut connection, 100_000).await);

    link.set(Condition::Open);
    let mut connection = connect().await;
    link.set(Condition::Breaking);
    assert!(comes_back(&mut connection, 1_000).await);
    assert!(!comes_back(&mut connection, 10_000).await);

    link.set(Condition::Refusing);
    assert!(!comes_back(&mut connect().await, 1).await);
    link.set(Condition::Open);
    assert!(comes_back(&mut connect().await, 10_000).await);
}

#[tokio::test]
async fn a_link_counts_parts_and_completions_of_objects_and_nothing_else() {
    let link = echo().await;
    let mut connection = TcpStream::connect(link.address()).await.expect("accepted");
    for (request, parts) in [
        ("PUT /kinora/film?partNumber=1&uploadId=x HTTP/1.1\r\n", 1),
        ("PUT /kinora/film HTTP/1.1\r\nx: partNumber=2\r\n", 1),
        ("GET /kinora/film?partNumber=1 HTTP/1.1\r\n", 1),
        ("PUT /kinora/film?partNumber=2&uploadId=x HTTP/1.1\r\n", 2),
        ("POST /kinora/film?uploads= HTTP/1.1\r\n", 2),
        ("POST /kinora/film?uploadId=x HTTP/1.1\r\n", 2),
    ] {
        let sent = connection.write_all(request.as_bytes()).await;
        sent.expect("sent");
        let mut came = vec![0; request.len()];
        connection.read_exact(&mut came).await.expect("answered");
        assert_eq!(link.parts(), parts, "{request}");
    }
    assert_eq!(link.completions(), BTreeSet::from(["x".to_owned()]));
    link.swallow_parts(true);
    assert!(comes_back(&mut connection, 10).await);
    let part = connection.write_all(b"PUT /film?partNumber=3 HTTP/1.1\r\n");
    part.await.expect("sent");
    assert!(!comes_back(&mut connection, 100_000).await);
}
