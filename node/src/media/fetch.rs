//! Bringing one URL or object into a file, within bounds of bytes, time and redirects.

use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use kinora_outbound::{AddressRule, Client, Failure};
use object_store::path::Path as Key;
use object_store::{GetOptions, ObjectStore};
use reqwest::{Method, Response, StatusCode};
use tokio::time::Instant;
use url::Url;

use super::answer::{self, Meaning, Validators};
use super::partial::{Partial, TooLarge};
use super::traffic::Traffic;
use crate::{Context, Error, Result};

pub(super) use super::partial::Download;

/// How often a fetch that came to nothing is tried again.
const MOST_RETRIES: u32 = 3;
/// The wait before the first of these; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(200);
/// A server that asks for more patience than this is not waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// So much more of a file is worth as many tries again.
const GOOD_PROGRESS: u64 = 1 << 20;
/// Bytes a second below which a server is taken for one that only keeps us busy.
const LEAST_RATE: u64 = 1 << 10;

/// Bounds on one fetch.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    pub(super) allows: AddressRule,
    pub(super) max_bytes: u64,
    pub(super) timeout: Duration,
    /// A server that says nothing for this long is given up, whatever the bound on the whole fetch.
    pub(super) silence: Duration,
    pub(super) max_redirects: usize,
}

/// What a fetch came to.
pub(super) enum Outcome {
    /// New bytes, not yet in the cache.
    New(Download),
    /// What is there already is what would come.
    Unchanged,
}

/// Fetches URLs; one connection pool for all of them.
pub(super) struct Fetcher {
    client: Client,
    bounds: Bounds,
    traffic: Traffic,
}

/// Why an attempt brought no whole file.
enum Setback {
    /// Trying again would be in vain.
    Final(Error),
    /// Another attempt may go further, at once or after a wait that the server named.
    Passing(Error, Option<Duration>),
}

impl Fetcher {
    pub(super) fn new(bounds: Bounds) -> Result<Self> {
        let client =
            Client::new(bounds.allows, bounds.silence).context("setting up the HTTP client")?;
        Ok(Self {
            client,
            bounds,
            traffic: Traffic::default(),
        })
    }

    /// Downloads `source` into a temporary file in `folder`, unless it is still what `known` says.
    pub(super) async fn download(
        &self,
        source: &Url,
        known: &Validators,
        folder: &Path,
    ) -> Result<Outcome> {
        let _turn = self.traffic.turn(source.host_str()).await;
        self.in_time(source, self.download_unhurried(source, known, folder))
            .await
    }

    /// Reads an object, known as `source`, into a temporary file in `folder`, unless it is still
    /// what `known` says.
    pub(super) async fn read(
        &self,
        source: &Url,
        object: (&dyn ObjectStore, &Key),
        known: &Validators,
        folder: &Path,
    ) -> Result<Outcome> {
        let _turn = self.traffic.turn(None).await;
        self.in_time(source, self.read_unhurried(source, object, known, folder))
            .await
    }

    async fn in_time(
        &self,
        source: &Url,
        fetch: impl Future<Output = Result<Outcome>>,
    ) -> Result<Outcome> {
        let timeout = self.bounds.timeout;
        tokio::time::timeout(timeout, fetch)
            .await
            .unwrap_or_else(|_| {
                Err(Error::BadInput(format!(
                    "{source} was not fetched within {} s",
                    timeout.as_secs_f32()
                )))
            })
    }

    async fn download_unhurried(
        &self,
        source: &Url,
        known: &Validators,
        folder: &Path,
    ) -> Result<Outcome> {
        let give_up_at = Instant::now() + self.bounds.timeout;
        let mut partial = Partial::create(folder, self.bounds.max_bytes)?;
        let mut retries = 0;
        loop {
            let had = partial.bytes();
            match self.attempt(source, known, &mut partial).await {
                Ok(Meaning::NotModified) => return Ok(Outcome::Unchanged),
                Ok(_) => return partial.finish(source).await.map(Outcome::New),
                Err(Setback::Final(error)) => return Err(error),
                Err(Setback::Passing(error, wanted)) => {
                    if partial.bytes() >= had + GOOD_PROGRESS {
                        retries = 0;
                    }
                    let wait = wanted.unwrap_or(FIRST_WAIT * 2_u32.pow(retries));
                    let is_too_long = wait > LONGEST_WAIT || Instant::now() + wait > give_up_at;
                    if retries == MOST_RETRIES || is_too_long {
                        return Err(error);
                    }
                    retries += 1;
                    tokio::time::sleep(wait).await;
                }
            }
        }
    }

