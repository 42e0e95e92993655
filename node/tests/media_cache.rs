//! The media cache against a real HTTP server on loopback.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kinora_node::Error;
use kinora_node::media::{CacheConfig, CacheUse, MediaCache, OwnFiles};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Serves `/N/anything` as 100 bytes of the digit N, slowly, and counts.
struct Server {
    address: String,
    requests: Arc<AtomicUsize>,
}

impl Server {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = requests.clone();
        tokio::spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                let counter = counter.clone();
                tokio::spawn(async move {
                    let mut request = vec![0; 4096];
                    let length = connection.read(&mut request).await.unwrap();
                    let path = String::from_utf8_lossy(&request[..length]);
                    let path = path.split(' ').nth(1).unwrap_or_default().to_owned();
                    counter.fetch_add(1, Ordering::SeqCst);
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    let answer = match path.as_bytes() {
                        [b'/', digit @ b'0'..=b'9', ..] => format!(
                            "HTTP/1.1 200 OK\r\ncontent-length: 100\r\nconnection: close\r\n\r\n{}",
                            char::from(*digit).to_string().repeat(100)
                        ),
                        _ => "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                            .to_owned(),
                    };
                    connection.write_all(answer.as_bytes()).await.unwrap();
                });
            }
        });
        Self { address, requests }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn config(folder: &Path) -> CacheConfig {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    CacheConfig {
        allow_private: true,
        ..CacheConfig::new(folder)
    }
}

#[tokio::test]
async fn a_url_is_fetched_once_for_all_callers_and_for_the_next_process() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let cache = MediaCache::open(config(folder.path())).unwrap();
    let url = server.url("/1/a.png");
    let (one, two) = tokio::join!(cache.fetch(&url, None), cache.fetch(&url, None));
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!(one.path(), two.path());
    assert_eq!(std::fs::read(one.path()).unwrap(), [b'1'; 100]);
    cache.fetch(&url, None).await.unwrap();
    assert_eq!(server.requests(), 1);
    let expected = CacheUse {
        hits: 2,
        misses: 1,
        revalidated: 0,
        bytes: 100,
    };
    assert_eq!(cache.usage(), expected);

    drop(cache);
    let reopened = MediaCache::open(config(folder.path())).unwrap();
    assert_eq!(reopened.fetch(&url, None).await.unwrap().path(), one.path());
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn equal_content_of_two_urls_is_kept_once() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let cache = MediaCache::open(config(folder.path())).unwrap();
    let one = cache.fetch(&server.url("/7/a"), None).await.unwrap();
    let two = cache.fetch(&server.url("/7/b"), None).await.unwrap();
    assert_eq!(one.path(), two.path());
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn the_least_recently_used_go_first_and_held_files_never() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let config = CacheConfig {
        max_bytes: 250,
        ..config(folder.path())
    };
    let cache = MediaCache::open(config).unwrap();
    let held = cache.fetch(&server.url("/1/a"), None).await.unwrap();
    let second = cache
        .fetch(&server.url("/2/a"), None)
        .await
        .unwrap()
        .path()
        .to_owned();
    let third = cache
        .fetch(&server.url("/3/a"), None)
        .await
        .unwrap()
        .path()
        .to_owned();
    assert!(held.path().exists() && !second.exists() && third.exists());

    let fourth = cache
        .fetch(&server.url("/4/a"), None)
        .await
        .unwrap()
        .path()
        .to_owned();
    assert!(!third.exists() && fourth.exists());

    // The first is the oldest, and the last to have been used.
    let first = held.path().to_owned();
    drop(held);
    cache.fetch(&server.url("/1/a"), None).await.unwrap();
    let fifth = cache.fetch(&server.url("/5/a"), None).await.unwrap();
    assert!(first.exists() && !fourth.exists() && fifth.path().exists());
    assert_eq!(
        std::fs::read_dir(folder.path().join("objects"))
            .unwrap()
            .count(),
        2
    );
    assert_eq!(
        std::fs::read_dir(folder.path().join("urls"))
            .unwrap()
            .count(),
        2
    );

    // What went is fetched again when asked for.
    let before = server.requests();
    cache.fetch(&server.url("/2/a"), None).await.unwrap();
    assert_eq!(server.requests(), before + 1);
}

#[tokio::test]
async fn failures_are_told_in_words_to_every_caller_and_tried_again_later() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let cache = MediaCache::open(config(folder.path())).unwrap();
    let url = server.url("/missing.png");
    let (one, two) = tokio::join!(cache.fetch(&url, None), cache.fetch(&url, None));
    for outcome in [one, two] {
        let Err(Error::BadInput(message)) = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(message, format!("{url} answered 404 Not Found"));
    }
    assert_eq!(server.requests(), 1);
    assert!(cache.fetch(&url, None).await.is_err());
    assert_eq!(server.requests(), 2);

    let error = cache.fetch("http://127.0.0.1:1/a", None).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "http://127.0.0.1:1/a could not be connected to"
    );
}

