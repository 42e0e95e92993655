//! The bytes of an object, which go on where they broke off.

use std::ops::Range;

use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use kinora_outbound::Failure;
use object_store::Result;
use object_store::path::Path;
use reqwest::header::{HeaderMap, HeaderValue, IF_MATCH, RANGE};
use reqwest::{Response, StatusCode};

use super::request::failed;
use super::signed::SignedStore;

/// How often an object that breaks off is asked for the rest.
const MOST_RESUMES: u32 = 5;

type Pieces = BoxStream<'static, Result<Bytes, Failure>>;

/// An object on its way.
pub(super) struct Body {
    store: SignedStore,
    key: Path,
    e_tag: Option<String>,
    /// What has not come yet.
    rest: Range<u64>,
    pieces: Option<Pieces>,
    resumes: u32,
}

impl Body {
    /// What an answer brings: this range of an object with this tag.
    pub(super) fn of(
        response: Response,
        store: &SignedStore,
        key: &Path,
        e_tag: Option<String>,
        range: Range<u64>,
    ) -> Self {
        Self {
            store: store.clone(),
            key: key.clone(),
            e_tag,
            rest: range,
            pieces: Some(pieces(response)),
            resumes: 0,
        }
    }

    pub(super) fn into_stream(self) -> BoxStream<'static, Result<Bytes>> {
        stream::try_unfold(self, Self::next).boxed()
    }

    async fn next(mut self) -> Result<Option<(Bytes, Self)>> {
        loop {
            if self.rest.is_empty() {
                return Ok(None);
            }
            let mut pieces = match self.pieces.take() {
                Some(pieces) => pieces,
                None => {
                    let (key, rest) = (&self.key, self.rest.clone());
                    ask_for_rest(&self.store, key, self.e_tag.as_deref(), rest).await?
                }
            };
            match pieces.next().await {
                Some(Ok(piece)) => {
                    self.rest.start += piece.len() as u64;
                    if self.rest.start > self.rest.end {
                        return Err(failed("the store sent more than it said"));
                    }
                    self.pieces = Some(pieces);
                    return Ok(Some((piece, self)));
                }
                Some(Err(_)) | None if self.may_resume() => self.resumes += 1,
                Some(Err(failure)) => return Err(failed(format!("the store {failure}"))),
                None => return Err(failed("the store sent less than it said")),
            }
        }
    }

    /// Without a tag, the rest could be another object's.
    fn may_resume(&self) -> bool {
        self.e_tag.is_some() && self.resumes < MOST_RESUMES
    }
}

async fn ask_for_rest(
    store: &SignedStore,
    key: &Path,
    e_tag: Option<&str>,
    rest: Range<u64>,
) -> Result<Pieces> {
    let mut headers = HeaderMap::new();
    let range = format!("bytes={}-{}", rest.start, rest.end - 1);
    for (name, value) in [(RANGE, range.as_str()), (IF_MATCH, e_tag.unwrap_or("*"))] {
        let value = HeaderValue::try_from(value);
        headers.insert(
            name,
            value.map_err(|_| failed("the store sent an odd tag"))?,
        );
    }
    let response = store.read(key, headers, false).await?;
    if response.status() != StatusCode::PARTIAL_CONTENT {
        return Err(failed("the store does not send parts of an object"));
    }
    Ok(pieces(response))
}

fn pieces(response: Response) -> Pieces {
    let pieces = response.bytes_stream();
    pieces.map_err(|error| Failure::in_transfer(&error)).boxed()
}
