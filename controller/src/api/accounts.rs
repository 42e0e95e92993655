//! `Accounts`: who is calling, and may they call now.

use kinora_proto::v1::{
    Account, AdmitRequest, AdmitResponse, RateWindow, accounts_server::Accounts,
};
use tonic::{Request, Response, Status};

use super::to_status;
use crate::{
    Result,
    app::App,
    clock::Timestamp,
    credential,
    state::Plan,
    store::{Store, WINDOW, Window},
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
impl Accounts for Service {
    async fn admit(
        &self,
        request: Request<AdmitRequest>,
    ) -> Result<Response<AdmitResponse>, Status> {
        let credential = request.into_inner().credential;
        let answer = admit(&self.app.store, &credential, Timestamp::now()).await;
        answer.map(Response::new).map_err(to_status)
    }
}

/// Checks a credential and counts the request.
pub(crate) async fn admit(
    store: &Store,
    credential: &str,
    now: Timestamp,
) -> Result<AdmitResponse> {
    let found = if credential::looks_like_key(credential) {
        store.key_by_hash(&credential::hash(credential)).await?
    } else {
        None
    };
    let Some((key, account)) = found else {
        // Nothing is counted against nobody; the headers still have to say something true.
        let limit = Plan::None.requests_per_minute();
        let window = Window {
            started_at: now,
            used: 0,
            allowed: true,
        };
        return Ok(AdmitResponse {
            account: None,
            rate: Some(rate_window(limit, window)),
            allowed: true,
        });
    };
    let limit = account.plan.requests_per_minute();
    let window = store.count_request(&account.id, limit, now).await?;
    store.note_key_use(&key, now).await?;
    let credits = store.balance(&account.id).await?.rounded_down();
    Ok(AdmitResponse {
        account: Some(Account {
            id: account.id.to_string(),
            email: account.email,
            name: account.name,
            plan: account.plan.as_str().into(),
            credits,
            key_prefix: key.prefix,
            key_created_at_ms: key.created_at.0,
            key_last_used_at_ms: key.last_used_at.map(|at| at.0),
        }),
        rate: Some(rate_window(limit, window)),
        allowed: window.allowed,
    })
}

fn rate_window(limit: u32, window: Window) -> RateWindow {
    let ends_at = window.started_at.plus(WINDOW);
    RateWindow {
        limit,
        remaining: limit.saturating_sub(window.used),
        // Rounded up: whoever waits until then finds a new window.
        resets_at: -(-ends_at.0).div_euclid(1000),
    }
}