    /// Asks for what is missing and takes what comes.
    async fn attempt(
        &self,
        source: &Url,
        known: &Validators,
        partial: &mut Partial,
    ) -> Result<Meaning, Setback> {
        let resume = partial.resume_point();
        let headers = answer::headers(resume.as_ref(), known);
        let answered = self
            .client
            .fetch_with(&Method::GET, source, &headers, self.bounds.max_redirects)
            .await;
        let response = answered.map_err(|failure| {
            let error = not_fetched(source, &failure);
            match failure {
                Failure::NotConnected | Failure::BrokeOff => Setback::Passing(error, None),
                _ => Setback::Final(error),
            }
        })?;
        let said = (response.status(), response.headers());
        let meaning = answer::meaning(said, resume.as_ref(), known);
        match meaning {
            Meaning::NotModified => return Ok(meaning),
            Meaning::Whole => partial.start_over().await.map_err(Setback::Final)?,
            Meaning::Rest => {}
            Meaning::NoLongerThere => {
                partial.start_over().await.map_err(Setback::Final)?;
                return Err(Setback::Passing(
                    not_fetched(source, &Failure::BrokeOff),
                    None,
                ));
            }
            Meaning::WrongPart => {
                return Err(Setback::Final(Error::BadInput(format!(
                    "{source} answered with another part of the file than was asked for"
                ))));
            }
            Meaning::Refused { wait, is_passing } => {
                let status = in_words(response.status());
                let error = Error::BadInput(format!("{source} answered {status}"));
                return Err(match is_passing {
                    true => Setback::Passing(error, wait),
                    false => Setback::Final(error),
                });
            }
        }
        self.take(source, response, partial).await?;
        Ok(meaning)
    }

    /// Takes the body of an answer to its end.
    async fn take(
        &self,
        source: &Url,
        response: Response,
        partial: &mut Partial,
    ) -> Result<(), Setback> {
        partial
            .expect(&response)
            .map_err(|TooLarge| Setback::Final(self.too_large(source)))?;
        let mut body = response.bytes_stream();
        let (mut since, mut before) = (Instant::now(), partial.bytes());
        while let Some(piece) = body.next().await {
            let piece = piece.map_err(|error| {
                Setback::Passing(not_fetched(source, &Failure::in_transfer(&error)), None)
            })?;
            let taken = partial.push(&piece).await.map_err(Setback::Final)?;
            taken.map_err(|TooLarge| Setback::Final(self.too_large(source)))?;
            if since.elapsed() >= self.bounds.silence {
                let least = LEAST_RATE as f64 * since.elapsed().as_secs_f64();
                if ((partial.bytes() - before) as f64) < least {
                    return Err(Setback::Final(Error::BadInput(format!(
                        "{source} comes too slowly: less than {} KiB a second",
                        LEAST_RATE >> 10
                    ))));
                }
                (since, before) = (Instant::now(), partial.bytes());
            }
        }
        if partial.is_short() {
            let error = not_fetched(source, &Failure::BrokeOff);
            return Err(Setback::Passing(error, None));
        }
        Ok(())
    }

    async fn read_unhurried(
        &self,
        source: &Url,
        (store, key): (&dyn ObjectStore, &Key),
        known: &Validators,
        folder: &Path,
    ) -> Result<Outcome> {
        let options = GetOptions {
            if_none_match: known.etag.clone(),
            ..GetOptions::default()
        };
        let object = match store.get_opts(key, options).await {
            Err(object_store::Error::NotFound { .. }) => {
                return Err(Error::BadInput(format!("{source} was not uploaded")));
            }
            Err(object_store::Error::NotModified { .. }) => return Ok(Outcome::Unchanged),
            other => other.context("reading an uploaded file")?,
        };
        if object.meta.size > self.bounds.max_bytes {
            return Err(self.too_large(source));
        }
        let mut partial = Partial::create(folder, self.bounds.max_bytes)?;
        partial.validators.etag.clone_from(&object.meta.e_tag);
        let body = object.into_stream();
        let mut body =
            pin!(body.map_err(|error| Error::internal("reading an uploaded file", error)));
        while let Some(piece) = body.next().await {
            let taken = partial.push(&piece?).await?;
            taken.map_err(|TooLarge| self.too_large(source))?;
        }
        partial.finish(source).await.map(Outcome::New)
    }

    fn too_large(&self, source: &Url) -> Error {
        const MIB: u64 = 1 << 20;
        let limit = self.bounds.max_bytes;
        let limit = if limit >= MIB {
            format!("{} MiB", limit / MIB)
        } else {
            format!("{limit} bytes")
        };
        Error::BadInput(format!("{source} is larger than {limit}"))
    }
}

fn in_words(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("{} {reason}", status.as_u16()),
        None => status.as_u16().to_string(),
    }
}

fn not_fetched(source: &Url, failure: &Failure) -> Error {
    Error::BadInput(format!("{source} {failure}"))
}
