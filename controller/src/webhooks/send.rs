//! One attempt to deliver: what goes over the wire, and what counts as an answer.

use std::fmt;

use kinora_outbound::{AddressRule, Client};
use reqwest::{
    Method, Request,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use tokio::time::timeout;
use url::Url;

use super::WebhookTerms;
use crate::{Error, Result, clock::Timestamp, controller::Config, ids::DeliveryId};

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// The receiver answered with 2xx in time.
    Acknowledged,
    /// It did not; the text says what happened instead.
    Failed(String),
    /// Nothing was sent: the farm's secret key does not open the registration's secret.
    Unsigned,
}

/// What is sent, ready but for the moment of sending.
pub(super) struct Letter<'a> {
    pub(super) url: &'a str,
    pub(super) body: &'a str,
    pub(super) signature: String,
    /// Told to registered receivers only.
    pub(super) delivery: Option<&'a DeliveryId>,
}

/// Sends to addresses that users named.
pub(super) struct Sender {
    client: Client,
    terms: WebhookTerms,
    signature: HeaderName,
    timestamp: HeaderName,
    delivery: HeaderName,
}

impl Sender {
    pub(super) fn new(config: &Config, allows: AddressRule) -> Result<Self> {
        let header = |what: &str| {
            let name = format!("X-{}-{what}", config.service_name);
            HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
                Error::Setup(format!(
                    "the service name {:?} can't be part of a header's name; use letters, digits \
                     and hyphens in KINORA_SERVICE_NAME",
                    config.service_name
                ))
            })
        };
        let terms = config.webhooks;
        let client = Client::new(allows, terms.answer_within)
            .map_err(|error| Error::Setup(format!("TLS can't be set up: {error}")))?;
        Ok(Self {
            client,
            terms,
            signature: header("Signature")?,
            timestamp: header("Timestamp")?,
            delivery: header("Delivery")?,
        })
    }

    /// Posts a letter and waits for the head of an answer; redirects are not followed.
    pub(super) async fn send(&self, letter: &Letter<'_>, now: Timestamp) -> Attempt {
        let request = match self.request(letter, now) {
            Ok(request) => request,
            Err(reason) => return Attempt::Failed(reason.to_string()),
        };
        match timeout(self.terms.answer_within, self.client.send(request)).await {
            Err(_) => Attempt::Failed("did not answer in time".into()),
            Ok(Err(failure)) => Attempt::Failed(failure.to_string()),
            Ok(Ok(answer)) if answer.status().is_success() => Attempt::Acknowledged,
            Ok(Ok(answer)) => Attempt::Failed(format!("answered {}", answer.status().as_u16())),
        }
    }

    fn request(&self, letter: &Letter<'_>, now: Timestamp) -> Result<Request, Unsendable> {
        let mut request = Request::new(Method::POST, Url::parse(letter.url).or(Err(Unsendable))?);
        let headers = request.headers_mut();
        let mut set = |name: &HeaderName, value: &str| {
            let value = HeaderValue::from_str(value).or(Err(Unsendable))?;
            headers.insert(name, value);
            Ok(())
        };
        set(&CONTENT_TYPE, "application/json")?;
        set(&self.signature, &letter.signature)?;
        set(&self.timestamp, &(now.0 / 1000).to_string())?;
        if let Some(delivery) = letter.delivery {
            set(&self.delivery, delivery.as_str())?;
        }
        *request.body_mut() = Some(letter.body.to_owned().into());
        Ok(request)
    }
}

/// A URL that no request can be made for.
#[derive(Debug)]
struct Unsendable;

impl fmt::Display for Unsendable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("no request can be made for this URL")
    }
}
