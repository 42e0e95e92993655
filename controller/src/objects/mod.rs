//! Objects for nodes, which hold no credentials of the store: requests that are signed for what a lease needs, and large objects
//! in parts.

mod parts;
mod rights;

use std::{fmt, time::Duration};

use futures::future::BoxFuture;
use object_store::path::Path;

use crate::{Error, Result, app::App, store::Fence};

pub(crate) use parts::{abort, begin, complete, sweep_once};

/// How long a signed request may be sent.
const LIFETIME: Duration = Duration::from_secs(300);

/// Makes requests that somebody without credentials may send to the object store, and has large objects put together there.
pub trait ObjectSigner: fmt::Debug + Send + Sync {
    /// Signs one request for an object, which may be sent for as long as `lifetime`.
    fn sign<'a>(
        &'a self,
        key: &'a Path,
        wish: Wish<'a>,
        lifetime: Duration,
    ) -> BoxFuture<'a, object_store::Result<Signed>>;

    /// Begins an object that comes in parts; answers what the store calls it.
    fn begin<'a>(&'a self, key: &'a Path) -> BoxFuture<'a, object_store::Result<String>>;

    /// Puts the parts together, in this order.
    fn complete<'a>(
        &'a self,
        key: &'a Path,
        store_id: &'a str,
        part_ids: Vec<String>,
    ) -> BoxFuture<'a, object_store::Result<()>>;

    /// Drops the parts.
    fn abort<'a>(
        &'a self,
        key: &'a Path,
        store_id: &'a str,
    ) -> BoxFuture<'a, object_store::Result<()>>;

    /// What the store calls those that were begun under this key and neither put together nor dropped; none where the
    /// store does not tell.
    fn unfinished<'a>(&'a self, key: &'a Path) -> BoxFuture<'a, object_store::Result<Vec<String>>>;
}

/// What is to be done with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish<'a> {
    /// Its bytes.
    Read,
    /// What is known of it.
    Head,
    /// Written whole, as this type; without one the store decides.
    Write(Option<&'a str>),
    /// One part of it, counted from 0, for what the store calls so.
    Part(&'a str, u32),
}

/// A request that anybody may send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Where to.
    pub url: String,
    /// Headers that have to come with it.
    pub headers: Vec<(String, String)>,
    /// What the part is called when the object is put together; none when the answer's `ETag` says so.
    pub part_id: Option<String>,
}

/// What a node wants to do with an object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asked<'a> {
    Read,
    Head,
    Write(Option<&'a str>),
    /// A part, by our name of the whole and its number.
    Part(&'a str, u32),
}

/// Signs a request for the holder of a lease.
///
/// # Errors
/// [`Error::Forbidden`] when the lease is not held, or has no business with that object.
pub(crate) async fn sign(app: &App, lease: &Fence, key: &str, asked: Asked<'_>) -> Result<Signed> {
    let signer = signer(app)?;
    let need = match asked {
        Asked::Read | Asked::Head => rights::Need::Read,
        Asked::Write(_) | Asked::Part(..) => rights::Need::Write,
    };
    let path = rights::check(&app.store, lease, key, need).await?;
    let store_id;
    let wish = match asked {
        Asked::Read => Wish::Read,
        Asked::Head => Wish::Head,
        Asked::Write(content_type) => Wish::Write(content_type),
        Asked::Part(id, index) => {
            store_id = parts::find(&app.store, lease, key, id).await?.store_id;
            Wish::Part(&store_id, index)
        }
    };
    let signed = signer.sign(&path, wish, LIFETIME).await;
    signed.map_err(|error| Error::Store(error.to_string()))
}

fn signer(app: &App) -> Result<&dyn ObjectSigner> {
    app.signer.as_deref().ok_or_else(|| {
        Error::Invalid(
            "the objects lie in a folder; give the node that folder in KINORA_STORE_URL".into(),
        )
    })
}