#[tokio::test]
async fn this_machine_is_refused_unless_allowed() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let config = CacheConfig {
        allow_private: false,
        ..config(folder.path())
    };
    let cache = MediaCache::open(config).unwrap();
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"] {
        let error = cache
            .fetch(&format!("http://{host}:{port}/1/a"), None)
            .await
            .unwrap_err();
        assert!(matches!(error, Error::BadInput(_)));
        assert!(
            error.to_string().contains("not on the public internet"),
            "{host}: {error}"
        );
    }
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn local_files_are_for_local_use_only() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("a picture.png");
    std::fs::write(&here, "x").unwrap();
    let absolute = here.to_str().unwrap().to_owned();

    let served = MediaCache::open(config(&folder.path().join("served"))).unwrap();
    for src in [
        "a picture.png",
        &absolute,
        "file:///etc/passwd",
        "ftp://host/a",
        "data:,x",
    ] {
        let error = served.fetch(src, None).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{src} is not an http or https URL")
        );
    }

    let local = CacheConfig {
        local_base: Some(folder.path().to_owned()),
        ..config(&folder.path().join("local"))
    };
    let local = MediaCache::open(local).unwrap();
    for src in ["a picture.png", &absolute] {
        assert_eq!(local.fetch(src, None).await.unwrap().path(), here);
    }
    let error = local.fetch("missing.png", None).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "missing.png can't be read: entity not found"
    );
}

/// Stores of both kinds with one upload, and a folder that holds the second.
async fn stores() -> ([Arc<dyn ObjectStore>; 2], tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let local = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
    let stores: [Arc<dyn ObjectStore>; 2] = [Arc::new(InMemory::new()), Arc::new(local)];
    for store in &stores {
        for key in ["uploads/u1/a b.png", "templates/t/a.png", "renders/j/a.mp4"] {
            let put = store.put(&Key::parse(key).unwrap(), "hello".into()).await;
            put.unwrap();
        }
        let empty = store.put(&Key::from("uploads/empty.png"), "".into()).await;
        empty.unwrap();
    }
    (stores, folder)
}

#[tokio::test]
async fn own_files_come_from_the_store_and_other_paths_of_ours_do_not() {
    let server = Server::start().await;
    let (stores, _objects) = stores().await;
    for store in stores {
        let folder = tempfile::tempdir().unwrap();
        let config = CacheConfig {
            allow_private: false,
            ..config(folder.path())
        };
        let cache = MediaCache::open(config).unwrap();
        let own = OwnFiles::new(store.clone(), server.url(""));
        for path in ["/files/uploads/u1/a%20b.png", "/files/templates/t/a.png"] {
            let file = cache.fetch(&server.url(path), Some(&own)).await.unwrap();
            assert_eq!(std::fs::read(file.path()).unwrap(), b"hello");
        }
        for (path, says) in [
            ("/files/uploads/u1/c.png", "was not uploaded"),
            ("/files/uploads/u1", "was not uploaded"),
            ("/files/uploads/empty.png", "is empty"),
            ("/files/renders/j/a.mp4", "not on the public internet"),
            (
                "/files/uploads/../renders/j/a.mp4",
                "not on the public internet",
            ),
            (
                "/files/uploads/..%2frenders/j/a.mp4",
                "not on the public internet",
            ),
            ("/1/a.png", "not on the public internet"),
        ] {
            let error = cache
                .fetch(&server.url(path), Some(&own))
                .await
                .unwrap_err();
            assert!(matches!(error, Error::BadInput(_)), "{path}: {error}");
            assert!(error.to_string().ends_with(says), "{path}: {error}");
        }
        // Read once: the cache answers after the object is gone.
        let upload = Key::parse("uploads/u1/a b.png").unwrap();
        store.delete(&upload).await.unwrap();
        let again = server.url("/files/uploads/u1/a%20b.png");
        cache.fetch(&again, Some(&own)).await.unwrap();
    }
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn own_files_are_bounded_like_others() {
    let (stores, _objects) = stores().await;
    for store in stores {
        let folder = tempfile::tempdir().unwrap();
        let config = CacheConfig {
            max_file_bytes: 4,
            ..config(folder.path())
        };
        let cache = MediaCache::open(config).unwrap();
        let own = OwnFiles::new(store, "https://kinora.test");
        let url = "https://kinora.test/files/templates/t/a.png";
        let error = cache.fetch(url, Some(&own)).await.unwrap_err();
        assert_eq!(error.to_string(), format!("{url} is larger than 4 bytes"));
    }
}

/// The files of the cache, with their sizes.
fn objects(folder: &Path) -> Vec<(std::path::PathBuf, u64)> {
    std::fs::read_dir(folder.join("objects"))
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.path(), entry.metadata().unwrap().len())
        })
        .collect()
}

