//! `Webhooks`: registrations as a gateway asks for them.

use kinora_proto::v1::{
    CreateWebhookRequest, DeleteWebhookRequest, DeleteWebhookResponse, ListWebhooksRequest,
    ListWebhooksResponse, Webhook, webhooks_server::Webhooks,
};
use tonic::{Request, Response, Status};
use tracing::Instrument;

use super::to_status;
use crate::{
    app::App,
    clock::Timestamp,
    ids::{AccountId, WebhookId},
    store::WebhookRow,
    webhooks::{Event, registration},
};

pub(crate) struct Service {
    app: App,
}

impl Service {
    pub(super) fn new(app: App) -> Self {
        Self { app }
    }
}

#[tonic::async_trait]
impl Webhooks for Service {
    async fn create(
        &self,
        request: Request<CreateWebhookRequest>,
    ) -> Result<Response<Webhook>, Status> {
        let request = request.into_inner();
        let account = AccountId::from(request.account_id);
        let span = tracing::info_span!("create_webhook", account_id = %account);
        let (store, webhooks) = (&self.app.store, &self.app.webhooks);
        registration::create(
            store,
            webhooks,
            &account,
            &request.body_json,
            Timestamp::now(),
        )
        .instrument(span)
        .await
        .map(|(webhook, secret)| Response::new(message(webhook, Some(secret))))
        .map_err(to_status)
    }

    async fn list(
        &self,
        request: Request<ListWebhooksRequest>,
    ) -> Result<Response<ListWebhooksResponse>, Status> {
        let account = AccountId::from(request.into_inner().account_id);
        let webhooks = self.app.store.webhooks_of(&account).await;
        let webhooks = webhooks.map_err(to_status)?.into_iter();
        Ok(Response::new(ListWebhooksResponse {
            webhooks: webhooks.map(|webhook| message(webhook, None)).collect(),
        }))
    }

    async fn delete(
        &self,
        request: Request<DeleteWebhookRequest>,
    ) -> Result<Response<DeleteWebhookResponse>, Status> {
        let request = request.into_inner();
        let account = AccountId::from(request.account_id);
        let id = WebhookId::from(request.webhook_id);
        let span = tracing::info_span!("delete_webhook", account_id = %account);
        registration::delete(&self.app.store, &account, &id)
            .instrument(span)
            .await
            .map(|()| Response::new(DeleteWebhookResponse {}))
            .map_err(to_status)
    }
}

fn message(webhook: WebhookRow, secret: Option<String>) -> Webhook {
    let names = webhook.events.into_iter().map(Event::as_str);
    Webhook {
        id: webhook.id.to_string(),
        url: webhook.url,
        secret,
        events: names.map(str::to_owned).collect(),
        is_active: webhook.is_active,
        created_at_ms: webhook.created_at.0,
    }
}
