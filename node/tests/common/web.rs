//! A web server that answers by a script, well or badly.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub path: String,
    /// Names in lower case.
    pub headers: HashMap<String, String>,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The first byte that is asked for.
    pub fn range_start(&self) -> Option<usize> {
        let range = self.header("range")?.strip_prefix("bytes=")?;
        range.strip_suffix('-')?.parse().ok()
    }
}

/// What the server does next; the connection ends after the last.
pub enum Step {
    Send(Vec<u8>),
    Wait(Duration),
    /// These bytes again and again, with a pause after each.
    Forever(Vec<u8>, Duration),
}

/// A status line with headers.
pub fn head(status: &str, headers: &[(&str, &str)]) -> Step {
    let mut text = format!("HTTP/1.1 {status}\r\nconnection: close\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    Step::Send((text + "\r\n").into_bytes())
}

/// A whole answer.
pub fn answer(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<Step> {
    let length = body.len().to_string();
    let headers = [headers, &[("content-length", length.as_str())]].concat();
    vec![head(status, &headers), Step::Send(body.to_vec())]
}

type Script = dyn Fn(&Asked, usize) -> Vec<Step> + Send + Sync;

/// A server that ends with the test.
pub struct Web {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    busiest: Arc<AtomicUsize>,
}

impl Web {
    /// Answers each request by the script, which is told how many came before.
    pub async fn start(
        script: impl Fn(&Asked, usize) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let web = Self {
            address: listener.local_addr().expect("an address").to_string(),
            asked: Arc::default(),
            busiest: Arc::default(),
        };
        let (asked, busiest) = (Arc::clone(&web.asked), Arc::clone(&web.busiest));
        let script: Arc<Script> = Arc::new(script);
        let busy = Arc::new(AtomicUsize::new(0));
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let (asked, script) = (Arc::clone(&asked), Arc::clone(&script));
                let (busy, busiest) = (Arc::clone(&busy), Arc::clone(&busiest));
                tokio::spawn(async move {
                    let now = busy.fetch_add(1, Ordering::SeqCst) + 1;
                    busiest.fetch_max(now, Ordering::SeqCst);
                    // The other side may hang up.
                    let _ = serve(connection, &asked, &*script).await;
                    busy.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        web
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// All requests so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("not poisoned").clone()
    }

    /// The most requests that were answered at a time.
    pub fn busiest(&self) -> usize {
        self.busiest.load(Ordering::SeqCst)
    }
}

async fn serve(
    mut connection: TcpStream,
    asked: &Mutex<Vec<Asked>>,
    script: &Script,
) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        request.push(connection.read_u8().await?);
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let mut lines = request.lines();
    let path = lines.next().and_then(|line| line.split(' ').nth(1));
    let request = Asked {
        path: path.unwrap_or_default().to_owned(),
        headers: lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect(),
    };
    let before = {
        let mut asked = asked.lock().expect("not poisoned");
        asked.push(request.clone());
        asked.len() - 1
    };
    for step in script(&request, before) {
        match step {
            Step::Send(bytes) => connection.write_all(&bytes).await?,
            Step::Wait(time) => tokio::time::sleep(time).await,
            Step::Forever(bytes, pause) => loop {
                connection.write_all(&bytes).await?;
                tokio::time::sleep(pause).await;
            },
        }
    }
    connection.shutdown().await
}
