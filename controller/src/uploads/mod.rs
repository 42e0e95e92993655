//! Files that clients bring: a URL to send each to, and what is looked at before it is used.
//!
//! Where the object store can sign (see [`UploadSigner`]) the client sends the file straight to it.
//! Elsewhere the URL is the gateway's own, and the gateway asks here whether it may be used.

mod content_type;
mod create;
mod own;
mod receive;
mod tidy;

use std::{fmt, sync::Arc, time::Duration};

use futures::future::BoxFuture;

use crate::controller::Config;

pub(crate) use create::{Created, create};
pub(crate) use own::{OwnFiles, object_key};
pub(crate) use receive::{Attempt, Authorized, authorize, finish};
pub(crate) use tidy::tidy_once;

/// How uploads are received, and what they are bounded by.
#[derive(Clone, Debug)]
pub(crate) struct Uploads {
    pub(crate) max_bytes: u64,
    /// How long a URL may be used.
    lifetime: Duration,
    /// Where the store signs URLs by itself.
    signer: Option<Arc<dyn UploadSigner>>,
}

impl Uploads {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            max_bytes: config.max_upload_bytes,
            lifetime: config.upload_lifetime,
            signer: config.upload_signer.clone(),
        }
    }
}

/// Makes URLs that send a file straight into the object store.
pub trait UploadSigner: fmt::Debug + Send + Sync {
    /// A URL for one PUT of the object.
    ///
    /// # Errors
    /// What went wrong, for the log.
    fn sign<'a>(&'a self, upload: SignedPut<'a>) -> BoxFuture<'a, Result<String, String>>;
}

/// A PUT that somebody without credentials will be allowed to do.
#[derive(Clone, Copy, Debug)]
pub struct SignedPut<'a> {
    /// Where the object is to lie in the store.
    pub object_key: &'a str,
    /// The `Content-Type` that has to come with it, letter by letter.
    pub content_type: &'a str,
    /// The `Content-Length` that has to come with it, where one was announced.
    pub content_length: Option<u64>,
    /// How long the URL holds.
    pub lifetime: Duration,
}
