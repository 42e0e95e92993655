//! A database that is cut off without a word, and a controller that stands still while it holds locks.

use std::{net::Ipv4Addr, time::Duration};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, UnixStream},
    sync::watch,
    time::timeout,
};
use url::Url;

use super::harness::TestDb;
use crate::store::Store;

/// As many connections as a controller may have of each kind.
const CONNECTIONS: usize = 10;
/// Far below the quarter of an hour after which TCP gives up.
const PATIENCE: Duration = Duration::from_secs(40);

/// A way to the test server on which connections can be made to hang for ever.
struct Network {
    url: String,
    hang: watch::Sender<()>,
}

impl Network {
    async fn before(database_url: &str) -> Self {
        let url = Url::parse(database_url).expect("a URL");
        let folder = url.query_pairs().find(|(name, _)| name == "host");
        let socket = format!("{}/.s.PGSQL.5432", folder.expect("a folder").1);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.expect("bound");
        let address = listener.local_addr().expect("bound");
        let (hang, _) = watch::channel(());
        let hanging = hang.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let (socket, mut hangs) = (socket.clone(), hanging.subscribe());
                tokio::spawn(async move {
                    let mut server = UnixStream::connect(socket).await.expect("Postgres");
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut server) => {}
                        // Both ends stay open, and nothing passes any more.
                        _ = hangs.changed() => std::future::pending().await,
                    }
                });
            }
        });
        let url = format!("postgres://postgres@{address}{}", url.path());
        Self { url, hang }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_were_swallowed_are_replaced() {
    let db = TestDb::postgres().await;
    let network = Network::before(&db.url).await;
    let store = Store::open(&network.url).await.expect("an open database");
    let mut open = Vec::new();
    for _ in 0..CONNECTIONS {
        open.push(store.begin().await.expect("a transaction"));
        open.push(store.begin_relaxed().await.expect("a transaction"));
    }
    network.hang.send_replace(());
    drop(open);
    let again = async { while store.ping().await.is_err() || store.begin().await.is_err() {} };
    timeout(PATIENCE, again)
        .await
        .expect("the store answers again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_stands_still_in_a_transaction_loses_its_locks() {
    let db = TestDb::postgres().await;
    let account = db.account("ada@example.com", 1).await;
    let mut frozen = db.store.begin().await.expect("a transaction");
    assert!(frozen.lock_account(&account).await.expect("locked"));

    let mut other = db.store.begin().await.expect("a transaction");
    let locked = timeout(PATIENCE, other.lock_account(&account)).await;
    assert!(locked.expect("not for ever").expect("locked"));
    let error = frozen.lock_account(&account).await.expect_err("undone");
    assert!(error.is_transient(), "{error}");
}
