//! The gRPC services, one file each, and how errors travel through them.

mod accounts;
mod doorkeeper;
mod farm;
mod objects;
mod previews;
mod projects;
mod renders;
mod session;
mod templates;
mod uploads;
mod variables;
mod webhooks;

use kinora_composition::request::RefusalKind;
use kinora_proto::trace;
use kinora_proto::v1::{
    Problem, accounts_server::AccountsServer, farm_server::FarmServer,
    objects_server::ObjectsServer, previews_server::PreviewsServer, problem::Kind,
    projects_server::ProjectsServer, renders_server::RendersServer,
    templates_server::TemplatesServer, uploads_server::UploadsServer,
    webhooks_server::WebhooksServer,
};
use serde_json::json;
use tonic::Status;
use tracing::Span;

use crate::{Error, app::App};

#[cfg(test)]
pub(crate) use accounts::admit;
pub(crate) use doorkeeper::Doorkeeper;
pub(crate) use session::Session;

/// Compositions may be larger than gRPC's default of 4 MiB, and the envelope comes on top.
const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// The service that admits requests.
pub(crate) fn accounts(app: App) -> AccountsServer<accounts::Service> {
    AccountsServer::new(accounts::Service::new(app))
}

/// The service that takes and shows renders.
pub(crate) fn renders(app: App) -> RendersServer<renders::Service> {
    RendersServer::new(renders::Service::new(app))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES)
}

/// The service that gives out upload URLs.
pub(crate) fn uploads(app: App) -> UploadsServer<uploads::Service> {
    UploadsServer::new(uploads::Service::new(app)).max_decoding_message_size(MAX_MESSAGE_BYTES)
}

/// The service that resolves and shows previews.
pub(crate) fn previews(app: App) -> PreviewsServer<previews::Service> {
    PreviewsServer::new(previews::Service::new(app))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .max_encoding_message_size(MAX_MESSAGE_BYTES)
}

/// The service that keeps registrations of webhooks.
pub(crate) fn webhooks(app: App) -> WebhooksServer<webhooks::Service> {
    WebhooksServer::new(webhooks::Service::new(app))
}

/// The service that shows saved projects.
pub(crate) fn projects(app: App) -> ProjectsServer<projects::Service> {
    ProjectsServer::new(projects::Service::new(app)).max_encoding_message_size(MAX_MESSAGE_BYTES)
}

/// The service that shows public templates.
pub(crate) fn templates(app: App) -> TemplatesServer<templates::Service> {
    TemplatesServer::new(templates::Service::new(app)).max_encoding_message_size(MAX_MESSAGE_BYTES)
}

/// The service that nodes work for.
pub(crate) fn farm(
    app: App,
    shutdown: tokio_util::sync::CancellationToken,
) -> FarmServer<farm::Service> {
    FarmServer::new(farm::Service::new(app, shutdown)).max_encoding_message_size(MAX_MESSAGE_BYTES)
}

/// The service that signs requests to the object store for nodes.
pub(crate) fn objects(app: App) -> ObjectsServer<objects::Service> {
    ObjectsServer::new(objects::Service::new(app))
}

/// The span of a call that is part of a trace; others have none.
pub(crate) fn call_span(request: &http::Request<()>) -> Span {
    let caller = request.headers().get(trace::HEADER);
    let Some(caller) = caller.and_then(|name| name.to_str().ok()) else {
        return Span::none();
    };
    let span = tracing::info_span!(
        target: "kinora_controller::traced",
        "call",
        otel.kind = "server",
        path = request.uri().path()
    );
    trace::hang_below(&span, caller);
    span
}

/// What a caller is told. What only we can mend is logged here and hidden.
fn to_status(error: Error) -> Status {
    let message = error.to_string();
    let problem = match error {
        Error::Refused(refusal) => {
            let kind = match refusal.kind {
                RefusalKind::Invalid => Kind::Invalid,
                RefusalKind::Unrenderable => Kind::Unrenderable,
            };
            Problem::new(kind, refusal.message).with_details(refusal.details.to_string())
        }
        Error::InsufficientCredits { needed, available } => {
            let details = json!({
                "creditsNeeded": needed.rounded_up(),
                "creditsAvailable": available.rounded_down(),
                "creditsShort": needed.rounded_up() - available.rounded_down(),
            });
            Problem::new(Kind::InsufficientCredits, message).with_details(details.to_string())
        }
        Error::Invalid(_) => Problem::new(Kind::Invalid, message),
        Error::Forbidden(_) => Problem::new(Kind::Forbidden, message),
        Error::NotFound(_) => Problem::new(Kind::NotFound, message),
        Error::Conflict(_) => Problem::new(Kind::Conflict, message),
        Error::TooLarge(_) => Problem::new(Kind::TooLarge, message),
        Error::Store(_) => {
            tracing::error!(error = message, "the object store is away");
            Problem::new(
                Kind::Unavailable,
                "the service can't reach its object store; try again in a moment",
            )
        }
        error if error.is_transient() => {
            tracing::error!(%error, "the database is away");
            Problem::new(
                Kind::Unavailable,
                "the service can't reach its database; try again in a moment",
            )
        }
        Error::Setup(_)
        | Error::Database(_)
        | Error::Objects(_)
        | Error::Corrupt(_)
        | Error::Serve(_) => {
            tracing::error!(error = message, "request failed");
            Problem::new(Kind::Internal, "internal error")
        }
    };
    problem.into_status()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Credits;

    #[test]
    fn short_credits_are_told_in_whole_numbers_that_add_up() {
        let error = Error::InsufficientCredits {
            needed: Credits::from_hundredths(300),
            available: Credits::from_hundredths(125),
        };
        let problem = Problem::from_status(&to_status(error));
        assert_eq!(problem.kind(), Kind::InsufficientCredits);
        let details: serde_json::Value = serde_json::from_str(&problem.details_json).expect("JSON");
        assert_eq!(
            details,
            json!({ "creditsNeeded": 3, "creditsAvailable": 1, "creditsShort": 2 })
        );
    }

    #[test]
    fn internals_are_hidden_and_an_absent_database_says_come_again() {
        let hidden = Problem::from_status(&to_status(Error::Corrupt("table secrets".into())));
        assert_eq!(
            (hidden.kind(), hidden.message.as_str()),
            (Kind::Internal, "internal error")
        );
        let away = Problem::from_status(&to_status(sqlx::Error::PoolTimedOut.into()));
        assert_eq!(away.kind(), Kind::Unavailable);
    }
}
