//! The connection to the controller: one channel, and a client for each of its services.

use std::time::Duration;

use axum::http::Uri;
use kinora_proto::trace;
use kinora_proto::v1::accounts_client::AccountsClient;
use kinora_proto::v1::previews_client::PreviewsClient;
use kinora_proto::v1::projects_client::ProjectsClient;
use kinora_proto::v1::renders_client::RendersClient;
use kinora_proto::v1::templates_client::TemplatesClient;
use kinora_proto::v1::uploads_client::UploadsClient;
use kinora_proto::v1::webhooks_client::WebhooksClient;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{self, Endpoint};
use tonic::{Request, Status};

use crate::server::Error;

/// How long to wait for a connection to the controller before answering 503.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a call to the controller may take before the caller is told to try again.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// A refusal travels in the headers of an answer, and may list many problems.
const MAX_HEADERS: u32 = 1024 * 1024;
/// A job's answer contains its whole composition, which may be larger than the request was.
const MAX_MESSAGE: usize = 64 * 1024 * 1024;

/// The way to the controller: calls tell which trace they belong to.
pub(crate) type Channel = InterceptedService<transport::Channel, Carry>;
type Carry = fn(Request<()>) -> Result<Request<()>, Status>;

/// Clients of the controller's services. Cloning one is cheap: all share the channel.
pub(crate) struct Controller {
    pub(crate) accounts: AccountsClient<Channel>,
    pub(crate) previews: PreviewsClient<Channel>,
    pub(crate) projects: ProjectsClient<Channel>,
    pub(crate) renders: RendersClient<Channel>,
    pub(crate) templates: TemplatesClient<Channel>,
    pub(crate) uploads: UploadsClient<Channel>,
    pub(crate) webhooks: WebhooksClient<Channel>,
}

impl Controller {
    /// Prepares the clients. Nothing is contacted before the first call.
    pub(crate) fn at(url: &str) -> Result<Self, Error> {
        let channel = InterceptedService::new(connect_lazily(url)?, trace::carry as Carry);
        macro_rules! client {
            ($kind:ident) => {
                $kind::new(channel.clone())
                    .max_decoding_message_size(MAX_MESSAGE)
                    .max_encoding_message_size(MAX_MESSAGE)
            };
        }
        Ok(Self {
            accounts: client!(AccountsClient),
            previews: client!(PreviewsClient),
            projects: client!(ProjectsClient),
            renders: client!(RendersClient),
            templates: client!(TemplatesClient),
            uploads: client!(UploadsClient),
            webhooks: client!(WebhooksClient),
        })
    }
}

fn connect_lazily(url: &str) -> Result<transport::Channel, Error> {
    let refused = || Error::ControllerUrl {
        url: url.to_owned(),
    };
    let uri: Uri = url.parse().map_err(|_| refused())?;
    if uri.scheme().is_none() || uri.authority().is_none() {
        return Err(refused());
    }
    Ok(Endpoint::from(uri)
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(CALL_TIMEOUT)
        .http2_max_header_list_size(MAX_HEADERS)
        .http2_keep_alive_interval(Duration::from_secs(10))
        .keep_alive_timeout(Duration::from_secs(5))
        .connect_lazy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_scheme_or_host_is_refused() {
        assert!(connect_lazily("127.0.0.1:7070").is_err());
        assert!(connect_lazily("").is_err());
    }
}