#[tokio::test]
async fn the_bound_holds_while_many_fetch_and_nobody_loses_what_they_hold() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let config = CacheConfig {
        max_bytes: 250,
        ..config(folder.path())
    };
    let cache = MediaCache::open(config).unwrap();
    let fetches = (0..60).map(|number| {
        let (cache, digit) = (cache.clone(), number % 10);
        let url = server.url(&format!("/{digit}/{}", number % 30));
        async move {
            let file = cache.fetch(&url, None).await.unwrap();
            for _ in 0..3 {
                let bytes = std::fs::read(file.path()).unwrap();
                assert_eq!(bytes, digit.to_string().repeat(100).as_bytes());
                tokio::task::yield_now().await;
            }
        }
    });
    futures::future::join_all(fetches).await;
    cache.fetch(&server.url("/9/last"), None).await.unwrap();
    let kept: u64 = objects(folder.path()).iter().map(|(_, bytes)| bytes).sum();
    assert!(kept <= 250, "{kept} bytes");
}

#[tokio::test]
async fn a_file_larger_than_the_cache_is_of_use_and_then_goes() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let config = CacheConfig {
        max_bytes: 50,
        ..config(folder.path())
    };
    let cache = MediaCache::open(config.clone()).unwrap();
    let file = cache.fetch(&server.url("/1/a"), None).await.unwrap();
    assert_eq!(std::fs::read(file.path()).unwrap().len(), 100);
    drop((file, cache));
    MediaCache::open(config).unwrap();
    assert_eq!(objects(folder.path()), []);
}

#[tokio::test]
async fn a_damaged_file_is_fetched_again_in_this_process_and_in_the_next() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let mut cache = MediaCache::open(config(folder.path())).unwrap();
    let url = server.url("/1/a");
    for reopened in [false, true] {
        cache.fetch(&url, None).await.unwrap();
        let (path, _) = objects(folder.path())[0].clone();
        let damaged = std::fs::OpenOptions::new().write(true).open(path).unwrap();
        damaged.set_len(40).unwrap();
        if reopened {
            cache = MediaCache::open(config(folder.path())).unwrap();
        }
        let file = cache.fetch(&url, None).await.unwrap();
        assert_eq!(std::fs::read(file.path()).unwrap(), [b'1'; 100]);
    }
    assert_eq!(server.requests(), 3);
    // An index that makes no sense is as good as none.
    for entry in std::fs::read_dir(folder.path().join("urls")).unwrap() {
        std::fs::write(entry.unwrap().path(), r#"{"object":"../../x","bytes":1}"#).unwrap();
    }
    let cache = MediaCache::open(config(folder.path())).unwrap();
    cache.fetch(&url, None).await.unwrap();
    assert_eq!(server.requests(), 4);
}

#[test]
fn what_a_crash_left_is_removed_and_what_another_process_writes_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let incoming = folder.path().join("incoming");
    std::fs::create_dir_all(&incoming).unwrap();
    std::fs::write(incoming.join("abandoned"), "half").unwrap();
    let written = std::fs::File::create(incoming.join("written")).unwrap();
    written.lock().unwrap();
    MediaCache::open(config(folder.path())).unwrap();
    let left: Vec<_> = std::fs::read_dir(incoming)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["written"]);
}

#[tokio::test]
async fn two_processes_share_a_folder_without_harm() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let config = CacheConfig {
        max_bytes: 250,
        ..config(folder.path())
    };
    let first = MediaCache::open(config.clone()).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_secs(60);
    first.fetch(&server.url("/1/a"), None).await.unwrap();
    let (path, _) = objects(folder.path())[0].clone();
    let shared = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    shared.set_modified(old).unwrap();
    // Both know the file; the first uses it, the second has too much and looks for what may go.
    let second = MediaCache::open(config).unwrap();
    let held = first.fetch(&server.url("/1/a"), None).await.unwrap();
    for digit in 2..6 {
        second
            .fetch(&server.url(&format!("/{digit}/a")), None)
            .await
            .unwrap();
    }
    assert_eq!(std::fs::read(held.path()).unwrap(), [b'1'; 100]);
    assert!(
        objects(folder.path()).len() <= 3,
        "the rest keeps to the bound"
    );
}
