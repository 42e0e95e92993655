//! Whether the media of a composition answer at all.

use std::{collections::HashSet, time::Duration};

use futures::{StreamExt, stream};
use kinora_composition::media_url::MediaSource;
use kinora_outbound::{Client, Failure};
use object_store::{ObjectStoreExt, path::Path};
use reqwest::Method;
use tokio::time::{Instant, timeout};
use url::Url;

use super::PATIENCE;
use crate::{app::App, uploads};

/// How many are asked at once.
const AT_ONCE: usize = 8;
/// Nothing new is asked after this; with [`PATIENCE`] it bounds the whole.
const ASK_FOR: Duration = Duration::from_secs(3);
const MAX_REDIRECTS: usize = 5;

/// Media that did not answer, each with a reason that reads well after its URL.
///
/// Files of our own are looked up in the store. What was not asked for lack of time is not reported.
pub(super) async fn unreachable(
    app: &App,
    public_url: &str,
    sources: Vec<MediaSource>,
) -> Vec<(String, String)> {
    let mut seen = HashSet::new();
    let urls = sources
        .into_iter()
        .map(|source| source.url)
        .filter(|url| seen.insert(url.clone()));
    let urls: Vec<String> = urls.collect();
    let started = Instant::now();
    stream::iter(urls)
        .map(|url| async move {
            if started.elapsed() > ASK_FOR {
                return None;
            }
            let asked = timeout(PATIENCE, ask(app, public_url, &url)).await;
            let why = asked.unwrap_or(Err(Failure::TimedOut.to_string())).err()?;
            Some((url, why))
        })
        .buffered(AT_ONCE)
        .filter_map(std::future::ready)
        .collect()
        .await
}

async fn ask(app: &App, public_url: &str, url: &str) -> Result<(), String> {
    if let Some(key) = uploads::object_key(url, public_url) {
        return look_up(app, &key).await;
    }
    let url = Url::parse(url).map_err(|_| "is not a URL".to_owned())?;
    let client = &app.previews.client;
    // Some servers answer only what browsers send, and browsers send GET.
    match answers(client, &Method::HEAD, &url).await {
        Ok(()) => Ok(()),
        Err(_) => answers(client, &Method::GET, &url).await,
    }
}

/// The body is not read: dropping the answer ends the transfer.
async fn answers(client: &Client, method: &Method, url: &Url) -> Result<(), String> {
    let answer = client.fetch(method, url, MAX_REDIRECTS).await;
    let status = answer.map_err(|failure| failure.to_string())?.status();
    match status.is_success() {
        true => Ok(()),
        false => Err(format!("answered with status {status}")),
    }
}

async fn look_up(app: &App, key: &Path) -> Result<(), String> {
    let max_bytes = app.uploads.max_bytes;
    match app.objects.head(key).await {
        Ok(object) if object.size > max_bytes => Err(format!(
            "is larger than the {max_bytes} bytes that a file may have"
        )),
        Ok(_) => Ok(()),
        Err(object_store::Error::NotFound { .. }) => Err("was not uploaded".into()),
        Err(error) => {
            tracing::warn!(%key, %error, "a file of our own could not be looked at");
            Err("could not be looked at".into())
        }
    }
}
