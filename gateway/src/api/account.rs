//! `GET /account` and `GET /account/transactions`.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use kinora_proto::v1::{
    AccountDescription, DescribeAccountRequest, ListTransactionsRequest, Transaction,
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::date;
use super::page::PageQuery;
use super::params::Params;
use crate::auth::Caller;
use crate::envelope::{ApiError, Success};
use crate::openapi::names::{Plan, TransactionStatus, TransactionType};
use crate::server::App;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default()
        .routes(routes!(read))
        .routes(routes!(list_transactions))
}

/// The account, its balance and what it used this month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Account)]
struct AccountView {
    /// The account's id.
    user_id: String,
    /// The address that the account was made with.
    email: String,
    /// The account holder's name.
    name: String,
    /// `none`, `creator` or `business`.
    #[schema(value_type = Plan)]
    plan: String,
    /// Credits left, rounded down.
    credits: i64,
    /// How many requests the plan allows in a minute.
    requests_per_minute: u32,
    /// When the account was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// What was used in the current month.
    usage: UsageView,
}

/// What an account used in the current month, UTC.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Usage)]
struct UsageView {
    /// The first moment of the month.
    #[schema(format = DateTime)]
    period_start: String,
    /// Renders that were accepted.
    renders: i64,
    /// Those of them that are complete.
    renders_completed: i64,
    /// Those of them that failed, and were refunded.
    renders_failed: i64,
    /// Credits that they cost after refunds, rounded up.
    credits_used: i64,
    /// Seconds of finished video.
    video_seconds: i64,
}

/// A purchase or grant of credits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Transaction)]
struct TransactionView {
    /// The transaction's id.
    id: String,
    /// CREDIT_PURCHASE, SUBSCRIPTION or ADDITIONAL_CREDITS.
    #[schema(value_type = TransactionType)]
    r#type: String,
    /// PENDING, COMPLETED, FAILED or REFUNDED.
    #[schema(value_type = TransactionStatus)]
    status: String,
    /// Credits that it brought.
    credits: i64,
    /// What was paid, in hundredths of the currency.
    amount_in_cents: i64,
    /// The currency, for example USD.
    currency: String,
    /// When it happened.
    #[schema(format = DateTime)]
    created_at: String,
}

/// A page of transactions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TransactionPage)]
struct TransactionsView {
    /// Newest first.
    transactions: Vec<TransactionView>,
    /// Send it as `cursor` for the next page; null at the end.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// Read the account.
///
/// Returns the plan, the credits left and what was used since the first of the month.
#[utoipa::path(
    get,
    path = "/account",
    operation_id = "getAccount",
    tag = "Account",
    security(("bearerAuth" = ["account:read"])),
    responses((status = 200, description = "The account.", body = AccountView))
)]
async fn read(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
) -> Result<Success<AccountView>, ApiError> {
    let asked = DescribeAccountRequest {
        account_id: account.id.clone(),
    };
    let found = app.controller.accounts.clone().describe(asked).await?;
    Ok(Success(found.into_inner().into()))
}

/// List transactions.
///
/// Returns purchases and grants of credits, newest first.
#[utoipa::path(
    get,
    path = "/account/transactions",
    operation_id = "listTransactions",
    tag = "Account",
    security(("bearerAuth" = ["account:read"])),
    params(PageQuery),
    responses(
        (status = 200, description = "A page of transactions.", body = TransactionsView),
        (status = 400, description = "`limit` or `cursor` is wrong."),
    )
)]
async fn list_transactions(
    State(app): State<Arc<App>>,
    Extension(Caller(account)): Extension<Caller>,
    Params(query): Params<PageQuery>,
) -> Result<Success<TransactionsView>, ApiError> {
    let page = query.page()?;
    let asked = ListTransactionsRequest {
        account_id: account.id.clone(),
        cursor: page.cursor,
        limit: page.limit,
    };
    let mut accounts = app.controller.accounts.clone();
    let found = accounts.list_transactions(asked).await?.into_inner();
    let transactions = found.transactions.into_iter();
    Ok(Success(TransactionsView {
        transactions: transactions.map(TransactionView::from).collect(),
        next_cursor: found.next_cursor,
    }))
}

impl From<AccountDescription> for AccountView {
    fn from(account: AccountDescription) -> Self {
        Self {
            user_id: account.id,
            email: account.email,
            name: account.name,
            plan: account.plan,
            credits: account.credits,
            requests_per_minute: account.requests_per_minute,
            created_at: date::from_unix_ms(account.created_at_ms),
            usage: UsageView {
                period_start: date::from_unix_ms(account.month_started_at_ms),
                renders: account.renders,
                renders_completed: account.renders_completed,
                renders_failed: account.renders_failed,
                credits_used: account.credits_used,
                video_seconds: account.video_seconds,
            },
        }
    }
}

impl From<Transaction> for TransactionView {
    fn from(transaction: Transaction) -> Self {
        Self {
            id: transaction.id,
            r#type: transaction.r#type,
            status: transaction.status,
            credits: transaction.credits,
            amount_in_cents: transaction.amount_in_cents,
            currency: transaction.currency,
            created_at: date::from_unix_ms(transaction.created_at_ms),
        }
    }
}
