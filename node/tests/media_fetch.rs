//! Fetching from servers that break off, refuse, dawdle and lie.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::web::{Asked, Step, Web, answer, head};
use kinora_node::Error;
use kinora_node::media::{CacheConfig, MediaCache};

const LENGTH: usize = 300_000;
const CUT: usize = 100_000;

/// Bytes of which no two parts are alike.
fn content(seed: u32) -> Vec<u8> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(LENGTH).collect()
}

fn config(folder: &Path) -> CacheConfig {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    CacheConfig {
        allow_private: true,
        ..CacheConfig::new(folder)
    }
}

/// What a fetch from this server brings.
async fn fetched_with(web: &Web, change: impl FnOnce(&mut CacheConfig)) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    change(&mut config);
    let cache = MediaCache::open(config).unwrap();
    match cache.fetch(&web.url("/clip.mp4"), None).await {
        Ok(file) => Ok(std::fs::read(file.path()).unwrap()),
        Err(Error::BadInput(message)) => {
            let left = std::fs::read_dir(folder.path().join("incoming")).unwrap();
            assert_eq!(left.count(), 0, "something was left behind");
            Err(message)
        }
        Err(other) => panic!("{other}"),
    }
}

async fn fetched(web: &Web) -> Result<Vec<u8>, String> {
    fetched_with(web, |_| ()).await
}

/// The beginning of an answer that promises everything.
fn broken(etag: &'static str, seed: u32) -> Vec<Step> {
    let length = LENGTH.to_string();
    let headers = [("content-length", length.as_str()), ("etag", etag)];
    vec![
        head("200 OK", &headers),
        Step::Send(content(seed)[..CUT].to_vec()),
    ]
}

/// The rest, as a good server sends it.
fn rest(asked: &Asked, etag: &str) -> Vec<Step> {
    let from = asked.range_start().unwrap();
    let range = format!("bytes {from}-{}/{LENGTH}", LENGTH - 1);
    let headers = [("content-range", range.as_str()), ("etag", etag)];
    answer("206 Partial Content", &headers, &content(1)[from..])
}

#[tokio::test]
async fn a_transfer_that_breaks_off_goes_on_where_it_ended() {
    let web = Web::start(|asked, before| match before {
        0 => broken("\"v1\"", 1),
        _ => rest(asked, "\"v1\""),
    })
    .await;
    assert!(fetched(&web).await.unwrap() == content(1));
    let asked = web.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].header("range"), None);
    assert_eq!(asked[0].header("accept-encoding"), Some("identity"));
    assert_eq!(asked[1].range_start(), Some(CUT));
    assert_eq!(asked[1].header("if-range"), Some("\"v1\""));
}

#[tokio::test]
async fn a_server_that_falls_silent_in_the_middle_is_asked_for_the_rest() {
    let web = Web::start(|asked, before| match before {
        0 => {
            let mut steps = broken("\"v1\"", 1);
            steps.push(Step::Wait(Duration::from_secs(60)));
            steps
        }
        _ => rest(asked, "\"v1\""),
    })
    .await;
    let started = Instant::now();
    let brought = fetched_with(&web, |config| config.silence = Duration::from_millis(500)).await;
    assert!(brought.unwrap() == content(1));
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!(web.asked()[1].range_start(), Some(CUT));
}

#[tokio::test]
async fn a_server_that_knows_no_ranges_sends_all_again() {
    let web = Web::start(|_, before| match before {
        0 => broken("\"v1\"", 1),
        _ => answer("200 OK", &[("etag", "\"v1\"")], &content(1)),
    })
    .await;
    assert!(fetched(&web).await.unwrap() == content(1));
    assert_eq!(web.asked().len(), 2);
}

