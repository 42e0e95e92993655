//! An object store without credentials: the controller signs every request, for the lease that it belongs to.

use std::fmt;
use std::ops::Range;

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::{self, BoxStream};
use kinora_proto::v1::{self, sign_request::Wish};
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, CopyOptions, Error as StoreError, Extensions, GetOptions, GetResult,
    GetResultPayload, ListResult, MultipartUpload, ObjectMeta, ObjectStore, PutMode,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use reqwest::header::{
    CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MATCH,
    IF_NONE_MATCH, RANGE,
};
use reqwest::{Method, Response, StatusCode};

use super::body::Body;
use super::broker::Broker;
use super::parts::Parts;
use super::request::{Requests, Unsigned, failed};

/// What errors call it.
pub(super) const NAME: &str = "signed";

/// The objects that one lease has business with. Everything else the controller refuses, and lists, copies and deletions are
/// nothing that a node does.
#[derive(Clone)]
pub struct SignedStore {
    broker: Broker,
    requests: Requests,
    holder: v1::Holder,
}

impl SignedStore {
    pub(super) fn new(broker: Broker, requests: Requests, holder: v1::Holder) -> Self {
        Self {
            broker,
            requests,
            holder,
        }
    }

    /// Asks for an object, or for what is known of it.
    pub(super) async fn read(
        &self,
        key: &Path,
        headers: HeaderMap,
        head: bool,
    ) -> Result<Response> {
        let method = if head { Method::HEAD } else { Method::GET };
        let request = Unsigned {
            method,
            headers,
            body: None,
        };
        let wish = Wish::Read(v1::ReadObject { head });
        self.send(key, &request, wish).await.map(|(_, it)| it)
    }

    /// Sends one part, and answers what it is called.
    pub(super) async fn write_part(
        &self,
        key: &Path,
        upload_id: String,
        index: u32,
        bytes: Bytes,
    ) -> Result<String> {
        let wish = Wish::Part(v1::WritePart { upload_id, index });
        let (signed, response) = self.send(key, &put(bytes), wish).await?;
        if !signed.part_id.is_empty() {
            return Ok(signed.part_id);
        }
        text(&response, &ETAG).ok_or_else(|| failed("the store did not name a part"))
    }

    pub(super) async fn complete(
        &self,
        key: &Path,
        upload_id: String,
        part_ids: Vec<String>,
    ) -> Result<PutResult> {
        let request = v1::CompletePartsRequest {
            holder: Some(self.holder.clone()),
            key: key.to_string(),
            upload_id,
            part_ids,
        };
        self.broker.complete(key, request).await?;
        Ok(written(None))
    }

    pub(super) async fn abort(&self, key: &Path, upload_id: String) -> Result<()> {
        let request = v1::AbortPartsRequest {
            holder: Some(self.holder.clone()),
            upload_id,
        };
        self.broker.abort(key, request).await.map(|_| ())
    }

    async fn send(
        &self,
        key: &Path,
        request: &Unsigned,
        wish: Wish,
    ) -> Result<(v1::SignedRequest, Response)> {
        let asked = v1::SignRequest {
            holder: Some(self.holder.clone()),
            key: key.to_string(),
            wish: Some(wish),
        };
        self.requests
            .send(key, request, || self.broker.sign(key, asked.clone()))
            .await
    }

    fn lacks(&self, operation: &str) -> StoreError {
        StoreError::NotImplemented {
            operation: operation.to_owned(),
            implementer: self.to_string(),
        }
    }

    /// The one attribute that is kept: the type of an object.
    fn content_type(&self, attributes: &Attributes) -> Result<String> {
        let mut content_type = String::new();
        for (attribute, value) in attributes {
            match attribute {
                Attribute::ContentType => value.as_ref().clone_into(&mut content_type),
                _ => return Err(self.lacks("put with attributes")),
            }
        }
        Ok(content_type)
    }
}

