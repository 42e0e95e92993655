//! `POST /auth/verify`: whose key this is.

use std::sync::Arc;

use axum::Extension;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::date;
use crate::auth::Caller;
use crate::envelope::Success;
use crate::server::App;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::default().routes(routes!(verify))
}

/// The account that a key belongs to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AccountInformation {
    /// The account's id.
    user_id: String,
    /// The address that the account was made with.
    email: String,
    /// The account holder's name.
    name: String,
    /// Credits left, rounded down.
    credits: i64,
    /// The first characters of the key, to tell it from others.
    api_key_prefix: String,
    /// When the key was made.
    #[schema(format = DateTime)]
    api_key_created_at: String,
    /// When the key was last used before this call; null if never.
    #[schema(format = DateTime, required = true)]
    api_key_last_used: Option<String>,
}

/// Verify the API key.
///
/// Says which account the key belongs to and how many credits that account has. No body is needed.
#[utoipa::path(
    post,
    path = "/auth/verify",
    operation_id = "verifyKey",
    tag = "Account",
    responses((status = 200, description = "The key is valid.", body = AccountInformation))
)]
async fn verify(Extension(Caller(account)): Extension<Caller>) -> Success<AccountInformation> {
    Success(AccountInformation {
        user_id: account.id.clone(),
        email: account.email.clone(),
        name: account.name.clone(),
        credits: account.credits,
        api_key_prefix: account.key_prefix.clone(),
        api_key_created_at: date::from_unix_ms(account.key_created_at_ms),
        api_key_last_used: account.key_last_used_at_ms.map(date::from_unix_ms),
    })
}