#[tokio::test]
async fn a_file_that_changed_in_between_is_fetched_whole() {
    let web = Web::start(|asked, before| match before {
        0 => broken("\"v1\"", 1),
        _ => {
            assert_eq!(asked.header("if-range"), Some("\"v1\""));
            answer("200 OK", &[("etag", "\"v2\"")], &content(2))
        }
    })
    .await;
    assert!(fetched(&web).await.unwrap() == content(2));

    // It became shorter than what was there already.
    let web = Web::start(|_, before| match before {
        0 => broken("\"v1\"", 1),
        1 => answer("416 Range Not Satisfiable", &[], b""),
        _ => answer("200 OK", &[], b"short"),
    })
    .await;
    assert_eq!(fetched(&web).await.unwrap(), b"short");
}

#[tokio::test]
async fn parts_that_do_not_fit_together_are_refused() {
    for (range, etag) in [
        (format!("bytes 0-{}/{LENGTH}", LENGTH - 1), "\"v1\""),
        (format!("bytes {CUT}-{}/{LENGTH}", LENGTH - 2), "\"v1\""),
        (format!("bytes {CUT}-{LENGTH}/{}", LENGTH + 1), "\"v1\""),
        (format!("bytes {CUT}-{}/{LENGTH}", LENGTH - 1), "\"v2\""),
        ("nonsense".to_owned(), "\"v1\""),
    ] {
        let sent = range.clone();
        let web = Web::start(move |_, before| match before {
            0 => broken("\"v1\"", 1),
            _ => {
                let headers = [("content-range", sent.as_str()), ("etag", etag)];
                answer("206 Partial Content", &headers, &content(1)[CUT..])
            }
        })
        .await;
        let refusal = fetched(&web).await.unwrap_err();
        assert!(
            refusal.ends_with("answered with another part of the file than was asked for"),
            "{range}: {refusal}"
        );
        assert_eq!(web.asked().len(), 2);
    }
}

#[tokio::test]
async fn without_a_validator_a_broken_transfer_starts_over() {
    for headers in [
        &[("content-length", "300000")][..],
        &[("content-length", "300000"), ("etag", "W/\"v1\"")],
        &[
            ("content-length", "300000"),
            ("etag", "\"v1\""),
            ("accept-ranges", "none"),
        ],
    ] {
        let headers = headers.to_vec();
        let web = Web::start(move |asked, before| {
            assert_eq!(asked.header("range"), None);
            match before {
                0 => vec![
                    head("200 OK", &headers),
                    Step::Send(content(1)[..CUT].to_vec()),
                ],
                _ => answer("200 OK", &[], &content(2)),
            }
        })
        .await;
        assert!(fetched(&web).await.unwrap() == content(2));
    }
}

#[tokio::test]
async fn a_transfer_that_always_breaks_off_is_given_up() {
    let web = Web::start(|_, _| {
        vec![
            head("200 OK", &[("content-length", "500")]),
            Step::Send(b"abc".to_vec()),
        ]
    })
    .await;
    let refusal = fetched(&web).await.unwrap_err();
    assert!(
        refusal.ends_with("broke off while it was being fetched"),
        "{refusal}"
    );
    assert_eq!(web.asked().len(), 4);
}

#[tokio::test]
async fn servers_in_passing_trouble_are_asked_again_and_others_are_not() {
    let web = Web::start(|_, before| match before {
        0 => answer("429 Too Many Requests", &[("retry-after", "1")], b""),
        1 => answer("503 Service Unavailable", &[], b""),
        // Hangs up without a word.
        2 => Vec::new(),
        _ => answer("200 OK", &[], b"at last"),
    })
    .await;
    let started = Instant::now();
    assert_eq!(fetched(&web).await.unwrap(), b"at last");
    assert!(
        started.elapsed() >= Duration::from_secs(1),
        "it was told to wait"
    );

    for (status, headers) in [
        ("404 Not Found", &[][..]),
        ("403 Forbidden", &[]),
        ("410 Gone", &[]),
        ("429 Too Many Requests", &[("retry-after", "3600")]),
    ] {
        let headers = headers.to_vec();
        let web = Web::start(move |_, _| answer(status, &headers, b"no")).await;
        let refusal = fetched(&web).await.unwrap_err();
        assert_eq!(
            refusal,
            format!("{} answered {status}", web.url("/clip.mp4"))
        );
        assert_eq!(web.asked().len(), 1, "{status}");
    }
    let web = Web::start(|_, _| answer("500 Internal Server Error", &[], b"")).await;
    let refusal = fetched(&web).await.unwrap_err();
    assert!(
        refusal.ends_with("answered 500 Internal Server Error"),
        "{refusal}"
    );
    assert_eq!(web.asked().len(), 4);
}

