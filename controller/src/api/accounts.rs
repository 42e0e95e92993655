//! `Accounts`: who is calling, may they call now, and what they have.

use kinora_proto::v1::{
    Account, AccountDescription, AdmitRequest, AdmitResponse, DescribeAccountRequest,
    ListTransactionsRequest, ListTransactionsResponse, RateWindow, Transaction,
    accounts_server::Accounts,
};
use tonic::{Request, Response, Status};

use super::to_status;
use crate::{
    Result,
    accounts::{self, Description},
    app::App,
    clock::Timestamp,
    credential,
    ids::AccountId,
    paging::Page,
    state::Plan,
    store::{Store, TransactionRow, WINDOW, Window},
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
        let limits = self.app.terms.requests_per_minute;
        let answer = admit(&self.app.store, limits, &credential, Timestamp::now()).await;
        answer.map(Response::new).map_err(to_status)
    }

    async fn describe(
        &self,
        request: Request<DescribeAccountRequest>,
    ) -> Result<Response<AccountDescription>, Status> {
        let account = AccountId::from(request.into_inner().account_id);
        let described = accounts::describe(&self.app.store, &account, Timestamp::now()).await;
        let limits = self.app.terms.requests_per_minute;
        described
            .map(|description| Response::new(description_message(description, limits)))
            .map_err(to_status)
    }

    async fn list_transactions(
        &self,
        request: Request<ListTransactionsRequest>,
    ) -> Result<Response<ListTransactionsResponse>, Status> {
        let request = request.into_inner();
        let account = AccountId::from(request.account_id);
        let page = Page::read(&request.cursor, request.limit).map_err(to_status)?;
        let listed = self.app.store.transactions_of(&account, &page).await;
        let (transactions, next) = listed.map_err(to_status)?;
        Ok(Response::new(ListTransactionsResponse {
            transactions: transactions.into_iter().map(transaction_message).collect(),
            next_cursor: next.map(|cursor| cursor.encode()),
        }))
    }
}

/// Checks a credential and counts the request.
pub(crate) async fn admit(
    store: &Store,
    requests_per_minute: [u32; 3],
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
        let limit = Plan::None.requests_per_minute(requests_per_minute);
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
    let limit = account.plan.requests_per_minute(requests_per_minute);
    let window = store.count_request(&account.id, limit, now).await?;
    store.note_key_use(&key, now).await?;
    Ok(AdmitResponse {
        account: Some(Account {
            id: account.id.to_string(),
            email: account.email,
            name: account.name,
            plan: account.plan.as_str().into(),
            credits: account.balance.rounded_down(),
            key_prefix: key.prefix,
            key_created_at_ms: key.created_at.0,
            key_last_used_at_ms: key.last_used_at.map(|at| at.0),
        }),
        rate: Some(rate_window(limit, window)),
        allowed: window.allowed,
    })
}

fn description_message(description: Description, limits: [u32; 3]) -> AccountDescription {
    let Description {
        account,
        month_started_at,
        usage,
    } = description;
    AccountDescription {
        id: account.id.to_string(),
        email: account.email,
        name: account.name,
        plan: account.plan.as_str().into(),
        credits: account.balance.rounded_down(),
        requests_per_minute: account.plan.requests_per_minute(limits),
        created_at_ms: account.created_at.0,
        month_started_at_ms: month_started_at.0,
        renders: usage.renders,
        renders_completed: usage.completed,
        renders_failed: usage.failed,
        credits_used: usage.cost.rounded_up(),
        video_seconds: usage.video_milliseconds / 1000,
    }
}

fn transaction_message(transaction: TransactionRow) -> Transaction {
    Transaction {
        id: transaction.id.to_string(),
        r#type: transaction.kind.as_str().into(),
        status: transaction.status.as_str().into(),
        credits: transaction.credits,
        amount_in_cents: transaction.amount_in_cents,
        currency: transaction.currency,
        created_at_ms: transaction.created_at.0,
    }
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
