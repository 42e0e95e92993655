//! Reads request bodies up to a limit, and lets those go by that nobody wants.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use tokio::time::timeout;

use crate::envelope::ApiError;

/// How much of a body that is too large is still taken in and thrown away, so that the client has
/// finished sending when the refusal arrives and reads it instead of a broken connection.
const MAX_DISCARDED: usize = 64 * 1024 * 1024;
/// How long to wait for more of a body that is thrown away.
const DISCARD_SILENCE: Duration = Duration::from_secs(5);

/// The whole body, or a refusal if it has more than `limit` bytes.
pub(crate) async fn read(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let mut chunks = body.into_data_stream();
    let mut kept = BytesMut::new();
    let mut seen = 0;
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| ApiError::body_not_received())?;
        seen += chunk.len();
        if seen > limit + MAX_DISCARDED {
            break;
        }
        if seen <= limit {
            kept.extend_from_slice(&chunk);
        }
    }
    if seen > limit {
        return Err(ApiError::body_too_large(limit));
    }
    Ok(kept.freeze())
}

/// Takes in what still comes of a body and throws it away, beside the refusal that is being sent.
pub(crate) fn discard(mut chunks: BodyDataStream) {
    tokio::spawn(async move {
        let mut seen = 0;
        while seen <= MAX_DISCARDED
            && let Ok(Some(Ok(chunk))) = timeout(DISCARD_SILENCE, chunks.next()).await
        {
            seen += chunk.len();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_limit_is_the_last_size_that_passes() {
        let whole = read(Body::from(vec![7; 10]), 10).await;
        assert_eq!(whole.ok().map(|bytes| bytes.len()), Some(10));
        assert!(read(Body::from(vec![7; 11]), 10).await.is_err());
    }
}