#[tokio::test]
async fn redirects_that_never_end_do() {
    let web = Web::start(|_, _| answer("302 Found", &[("location", "/again")], b"")).await;
    let refusal = fetched(&web).await.unwrap_err();
    assert!(
        refusal.ends_with("redirects more than 5 times"),
        "{refusal}"
    );
    assert_eq!(web.asked().len(), 6);
}

#[tokio::test]
async fn a_part_is_asked_for_at_the_end_of_redirects_too() {
    let web = Web::start(
        |asked, _| match (asked.path.as_str(), asked.range_start()) {
            ("/clip.mp4", _) => answer("307 Temporary Redirect", &[("location", "/real")], b""),
            (_, None) => broken("\"v1\"", 1),
            (_, Some(_)) => rest(asked, "\"v1\""),
        },
    )
    .await;
    assert!(fetched(&web).await.unwrap() == content(1));
}

#[tokio::test]
async fn announced_unannounced_and_endless_sizes_are_bounded() {
    let announced = Web::start(|_, _| vec![head("200 OK", &[("content-length", "5000")])]).await;
    let endless = Web::start(|_, _| {
        let piece = vec![0; 64 << 10];
        vec![
            head("200 OK", &[]),
            Step::Forever(piece, Duration::from_millis(1)),
        ]
    })
    .await;
    for web in [announced, endless] {
        let refusal = fetched_with(&web, |config| config.max_file_bytes = 1000).await;
        let refusal = refusal.unwrap_err();
        assert!(refusal.ends_with("is larger than 1000 bytes"), "{refusal}");
        assert_eq!(web.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_server_that_only_keeps_us_busy_is_given_up() {
    let drip = Web::start(|_, _| {
        vec![
            head("200 OK", &[("content-length", "100000")]),
            Step::Forever(b"x".to_vec(), Duration::from_millis(50)),
        ]
    })
    .await;
    let started = Instant::now();
    let refusal = fetched_with(&drip, |config| config.silence = Duration::from_millis(500)).await;
    let refusal = refusal.unwrap_err();
    assert!(
        refusal.ends_with("comes too slowly: less than 1 KiB a second"),
        "{refusal}"
    );
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!(drip.asked().len(), 1);

    let silent = Web::start(|_, _| vec![Step::Wait(Duration::from_secs(60))]).await;
    let refusal = fetched_with(&silent, |config| {
        config.silence = Duration::from_millis(300);
    })
    .await;
    assert!(refusal.unwrap_err().ends_with("did not answer in time"));
    let refusal = fetched_with(&silent, |config| {
        config.timeout = Duration::from_millis(300);
    })
    .await;
    assert!(
        refusal
            .unwrap_err()
            .ends_with("was not fetched within 0.3 s")
    );
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let web = Web::start(
        |asked, before| match (before, asked.header("if-none-match")) {
            (0, None) => answer("200 OK", &[("etag", "W/\"v1\"")], b"one"),
            (1, Some("W/\"v1\"")) => answer("304 Not Modified", &[], b""),
            (2, Some("W/\"v1\"")) => answer("200 OK", &[("last-modified", "then")], b"two"),
            (3, None) if asked.header("if-modified-since") == Some("then") => {
                answer("304 Not Modified", &[], b"")
            }
            _ => answer("500 Internal Server Error", &[], b""),
        },
    )
    .await;
    let url = web.url("/a.png");
    let open = || {
        MediaCache::open(CacheConfig {
            fresh_for: Duration::ZERO,
            ..config(folder.path())
        })
        .unwrap()
    };
    let cache = open();
    for (round, expected) in [b"one", b"one", b"two"].into_iter().enumerate() {
        let file = cache.fetch(&url, None).await.unwrap();
        assert_eq!(std::fs::read(file.path()).unwrap(), expected, "{round}");
    }
    let asked = cache.usage();
    assert_eq!((asked.hits, asked.misses, asked.revalidated), (0, 2, 1));
    // The next process knows how to ask.
    drop(cache);
    let file = open().fetch(&url, None).await.unwrap();
    assert_eq!(std::fs::read(file.path()).unwrap(), b"two");
    assert_eq!(web.asked().len(), 4);
}

#[tokio::test]
async fn an_upload_that_has_not_changed_is_not_read_again() {
    use kinora_node::media::OwnFiles;
    use object_store::memory::InMemory;
    use object_store::path::Path as Key;
    use object_store::{ObjectStore, ObjectStoreExt};
    let store: std::sync::Arc<dyn ObjectStore> = std::sync::Arc::new(InMemory::new());
    let key = Key::from("uploads/a.png");
    let own = OwnFiles::new(std::sync::Arc::clone(&store), "https://kinora.test");
    let folder = tempfile::tempdir().unwrap();
    let cache = MediaCache::open(CacheConfig {
        fresh_for: Duration::ZERO,
        ..config(folder.path())
    })
    .unwrap();
    let url = "https://kinora.test/files/uploads/a.png";
    for content in ["one", "one", "other"] {
        store.put(&key, content.into()).await.unwrap();
        for _ in 0..2 {
            let file = cache.fetch(url, Some(&own)).await.unwrap();
            assert_eq!(std::fs::read_to_string(file.path()).unwrap(), content);
        }
    }
}

#[tokio::test]
async fn a_fetch_that_nobody_waits_for_ends_and_can_be_had_again() {
    let folder = tempfile::tempdir().unwrap();
    let web = Web::start(|_, before| match before {
        0 => vec![
            head("200 OK", &[("content-length", "5000000")]),
            Step::Forever(vec![0; 4096], Duration::from_millis(20)),
        ],
        _ => answer("200 OK", &[], b"whole"),
    })
    .await;
    let cache = MediaCache::open(config(folder.path())).unwrap();
    let url = web.url("/a.mp4");
    let given_up = tokio::time::timeout(Duration::from_millis(400), cache.fetch(&url, None)).await;
    assert!(given_up.is_err());
    let incoming = folder.path().join("incoming");
    assert_eq!(std::fs::read_dir(incoming).unwrap().count(), 0);
    let file = cache.fetch(&url, None).await.unwrap();
    assert_eq!(std::fs::read(file.path()).unwrap(), b"whole");
}

#[tokio::test]
async fn many_files_of_one_host_come_a_few_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let web = Web::start(|asked, _| {
        let mut steps = vec![Step::Wait(Duration::from_millis(60))];
        steps.extend(answer("200 OK", &[], asked.path.as_bytes()));
        steps
    })
    .await;
    let cache = MediaCache::open(config(folder.path())).unwrap();
    let urls: Vec<String> = (0..24).map(|n| web.url(&format!("/{n}.png"))).collect();
    let fetches = urls.iter().map(|url| cache.fetch(url, None));
    let files = futures::future::try_join_all(fetches).await.unwrap();
    for (number, file) in files.iter().enumerate() {
        let content = std::fs::read_to_string(file.path()).unwrap();
        assert_eq!(content, format!("/{number}.png"));
    }
    assert!(
        (2..=6).contains(&web.busiest()),
        "{} at a time",
        web.busiest()
    );
}