#[tonic::async_trait]
impl ObjectStore for SignedStore {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        if options.mode != PutMode::Overwrite {
            return Err(self.lacks("put with a condition"));
        }
        let content_type = self.content_type(&options.attributes)?;
        let wish = Wish::Write(v1::WriteObject { content_type });
        let (_, response) = self.send(location, &put(payload.into()), wish).await?;
        Ok(written(text(&response, &ETAG)))
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        if !options.attributes.is_empty() {
            return Err(self.lacks("put in parts with attributes"));
        }
        let request = v1::BeginPartsRequest {
            holder: Some(self.holder.clone()),
            key: location.to_string(),
        };
        let begun = self.broker.begin(location, request).await?;
        let parts = Parts::new(self.clone(), location.clone(), begun.upload_id);
        Ok(Box::new(parts))
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let has_date = options.if_modified_since.is_some() || options.if_unmodified_since.is_some();
        if has_date || options.version.is_some() {
            return Err(self.lacks("get by date or version"));
        }
        let range = options.range.as_ref().map(ToString::to_string);
        let mut headers = HeaderMap::new();
        for (name, value) in [
            (IF_MATCH, options.if_match),
            (IF_NONE_MATCH, options.if_none_match),
            (RANGE, range),
        ] {
            if let Some(value) = value {
                let value = HeaderValue::try_from(value);
                headers.insert(
                    name,
                    value.map_err(|_| failed("a condition can't be sent"))?,
                );
            }
        }
        let response = self.read(location, headers, options.head).await?;
        if options.range.is_some() && response.status() != StatusCode::PARTIAL_CONTENT {
            return Err(failed("the store does not send parts of an object"));
        }
        let (range, size) = extent(&response)
            .ok_or_else(|| failed("the store did not say how large an object is"))?;
        let e_tag = text(&response, &ETAG);
        let meta = ObjectMeta {
            location: location.clone(),
            // Nobody here asks for it.
            last_modified: Default::default(),
            size,
            e_tag: e_tag.clone(),
            version: None,
        };
        let payload = match options.head {
            true => stream::empty().boxed(),
            false => Body::of(response, self, location, e_tag, range.clone()).into_stream(),
        };
        Ok(GetResult {
            payload: GetResultPayload::Stream(payload),
            meta,
            range,
            attributes: Attributes::new(),
            extensions: Extensions::new(),
        })
    }

    fn delete_stream(
        &self,
        _locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        let error = self.lacks("delete");
        stream::once(async { Err(error) }).boxed()
    }

    fn list(&self, _prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let error = self.lacks("list");
        stream::once(async { Err(error) }).boxed()
    }

    async fn list_with_delimiter(&self, _prefix: Option<&Path>) -> Result<ListResult> {
        Err(self.lacks("list"))
    }

    async fn copy_opts(&self, _from: &Path, _to: &Path, _options: CopyOptions) -> Result<()> {
        Err(self.lacks("copy"))
    }
}

impl fmt::Display for SignedStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the controller's store")
    }
}

impl fmt::Debug for SignedStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SignedStore")
    }
}

fn put(bytes: Bytes) -> Unsigned {
    Unsigned {
        method: Method::PUT,
        headers: HeaderMap::new(),
        body: Some(bytes),
    }
}

fn written(e_tag: Option<String>) -> PutResult {
    PutResult {
        e_tag,
        version: None,
        extensions: Extensions::new(),
    }
}

fn text(response: &Response, name: &HeaderName) -> Option<String> {
    let value = response.headers().get(name)?;
    value.to_str().ok().map(str::to_owned)
}

/// Which bytes an answer brings, and how many there are in all.
fn extent(response: &Response) -> Option<(Range<u64>, u64)> {
    if response.status() != StatusCode::PARTIAL_CONTENT {
        // The length of a body that is not sent stands in the headers alone.
        let size = text(response, &CONTENT_LENGTH)?.parse().ok()?;
        return Some((0..size, size));
    }
    range_of(&text(response, &CONTENT_RANGE)?)
}

/// As in `bytes 2-5/10`.
fn range_of(text: &str) -> Option<(Range<u64>, u64)> {
    let (range, size) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    let size = size.parse().ok()?;
    (first <= last && last < size).then_some((first..last + 1, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_an_object_says_which() {
        assert_eq!(range_of("bytes 2-5/10"), Some((2..6, 10)));
        for odd in [
            "bytes 5-2/10",
            "bytes 2-10/10",
            "bytes */10",
            "2-5/10",
            "bytes 2-5/*",
        ] {
            assert_eq!(range_of(odd), None, "{odd}");
        }
    }
}
